// Vehicles of several units and of more than two axles, against linear single-track models whose
// matrices stand here.

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "integrator/simulation.hpp"
#include "tests/support/eigen_system.hpp"
#include "vehicles/analysis/kc/kc.hpp"
#include "vehicles/analysis/modes.hpp"
#include "vehicles/description/articulation.hpp"
#include "vehicles/files/xml/reader.hpp"
#include "vehicles/manoeuvre/method.hpp"

namespace semirec::test {
namespace {

const std::string kHome = SEMIREC_SOURCE_DIR;

Vehicle shipped(const std::string& model) {
  return read_vehicle(kHome + "/vehicles/models/" + model, {});
}

double value_of(const Answer& answer, const std::string& name) {
  const int k = find_quantity(answer, name);
  EXPECT_GE(k, 0) << name;
  return k < 0 ? std::nan("") : answer.quantities.at(static_cast<std::size_t>(k)).value;
}

/// Car and trailer in the plane at a constant speed V, small angles. Lateral place y of the car's
/// centre of mass, heading psi, articulation gamma: points at x ahead of the car's centre move as
/// y + x psi, those behind the hitch as y - h psi - d (psi - gamma). Each axle has a velocity
/// across its wheels V_y = g . qd - V n . q - V delta, F = -C eta/s, etad = V_y - V eta/s.
struct SingleTrack {
  double m1 = 1500, I1 = 2500, a = 1.2, b = 1.5;
  double m2 = 900, I2 = 1400, h = 2.5, L2 = 4.0, e = 0.2;
  std::array<double, 3> C{80000, 90000, 70000};
  double s = 0.45, gravity = 9.81;

  double l1() const { return L2 - e; }
  Eigen::Vector3d g(int axle) const {
    if (axle == 0) return {1, a, 0};
    if (axle == 1) return {1, -b, 0};
    return {1, -(h + L2), L2};
  }
  Eigen::Vector3d n(int axle) const {
    return axle < 2 ? Eigen::Vector3d(0, 1, 0) : Eigen::Vector3d(0, 1, -1);
  }
  Eigen::Vector3d trailer() const { return {1, -(h + l1()), l1()}; }
  Eigen::Matrix3d mass() const {
    const Eigen::Vector3d turning(0, 1, -1);
    Eigen::Matrix3d M = m2 * trailer() * trailer().transpose() + I2 * turning * turning.transpose();
    M(0, 0) += m1;
    M(1, 1) += I1;
    return M;
  }
  /// Over q, qd, eta; `steer`: what a steer angle adds to the rates.
  Eigen::Matrix<double, 9, 9> system(double V, Eigen::Matrix<double, 9, 1>& steer) const {
    Eigen::Matrix<double, 9, 9> A = Eigen::Matrix<double, 9, 9>::Zero();
    A.block<3, 3>(0, 3).setIdentity();
    const Eigen::Matrix3d inverse = mass().inverse();
    for (int k = 0; k < 3; ++k) {
      A.block<3, 1>(3, 6 + k) = -C[static_cast<std::size_t>(k)] / s * inverse * g(k);
      A.block<1, 3>(6 + k, 0) = -V * n(k).transpose();
      A.block<1, 3>(6 + k, 3) = g(k).transpose();
      A(6 + k, 6 + k) = -V / s;
    }
    steer.setZero();
    steer(6) = -V;
    return A;
  }
  /// Steer angle, sideslip velocity and articulation that hold a lateral acceleration.
  struct Steady {
    double delta, v, gamma;
  };
  Steady steady(double V, double ay) const {
    const double r = ay / V;
    const double Ft = m2 * ay * l1() / L2;
    const double hitch = m2 * ay - Ft;  // across, on the car
    // F_f + F_r = m1 ay + hitch; a F_f - b F_r = -h hitch
    const double Fr = (a * (m1 * ay + hitch) + h * hitch) / (a + b);
    const double Ff = m1 * ay + hitch - Fr;
    const double v = V * (-Fr / C[1]) + b * r;
    const double alpha_t = -Ft / C[2];
    return {(v + a * r) / V + Ff / C[0], v, alpha_t - (v - (h + L2) * r) / V};
  }
};

Vehicle bicycle_trailer(const SingleTrack& track) {
  // nose load on the hitch, and the wheels that carry it
  const double nose = track.m2 * track.gravity * track.e / track.L2;
  const double length = track.a + track.b;
  const double front =
      (track.m1 * track.gravity * track.b - nose * (track.h - track.b)) / length / 2.0;
  const double rear =
      (track.m1 * track.gravity * track.a + nose * (track.h + track.a)) / length / 2.0;
  return read_vehicle(kHome + "/tests/data/bicycle_trailer.xml",
                      {{"load_f", "value", std::to_string(front), {}},
                       {"load_r", "value", std::to_string(rear), {}}});
}

TEST(CarWithTrailer, SteersAndBendsAsTheSingleTrackModel) {
  const SingleTrack track;
  constexpr double kSpeed = 20.0;
  SteadyCar car(bicycle_trailer(track), {});
  constexpr double kSmall = 0.002;  // m/s^2: the closed form is linear
  const SteadyTurn turn = car.turn(kSpeed, kSmall);
  const SingleTrack::Steady expected = track.steady(kSpeed, kSmall);
  // 1e-4: wheels of 10 g, a track of 0.2 m
  EXPECT_NEAR(turn.steering_wheel / expected.delta, 1.0, 1e-4);
  ASSERT_EQ(turn.articulations.size(), 1U);
  EXPECT_NEAR(turn.articulations[0] / expected.gamma, 1.0, 1e-4);

  SteadyOptions options;
  options.speed = kSpeed;
  options.lateral_accelerations = {0.0, 0.5};
  const Answer answer = analyse_steady_state(bicycle_trailer(track), {}, options);
  // the wheelbase is the car's, a + b; the trailer adds its pull at the hitch alone
  const double understeer = track.steady(kSpeed, 1.0).delta - (track.a + track.b) / 400.0;
  EXPECT_NEAR(value_of(answer, "understeer_gradient") / understeer, 1.0, 1e-3);
  EXPECT_NEAR(value_of(answer, "ackermann_gradient"), 2.7 / 400.0, 1e-12);
}

TEST(CarWithTrailer, SwaysWithTheEigenvalueOfTheSingleTrackModel) {
  const SingleTrack track;
  for (const double speed : {20.0, 30.0}) {
    Eigen::Matrix<double, 9, 1> steer;
    const Eigen::VectorXcd values = find_eigen_system(track.system(speed, steer)).values;
    // the least damped pair that oscillates
    std::complex<double> sway(-1e300, 0.0);
    for (const std::complex<double>& value : values)
      if (value.imag() > 0.1 && value.real() > sway.real()) sway = value;
    SteadyCar car(bicycle_trailer(track), {});
    const CarModes modes = find_modes(car, car.turn(speed, 0.0), {});
    const auto found = std::find_if(modes.modes.begin(), modes.modes.end(),
                                    [](const Mode& mode) { return mode.name == "trailer sway"; });
    ASSERT_NE(found, modes.modes.end()) << speed;
    // 1e-3: wheels of 10 g that spin, a track of 0.2 m
    EXPECT_LT(std::abs(found->eigen.value - sway), 1e-3 * std::abs(sway))
        << found->eigen.value << " " << sway;
  }
}

// Heavier than the car its sway is still the slow swing in which the trailer's own coordinates take
// part most: neither the spin of the car's wheels, which turns a light car beside it, nor the roll.
TEST(CarWithTrailer, SwaysWhereTheTrailerMovesMost) {
  for (const double mass : {700.0, 1400.0, 2500.0, 4000.0})
    for (const double speed : {15.0, 20.0, 25.0}) {
      const auto times = [&](double factor) { return std::to_string(factor * mass); };
      SteadyCar car(
          read_vehicle(
              kHome + "/vehicles/models/trailer.xml",
              {{"trailer", "mass", times(1.0), {}},
               {"trailer", "inertia", times(0.3) + " " + times(1.0) + " " + times(1.1), {}}}),
          {});
      const CarModes modes = find_modes(car, car.turn(speed, 0.0), {});
      const auto found = std::find_if(modes.modes.begin(), modes.modes.end(),
                                      [](const Mode& mode) { return mode.name == "trailer sway"; });
      ASSERT_NE(found, modes.modes.end()) << mass << " " << speed;
      EXPECT_GT(found->participation[static_cast<std::size_t>(Subsystem::trailer)], 0.5)
          << mass << " " << speed;
      EXPECT_LT(std::abs(found->eigen.value), 10.0) << mass << " " << speed;
    }
}

// The same sine of the steering wheel, integrated in the single-track model by Runge and Kutta.
TEST(CarWithTrailer, AmplifiesAsTheSingleTrackModel) {
  const SingleTrack track;
  constexpr double kSpeed = 20.0;
  constexpr double kFrequency = 0.4;
  constexpr double kAngle = 0.002;
  Eigen::Matrix<double, 9, 1> steer;
  const Eigen::Matrix<double, 9, 9> A = track.system(kSpeed, steer);
  Eigen::Matrix<double, 9, 1> x = Eigen::Matrix<double, 9, 1>::Zero();
  const auto rate = [&](double t, const Eigen::Matrix<double, 9, 1>& at) {
    const double delta =
        t < 1.0 / kFrequency ? kAngle * std::sin(2.0 * M_PI * kFrequency * t) : 0.0;
    return Eigen::Matrix<double, 9, 1>(A * at + steer * delta);
  };
  double ay[2] = {0, 0};
  double yaw_rate[2] = {0, 0};
  double bent = 0.0;
  constexpr double kStep = 1e-3;
  for (int k = 0; k < 7500; ++k) {
    const double t = k * kStep;
    const auto now = rate(t, x);
    const Eigen::Vector3d qdd = now.segment<3>(3);
    ay[0] = std::max(ay[0], std::abs(qdd[0]));
    ay[1] = std::max(ay[1], std::abs(track.trailer().dot(qdd)));
    yaw_rate[0] = std::max(yaw_rate[0], std::abs(x[4]));
    yaw_rate[1] = std::max(yaw_rate[1], std::abs(x[4] - x[5]));
    bent = std::max(bent, std::abs(x[2]));
    const auto b = rate(t + 0.5 * kStep, x + 0.5 * kStep * now);
    const auto c = rate(t + 0.5 * kStep, x + 0.5 * kStep * b);
    const auto d = rate(t + kStep, x + kStep * c);
    x += kStep / 6.0 * (now + 2.0 * b + 2.0 * c + d);
  }
  const Manoeuvre manoeuvre =
      read_manoeuvre(kHome + "/vehicles/manoeuvres/rearward_amplification.xml",
                     {{"speed", "20"}, {"settle", "1"}, {"steering_wheel", "0.002"}});
  ManoeuvreOptions options;
  options.quick = true;
  const Answer answer = run_manoeuvre(bicycle_trailer(track), manoeuvre, options);
  // 3e-3: largest of samples 2 ms apart, speed that the sine takes away
  EXPECT_NEAR(value_of(answer, "largest_ay") / ay[0], 1.0, 3e-3);
  EXPECT_NEAR(value_of(answer, "trailer.amplification_ay") / (ay[1] / ay[0]), 1.0, 3e-3);
  EXPECT_NEAR(value_of(answer, "trailer.amplification_yaw_rate") / (yaw_rate[1] / yaw_rate[0]), 1.0,
              3e-3);
  EXPECT_NEAR(value_of(answer, "trailer.largest_articulation") / bent, 1.0, 3e-3);
}

// Three axles, one steered. F_i = -C_i (beta + x_i/R - delta_i), in balance with m ay; the steer
// angle is linear in 1/R and ay: delta = L/R + K ay.
TEST(ThreeAxles, SteerAsTheBicycleModelWithThreeAxles) {
  const double m = 9000.0;
  const std::array<double, 3> x{3.0, -1.2, -2.5};
  const std::array<double, 3> C{250e3, 300e3, 200e3};
  double S0 = 0, S1 = 0, S2 = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    S0 += C[i];
    S1 += C[i] * x[i];
    S2 += C[i] * x[i] * x[i];
  }
  Eigen::Matrix2d A;  // over delta and beta
  A << C[0], -S0, C[0] * x[0], -S1;
  const double L = A.inverse().row(0).dot(Eigen::Vector2d(S1, S2));
  const double K = A.inverse().row(0).dot(Eigen::Vector2d(m, 0.0));
  SteadyOptions options;
  options.speed = 20.0;
  options.lateral_accelerations = {0.0, 0.5};
  const Answer answer = analyse_steady_state(
      read_vehicle(kHome + "/tests/data/bicycle_three_axles.xml", {}), {}, options);
  // 1e-3: wheels of 10 g, a track of 0.2 m, turns of finite radius
  EXPECT_NEAR(value_of(answer, "equivalent_wheelbase") / L, 1.0, 1e-3);
  EXPECT_NEAR(value_of(answer, "understeer_gradient") / K, 1.0, 1e-3);
  EXPECT_NEAR(value_of(answer, "ackermann_gradient"), L / 400.0, 1e-3 * L / 400.0);
  // a property of the car, not of the turn that is asked for
  options.lateral_accelerations = {3.0, 3.5};
  const Answer turning = analyse_steady_state(
      read_vehicle(kHome + "/tests/data/bicycle_three_axles.xml", {}), {}, options);
  EXPECT_NEAR(value_of(turning, "equivalent_wheelbase") / L, 1.0, 1e-3);
}

// On the rig the sedan stands without its trailer: the same numbers, to the last digit.
TEST(CarWithTrailer, HasTheKinematicsOfTheCarAlone) {
  KcOptions options;
  options.tests = {"design", "steering"};
  options.points = 5;
  const Answer alone = find_kinematics_and_compliance(shipped("sedan.xml"), options);
  const Answer towing = find_kinematics_and_compliance(shipped("trailer.xml"), options);
  ASSERT_EQ(alone.quantities.size(), towing.quantities.size());
  for (std::size_t k = 0; k < alone.quantities.size(); ++k) {
    EXPECT_EQ(alone.quantities[k].name, towing.quantities[k].name);
    EXPECT_EQ(alone.quantities[k].value, towing.quantities[k].value) << alone.quantities[k].name;
  }
}

// The trailer's wheels on trailing arms that turn about a line across, level with their hubs:
// drawn in trailer.xml. An arm of length l = 0.42 m turned up by q has the work U(q) of its spring,
// dU = -F ds, F = 4450 N + k (s_0 - s), between (-0.38, 0.31) on the frame and R(q) (-0.38, -0.05)
// on the arm, from the pivot: s^2 = 0.2405 + 0.1469 - 2 (0.1289 cos q + 0.1368 sin q), so s_0 =
// 0.36 m, ds = -0.1368/s, dds = (0.1289 - ds^2)/s. Neither hub nor contact point weighs on the
// change: they are level with the pivot, or stay below the hub. Rate (k ds^2 - F dds)/l^2.
TEST(CarWithTrailer, TheTrailerStandsOnTheRigAsItsArmsSay) {
  KcOptions options;
  options.tests = {"design", "roll"};
  options.points = 5;
  options.unit = "trailer";
  const Answer answer = find_kinematics_and_compliance(shipped("trailer.xml"), options);
  const double s = std::sqrt(0.2405 + 0.1469 - 2.0 * 0.1289);
  const double ds = -0.1368 / s;
  const double dds = (0.1289 - ds * ds) / s;
  const double rate = (52000.0 * ds * ds - 4450.0 * dds) / (0.42 * 0.42);
  EXPECT_NEAR(value_of(answer, "rear.wheel_rate"), rate, 1e-4);
  EXPECT_NEAR(value_of(answer, "rear.motion_ratio.spring_tl"), ds / 0.42, 1e-9);
  EXPECT_NEAR(value_of(answer, "rear.track"), 2.0 * 0.775, 1e-12);
  EXPECT_NEAR(value_of(answer, "rear.roll_stiffness"), rate * 1.55 * 1.55 / 2.0, 1e-3);
  // at rest behind the car the spring carries more or less, and the hub is off the pivot's height
  options.position = KcPosition::rest;
  const Answer rest = find_kinematics_and_compliance(shipped("trailer.xml"), options);
  EXPECT_GT(std::abs(value_of(rest, "rear.wheel_rate") - rate), 10.0);

  options.unit = "chassis";
  options.position = KcPosition::drawn;
  const Answer named = find_kinematics_and_compliance(shipped("trailer.xml"), options);
  options.unit.clear();
  const Answer first = find_kinematics_and_compliance(shipped("trailer.xml"), options);
  EXPECT_EQ(value_of(named, "rear.wheel_rate"), value_of(first, "rear.wheel_rate"));
  options.unit = "trailr";
  EXPECT_THROW(find_kinematics_and_compliance(shipped("trailer.xml"), options), ModelError);
}

// Started from equilibrium at a speed, straight on and then steered to the left.
TEST(ShippedCombinations, StandUprightDriveStraightAndSteer) {
  for (const char* model : {"trailer.xml", "truck.xml"}) {
    Scenario scenario;
    scenario.start = StartMode::equilibrium;
    scenario.speed = 15.0;
    scenario.step = 2e-3;
    scenario.until = 5.0;
    scenario.inputs.push_back({"steering", Curve::table({{2.0, 0.0}, {2.5, 0.4}}, false), {}});
    const Drive drive = make_drive(shipped(model), scenario);
    Workspace ws(drive.model);
    StartReport report;
    State state = start_drive(drive, ws, report);
    for (const std::string& note : report.notes) ADD_FAILURE() << model << ": " << note;
    const Recorder recorder(drive.model, drive.recorder);
    const auto value = [&](const std::string& name) {
      std::vector<double> values;
      recorder.record(drive.model, state, ws, values);
      for (std::size_t k = 0; k < values.size(); ++k)
        if (recorder.channels()[k].name == name) return values[k];
      ADD_FAILURE() << name;
      return 0.0;
    };
    // it is drawn to stand within a degree
    EXPECT_LT(std::abs(value("chassis.pitch")), 0.02) << model;
    EXPECT_LT(std::abs(value("chassis.roll")), 1e-6) << model;
    RunSettings settings = drive.settings;
    settings.audit = false;
    settings.until = 2.0;
    ASSERT_EQ(run(drive.model, settings, state, ws).status, RunStatus::finished) << model;
    EXPECT_LT(std::abs(value("chassis.y")), 1e-3) << model;
    EXPECT_NEAR(value("chassis.x"), 30.0, 0.5) << model;  // 15 m/s for 2 s, air and tyres drag
    settings.until = 5.0;
    ASSERT_EQ(run(drive.model, settings, state, ws).status, RunStatus::finished) << model;
    EXPECT_GT(value("chassis.yaw"), 0.05) << model;
    if (drive.units.size() > 1) {
      EXPECT_GT(compute_articulation(drive.model, drive.units, 1, ws.tree), 0.01) << model;
    }
  }
}

/// A text of the file with some of it replaced.
std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}
std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// A hitch on stiff bushings is one: the trailer sways as on its ball, and what shakes on the
// bushings is no sway. Expected: the ball's.
TEST(ShippedCombinations, SwayOnABushingAsOnABall) {
  const std::string path = kHome + "/vehicles/models/trailer.xml";
  std::string text =
      replaced(text_of(path), "<body name=\"trailer\"", "<body name=\"trailer\" unit=\"yes\"");
  text = replaced(text,
                  "<joint name=\"hitch\" type=\"spherical\" a=\"chassis\" b=\"trailer\" "
                  "point=\"{hitch}\"/>",
                  "<joint name=\"free\" type=\"free\" a=\"ground\" b=\"trailer\"/><bushing "
                  "name=\"ball\" a=\"chassis\" b=\"trailer\" point=\"{hitch}\" axis=\"0 0 1\" "
                  "stiffness=\"5e6 5e6 5e6 0 0 0\" damping=\"20000 20000 20000 0 0 0\"/>");
  const auto sway_of = [](const Vehicle& vehicle) {
    SteadyCar car(vehicle, {});
    const CarModes modes = find_modes(car, car.turn(22.0, 0.0), {});
    std::complex<double> sway = std::nan("");
    for (const Mode& mode : modes.modes) {
      if (mode.name != "trailer sway") continue;
      EXPECT_TRUE(std::isnan(sway.real())) << "two modes are called so";
      sway = mode.eigen.value;
    }
    return sway;
  };
  const std::complex<double> ball = sway_of(shipped("trailer.xml"));
  EXPECT_LT(std::abs(sway_of(read_vehicle_text(text, path)) - ball), 1e-3 * std::abs(ball));
}

// Wheels that roll hold nothing across: a trailer with a spring beside its ball comes to rest where
// the spring is slack. Expected: no force in it, since nothing else turns the trailer about its
// ball.
TEST(ShippedCombinations, RestWhereASpringAtTheHitchIsSlack) {
  const std::string path = kHome + "/vehicles/models/trailer.xml";
  std::string text =
      replaced(text_of(path), "<body name=\"trailer\"", "<body name=\"trailer\" unit=\"yes\"");
  text = replaced(text, "</vehicle>",
                  "<spring name=\"stabilizer\" a=\"chassis\" b=\"trailer\" "
                  "point_a=\"-2.0 0.4 0.3\" point_b=\"-3.5 0.4 0.3\"><stiffness k=\"20000\" "
                  "free_length=\"1.58\"/></spring></vehicle>");
  const Vehicle vehicle = read_vehicle_text(text, path);
  const Answer rest = analyse_steady_state(vehicle, {}, {});
  EXPECT_NEAR(value_of(rest, "stabilizer.force"), 0.0, 0.1);
  EXPECT_GT(std::abs(value_of(rest, "hitch.z[2]")), 0.1);
  EXPECT_TRUE(std::any_of(rest.notes.begin(), rest.notes.end(), [](const std::string& note) {
    return note.find("at rest 'trailer' is turned by") != std::string::npos;
  }));
  // brakes hold it as it is drawn
  Scenario parked;
  parked.inputs.push_back({"brake", Curve::constant(1.0), {}});
  EXPECT_LT(std::abs(value_of(analyse_steady_state(vehicle, parked, {}), "hitch.z[2]")), 1e-2);
  // and it travels and turns
  SteadyOptions options;
  options.speed = 20.0;
  options.lateral_accelerations = {2.0};
  EXPECT_GT(value_of(analyse_steady_state(vehicle, {}, options), "steering_wheel"), 0.05);
}

// Tyres of a tandem trailer scrub in the slowest turn: that is a longer wheelbase, and no
// understeer gradient that goes with 1/v^2. Expected: one gradient at all speeds, as linear tyres
// have.
TEST(CarWithTrailer, UndersteersAlikeAtAllSpeedsThoughItsAxlesScrub) {
  const std::string path = kHome + "/tests/data/bicycle_trailer.xml";
  std::string text = text_of(path);
  for (const char* y : {"0.1", "-0.1"}) {
    const std::string place = std::string("{-h - L2 - 1} ") + y + " 0.3";
    const std::string id = y[0] == '-' ? "r" : "l";
    text = replaced(text, "</vehicle>",
                    "<body name=\"second_" + id + "\" mass=\"1\" com=\"" + place +
                        "\" inertia=\"0.1 0.1 0.1\"/><joint name=\"turn_" + id +
                        "\" type=\"revolute\" a=\"trailer\" b=\"second_" + id + "\" point=\"" +
                        place + "\" axis=\"0 1 0\"/><wheel name=\"second_" + id +
                        "_wheel\" body=\"trailer\" rim=\"second_" + id + "\" centre=\"" + place +
                        "\" axis=\"0 1 0\" tyre=\"trailing\"/></vehicle>");
  }
  const Vehicle car = read_vehicle_text(text, path);
  const auto gradient_at = [&](double speed) {
    SteadyOptions options;
    options.speed = speed;
    options.lateral_accelerations = {0.0, 0.1, 0.2};
    const Answer answer = analyse_steady_state(car, {}, options);
    EXPECT_GT(value_of(answer, "equivalent_wheelbase"), 0.0);
    return value_of(answer, "understeer_gradient");
  };
  const double fast = gradient_at(24.0);
  for (const double speed : {6.0, 12.0}) EXPECT_NEAR(gradient_at(speed), fast, 1e-5) << speed;
}

// Whatever else is asked for, and whatever its bodies are called.
TEST(ShippedCombinations, AreReadByTheManoeuvresOwnNumbers) {
  Manoeuvre manoeuvre =
      read_manoeuvre(kHome + "/vehicles/manoeuvres/rearward_amplification.xml",
                     {{"steering_wheel", "0.15"}, {"speed", "10"}, {"frequency", "0.1"}});
  ManoeuvreOptions quick;
  quick.quick = true;
  const Vehicle car = shipped("trailer.xml");
  const Answer plain = run_manoeuvre(car, manoeuvre, quick);
  manoeuvre.scenario.bodies = {"trailer"};  // its `trailer.ay` is that across the world's x
  const Answer with_more = run_manoeuvre(car, manoeuvre, quick);
  for (const std::string name : {"trailer.amplification_ay", "trailer.amplification_yaw_rate"})
    EXPECT_EQ(value_of(with_more, name), value_of(plain, name)) << name;
}

// An offset load makes the car drift: it swings about that, and the trailer behind it by as much
// more as without. As the file is, and within what the load itself changes.
TEST(ShippedCombinations, SwingAboutWhereTheyDrift) {
  const auto amplification = [](const char* com) {
    ManoeuvreOptions quick;
    quick.quick = true;
    return value_of(
        run_manoeuvre(
            read_vehicle(kHome + "/vehicles/models/trailer.xml", {{"chassis", "com", com, {}}}),
            read_manoeuvre(kHome + "/vehicles/manoeuvres/rearward_amplification.xml"), quick),
        "trailer.amplification_ay");
  };
  EXPECT_NEAR(amplification("0 0.2 0.56") / amplification("0 0 0.56"), 1.0, 3e-3);
}

// What spins is not what a trailer moves as, however heavy.
TEST(ShippedCombinations, MoveAsABodyThatDoesNotSpin) {
  const std::vector<Unit> units =
      find_units(read_vehicle(kHome + "/vehicles/models/trailer.xml",
                              {{"trailer", "mass", "60", {}}, {"rim_t*", "mass", "80", {}}}));
  ASSERT_EQ(units.size(), 2U);
  EXPECT_EQ(units[1].name, "trailer");
}

TEST(ShippedCombinations, TellWhichUnitTipsAndRollsOver) {
  const Vehicle high = read_vehicle(kHome + "/vehicles/models/trailer.xml",
                                    {{"trailer_com", "value", "0.25 0 1.9", {}}});
  ManoeuvreOptions quick;
  quick.quick = true;
  const auto drive = [&](const char* angle) {
    return run_manoeuvre(high,
                         read_manoeuvre(kHome + "/vehicles/manoeuvres/rearward_amplification.xml",
                                        {{"steering_wheel", angle}}),
                         quick);
  };
  try {
    static_cast<void>(drive("0.3"));
    ADD_FAILURE();
  } catch (const AnalysisError& error) {
    EXPECT_NE(std::string(error.what()).find("'trailer' has rolled over"), std::string::npos)
        << error.what();
  }
  bool tips = false;
  for (const std::string& note : drive("0.16").notes) {
    EXPECT_EQ(note.find("the car tips"), std::string::npos) << note;
    tips = tips || note.find("of 'trailer' carry nothing") != std::string::npos;
  }
  EXPECT_TRUE(tips);
}

TEST(ShippedCombinations, WithoutTrailerThereIsNoRearwardAmplification) {
  const Manoeuvre manoeuvre =
      read_manoeuvre(kHome + "/vehicles/manoeuvres/rearward_amplification.xml");
  try {
    run_manoeuvre(shipped("truck.xml"), manoeuvre);
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find("has no trailer"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace semirec::test
