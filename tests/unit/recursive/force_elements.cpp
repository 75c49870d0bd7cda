// The contract of every force element: where its power goes, action and reaction, and what it puts
// into the tangent, judged by differences.

#include <cmath>
#include <functional>
#include <memory>

#include <gtest/gtest.h>

#include "integrator/compile.hpp"
#include "integrator/formulation/evaluate.hpp"
#include "recursive/accumulation.hpp"
#include "recursive/forces/spring_line.hpp"
#include "recursive/forces/standard_forces.hpp"
#include "recursive/kinematics.hpp"
#include "recursive/lanes/lane_workspace.hpp"
#include "tests/support/eigen_system.hpp"
#include "tests/support/expect_close.hpp"
#include "tests/support/finite_difference.hpp"
#include "tests/support/random_mechanism.hpp"
#include "tests/support/text_drive.hpp"
#include "topology/indices.hpp"

namespace semirec::test {
namespace {

// forces of up to 1e3 N from poses at round-off
constexpr double kForces = 1e-12;
// sixth-order differences of energies of up to 1e3 J (finite_difference.hpp)
constexpr double kDifference = 1e-9;

/// Two branches on a flying base, so that elements between their tips see every kind of joint and
/// both signs: base -universal- 1 -cylindrical- 2,  base -spherical- 3 -revolute- 4.
Mechanism make_carrier(std::uint64_t seed) {
  Random random(seed);
  Mechanism m;
  m.name = "carrier";
  const auto add = [&](JointType type, BodyIndex parent) {
    const auto i = static_cast<BodyIndex>(m.bodies.size());
    m.bodies.push_back(make_random_body(random, "b" + std::to_string(i)));
    m.joints.push_back(
        make_random_joint(random, type, parent, i, i % 2 == 1, "j" + std::to_string(i)));
  };
  add(JointType::free, kGround);
  add(JointType::universal, 0);
  add(JointType::cylindrical, 1);
  add(JointType::spherical, 0);
  add(JointType::revolute, 3);
  return m;
}

constexpr BodyIndex kTipA = 2;
constexpr BodyIndex kTipB = 4;

/// One element alone on the carrier.
class Probe {
 public:
  Probe(const Mechanism& mechanism, std::uint64_t seed)
      : model(compile(mechanism)), state(make_random_state(model, seed)), ws(model) {}

  const ForceElement& element() const { return *model.forces.front(); }
  ForcePower report(double* values = nullptr) {
    return report_force(element(), model.tree, ws.tree, values);
  }

  /// Generalized force Q of the element at (z, zd); wrenches on the bodies remain in ws.tree.F
  /// (with the opposite sign), the tangent part in ws.tree.tangent.
  Eigen::VectorXd force(const Eigen::VectorXd& z, const Eigen::VectorXd& zd,
                        const TangentWeights& weights) {
    const Eigen::VectorXd zero = Eigen::VectorXd::Zero(model.n());
    begin_evaluation(model, state, 0.0, ws);
    compute_positions(model.tree, z.data(), ws.tree);
    compute_motions(model.tree, zd.data(), zero.data(), ws.tree);
    ws.tree.weights = weights;
    ws.tree.residual.setZero();
    std::fill(ws.tree.tangent.begin(), ws.tree.tangent.end(), 0.0);
    for (Vector6& F : ws.tree.F) F.setZero();
    std::fill(ws.tree.lanes->M.begin(), ws.tree.lanes->M.end(), PackInertia{});
    add_forces(element(), model.tree, ws.tree);
    Eigen::VectorXd Q = -ws.tree.residual;
    accumulate(model.tree, ws.tree);
    for (std::size_t t = 1; t < model.tree.bodies.size(); ++t)
      for (const int k : find_loop_path(model.tree.tree, 0, static_cast<TreeIndex>(t)).coordinates)
        Q[k] -= ws.tree.H[at(k)].dot(ws.tree.F[t]);
    return Q;
  }
  Eigen::VectorXd force() { return force(state.z, state.zd, {}); }
  Eigen::MatrixXd tangent(const TangentWeights& weights) {
    force(state.z, state.zd, weights);
    return model.tree.pattern.to_dense(ws.tree.tangent.data());
  }
  Eigen::MatrixXd K() { return tangent({0.0, 0.0, 1.0}); }
  Eigen::MatrixXd C() { return tangent({0.0, 1.0, 0.0}); }
  /// -dQ/dz at rest and -dQ/dzd, by differences.
  Eigen::MatrixXd stiffness() {
    const Eigen::VectorXd rest = Eigen::VectorXd::Zero(model.n());
    return -jacobian([&](const Eigen::VectorXd& z) { return force(z, rest, {}); }, state.z);
  }
  Eigen::MatrixXd damping() {
    return -jacobian([&](const Eigen::VectorXd& zd) { return force(state.z, zd, {}); }, state.zd);
  }
  /// What is stored along the state's motion and that of the element's own states.
  double stored(double t) {
    const Eigen::VectorXd was = state.x;
    state.x += t * rates();
    force(state.z + t * state.zd, state.zd, {});
    state.x = was;
    return report().stored;
  }
  Eigen::VectorXd rates() {
    force();
    update_element_states(model, ws);
    return ws.tree.xd;
  }

  Model model;
  State state;
  Workspace ws;
};

Marker marker_on(Random& random, BodyIndex body) {
  Marker marker;
  marker.body = body;
  marker.X_BF = random.frame(0.4);
  return marker;
}

/// f = 300 (x - 0.4) + 500 (x - 0.4)^3: rising everywhere, smooth.
Curve cubic_law() {
  Curve curve;
  curve.add_piece(0.4, 0.4, {0.0, 300.0, 0.0, 500.0});
  return curve;
}

SpringDamper make_spring(Random& random, BodyIndex a, BodyIndex b, bool along_axis) {
  SpringDamper spring;
  spring.name = "spring";
  spring.a = marker_on(random, a);
  spring.b = marker_on(random, b);
  spring.along_axis = along_axis;
  spring.axis = random.unit();
  spring.spring = cubic_law();
  spring.damper = Curve::linear(20.0);
  return spring;
}

struct Case {
  std::string name;
  std::function<void(Mechanism&, Random&)> add;
  bool internal = true;         ///< acts between bodies: wrenches cancel
  bool exact_potential = true;  ///< power = -dV/dt at any displacement
};
std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name; }

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const bool along_axis : {false, true}) {
    const std::string kind = along_axis ? "AxialSpring" : "PointSpring";
    all.push_back({kind + "BetweenBranches", [=](Mechanism& m, Random& r) {
                     m.springs.push_back(make_spring(r, kTipA, kTipB, along_axis));
                   }});
    all.push_back({kind + "AlongOneBranch", [=](Mechanism& m, Random& r) {
                     m.springs.push_back(make_spring(r, kTipA, 1, along_axis));
                   }});
    all.push_back({kind + "FromGround", [=](Mechanism& m, Random& r) {
                     m.springs.push_back(make_spring(r, kGround, kTipB, along_axis));
                   }});
    all.push_back({kind + "ToGround", [=](Mechanism& m, Random& r) {
                     m.springs.push_back(make_spring(r, kTipB, kGround, along_axis));
                   }});
  }
  const auto bushing = [](double rotation_y, double relaxes = 0.0, double relaxes_in_turn = 0.0) {
    return [=](Mechanism& m, Random& r) {
      Bushing b;
      b.name = "bushing";
      b.a = marker_on(r, kTipA);
      b.b = marker_on(r, kTipB);
      b.stiffness << 100.0, 200.0, 300.0, 10.0, rotation_y, 10.0;
      b.damping << 1.0, 2.0, 3.0, 0.1, 0.2, 0.3;
      b.relaxing_stiffness << relaxes, 0.0, 2.0 * relaxes,
          Eigen::Vector3d::Constant(relaxes_in_turn);
      b.relaxation_time = 0.3;
      m.bushings.push_back(b);
    };
  };
  all.push_back({"BushingOfEqualRotations", bushing(10.0)});
  // unequal rotational stiffnesses have a potential for small angles only
  all.push_back({"BushingOfUnequalRotations", bushing(30.0), true, false});
  all.push_back({"BushingThatRelaxes", bushing(10.0, 70.0)});
  // nor has the moment of a turn that crept about another axis
  all.push_back({"BushingThatRelaxesInTurn", bushing(10.0, 70.0, 4.0), true, false});
  all.push_back({"RotationalSpring", [](Mechanism& m, Random&) {
                   RotationalSpringDamper s;
                   s.name = "hinge";
                   s.a = m.joints[4].a;  // the revolute joint's own axis
                   s.b = m.joints[4].b;
                   s.spring = Curve::linear(40.0, 0.3);
                   s.damper = Curve::linear(2.0);
                   m.rotational_springs.push_back(s);
                 }});
  for (const bool torque : {false, true})
    for (const bool body_axes : {false, true})
      all.push_back(
          {std::string(torque ? "Torque" : "Force") + (body_axes ? "InBodyAxes" : "InWorldAxes"),
           [=](Mechanism& m, Random& r) {
             m.inputs.push_back({"size", Curve::constant(25.0), {}});
             AppliedLoad load;
             load.name = "load";
             load.at = marker_on(r, kTipA);
             load.torque = torque;
             load.body_axes = body_axes;
             load.direction = r.unit();
             load.input = 0;
             m.loads.push_back(load);
           },
           false});
  all.push_back({"JointForceBeyondItsLimit",
                 [](Mechanism& m, Random&) {
                   m.inputs.push_back({"push", Curve::constant(7.0), {}});
                   CoordinateForce f;
                   f.name = "joint force";
                   f.joint = 2;
                   f.coordinate = 0;
                   f.spring = cubic_law();
                   f.damper = Curve::linear(3.0);
                   f.applied = 0;
                   f.lower = 1.5;  // random positions lie within -1 .. 1: the stop holds
                   f.upper = 2.0;
                   f.stop_stiffness = 80.0;
                   f.stop_damping = 4.0;
                   m.coordinate_forces.push_back(f);
                 },
                 false});
  return all;
}

class Elements : public testing::TestWithParam<Case> {
 protected:
  static Mechanism mechanism() {
    Mechanism m = make_carrier(11);
    Random random(12);
    GetParam().add(m, random);
    return m;
  }
  Probe probe{mechanism(), 13};
};
INSTANTIATE_TEST_SUITE_P(All, Elements, testing::ValuesIn(cases()),
                         [](const auto& test) { return test.param.name; });

TEST_P(Elements, PowerOnTheBodiesIsWhatTheReportSays) {
  // power = -d(stored)/dt - dissipated + input
  const double stored_rate = derivative([&](double t) { return probe.stored(t); });
  const Eigen::VectorXd Q = probe.force();
  const ForcePower power = probe.report();
  EXPECT_GE(power.dissipated, 0.0);
  if (!GetParam().exact_potential) return;
  expect_close(Q.dot(probe.state.zd), -stored_rate - power.dissipated + power.input, kDifference,
               kDifference);
}

TEST_P(Elements, WrenchesOnTheTwoBodiesCancel) {
  if (!GetParam().internal) return;
  const Mechanism& m = probe.model.mechanism;
  probe.force();
  Vector6 sum = Vector6::Zero();
  Vector6 largest = Vector6::Zero();
  for (std::size_t t = 1; t < probe.ws.tree.F.size(); ++t) {
    sum += probe.ws.tree.F[t];
    largest = largest.cwiseMax(probe.ws.tree.F[t].cwiseAbs());
  }
  const bool grounded =
      !m.springs.empty() && (m.springs[0].a.body == kGround || m.springs[0].b.body == kGround);
  if (grounded) {
    EXPECT_GT(sum.norm(), 1.0);  // the ground takes the other side
  } else {
    // force and moment about O: linear and angular momentum of the two bodies are kept
    expect_close(sum, Vector6::Zero().eval(), 0.0, kForces * largest.maxCoeff());
  }
}

TEST_P(Elements, DampingEntersTheTangentInFull) {
  expect_close(probe.C(), probe.damping(), kDifference, kDifference);
}

TEST_P(Elements, TangentIsPositiveSemidefinite) {
  for (const Eigen::MatrixXd& G : {probe.K(), probe.C()}) {
    const Eigen::VectorXd values = symmetric_eigenvalues(G);
    EXPECT_GE(values.minCoeff(), -kForces * std::max(1.0, values.maxCoeff()));
  }
}

TEST_P(Elements, WeightsScaleTheirPartOfTheTangent) {
  const Eigen::MatrixXd sum = probe.tangent({1.0, 0.25, 0.5});
  expect_close(sum, Eigen::MatrixXd(0.25 * probe.C() + 0.5 * probe.K()), kForces, kForces);
}

/// K = s_z^T k s_z with s_z by differences of the reported length ([H03] Eq. (31)).
Eigen::MatrixXd stiffness_along_length(Probe& probe, double slope) {
  const Eigen::MatrixXd s_z = jacobian(
      [&](const Eigen::VectorXd& z) {
        double values[2];
        probe.force(z, probe.state.zd, {});
        probe.report(values);
        return Eigen::VectorXd::Constant(1, values[0]);
      },
      probe.state.z);
  return slope * s_z.transpose() * s_z;
}

double length_of(Probe& probe) {
  double values[2];
  probe.force();
  probe.report(values);
  return values[0];
}

TEST(SpringDamper, StiffnessIsThatOfTheLength) {
  for (const bool along_axis : {false, true}) {
    Mechanism m = make_carrier(21);
    Random random(22);
    m.springs.push_back(make_spring(random, kTipA, kTipB, along_axis));
    Probe probe(m, 23);
    const double slope = cubic_law().evaluate(length_of(probe)).fd;
    expect_close(probe.K(), stiffness_along_length(probe, slope), kDifference, kDifference);
  }
}

TEST(SpringDamper, StiffnessIsCompleteWhereTheForceVanishes) {
  for (const bool along_axis : {false, true}) {
    Mechanism m = make_carrier(31);
    Random random(32);
    m.springs.push_back(make_spring(random, kTipA, kTipB, along_axis));
    // f = 300 (s - s0): no tension, so no geometric stiffness
    const double length = [&] {
      Probe probe(m, 33);
      return length_of(probe);
    }();
    m.springs[0].spring = Curve::linear(300.0, length);
    Probe probe(m, 33);
    expect_close(probe.K(), probe.stiffness(), kDifference, kDifference);
  }
}

TEST(SpringDamper, FallingLawsAreLeftOutOfTheTangent) {
  Mechanism m = make_carrier(41);
  Random random(42);
  m.springs.push_back(make_spring(random, kTipA, kTipB, false));
  m.springs[0].spring = Curve::linear(-300.0);
  m.springs[0].damper = Curve::linear(-5.0);
  Probe probe(m, 43);
  EXPECT_GT(probe.force().norm(), 1.0);
  EXPECT_EQ(probe.K().norm(), 0.0);
  EXPECT_EQ(probe.C().norm(), 0.0);
}

/// One body that slides along the world's x axis.
Mechanism make_slider() {
  Mechanism m;
  Body body;
  body.name = "slider";
  body.mass = 1.0;
  m.bodies.push_back(body);
  Joint joint;
  joint.name = "slide";
  joint.type = JointType::prismatic;
  joint.a.X_BF = make_frame(Eigen::Vector3d::Zero(), Eigen::Vector3d::UnitX());
  joint.b.body = 0;
  joint.b.X_BF = joint.a.X_BF;
  m.joints.push_back(joint);
  return m;
}

TEST(SpringDamper, TensionIsPositiveAndPullsTheEndsTogether) {
  Mechanism m = make_slider();
  SpringDamper spring;
  spring.name = "spring";
  spring.a.X_BF.p = Eigen::Vector3d(0.0, 0.3, 0.0);
  spring.b.body = 0;
  spring.spring = Curve::linear(100.0, 0.25);
  spring.damper = Curve::linear(10.0);
  m.springs.push_back(spring);
  Probe probe(m, 1);
  probe.state.z[0] = 0.4;
  probe.state.zd[0] = 2.0;
  const double Q = probe.force()[0];
  double values[2];
  const ForcePower power = probe.report(values);
  // a 3-4-5 triangle: s = 0.5 m, sd = 0.8 * 2 m/s, f = 100 * 0.25 + 10 * 1.6 N, Q = -0.8 f
  expect_close(values[0], 0.5, kForces, 0.0);
  expect_close(values[1], 41.0, kForces, 0.0);
  expect_close(Q, -32.8, kForces, 0.0);
  // counted from the free length of 0.25 m, not from the 0.3 m of the design: 100/2 0.25^2 J
  expect_close(power.stored, 3.125, kForces, 0.0);
  expect_close(power.dissipated, 10.0 * 1.6 * 1.6, kForces, 0.0);
}

// Closed forms of the length at which a law is zero.
TEST(SpringDamper, StoresFromWhereItIsUnloaded) {
  expect_close(unloaded_length(Curve::linear(2e4, 0.41), 0.3), 0.41, kForces, 0.0);
  expect_close(unloaded_length(Curve::linear(2e4, -0.2), 0.3), -0.2, kForces, 0.0);
  expect_close(unloaded_length(Curve::linear(2e4, 0.3), 0.3), 0.3, kForces, 0.0);
  // a stop that gives way 10 mm before: nothing from 0.29 m on
  const Curve stop = Curve::table({{0.2, -900.0}, {0.29, 0.0}, {0.5, 0.0}});
  expect_close(unloaded_length(stop, 0.25), 0.29, kForces, 0.0);
  expect_close(unloaded_length(stop, 0.4), 0.4, kForces, 0.0);
  // a gas spring pushes at any length
  expect_close(unloaded_length(Curve::constant(-400.0), 0.3), 0.3, kForces, 0.0);
}

TEST(SpringDamper, EndsThatCoincideFeelNoForce) {
  Mechanism m = make_slider();
  SpringDamper spring;
  spring.name = "spring";
  spring.b.body = 0;
  spring.spring = Curve::linear(100.0, 0.25);
  spring.damper = Curve::linear(10.0);
  m.springs.push_back(spring);
  Probe probe(m, 1);
  probe.state.z[0] = 0.0;
  EXPECT_EQ(probe.force()[0], 0.0);
  EXPECT_EQ(probe.K()(0, 0), 0.0);
}

TEST(SpringDamper, EndOnTheAxisSlidesAcrossItWithTheOther) {
  // u = x of the ground: the offset of 5 m across the axis has no effect, neither on force nor
  // moment
  Mechanism m = make_slider();
  m.joints[0].type = JointType::planar;
  m.joints[0].a.X_BF = m.joints[0].b.X_BF = Frame{};
  SpringDamper spring;
  spring.name = "spring";
  spring.a.X_BF.p = Eigen::Vector3d(0.0, 5.0, 0.0);
  spring.b.body = 0;
  spring.along_axis = true;
  spring.axis = Eigen::Vector3d::UnitX();
  spring.spring = Curve::linear(100.0, 0.25);
  m.springs.push_back(spring);
  Probe probe(m, 1);
  probe.state.z << 0.4, 0.7, 0.2;
  expect_close(probe.force(), Eigen::Vector3d(-15.0, 0.0, 0.0), 0.0, 15.0 * kForces);
}

TEST(Bushing, StiffnessIsCompleteAtZeroDeflection) {
  Mechanism m = make_carrier(51);
  Random random(52);
  Bushing bushing;
  bushing.name = "bushing";
  bushing.a = marker_on(random, kTipA);
  bushing.b = marker_on(random, kTipB);
  bushing.stiffness << 100.0, 200.0, 300.0, 10.0, 20.0, 30.0;
  m.bushings.push_back(bushing);
  const Frame X_bF = [&] {
    Probe probe(m, 53);
    probe.force();
    const auto pose = [&](BodyIndex body) {
      const std::size_t t = at(probe.model.tree.tree.tree_of_body[at(body)]);
      return Frame{probe.ws.tree.A_WC[t], probe.ws.tree.p[t]} * probe.model.tree.bodies[t].X_CB;
    };
    return inverse(pose(kTipB)) * pose(kTipA) * bushing.a.X_BF;
  }();
  m.bushings[0].b.X_BF = X_bF;
  Probe probe(m, 53);
  EXPECT_LT(probe.force(probe.state.z, Eigen::VectorXd::Zero(probe.model.n()), {}).norm(), 1e-10);
  expect_close(probe.K(), probe.stiffness(), kDifference, kDifference);
}

TEST(Bushing, UnequalRotationsLoseEnergyOnlyInTheSquareOfTheAngle) {
  // T = -k theta has a potential to first order in theta; half the angle, a quarter of the gap or
  // less
  Mechanism m = make_slider();
  m.joints[0].type = JointType::spherical;
  m.joints[0].a.X_BF = m.joints[0].b.X_BF = Frame{};
  Bushing bushing;
  bushing.name = "bushing";
  bushing.b.body = 0;
  bushing.stiffness << 0.0, 0.0, 0.0, 10.0, 20.0, 40.0;
  m.bushings.push_back(bushing);
  const auto gap = [&](double angle) {
    Probe probe(m, 1);
    probe.state.A0[0] = Quaternion(rotation_exp(angle * Eigen::Vector3d(0.4, 0.5, -0.6)));
    probe.state.zd << 0.7, -0.2, 0.5;
    const double rate = derivative([&](double t) { return probe.stored(t); }, 1e-3);
    return std::abs(probe.force().dot(probe.state.zd) + rate);
  };
  EXPECT_GT(gap(0.2), 1e-4);
  EXPECT_LT(gap(0.1), 0.26 * gap(0.2));
}

TEST(Bushing, ForceActsAtMarkerBInTheAxesOfMarkerA) {
  // a at the world's origin with axes turned by 90 degrees about z: its x is the world's y
  Mechanism m = make_slider();
  Bushing bushing;
  bushing.name = "bushing";
  bushing.a.X_BF.A << 0, -1, 0, 1, 0, 0, 0, 0, 1;
  bushing.b.body = 0;
  bushing.b.X_BF.A = bushing.a.X_BF.A;
  bushing.b.X_BF.p = Eigen::Vector3d(0.0, 0.2, 0.0);
  bushing.stiffness << 1000.0, 500.0, 1.0, 1.0, 1.0, 1.0;
  m.bushings.push_back(bushing);
  Probe probe(m, 1);
  probe.state.z[0] = 0.1;
  probe.state.zd[0] = 0.0;
  probe.force();
  double values[6];
  const ForcePower power = probe.report(values);
  // offset (0.1, 0.2, 0) in the world is (0.2, -0.1, 0) in the axes of a
  const Eigen::Map<const Eigen::Matrix<double, 6, 1>> found(values);
  Eigen::Matrix<double, 6, 1> expected;
  expected << 0.2, -0.1, 0.0, -200.0, 50.0, 0.0;
  expect_close(found, expected, kForces, kForces);
  expect_close(power.stored, 0.5 * (1000.0 * 0.04 + 500.0 * 0.01), kForces, 0.0);
  // the force (-50, -200, 0) N at (0.1, 0.2, 0) m: moment -20 + 10 N m about z through the origin O
  Vector6 wrench;
  wrench << -50.0, -200.0, 0.0, 0.0, 0.0, -10.0;
  const Eigen::Vector3d O = probe.state.origin;
  wrench.tail<3>() -= O.cross(wrench.head<3>());
  expect_close(Vector6(-probe.ws.tree.F[1]), wrench, kForces, 1e-10);
}

TEST(RotationalSpring, TurnsTheAngleBack) {
  Mechanism m = make_slider();
  m.joints[0].type = JointType::revolute;
  RotationalSpringDamper spring;
  spring.name = "spring";
  spring.a = m.joints[0].a;
  spring.b = m.joints[0].b;
  spring.spring = Curve::linear(40.0, 0.1);
  spring.damper = Curve::linear(3.0);
  m.rotational_springs.push_back(spring);
  // the hinge counts on beyond half a turn
  for (const double angle : {0.6, -2.0, 4.0}) {
    Probe probe(m, 1);
    probe.state.z[0] = angle;
    probe.state.zd[0] = 0.5;
    const double Q = probe.force()[0];
    double values[2];
    probe.report(values);
    expect_close(values[0], angle, kForces, 0.0);
    expect_close(Q, -40.0 * (angle - 0.1) - 1.5, kForces, kForces);
    expect_close(values[1], -Q, kForces, 0.0);
    expect_close(probe.K()(0, 0), 40.0, kForces, 0.0);
  }
}

TEST(AppliedLoad, ActsAtItsPointInWorldOrBodyAxes) {
  for (const bool body_axes : {false, true}) {
    Mechanism m = make_slider();
    m.joints[0].type = JointType::revolute;
    m.joints[0].a.X_BF = m.joints[0].b.X_BF = Frame{};
    m.inputs.push_back({"size", Curve::constant(10.0), {}});
    AppliedLoad load;
    load.name = "load";
    load.at.body = 0;
    load.at.X_BF.p = Eigen::Vector3d(2.0, 0.0, 0.0);
    load.body_axes = body_axes;
    load.direction = Eigen::Vector3d::UnitY();
    load.input = 0;
    m.loads.push_back(load);
    Probe probe(m, 1);
    probe.state.z[0] = M_PI / 3.0;
    // lever 2 m: with the body's y always 20 N m, with the world's y 2 cos 60 * 10 N m
    expect_close(probe.force()[0], body_axes ? 20.0 : 10.0, 10 * kForces, 0.0);
    m.loads[0].torque = true;
    m.loads[0].direction = Eigen::Vector3d::UnitZ();
    Probe torque(m, 1);
    torque.state.z[0] = 1.0;
    expect_close(torque.force()[0], 10.0, kForces, 0.0);
  }
}

TEST(JointForce, StopsActBeyondTheLimitsOnly) {
  Mechanism m = make_slider();
  CoordinateForce force;
  force.name = "stop";
  force.lower = -0.1;
  force.upper = 0.2;
  force.stop_stiffness = 1000.0;
  force.stop_damping = 5.0;
  m.coordinate_forces.push_back(force);
  Probe probe(m, 1);
  struct Expected {
    double z, zd, Q, K, C, stored;
  };
  // Q = -1000 (z - limit) - 5 zd beyond a limit, nothing between
  for (const Expected& e : {Expected{0.1, 3.0, 0.0, 0.0, 0.0, 0.0},
                            {0.25, 2.0, -60.0, 1000.0, 5.0, 1.25},
                            {-0.2, 2.0, 90.0, 1000.0, 5.0, 5.0}}) {
    probe.state.z[0] = e.z;
    probe.state.zd[0] = e.zd;
    expect_close(probe.force()[0], e.Q, kForces, kForces);
    expect_close(probe.report().stored, e.stored, kForces, kForces);
    expect_close(probe.K()(0, 0), e.K, kForces, 0.0);
    expect_close(probe.C()(0, 0), e.C, kForces, 0.0);
  }
}

TEST(JointForce, StiffnessIsComplete) {
  Mechanism m = make_carrier(61);
  CoordinateForce force;
  force.name = "joint force";
  force.joint = 1;
  force.coordinate = 1;
  force.spring = cubic_law();
  m.coordinate_forces.push_back(force);
  Probe probe(m, 62);
  expect_close(probe.K(), probe.stiffness(), kDifference, kDifference);
}

TEST(JointForce, SlideOfAFreeJointCountsFromTheWorldNotFromTheMovingOrigin) {
  Mechanism m = make_slider();
  m.joints[0].type = JointType::free;
  m.joints[0].a.X_BF = m.joints[0].b.X_BF = Frame{};
  m.joints[0].position = {500.0, 20.0, 3.0, 0.0, 0.0, 0.0};
  CoordinateForce force;
  force.name = "tether";
  force.coordinate = 0;
  force.spring = Curve::linear(2.0, 499.0);
  m.coordinate_forces.push_back(force);
  Probe probe(m, 1);
  probe.state = make_initial_state(probe.model);
  // x = 500 m, 1 m beyond the length without force
  expect_close(probe.force()[0], -2.0, 1e-10, 0.0);  // 500 m less 499 m: eps * 500
}

// The moment acts on b about the axes of a, whichever of the two the tree comes to first: with a
// behind b it had the wrong sign and b's axes. Expected: power = moment times the rate of b against
// a in a's axes, which the recorder has.
TEST(JointForce, OnABallJointActsOnBHoweverTheTreePassesIt) {
  constexpr double kMoment = 2.0;
  for (const bool reversed : {false, true}) {
    const std::string ends = reversed ? "a=\"b\" b=\"k\"" : "a=\"k\" b=\"b\"";
    const auto pushed = [&](double moment) {
      return start_text(
          "<mechanism name=\"j\" version=\"1\"><body name=\"k\" mass=\"3\" com=\"0 0 0\" "
          "inertia=\"1 2 "
          "1.5\"/><body name=\"b\" mass=\"1\" com=\"0.5 0.3 0.1\" inertia=\"0.1 0.2 0.15\"/>"
          "<joint name=\"f\" type=\"revolute\" a=\"ground\" b=\"k\" point=\"0.1 0 0\" axis=\"0 1 "
          "0\" "
          "position=\"0.4\"/><joint name=\"j\" type=\"spherical\" " +
              ends +
              " point=\"0.1 0.2 0.3\" position=\"0.3 -0.7 0.5\"/><joint_force name=\"jf\" "
              "joint=\"j\" "
              "coordinate=\"1\" input=\"i\"/><input name=\"i\" value=\"" +
              std::to_string(moment) + "\"/></mechanism>",
          "step=\"0.001\"");
    };
    ShippedDrive with = pushed(kMoment);
    ShippedDrive without = pushed(0.0);
    Random random(63);
    for (int k = 0; k < 5; ++k) {
      const Eigen::VectorXd zd = random.values(4, 1.0);
      const Eigen::VectorXd resting = Eigen::VectorXd::Zero(4);
      double power = 0.0;
      for (ShippedDrive* drive : {&with, &without}) {
        drive->state.zd = zd;
        begin_evaluation(drive->drive.model, drive->state, 0.0, drive->ws);
        evaluate_dynamics(drive->drive.model, drive->state.z.data(), zd.data(), resting.data(), {},
                          drive->ws);
        power += (drive == &with ? -1.0 : 1.0) * drive->ws.tree.residual.dot(zd);
      }
      expect_close(power, kMoment * channel(with, "j.rate[1]"), 1e-10, 1e-10);
    }
  }
}

TEST(JointForce, SpringOnARotationWithoutAngleIsRefused) {
  Mechanism m = make_slider();
  m.joints[0].type = JointType::spherical;
  CoordinateForce force;
  force.name = "spring";
  force.spring = Curve::linear(2.0);
  m.coordinate_forces.push_back(force);
  EXPECT_THROW(static_cast<void>(compile(m)), ModelError);
}

}  // namespace
}  // namespace semirec::test
