#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "vehicles/analysis/metrics/sine_with_dwell.hpp"

namespace semirec {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kDegree = kPi / 180.0;
constexpr double kStep = 1e-3;

TEST(SineWithDwell, PassesThePointsOfTheRegulation) {
  const SineWithDwell test{0.7, 0.5, 1.0, 2.0};
  const double quarter = 0.25 / 0.7;  // 0.3571 s
  EXPECT_EQ(sine_with_dwell(test, 0.99).f, 0.0);
  EXPECT_NEAR(sine_with_dwell(test, 1.0 + quarter).f, 2.0, 1e-12);
  EXPECT_NEAR(sine_with_dwell(test, 1.0 + 2.0 * quarter).f, 0.0, 1e-12);
  EXPECT_NEAR(sine_with_dwell(test, 1.0 + 3.0 * quarter).f, -2.0, 1e-12);
  EXPECT_NEAR(sine_with_dwell(test, 1.0 + 3.0 * quarter + 0.25).f, -2.0, 1e-12);
  EXPECT_NEAR(sine_with_dwell(test, 1.0 + 3.0 * quarter + 0.5).f, -2.0, 1e-12);
  // half of the last quarter: -2 cos(45 degrees)
  EXPECT_NEAR(sine_with_dwell(test, 1.0 + 3.5 * quarter + 0.5).f, -std::sqrt(2.0), 1e-12);
  EXPECT_EQ(sine_with_dwell(test, 1.0 + 4.0 * quarter + 0.5).f, 0.0);
  EXPECT_NEAR(steer_completed(test), 1.0 + 1.0 / 0.7 + 0.5, 1e-12);
}

TEST(SineWithDwell, RatesAreThoseOfTheCurve) {
  const SineWithDwell test{0.7, 0.5, 0.0, 1.5};
  for (const double t : {0.1, 0.5, 0.9, 1.3, 1.75}) {
    const double h = 1e-4;  // central differences, error h^2 w^3/6
    const double up = sine_with_dwell(test, t + h).f;
    const double down = sine_with_dwell(test, t - h).f;
    const CurveValue at = sine_with_dwell(test, t);
    EXPECT_NEAR(at.fd, (up - down) / (2.0 * h), 1e-5);
    EXPECT_NEAR(at.fdd, (up - 2.0 * at.f + down) / (h * h), 1e-4);
  }
}

TEST(SineWithDwell, AmplitudesEndAtTheGreaterOf270DegreesAnd6Point5A) {
  // A of 30 degrees: 6.5 A = 195, so on to 270: 45, 60, ... 255, 270
  const auto small = sine_with_dwell_amplitudes(30.0 * kDegree);
  ASSERT_EQ(small.size(), 16U);
  EXPECT_NEAR(small.front(), 45.0 * kDegree, 1e-12);
  EXPECT_NEAR(small[1], 60.0 * kDegree, 1e-12);
  EXPECT_NEAR(small.back(), 270.0 * kDegree, 1e-12);
  // A of 44: 6.5 A = 286 is the end
  EXPECT_NEAR(sine_with_dwell_amplitudes(44.0 * kDegree).back(), 286.0 * kDegree, 1e-12);
  // A of 60: 6.5 A = 390 is above 300
  EXPECT_NEAR(sine_with_dwell_amplitudes(60.0 * kDegree).back(), 300.0 * kDegree, 1e-12);
  EXPECT_TRUE(sine_with_dwell_amplitudes(0.0).empty());
  EXPECT_TRUE(sine_with_dwell_amplitudes(std::nan("")).empty());
}

TEST(SineWithDwell, JudgesRatiosAndDisplacementAtTheirTimes) {
  const SineWithDwell test{0.7, 0.5, 1.0, -2.0};  // first to the right
  std::vector<double> wheel, yaw, acceleration, across;
  for (int k = 0; k <= 6000; ++k) {
    const double t = k * kStep;
    wheel.push_back(sine_with_dwell(test, t).f);
    // a yaw rate that follows the steering wheel and then fades from its peak 0.5 over 1 s
    const double after = t - steer_completed(test);
    const double swing = t > 1.0 ? 0.5 * wheel.back() / 2.0 : 0.0;
    yaw.push_back(after > 0.0 ? 0.5 * std::exp(-after) : swing);
    across.push_back(t > 1.0 ? -0.9 * (t - 1.0) * (t - 1.0) : 0.0);
    acceleration.push_back(-3.0 + 0.5 * t);
  }
  const SineWithDwellRun run = judge_sine_with_dwell(test, wheel, yaw, acceleration, across, kStep);
  // 2 sin(2 pi 0.7 t) = 5 degrees
  const double beginning = std::asin(5.0 * kDegree / 2.0) / (2.0 * kPi * 0.7);
  EXPECT_NEAR(run.beginning, 1.0 + beginning, 1e-6);
  EXPECT_NEAR(run.completion, 1.0 + 1.0 / 0.7 + 0.5, 1e-12);
  EXPECT_NEAR(run.yaw_peak, 0.5, 1e-6);
  EXPECT_NEAR(run.ratio_1_00, std::exp(-1.0), 1e-4);  // the fading as put in
  EXPECT_NEAR(run.ratio_1_75, std::exp(-1.75), 1e-4);
  EXPECT_FALSE(run.stable);  // 0.368 above 0.35
  EXPECT_NEAR(run.ground_displacement,
              0.9 * (std::pow(beginning + 1.07, 2) - std::pow(beginning, 2)), 1e-5);
  // int int of a + b t over T from rest: a T^2/2 + b T^3/6; trapezoids of 1 ms
  const double begins = -3.0 + 0.5 * (1.0 + beginning);
  EXPECT_NEAR(run.displacement,
              std::abs(begins * std::pow(1.07, 2) / 2.0 + 0.5 * std::pow(1.07, 3) / 6.0), 1e-6);
}

// The yaw rate has turned to the other side, faster than at its peak.
TEST(SineWithDwell, IsNotPassedByACarThatSpinsTheOtherWay) {
  const SineWithDwell test{0.7, 0.5, 1.0, -2.0};
  for (const double late : {-1.2, -0.3}) {
    std::vector<double> wheel, yaw;
    for (int k = 0; k <= 6000; ++k) {
      wheel.push_back(sine_with_dwell(test, k * kStep).f);
      yaw.push_back(k * kStep > steer_completed(test) + 0.5 ? late * 0.5 : 0.25 * wheel.back());
    }
    const std::vector<double> none(wheel.size(), 0.0);
    const SineWithDwellRun run = judge_sine_with_dwell(test, wheel, yaw, none, none, kStep);
    EXPECT_NEAR(run.ratio_1_00, late, 1e-6);  // as put in
    EXPECT_FALSE(run.stable);                 // -0.3 is beyond 0.20 after 1.75 s
  }
}

TEST(SineWithDwell, RequiredDisplacementDependsOnTheMass) {
  EXPECT_EQ(required_displacement(3500.0), 1.83);  // 49 CFR 571.126 S5.2.3
  EXPECT_EQ(required_displacement(3501.0), 1.52);
}

TEST(SlowlyIncreasingSteer, FindsTheAngleAt3TenthsOfG) {
  std::vector<double> wheel, acceleration;
  for (int k = 0; k <= 20000; ++k) {
    const double angle = 13.5 * kDegree * k * kStep;
    wheel.push_back(-angle);
    acceleration.push_back(-5.0 * angle);
  }
  const SlowlyIncreasingSteer found = find_A(wheel, acceleration);
  EXPECT_NEAR(found.A, 0.3 * 9.81 / 5.0, 1e-9);  // 5 m/s^2 a radian as put in
  EXPECT_NEAR(found.A_error, 0.0, 1e-9);
  EXPECT_TRUE(std::isnan(find_A(Samples(wheel).first(1000), Samples(acceleration).first(1000)).A));
}

}  // namespace
}  // namespace semirec
