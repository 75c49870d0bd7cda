// The fitted single track model: its parameters from answers that are known, and its steering
// response beside that of the whole car, simulated.

#include <cmath>
#include <complex>
#include <string>

#include <gtest/gtest.h>

#include "integrator/step.hpp"
#include "tests/support/drives.hpp"
#include "tests/support/eigen_system.hpp"
#include "vehicles/analysis/bicycle/bicycle_answer.hpp"
#include "vehicles/files/xml/reader.hpp"

namespace semirec::test {
namespace {

std::string shipped_path(const std::string& model) {
  return std::string(SEMIREC_SOURCE_DIR) + "/vehicles/models/" + model;
}

/// The four equations of the model as a state matrix over (v, r, F_f, F_r).
Eigen::Matrix4d state_matrix(const BicycleModel& car, double V) {
  const double m = car.mass;
  const double rate_f = V / car.sigma_f;
  const double rate_r = V / car.sigma_r;
  Eigen::Matrix4d A;
  A << 0, -V, 1 / m, 1 / m,                                              //
      0, 0, car.a / car.yaw_inertia, -car.b / car.yaw_inertia,           //
      -rate_f * car.C_f / V, -rate_f * car.C_f * car.a / V, -rate_f, 0,  //
      -rate_r * car.C_r / V, rate_r * car.C_r * car.b / V, 0, -rate_r;
  return A;
}

/// What the model answers, by solving its state equations in real numbers; nothing of the engine.
ResponsePoint point_of(const BicycleModel& car, double V, double frequency, double ahead) {
  const double omega = 2.0 * M_PI * frequency;
  const Eigen::Matrix4d A = state_matrix(car, V);
  Eigen::MatrixXd matrix(8, 8);
  matrix << -A, -omega * Eigen::Matrix4d::Identity(), omega * Eigen::Matrix4d::Identity(), -A;
  Eigen::VectorXd right = Eigen::VectorXd::Zero(8);
  right[2] = V / car.sigma_f * car.C_f;
  const Eigen::VectorXd x = solve_fully_pivoted(matrix, right);
  const std::complex<double> s(0.0, omega);
  const std::complex<double> v(x[0], x[4]);
  const std::complex<double> r(x[1], x[5]);
  return {V, frequency, {r, s * v + V * r + ahead * s * r}};
}

void expect_recovered(const BicycleModel& known) {
  const double ahead = -0.07;
  std::vector<ResponsePoint> points;
  for (const double V : {8.0, 14.0, 25.0})
    for (const double f : {0.0, 0.3, 0.8, 1.6}) points.push_back(point_of(known, V, f, ahead));
  BicycleModel start = known;
  start.C_f = start.C_r = start.sigma_f = start.sigma_r = 0.0;
  const BicycleModel found = fit_bicycle(points, start, ahead);
  // 1e-7: slopes by differences of 1e-6 do not move the minimum, which is zero
  constexpr double kDigits = 1e-7;
  EXPECT_NEAR(found.C_f, known.C_f, kDigits * known.C_f);
  EXPECT_NEAR(found.C_r, known.C_r, kDigits * known.C_r);
  EXPECT_NEAR(found.sigma_f, known.sigma_f, kDigits);
  EXPECT_NEAR(found.sigma_r, known.sigma_r, kDigits);
  const FitErrors errors = find_errors(found, points, ahead);
  EXPECT_LT(errors.yaw_rate, kDigits);
  EXPECT_LT(errors.lateral_acceleration, kDigits);
}

TEST(BicycleFit, FindsTheParametersBehindAnswersOfTheSameModel) {
  const BicycleModel understeers{1500, 2500, 1.2, 1.5, 80000, 90000, 0.45, 0.6};
  EXPECT_GT(understeers.understeer_gradient(), 0.0);
  expect_recovered(understeers);
  // oversteers; its critical speed is 29 m/s
  const BicycleModel oversteers{1100, 1400, 1.4, 1.1, 70000, 75000, 0.2, 0.9};
  EXPECT_LT(oversteers.understeer_gradient(), 0.0);
  expect_recovered(oversteers);
}

TEST(BicycleFit, HoldsARelaxationLengthAtZeroWhereAnAxleAnswersSoonerThanWithoutOne) {
  // a lead at the front: the same equations with a relaxation length below zero
  const BicycleModel leads{1500, 2500, 1.2, 1.5, 80000, 90000, -0.15, 0.6};
  std::vector<ResponsePoint> points;
  for (const double V : {10.0, 20.0})
    for (const double f : {0.0, 0.5, 1.0}) points.push_back(point_of(leads, V, f, 0.0));
  const BicycleModel found = fit_bicycle(points, leads, 0.0);
  EXPECT_EQ(found.sigma_f, 0.0);
  EXPECT_GT(found.sigma_r, 0.0);
  // steady answers do not know of the lag: the gradient is that of the points, to rounding
  EXPECT_NEAR(found.understeer_gradient(), leads.understeer_gradient(), 1e-12);
}

TEST(BicycleFit, OfACarThatIsABicycleIsThatBicycle) {
  // tests/data/bicycle.xml says its numbers in its head
  SteadyCar car(read_vehicle(std::string(SEMIREC_SOURCE_DIR) + "/tests/data/bicycle.xml", {}), {});
  const FittedBicycle fitted = find_bicycle(car, {{10.0, 20.0, 30.0}, 2.0}, {});
  const BicycleModel& model = fitted.model;
  EXPECT_NEAR(model.mass, 1500.0, 1e-9);
  EXPECT_NEAR(model.yaw_inertia, 2500.0, 1e-6);
  EXPECT_NEAR(model.a, 1.2, 1e-9);
  EXPECT_NEAR(model.b, 1.5, 1e-9);
  EXPECT_NEAR(fitted.figures.steering_ratio, 1.0, 1e-9);  // its input turns the wheels
  // 1e-3: wheels of 10 g that spin, a track of 0.2 m, whose longitudinal slips turn the car too
  EXPECT_NEAR(model.C_f, 80000.0, 1e-3 * 80000.0);
  EXPECT_NEAR(model.C_r, 90000.0, 1e-3 * 90000.0);
  EXPECT_NEAR(model.sigma_f, 0.45, 1e-3);
  EXPECT_NEAR(model.sigma_r, 0.45, 1e-3);
  EXPECT_LT(fitted.errors.yaw_rate, 1e-3);
  EXPECT_LT(fitted.errors.lateral_acceleration, 1e-3);
}

/// The steering wheel goes to its end within a second from half a second on, without a jump of its
/// rate or second rate: 10 u^3 - 15 u^4 + 6 u^5.
constexpr double kBegin = 0.5;
double share_of_steering(double t) {
  const double u = std::min(std::max(t - kBegin, 0.0), 1.0);
  return u * u * u * (10.0 - 15.0 * u + 6.0 * u * u);
}

/// Yaw rate of the model over time, by Runge and Kutta's fourth order; a relaxation length of zero
/// is taken for one of 5 mm, which at 10 m/s is 0.5 ms.
std::vector<double> integrate(BicycleModel model, double V, double angle, double until, double h,
                              int every) {
  model.sigma_f = std::max(model.sigma_f, 5e-3);
  model.sigma_r = std::max(model.sigma_r, 5e-3);
  const Eigen::Matrix4d A = state_matrix(model, V);
  const double in = V / model.sigma_f * model.C_f * angle;
  const auto rate = [&](double t, const Eigen::Vector4d& x) -> Eigen::Vector4d {
    Eigen::Vector4d xd = A * x;
    xd[2] += in * share_of_steering(t);
    return xd;
  };
  std::vector<double> yaw_rates{0.0};
  Eigen::Vector4d x = Eigen::Vector4d::Zero();
  const int steps = static_cast<int>(std::lround(until / h));
  for (int k = 0; k < steps; ++k) {
    const double t = k * h;
    const Eigen::Vector4d k1 = rate(t, x);
    const Eigen::Vector4d k2 = rate(t + h / 2, x + h / 2 * k1);
    const Eigen::Vector4d k3 = rate(t + h / 2, x + h / 2 * k2);
    const Eigen::Vector4d k4 = rate(t + h, x + h * k3);
    x += h / 6 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
    if ((k + 1) % every == 0) yaw_rates.push_back(x[1]);
  }
  return yaw_rates;
}

struct Shipped {
  std::string model;
  double speed;
};

class BicycleBesideTheCar : public testing::TestWithParam<Shipped> {};

TEST_P(BicycleBesideTheCar, TurnsAsTheWholeCarWithinTheErrorThatItStates) {
  const auto [name, V] = GetParam();
  const Vehicle vehicle = read_vehicle(shipped_path(name), {});
  SteadyCar car(vehicle, {});
  const FittedBicycle fitted = find_bicycle(car, {{10.0, 15.0, 20.0, 25.0, 30.0}, 1.0}, {});
  const double lateral = 0.1;
  const double angle = lateral / V / fitted.model.yaw_gain(V);  // of the front wheels
  const double wheel = angle * fitted.figures.steering_ratio;   // of the steering wheel

  const double until = 3.5;
  Scenario scenario;
  scenario.start = StartMode::equilibrium;
  scenario.speed = V;
  scenario.speed_mode = SpeedMode::control;
  scenario.speed_gain = 1e5;  // air and rolling resistance take 5 mm/s of the speed
  scenario.until = until;
  const double end = wheel * vehicle.controls.steering_ratio;
  Input steering;
  steering.name = vehicle.controls.steering;
  steering.curve = Curve::constant(0.0);
  steering.curve.add_piece(kBegin, kBegin, {0.0, 0.0, 0.0, 10.0 * end, -15.0 * end, 6.0 * end});
  steering.curve.add_piece(kBegin + 1.0, 0.0, {end, 0.0, 0.0, 0.0, 0.0, 0.0});
  scenario.inputs.push_back(steering);
  Drive drive = make_drive(vehicle, scenario);
  Workspace ws(drive.model);
  State state = start_drive(drive, ws);
  const Recorder recorder(drive.model, drive.recorder);
  std::size_t yaw = recorder.channels().size();
  for (std::size_t k = 0; k < recorder.channels().size(); ++k)
    if (recorder.channels()[k].name == "chassis.wz") yaw = k;
  ASSERT_LT(yaw, recorder.channels().size());

  constexpr int kEvery = 10;  // ms
  const std::vector<double> bicycle = integrate(fitted.model, V, angle, until, 1e-4, 10 * kEvery);
  std::vector<double> values;
  double largest = 0.0;
  double last = 0.0;
  for (std::size_t k = 0; k < bicycle.size(); ++k) {
    recorder.record(drive.model, state, ws, values);
    last = values[yaw];
    largest = std::max(largest, std::abs(last - bicycle[k]));
    for (int n = 0; n < kEvery && k + 1 < bicycle.size(); ++n)
      ASSERT_EQ(step(drive.model, drive.settings.step, state, ws).status, StepStatus::converged);
  }
  const double steady = lateral / V;
  EXPECT_LT(largest / steady, fitted.errors.yaw_rate);
  // what the car leaves its straight line by here, if as a straight line up to its limit; 1e-3: of
  // the speed
  const double bent =
      kBend * lateral / fitted.lateral_limits[static_cast<std::size_t>((V - 10.0) / 5.0)].value;
  EXPECT_NEAR(last / steady, 1.0, fitted.errors.yaw_gain + bent + 1e-3);
  EXPECT_LT(fitted.errors.yaw_gain, 0.01);
}

INSTANTIATE_TEST_SUITE_P(Shipped, BicycleBesideTheCar,
                         testing::Values(Shipped{"sedan.xml", 10.0}, Shipped{"sedan.xml", 20.0},
                                         Shipped{"sedan.xml", 30.0}, Shipped{"iltis.xml", 10.0},
                                         Shipped{"iltis.xml", 20.0}, Shipped{"iltis.xml", 30.0}));

// the turn at the limit, solved by itself, holds the bicycle a tenth off
TEST(BicycleFit, NamesTheTurnInWhichTheBicycleIsATenthOff) {
  SteadyCar car(read_vehicle(shipped_path("sedan.xml"), {}), {});
  const FittedBicycle fitted = find_bicycle(car, {{15.0, 25.0}, 1.0}, {});
  for (std::size_t k = 0; k < 2; ++k) {
    ASSERT_TRUE(fitted.lateral_limits[k].model_leaves);
    const double speed = k == 0 ? 15.0 : 25.0;
    const SteadyTurn turn = car.turn(speed, fitted.lateral_limits[k].value);
    const double yaw_rate =
        fitted.model.yaw_gain(speed) * turn.steering_wheel / fitted.figures.steering_ratio;
    EXPECT_NEAR(std::abs(yaw_rate / turn.yaw_rate - 1.0), kBend, 1e-5) << speed;
  }
}

}  // namespace
}  // namespace semirec::test
