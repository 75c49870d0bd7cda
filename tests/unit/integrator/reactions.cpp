#include "integrator/outputs/reactions.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/SVD>
#include <gtest/gtest.h>

#include "integrator/compile.hpp"
#include "integrator/formulation/evaluate.hpp"
#include "integrator/statics/initial_conditions.hpp"
#include "integrator/step.hpp"
#include "tests/support/expect_close.hpp"
#include "tests/support/mechanisms.hpp"
#include "tests/support/random_mechanism.hpp"
#include "vehicles/files/xml/reader.hpp"

namespace semirec::test {
namespace {

using V = Eigen::Vector3d;

// find_accelerations() solves with penalties of 1e7 effective masses: eps 1e7 of the largest force,
// times the conditioning of the closures (below 10)
constexpr double kSolved = 2e-8;

TEST(Reactions, ClampedBodyHandsDownItsWeightAndMoment) {
  // 4 kg, centre of mass 0.5 m out along x; the wall pushes it with 4 g up and -2 g about y; a load
  // of 10 N along y at 1 m adds -10 N and -10 N m about z. Once in the tree, once cut from a flying
  // body
  for (const bool cut : {false, true}) {
    Mechanism m;
    m.name = "cantilever";
    const BodyIndex beam = add_rod(m, "beam", 4.0, V(0, 0, 0), V(1, 0, 0));
    m.bodies[0].inertia += 0.1 * Eigen::Matrix3d::Identity();
    add_joint(m, "wall", JointType::fixed, kGround, beam, {},
              cut ? Placement::cut : Placement::tree);
    if (cut) add_joint(m, "flight", JointType::free, kGround, beam, {});
    const InputIndex size = add_input(m, "size", Curve::constant(10.0));
    AppliedLoad load;
    load.name = "load";
    load.at = marker_at(m, beam, V(1, 0, 0));
    load.direction = V::UnitY();
    load.input = size;
    m.loads.push_back(load);
    const Model model = compile(m);
    State state = make_initial_state(model);
    Workspace ws(model);
    initialize(model, {}, state, ws);
    const Reaction wall = find_joint_reactions(model, state, ws)[0];
    expect_close(wall.force, V(0.0, -10.0, 4.0 * 9.81), 0.0, 100.0 * kSolved);
    expect_close(wall.moment, V(0.0, -2.0 * 9.81, -10.0), 0.0, 100.0 * kSolved);
    // and it stays so in motion: a step of a structure that cannot move
    StepSettings settings;
    const StepReport report = step(model, settings, state, ws);
    EXPECT_EQ(report.status, StepStatus::converged);
    const Reaction later = find_joint_reactions(model, state, ws)[0];
    expect_close(later.force, wall.force, 0.0, 1e-6);  // kappa eps times the forces
    expect_close(later.moment, wall.moment, 0.0, 1e-6);
  }
}

TEST(Reactions, SpinningArmIsHeldByItsCentripetalForce) {
  // 2 kg point at 0.5 m, 6 rad/s about z, no gravity: m w^2 r = 36 N towards the axis, on the
  // point's joint; the driver that keeps the rate has no torque
  Mechanism m;
  m.name = "arm";
  m.gravity.setZero();
  add_rod(m, "arm", 1.0, V(-0.5, 0, 0), V(0.5, 0, 0));
  Frame X;
  X.p = V(0.5, 0.0, 0.0);
  add_body(m, "point", 2.0, X, Eigen::Matrix3d::Zero());
  add_hinge(m, "axle", kGround, 0, V::Zero());
  add_joint(m, "weld", JointType::fixed, 0, 1, X);
  const InputIndex angle = add_input(m, "angle", Curve::linear(6.0));
  m.motions.push_back({"drive", 0, 0, angle, {}});
  const Model model = compile(m);
  State state = make_initial_state(model);
  Workspace ws(model);
  initialize(model, {}, state, ws);
  const auto joints = find_joint_reactions(model, state, ws);
  expect_close(joints[1].force, V(-36.0, 0.0, 0.0), 0.0, kSolved);
  expect_close(joints[1].moment, V::Zero().eval(), 0.0, kSolved);
  // the arm itself is balanced
  expect_close(joints[0].force, V(-36.0, 0.0, 0.0), 0.0, kSolved);
  const auto closures = find_closure_reactions(model, state, ws);
  expect_close(closures[0].moment, V::Zero().eval(), 0.0, kSolved);
}

TEST(Reactions, DriverHoldsWhatItsCoordinateCarries) {
  // a slide along z carries 2 kg at rest: 2 g; a hinge about y carries the moment 2 g 0.5
  Mechanism m;
  m.name = "drivers";
  add_body(m, "lift", 2.0, {}, Eigen::Matrix3d::Identity());
  Frame X;
  X.p = V(0.5, 0.0, 0.0);
  add_body(m, "lever", 2.0, X, Eigen::Matrix3d::Identity());
  add_joint(m, "slide", JointType::prismatic, kGround, 0, {});
  add_joint(m, "hinge", JointType::revolute, kGround, 1, make_frame(V::Zero(), V::UnitY()));
  const InputIndex zero = add_input(m, "zero", Curve::constant(0.0));
  m.motions.push_back({"drive_slide", 0, 0, zero, {}});
  m.motions.push_back({"drive_hinge", 1, 0, zero, {}});
  const Model model = compile(m);
  State state = make_initial_state(model);
  Workspace ws(model);
  initialize(model, {}, state, ws);
  const auto reactions = find_closure_reactions(model, state, ws);
  expect_close(reactions[0].force.x(), 2.0 * 9.81, 0.0, kSolved);
  // weight turns the lever about +y (x down to -z): the driver pushes back
  expect_close(reactions[1].moment.x(), -9.81, 0.0, kSolved);
}

TEST(Reactions, AreThoseOfSideAOnSideBHoweverTheJointIsWritten) {
  Mechanism m;
  m.name = "hung";
  const BodyIndex beam = add_rod(m, "beam", 4.0, V(0, 0, 0), V(1, 0, 0));
  add_joint(m, "wall", JointType::fixed, beam, kGround, {});  // the ground is side b
  const Model model = compile(m);
  State state = make_initial_state(model);
  Workspace ws(model);
  const Reaction on_ground = find_joint_reactions(model, state, ws)[0];
  expect_close(on_ground.force, V(0.0, 0.0, -4.0 * 9.81), kSolved, 0.0);
  expect_close(on_ground.moment, V(0.0, 2.0 * 9.81, 0.0), kSolved, 0.0);
}

TEST(Reactions, DoNotDependOnWhichJointsAreCut) {
  // no redundant rows here, so reactions are unique; joints s1, s45 and s3 take turns in being cut
  const Mechanism mechanism = make_loop_mechanism(3);
  const auto reactions_with = [&](const std::vector<std::string>& cuts) {
    Mechanism m = mechanism;
    for (Joint& joint : m.joints)
      if (std::find(cuts.begin(), cuts.end(), joint.name) != cuts.end())
        joint.placement = Placement::cut;
    const Model model = compile(m);
    EXPECT_EQ(model.tree.tree.cuts.size(), 2U);
    for (const CutJoint& cut : model.tree.tree.cuts)
      EXPECT_TRUE(std::find(cuts.begin(), cuts.end(),
                            m.joints[static_cast<std::size_t>(cut.joint)].name) != cuts.end());
    State state = make_initial_state(model);
    Workspace ws(model);
    initialize(model, {}, state, ws);
    Eigen::VectorXd all(6 * static_cast<Eigen::Index>(m.joints.size()));
    Eigen::Index k = 0;
    for (const Reaction& reaction : find_joint_reactions(model, state, ws)) {
      all.segment<3>(k) = reaction.force;
      all.segment<3>(k + 3) = reaction.moment;
      k += 6;
    }
    return all;
  };
  const Eigen::VectorXd expected = reactions_with({"s3", "s45"});
  EXPECT_GT(expected.cwiseAbs().maxCoeff(), 10.0);
  for (const auto& cuts : {std::vector<std::string>{"s1", "s45"}, {"r12", "u53"}, {"u23", "r14"}})
    expect_close(reactions_with(cuts), expected, kSolved, 0.0);
}

/// Bennett's loop: four skew hinges that turn, of six rows three depend on the others.
Mechanism make_bennett() {
  return read_vehicle_text(R"(<mechanism name="bennett" version="1">
    <body name="l0" mass="1" com="0.32015115293406987 0.44073549240394827 0.1" inertia="0.05 0.07 0.06" products="0.005 0.003 -0.004"/>
    <body name="l1" mass="2" com="0.49576828534670686 0.58303793790925162 0.040515906674218262" inertia="0.05 0.07 0.06" products="0.005 0.003 -0.004"/>
    <body name="l2" mass="3" com="-0.07438286758736308 0.16230244550530348 0.040515906674218387" inertia="0.05 0.07 0.06" products="0.005 0.003 -0.004"/>
    <joint name="j0" type="revolute" a="ground" b="l0" point="0 0 0" axis="0 0 1" velocity="1.5"/>
    <joint name="j1" type="revolute" a="l0" b="l1" point="0.54030230586813977 0.8414709848078965 0" axis="0.54088712294524599 -0.34729962769710698 0.76604444311897801"/>
    <joint name="j2" type="revolute" a="l1" b="l2" point="0.35123426482527392 0.28460489101060671 -0.11896818665156349" axis="0.19828031108593935 -0.26869553439345972 0.94259621685675998"/>
    <joint name="j3" type="revolute" a="l2" b="ground" point="-0.6 0 0" axis="0 0.38567256581192361 0.92263572008677786"/>
    </mechanism>)",
                           "bennett.xml")
      .mechanism;
}

// Multipliers of rows that depend on others are those of the penalty, lambda = alpha times what
// moves of the coordinates would open: nothing of diag(m)^-1 lambda is left in the rows' null
// space. Expected: the null space by a singular value decomposition of Phi_z. They sum up nothing
// over 20 s: what they are after one turn they are after the next.
TEST(Reactions, OfRowsThatDependOnOthersDoNotCreep) {
  const Model model = compile(make_bennett());
  ASSERT_TRUE(model.closures.dependent);
  Workspace ws(model);
  State state = make_initial_state(model);
  StepSettings settings;
  settings.h = 1e-3;
  initialize(model, settings, state, ws);
  double largest_early = 0.0;
  double largest_late = 0.0;
  for (int k = 0; k < 20000; ++k) {
    ASSERT_EQ(step(model, settings, state, ws).status, StepStatus::converged);
    double& largest = k < 10000 ? largest_early : largest_late;
    largest = std::max(largest, state.multipliers.cwiseAbs().maxCoeff());
  }
  EXPECT_LT(largest_late, 1.1 * largest_early);
  evaluate_state(model, state, ws);
  const Eigen::MatrixXd Phi_z =
      dense_jacobian(model.blocks(), ws.closures.Phi_z, model.m(), model.n());
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(Phi_z, Eigen::ComputeFullU);
  const Eigen::VectorXd weighed = state.lambda.cwiseQuotient(state.masses);
  int unseen = 0;
  for (Eigen::Index j = 0; j < model.m(); ++j) {
    const bool seen = j < svd.singularValues().size() && svd.singularValues()[j] > 1e-6;
    if (seen) continue;
    ++unseen;
    EXPECT_NEAR(svd.matrixU().col(j).dot(weighed), 0.0, 1e-4 * weighed.norm()) << j;
  }
  EXPECT_GT(unseen, 0);
}

// Rows that nearly depend on others are seen: two rods at a small angle that carry a weight across
// them, a third beside one of them that does depend on it. Expected: by statics the inclined one
// pulls with m g/sin(angle), the level ones together with that times cos(angle).
TEST(Reactions, OfRowsThatNearlyDependAreKept) {
  for (const double angle : {3e-3, 1e-3}) {
    Mechanism m;
    m.name = "fan";
    const BodyIndex slider = add_body(m, "slider", 1.0, Frame{}, Eigen::Matrix3d::Identity());
    m.gravity = V(0.0, -9.81, 0.0);
    add_joint(m, "plane", JointType::planar, kGround, slider, Frame{});
    const V far(1.0, 0.0, 0.0);
    const V higher(std::cos(angle), std::sin(angle), 0.0);
    add_massless_rod(m, "level", kGround, slider, far, V::Zero());
    add_massless_rod(m, "beside", kGround, slider, far, V::Zero());
    add_massless_rod(m, "inclined", kGround, slider, higher, V::Zero());
    const Model model = compile(m);
    EXPECT_TRUE(model.closures.dependent);
    Workspace ws(model);
    State state = make_initial_state(model);
    StepSettings settings;
    initialize(model, settings, state, ws);
    for (int k = 0; k < 50; ++k)
      ASSERT_EQ(step(model, settings, state, ws).status, StepStatus::converged);
    const std::vector<Reaction> pulls = find_constraint_reactions(model, state, ws);
    const double inclined = 9.81 / std::sin(angle);
    EXPECT_NEAR(pulls[2].force.norm(), inclined, 3e-5 * inclined) << angle;
    EXPECT_NEAR((pulls[0].force + pulls[1].force).norm(), inclined * std::cos(angle),
                3e-5 * inclined)
        << angle;
  }
}

}  // namespace
}  // namespace semirec::test
