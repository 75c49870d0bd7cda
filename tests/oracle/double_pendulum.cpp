// Open planar chains of rods about z, gravity along -y. Reference values: minimal-coordinate
// equations integrated by two extrapolation and Runge-Kutta codes that agree to 1e-11, apart from
// any multibody engine.

#include <array>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "tests/support/expect_close.hpp"
#include "tests/support/mechanisms.hpp"
#include "tests/support/motion.hpp"

namespace semirec::test {
namespace {

/// Absolute angles and rates of the rods from the relative coordinates.
template <int n>
struct Angles {
  Eigen::Matrix<double, n, 1> theta, omega;
};

template <int n>
Angles<n> angles(const Simulation& chain, double start = 0.0) {
  Angles<n> a;
  double theta = start;
  double omega = 0.0;
  for (int k = 0; k < n; ++k) {
    theta += chain.z("hinge" + std::to_string(k));
    omega += chain.zd("hinge" + std::to_string(k));
    a.theta[k] = theta;
    a.omega[k] = omega;
  }
  return a;
}

TEST(DoublePendulum, OfTwoRodsFallsAsMinimalCoordinatesSay) {
  // t = 3 s; two rods of 1 m and 1 kg let go from the horizontal
  const Eigen::Vector2d theta(-0.545710314506167, -1.07506167916792);
  const Eigen::Vector2d omega(-4.59335710547498, 1.18432088061423);
  // ten times the error of the trapezoidal rule on minimal coordinates at h = 1e-3, which grows
  // after t = 2 s
  constexpr double kAngle = 3e-4;
  constexpr double kRate = 3e-3;
  Simulation chain(make_rod_chain(2, 1.0, 1.0), 1e-3);
  chain.run_to(3.0);
  const Angles<2> end = angles<2>(chain);
  expect_close(end.theta, theta, 0.0, kAngle);
  expect_close(end.omega, omega, 0.0, kRate);
}

TEST(DoublePendulum, ConvergesWithTheStepSquared) {
  const Eigen::Vector2d theta(-0.545710314506167, -1.07506167916792);
  const auto error = [&](double h) {
    Simulation chain(make_rod_chain(2, 1.0, 1.0), h);
    chain.run_to(3.0);
    return (angles<2>(chain).theta - theta).norm();
  };
  // 0.1: the next term of the error
  expect_close(std::log2(error(2e-3) / error(1e-3)), 2.0, 0.0, 0.1);
}

TEST(DoublePendulum, WithStiffJointsNeedsNoSmallSteps) {
  // rotational springs 400 N m/rad and 3e5 N m/rad with dampers of 15 and 5e4 N m s/rad: the
  // fastest mode decays with 2.8e5 1/s, 284 time constants within a step of 1e-3 s
  Simulation chain(make_stiff_double_pendulum(), 1e-3);
  const double offset = 1.5 * std::numbers::pi;
  const double bend = (23.0 / 12.0 - 1.5) * std::numbers::pi;
  chain.run_to(1.0);
  const Angles<2> end = angles<2>(chain, offset);
  // t = 1 s; benchmark limit 1e-4 rad at h = 1e-3
  expect_close(end.theta[0], 4.714440908439648, 0.0, 1e-4);
  expect_close(end.theta[1] + bend, 4.717685293322606, 0.0, 1e-4);
  // the start is off the slow motion, and the trapezoidal rule carries the fast mode on with a
  // factor of -0.986 a step: while it rings, it shifts the slow motion
  expect_close(end.omega[0], -0.0171401748093967, 0.0, 5e-3);
  expect_close(end.omega[1], -0.0366042168426949, 0.0, 5e-3);
}

TEST(DoublePendulum, WithStiffJointsFollowsTheReferenceOnceTheStartIsResolved) {
  Simulation chain(make_stiff_double_pendulum(), 2.5e-4);
  const double offset = 1.5 * std::numbers::pi;
  const double bend = (23.0 / 12.0 - 1.5) * std::numbers::pi;
  // the ringing decays with 0.945 a step: gone after 0.1 s
  constexpr double kAngle = 1e-5;
  constexpr double kRate = 1e-3;
  chain.run_to(0.1);
  const Angles<2> early = angles<2>(chain, offset);
  expect_close(early.theta[0], 4.75644132843268, 0.0, kAngle);
  expect_close(early.theta[1] + bend, 5.47484366279871, 0.0, kAngle);
  expect_close(early.omega, Eigen::Vector2d(-0.369999215697276, -4.68047014551448), 0.0, kRate);
  chain.run_to(0.5);
  const Angles<2> later = angles<2>(chain, offset);
  expect_close(later.theta[0], 4.72324914756004, 0.0, kAngle);
  expect_close(later.theta[1] + bend, 4.78841589445328, 0.0, kAngle);
  expect_close(later.omega, Eigen::Vector2d(0.0601427796082913, -0.33084128669711), 0.0, kRate);
}

TEST(RodChain, OfTenRodsWhipsAsMinimalCoordinatesSay) {
  // t = 0.8 s; ten rods of 0.2 m and 0.5 kg let go from the horizontal, digits 10
  Eigen::Matrix<double, 10, 1> theta;
  theta << -1.72022780316966, -1.93409395178477, -1.87842987281786, -1.7849941498929,
      -1.95840790362153, -2.16721707290417, -2.53684899815376, -2.67406919502861, -2.8334853974273,
      -2.83008543784676;
  // benchmark limit at h = 1e-3
  constexpr double kAngle = 7e-3;
  Simulation chain(make_rod_chain(10, 0.2, 0.5), 1e-3);
  chain.run_to(0.8);
  expect_close(angles<10>(chain).theta, theta, 0.0, kAngle);
}

TEST(RodChain, PullsItsTipToTheReferencePlaceBeforeItWhips) {
  // t = 0.4 s
  Simulation chain(make_rod_chain(10, 0.2, 0.5), 1e-3);
  chain.run_to(0.4);
  Marker tip;
  tip.body = 9;
  tip.X_BF.p.x() = 0.1;
  const Motion end = chain.motion(tip);
  // 1e-4: before the whip the error is a hundredth of the limit at t = 0.8 s
  expect_close(end.X.p, Eigen::Vector3d(1.64740977129836, -0.784231363804324, 0.0), 0.0, 1e-4);
}

}  // namespace
}  // namespace semirec::test
