#include "integrator/statics/initial_conditions.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "integrator/compile.hpp"
#include "integrator/formulation/evaluate.hpp"
#include "integrator/step.hpp"
#include "recursive/kinematics.hpp"
#include "tests/support/eigen_system.hpp"
#include "tests/support/expect_close.hpp"
#include "tests/support/mechanisms.hpp"
#include "tests/support/random_mechanism.hpp"

namespace semirec::test {
namespace {

using testing::HasSubstr;
using V = Eigen::Vector3d;

constexpr double kRoundOff = 1e-13;
// what initialize() promises of positions, m
constexpr double kAssembled = 1e-12;
// find_accelerations() solves with penalties of 1e7 effective masses: eps 1e7 of the largest force
constexpr double kIndexOne = 2e-9;

/// A plane four-bar of rods: crank 1 m, coupler 2 m, rocker 1.5 m, ground 2 m; the point closure is
/// the only one. Joint `crank` is written with an angle that the other joints do not know.
Mechanism make_open_four_bar(double crank_angle, bool held) {
  Mechanism m;
  m.name = "four-bar";
  const V p0(0, 0, 0), p1(0, 1, 0), p2(1.8, 1.4, 0), p3(2, 0, 0);
  const BodyIndex crank = add_rod(m, "crank_rod", 1.0, p0, p1);
  const BodyIndex coupler = add_rod(m, "coupler_rod", 1.0, p1, p2);
  const BodyIndex rocker = add_rod(m, "rocker_rod", 1.0, p2, p3);
  add_hinge(m, "crank", kGround, crank, p0);
  add_hinge(m, "pin", crank, coupler, p1);
  add_hinge(m, "rocker", kGround, rocker, p3);
  add_hinge(m, "loop", coupler, rocker, p2, Placement::cut);
  m.joints[0].position = {crank_angle};
  m.joints[0].held = held;
  return m;
}

std::string start_error(const Mechanism& mechanism) {
  const Model model = compile(mechanism);
  State state = make_initial_state(model);
  Workspace ws(model);
  try {
    initialize(model, {}, state, ws);
  } catch (const ModelError& error) {
    return error.what();
  }
  return {};
}

TEST(InitialState, PutsTheJointsWhereTheDescriptionSays) {
  // forward and reversed joints of every type with angles and rates: b stands and moves against a
  // alike
  for (const JointType type : joint_types()) {
    if (type == JointType::fixed || type == JointType::free) continue;
    Random random(static_cast<std::uint64_t>(type) + 1);
    Mechanism m;
    m.name = "pair";
    m.bodies.push_back(make_random_body(random, "body"));
    m.joints.push_back(make_random_joint(random, type, kGround, 0, false, "joint"));
    const Eigen::VectorXd z = random.values(degrees_of_freedom(type), 1.0);
    const Eigen::VectorXd zd = random.values(degrees_of_freedom(type), 1.0);
    m.joints[0].position.assign(z.data(), z.data() + z.size());
    m.joints[0].velocity.assign(zd.data(), zd.data() + zd.size());
    // the same joint written from the body to the ground: relative pose and twist of a against b
    Frame X_ab;
    Vector6 Z_ab;  // velocity of b against a at a's origin, axes of a
    {
      const Model model = compile(m);
      const State state = make_initial_state(model);
      Workspace ws(model);
      const Frame X_WB = find_body_poses(model, state, ws)[0];
      const Frame X_Wa = m.joints[0].a.X_BF;
      X_ab = inverse(X_Wa) * X_WB * m.joints[0].b.X_BF;
      const Vector6 Z = ws.tree.Z[1];
      Z_ab << X_Wa.A.transpose() * velocity_at(Z, X_Wa.p - state.origin),
          X_Wa.A.transpose() * Z.tail<3>();
    }
    Mechanism reversed = m;
    std::swap(reversed.joints[0].a, reversed.joints[0].b);  // now a is on the body, b on the ground
    const Model model = compile(reversed);
    const State state = make_initial_state(model);
    Workspace ws(model);
    const Frame X_Wa = find_body_poses(model, state, ws)[0] * reversed.joints[0].a.X_BF;
    const Frame X_ab_reversed = inverse(X_Wa) * reversed.joints[0].b.X_BF;
    SCOPED_TRACE(name_of(type));
    expect_close(X_ab_reversed.A, X_ab.A, 0.0, kRoundOff);
    expect_close(X_ab_reversed.p, X_ab.p, 0.0, kRoundOff);
    const Vector6 Z = -ws.tree.Z[1];  // of b, the ground, against a, the body
    Vector6 Z_ab_reversed;
    Z_ab_reversed << X_Wa.A.transpose() * velocity_at(Z, X_Wa.p - state.origin),
        X_Wa.A.transpose() * Z.tail<3>();
    expect_close(Z_ab_reversed, Z_ab, 0.0, kRoundOff);
  }
}

TEST(InitialState, PutsTheOriginOnAFlyingBody) {
  Mechanism m = make_free_body();
  m.joints[0].position = {5000.0, -300.0, 2.0, 0.1, 0.2, 0.3};
  const Model model = compile(m);
  const State state = make_initial_state(model);
  expect_close(state.origin, V(5000.0, -300.0, 2.0), 0.0, 0.0);
  expect_close(Eigen::VectorXd(state.z.head<3>()), V::Zero(), 0.0, 0.0);
  expect_close(state.A0[0].toRotationMatrix(), rotation_exp(V(0.1, 0.2, 0.3)), 0.0, 1e-15);
}

TEST(Assembly, ClosesTheLoopAndKeepsHeldCoordinates) {
  const Mechanism mechanism = make_open_four_bar(-0.3, true);
  const Model model = compile(mechanism);
  State state = make_initial_state(model);
  Workspace ws(model);
  const int crank = model.tree.coordinate(mechanism, 0, 0, {}, "");
  assemble_positions(model, state, ws);
  evaluate_state(model, state, ws);
  EXPECT_LE(ws.closures.Phi.cwiseAbs().maxCoeff(), kAssembled);
  EXPECT_EQ(state.z[crank], -0.3);
  // the loop triangle by hand: the distance pin - rocker foot closes with coupler and rocker
  const std::vector<Frame> poses = find_body_poses(model, state, ws);
  const V pin = V(std::cos(M_PI / 2 - 0.3), std::sin(M_PI / 2 - 0.3), 0.0);
  const V middle = poses[1].p;  // of the coupler, whose frame stands in its middle
  const double coupler = std::hypot(1.8, 0.4);
  expect_close((middle - pin).norm(), 0.5 * coupler, 0.0, 10 * kAssembled);
}

TEST(Assembly, KeepsAWrittenCoordinateWhereTheLoopCloses) {
  const Model model = compile(make_open_four_bar(-0.3, false));
  State state = make_initial_state(model);
  Workspace ws(model);
  assemble_positions(model, state, ws);
  evaluate_state(model, state, ws);
  EXPECT_LE(ws.closures.Phi.cwiseAbs().maxCoeff(), kAssembled);
  const int crank = model.tree.coordinate(model.mechanism, 0, 0, {}, "");
  EXPECT_EQ(state.z[crank], -0.3);
}

TEST(Assembly, ClosesAPlanarLoopFromFarAway) {
  // a parallelogram of 1 m whose crank is held turned: coupler and rocker have to follow
  for (const double crank : {0.3, 0.6, 1.0, 1.2, 1.4, 1.7, 2.0, 2.5}) {
    for (const LoopKind kind : {LoopKind::revolute, LoopKind::redundant}) {
      Mechanism m = make_four_bars(1, kind);
      m.joints[0].position = {crank};
      m.joints[0].held = true;
      const Model model = compile(m);
      State state = make_initial_state(model);
      Workspace ws(model);
      assemble_positions(model, state, ws);
      evaluate_state(model, state, ws);
      EXPECT_LE(ws.closures.Phi.cwiseAbs().maxCoeff(), kAssembled) << crank;
    }
  }
}

TEST(Assembly, LoopThatCannotCloseIsNamed) {
  Mechanism m = make_open_four_bar(0.0, false);
  add_massless_rod(m, "too_long", kGround, 1, V(0, 0, 0), V(1.8, 1.4, 0));
  m.constraints[0].length = 9.0;  // the coupler's end is never further than 3 m from the origin
  const std::string message = start_error(m);
  EXPECT_THAT(message, HasSubstr("cannot be assembled"));
  EXPECT_THAT(message, HasSubstr("'too_long'"));
}

// Expected: a bar of 1 m about the origin comes no nearer to a point 9 m away than 8 m.
TEST(Assembly, TellsByHowMuchARodIsTooShort) {
  Mechanism m;
  m.name = "short rod";
  const BodyIndex bar = add_rod(m, "bar", 1.0, V(0, 0, 0), V(1, 0, 0));
  add_joint(m, "pin", JointType::revolute, kGround, bar, {});
  add_massless_rod(m, "rod", kGround, bar, V(9, 0, 0), V(1, 0, 0));
  m.constraints[0].length = 1.0;
  EXPECT_THAT(start_error(m), HasSubstr("'rod' stays open by 7 m, expected"));
}

TEST(Assembly, RodsThatContradictOneAnotherAreNamed) {
  Mechanism m;
  m.name = "two rods";
  const BodyIndex bar = add_rod(m, "bar", 1.0, V(0, 0, 0), V(1, 0, 0));
  m.bodies[0].inertia += 0.01 * Eigen::Matrix3d::Identity();  // it turns about itself too
  add_joint(m, "ball", JointType::spherical, kGround, bar, {});
  add_massless_rod(m, "rod_one", kGround, bar, V(0, 0, 2), V(1, 0, 0));
  add_massless_rod(m, "rod_two", kGround, bar, V(0, 0, 2), V(1, 0, 0));
  EXPECT_EQ(start_error(m), "");  // of equal length they agree
  m.constraints[1].length *= 1.01;
  const std::string message = start_error(m);
  EXPECT_THAT(message, HasSubstr("contradict one another"));
  EXPECT_THAT(message, HasSubstr("'rod_one'"));
  EXPECT_THAT(message, HasSubstr("'rod_two'"));
}

TEST(Assembly, DriversThatDisagreeInTheirRatesAreNamed) {
  Mechanism m = make_open_four_bar(0.0, false);
  const InputIndex slow = add_input(m, "slow", make_sine(0.1, 1.0));
  const InputIndex fast = add_input(m, "fast", make_sine(0.1, 2.0));
  m.motions.push_back({"drive_slow", 0, 0, slow, {}});
  m.motions.push_back({"drive_fast", 0, 0, fast, {}});
  const std::string message = start_error(m);
  EXPECT_THAT(message, HasSubstr("no velocities satisfy the closures"));
  EXPECT_THAT(message, HasSubstr("drive_"));
}

TEST(Assembly, InertiaThatIsLostInRoundingIsNamed) {
  // an arm whose own inertia counts nothing beside the wheel that turns on it
  Mechanism m;
  m.name = "lost";
  Frame X;
  add_body(m, "arm", 1.0, X, Eigen::Matrix3d::Identity());
  add_body(m, "wheel", 1.0, X, 1e40 * Eigen::Matrix3d::Identity());
  add_joint(m, "pivot", JointType::revolute, kGround, 0, X);
  add_joint(m, "axle", JointType::revolute, 0, 1, X);
  const std::string message = start_error(m);
  EXPECT_THAT(message, HasSubstr("'pivot'"));
  EXPECT_THAT(message, HasSubstr("lost in rounding"));
}

TEST(Assembly, MotionWithoutInertiaIsNamed) {
  // a point mass on the axis of its own joint
  Mechanism m;
  m.name = "spindle";
  Frame X;
  add_body(m, "point", 1.0, X, Eigen::Matrix3d::Zero());
  add_joint(m, "axle", JointType::revolute, kGround, 0, X);
  const std::string message = start_error(m);
  EXPECT_THAT(message, HasSubstr("'axle'"));
  EXPECT_THAT(message, HasSubstr("moves no inertia"));
}

TEST(ClosureRank, CountsRedundantRows) {
  // two equal rods: one row too many; a plane four-bar cut at a hinge: 5 rows, 2 needed
  Mechanism rods;
  rods.name = "two rods";
  const BodyIndex bar = add_rod(rods, "bar", 1.0, V(0, 0, 0), V(1, 0, 0));
  rods.bodies[0].inertia += 0.01 * Eigen::Matrix3d::Identity();
  add_joint(rods, "ball", JointType::spherical, kGround, bar, {});
  add_massless_rod(rods, "rod_one", kGround, bar, V(0, 0, 2), V(1, 0, 0));
  add_massless_rod(rods, "rod_two", kGround, bar, V(0, 0, 2), V(1, 0, 0));
  struct Expected {
    Mechanism mechanism;
    int rows, rank;
  };
  // a hinge that events may switch keeps the rows that its planar loop does not need
  Mechanism switched = make_open_four_bar(0.0, false);
  for (Joint& joint : switched.joints)
    if (joint.placement == Placement::cut) joint.attached = true;
  for (const Expected& expected : {Expected{rods, 2, 1}, Expected{switched, 5, 2},
                                   Expected{make_open_four_bar(0.0, false), 2, 2}}) {
    const Model model = compile(expected.mechanism);
    State state = make_initial_state(model);
    Workspace ws(model);
    initialize(model, {}, state, ws);
    const ClosureRank rank = find_closure_rank(model, state, ws);
    EXPECT_EQ(rank.rows, expected.rows);
    EXPECT_EQ(rank.rank, expected.rank);
  }
}

/// M, Q, Phi_z and Phid_z zd + Phid_t of a state, dense.
struct Terms {
  Eigen::MatrixXd M, Phi_z;
  Eigen::VectorXd Q, gamma;
};
Terms terms_at(const Model& model, const State& state, Workspace& ws) {
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(model.n());
  Terms terms;
  begin_evaluation(model, state, state.t, ws);
  evaluate_dynamics(model, state.z.data(), state.zd.data(), zero.data(), {}, ws);
  terms.M = model.tree.pattern.to_dense(ws.tree.tangent.data());
  terms.Q = -ws.tree.residual;
  evaluate_kinematics(model, state.z.data(), state.zd.data(), zero.data(), ws);
  terms.Phi_z = dense_jacobian(model.closures, ws.closures, model.n());
  terms.gamma = ws.closures.Phidd;
  return terms;
}

TEST(ConsistentStart, MeetsDynamicsAndClosuresAtAllLevels) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const Model model = compile(make_loop_mechanism(seed));
    State state = make_initial_state(model);
    Workspace ws(model);
    initialize(model, {}, state, ws);
    evaluate_state(model, state, ws);
    EXPECT_LE(ws.closures.Phi.cwiseAbs().maxCoeff(), kAssembled);
    EXPECT_LE(ws.closures.Phid.cwiseAbs().maxCoeff(), 1e-12);
    const Terms terms = terms_at(model, state, ws);
    expect_close(Eigen::VectorXd(terms.M * state.zdd + terms.Phi_z.transpose() * state.multipliers),
                 terms.Q, kIndexOne, 0.0);
    expect_close(Eigen::VectorXd(terms.Phi_z * state.zdd), Eigen::VectorXd(-terms.gamma), kIndexOne,
                 kIndexOne);
    // and equals the dense solution of [M Phi_z^T; Phi_z 0]
    const int n = model.n();
    const int m = model.m();
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n + m, n + m);
    A << terms.M, terms.Phi_z.transpose(), terms.Phi_z, Eigen::MatrixXd::Zero(m, m);
    Eigen::VectorXd b(n + m);
    b << terms.Q, -terms.gamma;
    const Eigen::VectorXd x = solve_fully_pivoted(A, b);
    // and amplified by the inverse of the closures' own conditioning, below 10
    expect_close(state.zdd, Eigen::VectorXd(x.head(n)), 10 * kIndexOne, 0.0);
    expect_close(state.multipliers, Eigen::VectorXd(x.tail(m)), 10 * kIndexOne, 0.0);
  }
}

TEST(ConsistentStart, IsMetWithRedundantRowsToo) {
  const Model model = compile(make_open_four_bar(-0.3, true));
  State state = make_initial_state(model);
  Workspace ws(model);
  initialize(model, {}, state, ws);
  const Terms terms = terms_at(model, state, ws);
  expect_close(Eigen::VectorXd(terms.M * state.zdd + terms.Phi_z.transpose() * state.multipliers),
               terms.Q, kIndexOne, kIndexOne);
  expect_close(Eigen::VectorXd(terms.Phi_z * state.zdd), Eigen::VectorXd(-terms.gamma), kIndexOne,
               kIndexOne);
}

/// A wagon that is driven along x and a second one that slides freely on it.
Mechanism make_two_wagons(const Curve& drive) {
  Mechanism m;
  m.name = "wagons";
  Frame along_x = make_frame(V::Zero(), V::UnitX());
  add_body(m, "lower", 3.0, {}, Eigen::Matrix3d::Zero());
  add_body(m, "upper", 2.0, {}, Eigen::Matrix3d::Zero());
  add_joint(m, "rail", JointType::prismatic, kGround, 0, along_x);
  add_joint(m, "slide", JointType::prismatic, 0, 1, along_x);
  const InputIndex input = add_input(m, "way", drive);
  m.motions.push_back({"drive", 0, 0, input, {}});
  return m;
}

TEST(Restart, AfterAJumpOfADriversRateIsAnImpactInTheMassMetric) {
  // the way starts with 2 m/s at t = 1: the driver's blow moves the lower wagon only, the upper one
  // keeps its zero velocity against the ground, so it moves with -2 m/s against the lower one
  const Model model = compile(make_two_wagons(Curve::table({{1.0, 0.0}, {2.0, 2.0}}, false)));
  State state = make_initial_state(model, 1.0);
  Workspace ws(model);
  ASSERT_TRUE(restart(model, state, ws));
  const int rail = model.tree.coordinate(model.mechanism, 0, 0, {}, "");
  const int slide = model.tree.coordinate(model.mechanism, 1, 0, {}, "");
  // three projections with beta = 1e7 masses
  expect_close(state.zd[rail], 2.0, 1e-12, 0.0);
  expect_close(state.zd[slide], -2.0, 1e-12, 0.0);
  expect_close(state.zdd, Eigen::Vector2d::Zero().eval(), 0.0, 1e-10);
}

TEST(Restart, AfterAJumpOfAForceTakesTheNewAcceleration) {
  Mechanism m = make_two_wagons(Curve::constant(0.0));
  const InputIndex push = add_input(m, "push", Curve::table({{0.0, 0.0}, {1.0, 0.0}, {1.0, 10.0}}));
  AppliedLoad load;
  load.name = "load";
  load.at.body = 1;
  load.input = push;
  m.loads.push_back(load);
  const Model model = compile(m);
  State state = make_initial_state(model, 1.0);
  Workspace ws(model);
  ASSERT_TRUE(restart(model, state, ws));
  const int slide = model.tree.coordinate(model.mechanism, 1, 0, {}, "");
  // 10 N on 2 kg; the driver holds the lower wagon with no force: nothing is handed down by a free
  // slide
  expect_close(state.zdd[slide], 5.0, 1e-12, 0.0);
  expect_close(state.multipliers[0], 0.0, 0.0, 1e-12);
}

}  // namespace
}  // namespace semirec::test
