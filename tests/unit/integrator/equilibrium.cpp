#include "integrator/statics/equilibrium.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "integrator/compile.hpp"
#include "integrator/formulation/evaluate.hpp"
#include "integrator/statics/initial_conditions.hpp"
#include "integrator/statics/steady_newton.hpp"
#include "integrator/step.hpp"
#include "recursive/kinematics.hpp"
#include "tests/support/expect_close.hpp"
#include "tests/support/mechanisms.hpp"
#include "tests/support/random_mechanism.hpp"

namespace semirec::test {
namespace {

using V = Eigen::Vector3d;

// find_equilibrium() leaves 1e-7 N on stiffnesses of 10 N/m and more
constexpr double kFound = 1e-8;

struct Result {
  EquilibriumReport report;
  State state;
};
Result settle(const Model& model) {
  Result result;
  result.state = make_initial_state(model);
  Workspace ws(model);
  result.report = find_equilibrium(model, {}, result.state, ws);
  return result;
}

TEST(Equilibrium, BodyOnASpringSinksByWeightOverStiffness) {
  // 2 kg on 500 N/m: 2 * 9.81 / 500 m below the length without force
  Mechanism m;
  m.name = "spring";
  add_body(m, "mass", 2.0, {}, Eigen::Matrix3d::Identity());
  add_joint(m, "slide", JointType::prismatic, kGround, 0, {});
  CoordinateForce spring;
  spring.name = "spring";
  spring.spring = Curve::linear(500.0);
  m.coordinate_forces.push_back(spring);
  const Result result = settle(compile(m));
  ASSERT_TRUE(result.report.found);
  expect_close(result.state.z[0], -2.0 * 9.81 / 500.0, 0.0, kFound);
  EXPECT_EQ(result.state.zd[0], 0.0);
  EXPECT_EQ(result.state.zdd[0], 0.0);
}

TEST(Equilibrium, DoublePendulumHangsDown) {
  // thrown aside by 0.5 and 0.8 rad (gravity along -y, rods along -y at zero)
  Mechanism m;
  m.name = "double pendulum";
  m.gravity = V(0.0, -9.81, 0.0);
  const BodyIndex upper = add_rod(m, "upper", 1.0, V(0, 0, 0), V(0, -1, 0));
  const BodyIndex lower = add_rod(m, "lower", 1.0, V(0, -1, 0), V(0, -2, 0));
  add_hinge(m, "shoulder", kGround, upper, V(0, 0, 0));
  add_hinge(m, "elbow", upper, lower, V(0, -1, 0));
  m.joints[0].position = {0.5};
  m.joints[1].position = {0.8};
  const Result result = settle(compile(m));
  ASSERT_TRUE(result.report.found);
  expect_close(result.state.z, Eigen::Vector2d::Zero().eval(), 0.0, kFound);
}

TEST(Equilibrium, FlyingBodyOnThreeSpringsStandsAboveItsCentre) {
  // three vertical springs of 1000 N/m and 1 m free length under a plate of 6 kg: each carries 2 g;
  // the neutral motions that small angles leave are none, as the springs lean
  Mechanism m;
  m.name = "plate";
  Frame X;
  X.p = V(0.0, 0.0, 1.0);
  add_body(m, "plate", 6.0, X, Eigen::Matrix3d::Identity());
  add_joint(m, "flight", JointType::free, kGround, 0, {});
  m.joints[0].b.X_BF = Frame{};
  m.joints[0].position = {0.02, -0.03, 0.98, 0.05, -0.04, 0.06};
  for (int k = 0; k < 3; ++k) {
    const V foot(std::cos(2.1 * k), std::sin(2.1 * k), 0.0);
    add_spring(m, "leg" + std::to_string(k), kGround, 0, 2.0 * foot, foot + V(0.0, 0.0, 1.0),
               1000.0, 1.5, 0.0);
  }
  const Model model = compile(m);
  Workspace ws(model);
  Result result = settle(model);
  ASSERT_TRUE(result.report.found);
  EXPECT_LE(result.report.residual, 1e-7);
  // at rest nothing accelerates
  ASSERT_TRUE(find_accelerations(model, result.state, ws));
  expect_close(result.state.zdd, Eigen::VectorXd::Zero(6).eval(), 0.0, 1e-6);
}

TEST(Equilibrium, RodCarriesTheWeight) {
  // a mass on a vertical slide hangs on a rod of 1 m: lambda = m g (force on b is -lambda d / L,
  // upwards)
  Mechanism m;
  m.name = "hung";
  Frame X;
  X.p = V(0.0, 0.0, -1.0);
  add_body(m, "mass", 2.0, X, Eigen::Matrix3d::Identity());
  add_joint(m, "slide", JointType::prismatic, kGround, 0, X);
  add_massless_rod(m, "rod", kGround, 0, V::Zero(), X.p);
  const Result result = settle(compile(m));
  ASSERT_TRUE(result.report.found);
  expect_close(result.state.multipliers[0], 2.0 * 9.81, 0.0, 1e-6);
  expect_close(result.state.z[0], 0.0, 0.0, 1e-10);
}

TEST(Equilibrium, NeutralMotionsStayWhereTheyAre) {
  // a body that slides freely along x and on a spring along z: x keeps its start
  Mechanism m;
  m.name = "neutral";
  add_body(m, "carrier", 1.0, {}, Eigen::Matrix3d::Identity());
  add_body(m, "mass", 2.0, {}, Eigen::Matrix3d::Identity());
  add_joint(m, "along", JointType::prismatic, kGround, 0, make_frame(V::Zero(), V::UnitX()));
  add_joint(m, "up", JointType::prismatic, 0, 1, {});
  m.joints[0].position = {0.7};
  CoordinateForce spring;
  spring.name = "spring";
  spring.joint = 1;
  spring.spring = Curve::linear(500.0);
  m.coordinate_forces.push_back(spring);
  const Result result = settle(compile(m));
  ASSERT_TRUE(result.report.found);
  expect_close(result.state.z, Eigen::Vector2d(0.7, -2.0 * 9.81 / 500.0), 0.0, kFound);
}

TEST(Equilibrium, OfALoopedMechanismLeavesNothingToMove) {
  // hung up by its anchor spring alone it would swing; a base on a bushing stands
  Mechanism m = make_loop_mechanism(2);
  Bushing mount;
  mount.name = "mount";
  mount.a.X_BF = m.bodies[0].X_WB;
  mount.b.body = 0;
  mount.stiffness << 3000.0, 3000.0, 3000.0, 800.0, 800.0, 800.0;
  m.bushings.push_back(mount);
  const Model model = compile(m);
  Workspace ws(model);
  Result result = settle(model);
  ASSERT_TRUE(result.report.found);
  EXPECT_LE(result.report.residual, 1e-7);
  EXPECT_LE(result.report.Phi, 1e-11);
  // the inputs that move in time do so from rest: at this instant everything is still. A drive with
  // a soft start has an acceleration of zero at t = 0
  const Eigen::VectorXd lambda = result.state.multipliers;
  ASSERT_TRUE(find_accelerations(model, result.state, ws));
  expect_close(result.state.zdd, Eigen::VectorXd::Zero(model.n()).eval(), 0.0, 1e-5);
  expect_close(result.state.multipliers, lambda, 0.0, 1e-5);
}

/// A mass on a vertical slide with a force law over its displacement.
Model make_mass_on_law(double mass, const Curve& law) {
  Mechanism m;
  m.name = "mass on a law";
  add_body(m, "mass", mass, {}, Eigen::Matrix3d::Identity());
  add_joint(m, "slide", JointType::prismatic, kGround, 0, {});
  CoordinateForce spring;
  spring.name = "spring";
  spring.spring = law;
  m.coordinate_forces.push_back(spring);
  return compile(m);
}

// Two springs of 1e12 N against one another under 1e7 kg: their sum is rounded to 1e-4 N, far above
// 1e-7 N and far below the weight.
TEST(SteadyNewton, TakesItsToleranceFromTheWeight) {
  Mechanism m;
  m.name = "heavy";
  add_body(m, "mass", 1e7, {}, Eigen::Matrix3d::Identity());
  add_joint(m, "slide", JointType::prismatic, kGround, 0, {});
  for (const double preload : {1e12, -1e12}) {
    CoordinateForce spring;
    spring.name = preload > 0.0 ? "up" : "down";
    Curve law;
    law.add_piece(-1e300, 0.0, {preload * (1.0 + 1.0 / 3.0), 7.3e10});
    spring.spring = law;
    m.coordinate_forces.push_back(spring);
  }
  const Model model = compile(m);
  EXPECT_DOUBLE_EQ(find_force_tolerance(model), 1e-9 * 1e7 * 9.81);
  State state = make_initial_state(model);
  Workspace ws(model);
  SteadyProblem problem;
  EquilibriumReport report;
  ASSERT_TRUE(solve_steady(model, problem, state, ws, report));
  EXPECT_LE(report.residual, find_force_tolerance(model));
  // weight over both stiffnesses
  EXPECT_NEAR(state.z[0], -1e7 * 9.81 / 14.6e10, 1e-9);
}

// f = 0.5 + 25 x above 4 mm and the same below zero, mirrored: from 20 mm each step of Newton leads
// to the mirror image, for ever. A force that nothing balances is another matter.
TEST(SteadyNewton, TellsItsOwnFailureFromAForceThatNothingBalances) {
  const auto fails = [](const Model& model, double from) {
    State state = make_initial_state(model);
    state.z[0] = from;
    Workspace ws(model);
    SteadyProblem problem;
    EquilibriumReport report;
    EXPECT_FALSE(solve_steady(model, problem, state, ws, report));
    return problem.left_over;
  };
  const Model cycle = [] {
    Model model = make_mass_on_law(
        1.0, Curve::table({{-1.0, -25.5}, {-0.004, -0.6}, {0.004, 0.6}, {1.0, 25.5}}, false));
    model.tree.gravity.setZero();
    return model;
  }();
  EXPECT_EQ(fails(cycle, 0.02).size(), 0);
  const Eigen::VectorXd weight = fails(make_mass_on_law(2.0, Curve::constant(0.0)), 0.0);
  ASSERT_EQ(weight.size(), 1);
  EXPECT_NEAR(std::abs(weight[0]), 2.0 * 9.81, 1e-6);
}

}  // namespace
}  // namespace semirec::test
