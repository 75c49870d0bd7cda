#include "integrator/statics/standing.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "integrator/compile.hpp"
#include "tests/support/expect_close.hpp"
#include "tests/support/mechanisms.hpp"

namespace semirec::test {
namespace {

using V = Eigen::Vector3d;

constexpr double kMass = 2.0;
constexpr double kLength = 1.0;
constexpr double kGravity = 9.81;

/// A slender rod that stands upright on a hinge, held by a spring of so many N m/rad.
Model rod_on_a_spring(double stiffness) {
  Mechanism m;
  m.name = "rod";
  m.gravity = V(0.0, -kGravity, 0.0);
  const BodyIndex rod = add_rod(m, "rod", kMass, V(0, 0, 0), V(0, kLength, 0));
  add_hinge(m, "hinge", kGround, rod, V(0, 0, 0));
  CoordinateForce spring;
  spring.name = "spring";
  spring.spring = Curve::linear(stiffness);
  m.coordinate_forces.push_back(spring);
  return compile(m);
}

StandingBalance stand(const Model& model, double from, double damping, double& angle) {
  Workspace ws(model);
  State state = make_initial_state(model);
  state.z[0] = from;
  StandingSearch search;
  search.accelerations.resize(model.n(), 0);
  search.damping = damping;
  const StandingBalance balance = find_standing(model, search, state, ws);
  angle = state.z[0];
  return balance;
}

// Expected: (k - m g l/2)/(m l^2/3), the linear stiffness over the inertia about the hinge.
TEST(Standing, StiffnessTellsStableFromUnstable) {
  const double falling = 0.5 * kMass * kGravity * kLength;
  const double inertia = kMass * kLength * kLength / 3.0;
  for (const double spring : {2.0 * falling, 0.5 * falling}) {
    double angle = 0.0;
    const StandingBalance balance = stand(rod_on_a_spring(spring), 0.01, 0.0, angle);
    ASSERT_TRUE(balance.found);
    EXPECT_NEAR(angle, 0.0, 1e-8);
    // 1e-6: width of the differences
    expect_close(balance.stiffness, (spring - falling) / inertia, 1e-6, 0.0);
  }
}

// Expected: k angle = m g l/2 sin(angle), solved here by bisection. Newton stays on the top.
TEST(Standing, LetDownItLeavesWhatIsUnstable) {
  const double falling = 0.5 * kMass * kGravity * kLength;
  const double spring = 0.5 * falling;
  double low = 1.0;
  double high = 3.0;
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (low + high);
    (spring * middle < falling * std::sin(middle) ? low : high) = middle;
  }
  for (const double damping : {4.0, 400.0}) {
    double angle = 0.0;
    const StandingBalance balance = stand(rod_on_a_spring(spring), 0.05, damping, angle);
    ASSERT_TRUE(balance.found) << damping;
    EXPECT_NEAR(angle, low, 1e-7) << damping;
    EXPECT_GT(balance.stiffness, 0.0) << damping;
  }
}

// Expected: a body that nothing carries accelerates by g, which is asked for and found.
TEST(Standing, WhatIsLeftOverIsAnAcceleration) {
  Mechanism m;
  m.name = "free";
  add_body(m, "mass", 3.0, {}, Eigen::Matrix3d::Identity());
  add_joint(m, "slide", JointType::prismatic, kGround, 0, {});
  const Model model = compile(m);
  Workspace ws(model);
  State state = make_initial_state(model);
  StandingSearch search;
  search.held = {0};
  search.accelerations = Eigen::MatrixXd::Ones(1, 1);
  const StandingBalance balance = find_standing(model, search, state, ws);
  ASSERT_TRUE(balance.found);
  expect_close(balance.share[0], -kGravity, 1e-9, 0.0);
  EXPECT_EQ(state.z[0], 0.0);
}

}  // namespace
}  // namespace semirec::test
