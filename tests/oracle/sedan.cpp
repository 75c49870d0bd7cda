// The shipped passenger car as a whole: what can be said of it without an engine.

#include <cmath>
#include <numbers>
#include <string>

#include <gtest/gtest.h>

#include "integrator/outputs/energy.hpp"
#include "integrator/step.hpp"
#include "tests/support/drives.hpp"
#include "tests/support/random_mechanism.hpp"

namespace semirec::test {
namespace {

constexpr double kGravity = 9.81;
/// No tyres that roll: no rolling resistance, no scrub.
const std::string kSprings = "tyre.value=none";

double mass_of(const Mechanism& mechanism) {
  double sum = 0.0;
  for (const Body& body : mechanism.bodies) sum += body.mass;
  return sum;
}

Frame pose(ShippedDrive& sedan, const std::string& body) {
  const auto poses = find_body_poses(sedan.drive.model, sedan.state, sedan.ws);
  return poses[static_cast<std::size_t>(find_body(sedan.drive.model.mechanism, body))];
}

TEST(Sedan, StandsOnItsWheelsByTheLever) {
  for (const std::string form : {"form.value=ideal", "form.value=bushing"}) {
    for (const std::string links : {"links.value=rod", "links.value=body"}) {
      // springs for tyres: their force acts through the wheel's centre
      ShippedDrive sedan = start_shipped("sedan.xml", "rest.xml", {form, links, kSprings});
      const Mechanism& m = sedan.drive.model.mechanism;
      const double weight = mass_of(m) * kGravity;
      const auto poses = find_body_poses(sedan.drive.model, sedan.state, sedan.ws);
      double x = 0.0;
      for (std::size_t b = 0; b < m.bodies.size(); ++b)
        x += m.bodies[b].mass / mass_of(m) * (poses[b].p + poses[b].A * m.bodies[b].com).x();
      const double front = channel(sedan, "wheel_fl.Fz");
      const double rear = channel(sedan, "wheel_rl.Fz");
      // 1e-4 N: equilibrium is found to some 1e-8 N
      EXPECT_NEAR(channel(sedan, "wheel_fr.Fz"), front, 1e-4) << form << links;
      EXPECT_NEAR(channel(sedan, "wheel_rr.Fz"), rear, 1e-4) << form << links;
      EXPECT_NEAR(2.0 * (front + rear), weight, 1e-4) << form << links;
      const double x_f = channel(sedan, "wheel_fl.x");
      const double x_r = channel(sedan, "wheel_rl.x");
      EXPECT_NEAR(2.0 * front, weight * (x - x_r) / (x_f - x_r), 1e-4) << form << links;
    }
  }
}

TEST(Sedan, WeighsFifteenHundredKilogramsAndHasFourteenFreedoms) {
  const ShippedDrive sedan = start_shipped("sedan.xml", "rest.xml");
  EXPECT_NEAR(mass_of(sedan.drive.model.mechanism), 1500.0, 0.1);
  EXPECT_EQ(sedan.drive.model.n() - sedan.drive.model.m(), 14);
}

TEST(Sedan, TurnsItsRoadWheelsByTheRatioOfTheSteeringWheel) {
  const auto heading = [](const std::string& steering, const std::string& body) {
    ShippedDrive sedan = start_shipped("sedan.xml", "rest.xml", {steering});
    const Frame carrier = pose(sedan, body);
    return std::atan2(-carrier.A(0, 1), carrier.A(1, 1));
  };
  for (const std::string body : {"carrier_fl", "carrier_fr"}) {
    const double left = heading("steering.value=0.31", body);
    const double right = heading("steering.value=-0.31", body);
    EXPECT_GT(left, 0.0) << body;  // a positive steering wheel steers to the left
    EXPECT_NEAR(0.62 / (left - right), 15.5, 0.1) << body;
  }
}

// At rest the steering wheel is turned slowly by 90 degrees to the left, to the right and back.
// Each front tyre resists by (2/3) mu F a, a = sqrt(R F/k) by the numbers of its file, which 15.5
// rad of steering wheel for one of a road wheel bring to the hands. The rest is lift and caster:
// what the same steer asks for without friction of turning.
TEST(Sedan, AsksForTheFrictionOfItsPatchesAtTheSteeringWheelWhenItIsParked) {
  constexpr double kTurn = 0.5 * std::numbers::pi;
  const auto steer = [&](const std::string& friction) {
    const auto to_and_fro = [&](Scenario& scenario) {
      Input steering;
      steering.name = "steering";
      // cubic, at rest at the ends: to kTurn in 3 s, to -kTurn and back in 6 s each
      steering.curve.add_piece(-1e300, 0.0, {});
      steering.curve.add_piece(0.0, 0.0, {0.0, 0.0, kTurn / 3.0, -2.0 * kTurn / 27.0});
      steering.curve.add_piece(3.0, 3.0, {kTurn, 0.0, -kTurn / 6.0, kTurn / 54.0});
      steering.curve.add_piece(9.0, 9.0, {-kTurn, 0.0, kTurn / 6.0, -kTurn / 54.0});
      scenario.inputs.push_back(steering);
      scenario.efforts.emplace_back("steering");
    };
    ShippedDrive sedan = start_shipped("sedan.xml", "rest.xml",
                                       {"wheel_*.turning_friction=" + friction}, to_and_fro);
    struct {
      double left = 0.0, right = 0.0;  // N m at the ends of the steer
      double error = 0.0;
    } found;
    const Energy start = find_energy(sedan.drive.model, sedan.state, sedan.ws);
    Energy before = start;
    for (int k = 1; k <= 15000; ++k) {
      EXPECT_EQ(step(sedan.drive.model, sedan.drive.settings.step, sedan.state, sedan.ws).status,
                StepStatus::converged);
      Energy now = find_energy(sedan.drive.model, sedan.state, sedan.ws);
      accumulate_energy(before, sedan.drive.settings.step.h, now);
      before = now;
      found.error = std::max(found.error, std::abs(now.error(start)));
      if (k == 9000) found.right = channel(sedan, "steering.effort");
      if (k == 15000) found.left = channel(sedan, "steering.effort");
    }
    return found;
  };
  const auto free = steer("0");
  const auto held = steer("0.8");
  constexpr double kRadius = 0.3284, kStiffness = 215000.0, kLoad = 4010.0;  // at the front, N
  const double torque = 2.0 / 3.0 * 0.8 * kLoad * std::sqrt(kRadius * kLoad / kStiffness);
  // 2 %: the wheels' ratios differ and change with the angle; loads shift
  const double expected = 2.0 * torque / 15.5;
  EXPECT_NEAR(held.left - free.left, expected, 0.02 * expected);
  EXPECT_NEAR(held.right - free.right, -expected, 0.02 * expected);
  EXPECT_GT(held.left, 15.0);  // as cars ask for without assistance
  EXPECT_LT(held.left, 25.0);
  // J: 15000 steps' round-off of the 8500 that the car stores
  EXPECT_LT(held.error, 1e-6);
}

// Parts on bushings float beside the chassis, and start with it.
TEST(Sedan, KeepsItsSpeedOnBushings) {
  const auto at_speed = [](Scenario& scenario) { scenario.speed = 10.0; };
  for (const std::string form : {"form.value=ideal", "form.value=bushing"}) {
    ShippedDrive sedan = start_shipped("sedan.xml", "rest.xml",
                                       {form, kSprings, "aero.drag=0", "gear.value=0"}, at_speed);
    for (int k = 0; k < 100; ++k)
      ASSERT_EQ(step(sedan.drive.model, sedan.drive.settings.step, sedan.state, sedan.ws).status,
                StepStatus::converged);
    // nothing brakes it
    EXPECT_NEAR(channel(sedan, "chassis.vx"), 10.0, 1e-5) << form;
  }
}

// Without dampers, started from the rest of a lighter body: upward crossings of the height of rest.
TEST(Sedan, RidesAtItsFrequency) {
  ShippedDrive sedan = start_shipped("sedan.xml", "rest.xml", {"damping_*.value=1", kSprings});
  const ShippedDrive light =
      start_shipped("sedan.xml", "rest.xml", {"damping_*.value=1", "chassis.mass=1280", kSprings});
  const double rest = pose(sedan, "chassis").p.z();
  sedan.state = light.state;
  StepSettings settings = sedan.drive.settings.step;
  settings.h = 1e-3;
  double before = 0.0;
  double first = -1.0;
  double last = -1.0;
  int crossings = 0;
  while (sedan.state.t < 5.0) {
    ASSERT_EQ(step(sedan.drive.model, settings, sedan.state, sedan.ws).status,
              StepStatus::converged);
    const double z = pose(sedan, "chassis").p.z() - rest;
    if (before < 0.0 && z >= 0.0) {
      last = sedan.state.t - settings.h * z / (z - before);
      if (first < 0.0) first = last;
      ++crossings;
    }
    before = z;
  }
  ASSERT_GE(crossings, 4);
  // of a car with steel springs
  const double frequency = (crossings - 1) / (last - first);
  EXPECT_GT(frequency, 1.1);
  EXPECT_LT(frequency, 1.4);
}

}  // namespace
}  // namespace semirec::test
