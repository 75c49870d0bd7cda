// A driver written in the vehicle's file, at a steering wheel that nothing else holds.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "integrator/step.hpp"
#include "tests/support/drives.hpp"

namespace semirec::test {
namespace {

// Rolling without slip beside a straight course, steering wheel where the driver aims:
//   y' = v (psi + lr kappa),   psi' = v kappa,   kappa = aim / (ratio wheelbase),
//   lag aim' = ratio wheelbase 2 angle / ahead - aim,   angle = atan2(0.3 - y, ahead) - psi.
TEST(PathDriver, ComesToItsCourseAsACarOfTwoWheelsThatRollsWithoutSlip) {
  constexpr double kStep = 1e-3, kTurns = 16.0 * 2.75, kRear = 1.5125, kLag = 0.1;
  ShippedDrive car = start_shipped("../../tests/data/path_driver_aside.xml", "lane_change_20.xml",
                                   {}, [](Scenario& scenario) {
                                     scenario.speed = 5.0;
                                     for (Input& input : scenario.inputs)
                                       if (input.name == "gear") input.curve = Curve::constant(0.0);
                                   });
  double y = 0.0, psi = 0.0, aim = 0.0;
  for (int k = 0; k < 7000; ++k) {
    const double v = channel(car, "chassis.vx");
    const double ahead = std::max(5.0, 1.5 * v);
    const double angle = std::atan2(0.3 - y, ahead) - psi;
    const double kappa = aim / kTurns;
    aim += kStep * (kTurns * 2.0 * angle / ahead - aim) / kLag;
    y += kStep * v * (psi + kRear * kappa);
    psi += kStep * v * kappa;
    ASSERT_EQ(step(car.drive.model, car.drive.settings.step, car.state, car.ws).status,
              StepStatus::converged);
    // tyres that slip, a steering of which the arms twist the bar: 8 of 300 mm
    if (k % 100 == 99) {
      ASSERT_NEAR(channel(car, "chassis.y"), y, 0.008) << car.state.t;
    }
  }
  EXPECT_GT(y, 0.29);
}

/// Largest distance from the course of sedan_driver.xml, m, until and from a time on, s.
std::pair<double, double> change_lane(const std::vector<std::string>& overrides, double border) {
  ShippedDrive car = start_shipped("sedan_driver.xml", "lane_change_20.xml", overrides);
  std::pair<double, double> largest{0.0, 0.0};
  while (car.state.t < 9.0 - 1e-9) {
    EXPECT_EQ(step(car.drive.model, car.drive.settings.step, car.state, car.ws).status,
              StepStatus::converged);
    const double now = std::abs(channel(car, "deviation.value"));
    double& part = car.state.t < border ? largest.first : largest.second;
    part = std::max(part, now);
  }
  return largest;
}

TEST(PathDriver, ChangesTheLane) {
  // the figures of docs/how_to/path_driver.md, and back on the lane in the end
  const auto [during, after] = change_lane({}, 8.95);
  EXPECT_LT(during, 0.07);
  EXPECT_LT(after, 0.01);
}

TEST(PathDriver, SwingsWhenItsArmsAreSlow) {
  const auto [before, later] = change_lane({"lag.value=0.4"}, 7.0);
  EXPECT_GT(later, before);
}

}  // namespace
}  // namespace semirec::test
