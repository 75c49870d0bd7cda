// The rear suspension of the paper on the linearly implicit Euler method, 11 bodies, from rest over
// a square bump. Judged by the table of wheel places that another program found for its hardpoints,
// by momentum and weight, and by its two forms and all formulations against one another.

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "integrator/formulation/evaluate.hpp"
#include "integrator/simulation.hpp"
#include "tests/support/drives.hpp"
#include "tests/support/expect_close.hpp"
#include "tests/support/methods.hpp"
#include "topology/indices.hpp"

namespace semirec::test {
namespace {

using V = Eigen::Vector3d;

constexpr double kWeight = 477.059 * 9.81;  // N, of all bodies of the file

ShippedDrive suspension(const std::string& form, const std::function<void(Scenario&)>& change = {},
                        Formulation formulation = Formulation::hybrid) {
  return start_shipped("rear_multilink.xml", "square_bump.xml", {"form.value=" + form}, change,
                       formulation);
}

void go_to(ShippedDrive& car, double t) {
  RunSettings settings = car.drive.settings;
  settings.until = t;
  settings.audit = false;
  settings.max_halvings = 0;
  const RunReport report = run(car.drive.model, settings, car.state, car.ws);
  ASSERT_EQ(report.status, RunStatus::finished) << report.message;
}

/// Pose of a body's own frame.
Frame body_pose(ShippedDrive& car, const std::string& name) {
  evaluate_state(car.drive.model, car.state, car.ws);
  const Mechanism& mechanism = car.drive.model.mechanism;
  const auto b = std::find_if(mechanism.bodies.begin(), mechanism.bodies.end(),
                              [&](const Body& body) { return body.name == name; });
  Marker marker;
  marker.body = static_cast<BodyIndex>(b - mechanism.bodies.begin());
  const Attachment place = car.drive.model.tree.attach(marker);
  Frame X;
  X.A = car.ws.tree.A_WC[at(place.body)] * place.X_CF.A;
  X.p = car.ws.tree.origin + car.ws.tree.position_of(place);
  return X;
}

/// Polynomial through the eight nearest rows of a table, its first column the argument.
double interpolate(const std::vector<std::vector<double>>& rows, std::size_t column, double x) {
  std::size_t first = 0;
  while (first + 8 < rows.size() && rows[first + 4][0] < x) ++first;
  double sum = 0.0;
  for (std::size_t i = first; i < first + 8; ++i) {
    double weight = 1.0;
    for (std::size_t j = first; j < first + 8; ++j)
      if (j != i) weight *= (x - rows[j][0]) / (rows[i][0] - rows[j][0]);
    sum += weight * rows[i][column];
  }
  return sum;
}

// Five links lead the wheel as an arm, two links and a tie rod do that have the same ends: seen
// from the subframe, wherever that is on its bushings.
/// Expects the place of the wheel's centre and its axle in the subframe to be those of the table;
/// returns how far the wheel is lifted, m.
double expect_table(ShippedDrive& car) {
  static const std::vector<std::vector<double>> rows = read_table("multilink_kinematics.csv");
  const V shift(0.0, 0.0, 0.3054);  // height of the wheel's centre in the design position
  Frame X_WD = body_pose(car, "subframe");
  X_WD.p -= X_WD.A * (V(0.15, 0.45, 0.29) - shift);  // origin of the table in the subframe
  const Frame knuckle = inverse(X_WD) * body_pose(car, "knuckle");
  const V centre = knuckle.p + knuckle.A * V(0.0, 0.04, 0.0);
  const double lift = centre.z();
  // 1e-11: the table's 13 digits, interpolated over steps of 10 mm, and closures of 1e-12
  for (std::size_t k = 0; k < 2; ++k)
    expect_close(centre[static_cast<Eigen::Index>(k)], interpolate(rows, 1 + k, lift), 0.0, 1e-11);
  for (std::size_t k = 0; k < 3; ++k)
    expect_close(knuckle.A(static_cast<Eigen::Index>(k), 1), interpolate(rows, 4 + k, lift), 0.0,
                 1e-11);
  return lift;
}

TEST(RearMultilink, LeadsItsWheelAsTheTableOfItsHardpointsSays) {
  ShippedDrive car = suspension("ideal");
  double least = 0.0;
  double most = 0.0;
  for (const double t : {0.05, 0.2, 1.0, 4.0, 8.05, 8.15, 8.3, 8.55, 8.7, 10.0}) {
    go_to(car, t);
    const double lift = expect_table(car);
    least = std::min(least, lift);
    most = std::max(most, lift);
  }
  // the bump has moved it
  EXPECT_GT(most, 0.01);
  EXPECT_LT(least, -0.005);
}

class RearMultilinkForms : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Forms, RearMultilinkForms, testing::Values("bushing", "ideal"),
                         [](const auto& test) { return test.param; });

TEST_P(RearMultilinkForms, RestsWithItsWeightOnTheWheel) {
  ShippedDrive car = suspension(GetParam(), [](Scenario& s) { s.start = StartMode::equilibrium; });
  expect_close(channel(car, "wheel.Fz"), kWeight, 1e-9, 0.0);
  // close to the design position: 3 mm, what the bushings give under the load
  expect_close(channel(car, "chassis.z"), 0.55, 0.0, 3e-3);
  expect_close(channel(car, "wheel.z"), 0.3054, 0.0, 5e-4);
}

TEST_P(RearMultilinkForms, GainsTheMomentumOfItsTyreForce) {
  ShippedDrive car = suspension(GetParam());
  RunSettings settings = car.drive.settings;
  settings.until = 7.5;
  double impulse = 0.0;
  double last = 0.0;
  const RunReport report = run(car.drive.model, settings, car.state, car.ws,
                               {.record =
                                    [&](const State& state, const Energy&) {
                                      // the record interval is 10 ms, and the force steady but for
                                      // the 0.2 s after the torque begins
                                      const double force = channel(car, "wheel.Fx");
                                      if (state.t > 2.0) impulse += 0.5 * 0.01 * (force + last);
                                      last = force;
                                      return true;
                                    },
                                .keep_going = {}});
  ASSERT_EQ(report.status, RunStatus::finished) << report.message;
  ShippedDrive early = suspension(GetParam());
  go_to(early, 2.0);
  const double gained = 477.059 * (channel(car, "chassis.vx") - channel(early, "chassis.vx"));
  // 1e-4: bodies that still move a little against the chassis after two seconds
  expect_close(gained, impulse, 1e-4, 0.0);
  // forks in one plane: differential and rim turn alike, but for 1e-3 rad by the lean of the wheel
  const double angle = channel(car, "differential.z[1]");
  EXPECT_GT(angle, 30.0);
  expect_close(channel(car, "spin.z"), angle, 0.0, 2e-3);
  // the rule's error on the work of dampers and bushings
  EXPECT_LT(report.energy_error, 1e-3 * report.end.kinetic);
}

TEST(RearMultilink, MovesOnStiffBushingsAsOnIdealJoints) {
  ShippedDrive ideal = suspension("ideal");
  ShippedDrive bushing = suspension("bushing");
  for (const double t : {1.0, 4.0, 7.9, 8.1, 8.3, 8.5, 8.8, 10.0}) {
    go_to(ideal, t);
    go_to(bushing, t);
    // what the bushings give: 1.5 mm at rest, as much again on the bump
    expect_close(channel(bushing, "chassis.z"), channel(ideal, "chassis.z"), 0.0, 3e-3);
    expect_close(channel(bushing, "chassis.vx"), channel(ideal, "chassis.vx"), 1e-2, 0.01);
  }
}

TEST(RearMultilink, IsSecondOrderInTimeWhileItSettles) {
  const std::vector<std::string> names{"chassis.z", "chassis.vz", "chassis.az", "wheel.Fz"};
  std::vector<std::vector<double>> ends;
  for (const double h : {2e-3, 1e-3, 5e-4, 2.5e-4}) {
    ShippedDrive car = suspension("ideal", [&](Scenario& s) {
      s.step = h;
      s.tolerance = 1e-13;
    });
    go_to(car, 0.2);
    std::vector<double> values;
    for (const std::string& name : names) values.push_back(channel(car, name));
    ends.push_back(values);
  }
  for (std::size_t k = 0; k < names.size(); ++k) {
    const auto difference = [&](std::size_t i) { return std::abs(ends[i][k] - ends[i + 1][k]); };
    expect_close(std::log2(difference(1) / difference(2)), 2.0, 0.0, 0.15);
  }
}

class RearMultilinkBy : public testing::TestWithParam<Method> {
 protected:
  /// The form with ideal joints after 0.2 s, while it settles.
  static ShippedDrive settle(double h) {
    const Method& method = GetParam();
    ShippedDrive car = suspension(
        "ideal",
        [&](Scenario& s) {
          s.step = h;
          s.scheme = method.scheme;
          s.closing = method.closing;
          s.tolerance = 1e-13;
        },
        method.formulation);
    go_to(car, 0.2);
    return car;
  }
};
INSTANTIATE_TEST_SUITE_P(Methods, RearMultilinkBy, testing::ValuesIn(methods()),
                         [](const auto& test) { return test.param.name; });

TEST_P(RearMultilinkBy, LeadsItsWheelAsTheTableSaysWithTheOrderOfTheScheme) {
  const std::vector<std::string> names{"chassis.z", "chassis.vz", "wheel.Fz"};
  std::vector<Eigen::Vector3d> ends;
  for (const double h : {1e-3, 5e-4, 2.5e-4}) {
    ShippedDrive car = settle(h);
    expect_table(car);
    Eigen::Vector3d values;
    for (std::size_t k = 0; k < names.size(); ++k)
      values[static_cast<Eigen::Index>(k)] = channel(car, names[k]);
    ends.push_back(values);
  }
  const double order = GetParam().accuracy == Accuracy::first_order ? 1.0 : 2.0;
  for (Eigen::Index k = 0; k < 3; ++k) {
    SCOPED_TRACE(names[static_cast<std::size_t>(k)]);
    const double slope = std::log2(std::abs((ends[0][k] - ends[1][k]) / (ends[1][k] - ends[2][k])));
    RecordProperty(names[static_cast<std::size_t>(k)], std::to_string(slope));
    // the next term of the error
    expect_close(slope, order, 0.0, 0.15);
  }
}

TEST_P(RearMultilinkForms, StartsWithTheSameAccelerationsInAllFormulations) {
  ShippedDrive hybrid = suspension(GetParam());
  for (const Formulation formulation : all_formulations()) {
    SCOPED_TRACE(name_of(formulation));
    ShippedDrive other = suspension(GetParam(), {}, formulation);
    for (const char* name : {"chassis.ax", "chassis.ay", "chassis.az"})
      // 1e-8 of g: kappa = 1e5 and eleven digits of the mass matrix in both
      expect_close(channel(other, name), channel(hybrid, name), 0.0, 1e-7);
  }
}

}  // namespace
}  // namespace semirec::test
