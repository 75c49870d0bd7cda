// A hinge that closes a planar loop: the two rows that the engine keeps of its five, on a carrier
// that tumbles, and the loops that are not planar enough.
#include <cmath>
#include <utility>

#include <gtest/gtest.h>

#include "integrator/compile.hpp"
#include "integrator/formulation/evaluate.hpp"
#include "integrator/statics/initial_conditions.hpp"
#include "tests/support/expect_close.hpp"
#include "tests/support/finite_difference.hpp"
#include "tests/support/mechanisms.hpp"
#include "tests/support/random_mechanism.hpp"

namespace semirec::test {
namespace {

using V = Eigen::Vector3d;

// as in closures.cpp: sixth-order differences, and sums of about ten products of size one
constexpr double kFirstOfLoop = 1e-10;
constexpr double kSecondOfLoop = 2e-8;
constexpr double kRoundOffOfLoop = 1e-13;

/// What is wrong with the plane.
struct Flaw {
  double tilt = 0.0;    ///< of one hinge's axis, rad
  double offset = 0.0;  ///< of the cut hinge's side b along the axis, m
};

/// A four-bar in an oblique plane of a free body; with `slides` its rocker's foot is a slide across
/// the axis.
Mechanism make_carried_four_bar(bool slides, const Flaw& flaw = {}) {
  Mechanism m;
  m.name = "carried four-bar";
  const V axis = V(1.0, 2.0, -0.5).normalized();
  const V x = axis.unitOrthogonal();
  const V y = axis.cross(x);
  const auto in_plane = [&](double u, double v) { return V(V(0.3, -0.2, 0.5) + u * x + v * y); };
  const V foot = in_plane(0, 0), tip = in_plane(0.2, 1.0), end = in_plane(1.9, 1.3),
          other = in_plane(2.1, 0.1);
  const BodyIndex carrier = add_rod(m, "carrier", 3.0, V(0, 0, 0), V(1, 1, 1));
  m.bodies[0].inertia += 0.1 * Eigen::Matrix3d::Identity();
  const BodyIndex crank = add_rod(m, "crank", 1.0, foot, tip);
  const BodyIndex coupler = add_rod(m, "coupler", 1.0, tip, end);
  const BodyIndex rocker = add_rod(m, "rocker", 1.0, other, end);
  add_joint(m, "carrier_joint", JointType::free, kGround, carrier, {});
  add_joint(m, "foot", JointType::revolute, carrier, crank, make_frame(foot, axis, y));
  add_joint(m, "tip", JointType::revolute, crank, coupler,
            make_frame(tip, axis + flaw.tilt * x, x + y));
  add_joint(m, "other", slides ? JointType::prismatic : JointType::revolute, carrier, rocker,
            slides ? make_frame(other, x) : make_frame(other, axis, x));
  add_joint(m, "loop", JointType::revolute, coupler, rocker, make_frame(end, axis));
  m.joints.back().placement = Placement::cut;
  m.joints.back().b.X_BF.p += flaw.offset * (m.bodies[3].X_WB.A.transpose() * axis);
  return m;
}

class PlanarLoops : public testing::TestWithParam<bool> {
 protected:
  PlanarLoops() : model(compile(make_carried_four_bar(GetParam()))), ws(model) {
    Random random(5);
    state = make_initial_state(model);
    state.z = random.values(model.n(), 0.5);
    state.zd = random.values(model.n(), 1.0);
    state.zdd = random.values(model.n(), 1.0);
  }
  Eigen::VectorXd Phi(const Eigen::VectorXd& z) {
    begin_evaluation(model, state, 0.0, ws);
    evaluate_kinematics(model, z.data(), state.zd.data(), state.zdd.data(), ws);
    return ws.closures.Phi;
  }
  Eigen::MatrixXd Phi_z() {
    Phi(state.z);
    return dense_jacobian(model.closures, ws.closures, model.n());
  }

  Model model;
  Workspace ws;
  State state;
};
INSTANTIATE_TEST_SUITE_P(Foot, PlanarLoops, testing::Bool(),
                         [](const auto& test) { return test.param ? "Slides" : "Turns"; });

TEST_P(PlanarLoops, KeepTwoRowsWhoseDerivativesTheyGive) {
  ASSERT_EQ(model.m(), 2);
  const auto phi = [&](const Eigen::VectorXd& z) { return Phi(z); };
  const Eigen::MatrixXd expected = jacobian(phi, state.z);
  // leaves the workspace at the state
  expect_close(Phi_z(), expected, kFirstOfLoop, kFirstOfLoop);
  const Eigen::VectorXd Phid = ws.closures.Phid;
  const Eigen::VectorXd Phidd = ws.closures.Phidd;
  const auto moving = [&](double t) {
    return Phi(state.z + t * state.zd + 0.5 * t * t * state.zdd);
  };
  expect_close(Phid, derivative(moving), kFirstOfLoop, kFirstOfLoop);
  expect_close(Phidd, second_derivative(moving), kSecondOfLoop, kSecondOfLoop);
}

TEST_P(PlanarLoops, AreClosedInSpaceWhenTheirTwoRowsAre) {
  assemble_positions(model, state, ws);
  Phi(state.z);
  // the five rows of the hinge, from the poses of its sides
  const Closure& loop = model.closures.closures.front();
  const auto pose = [&](const Attachment& side) {
    const auto t = static_cast<std::size_t>(side.body);
    return Frame{ws.tree.A_WC[t], ws.tree.p[t]} * side.X_CF;
  };
  const Frame a = pose(loop.a);
  const Frame b = pose(loop.b);
  expect_close(b.p, a.p, 0.0, 1e-11);  // assembled to 1e-12 m a row
  expect_close(V(b.A.col(2)), V(a.A.col(2)), 0.0, 1e-13);
}

TEST_P(PlanarLoops, HaveWrenchesThatDoTheWorkOfTheMultipliers) {
  assemble_positions(model, state, ws);
  const Eigen::VectorXd lambda = Random(9).values(2, 1.0);
  const double power = -lambda.dot(Phi_z() * state.zd);
  const Closure& loop = model.closures.closures.front();
  const Vector6 wrench = closure_wrench(loop, ws.tree, ws.closures, lambda.data());
  const double found = wrench.dot(ws.tree.relative_velocity(loop.a.body, loop.b.body));
  // the gap of 1e-12 m left by the assembly stands between the two
  expect_close(found, power, 1e-10, 100 * kRoundOffOfLoop);
}

TEST(PlanarLoop, ThatIsNoPlaneKeepsItsFiveRows) {
  for (const bool slides : {false, true}) {
    EXPECT_EQ(compile(make_carried_four_bar(slides, {1e-7, 0.0})).m(), 5);
    EXPECT_EQ(compile(make_carried_four_bar(slides, {0.0, 1e-7})).m(), 5);
  }
}

}  // namespace
}  // namespace semirec::test
