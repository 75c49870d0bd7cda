// The contract of every closure kind: Jacobian, rates and second rates are derivatives of Phi,
// whatever the position (the loops of these tests stand open), and the wrenches do the work of the
// multipliers.

#include <algorithm>
#include <functional>

#include <gtest/gtest.h>

#include "integrator/compile.hpp"
#include "integrator/formulation/evaluate.hpp"
#include "recursive/kinematics.hpp"
#include "tests/support/eigen_system.hpp"
#include "tests/support/expect_close.hpp"
#include "tests/support/finite_difference.hpp"
#include "tests/support/random_mechanism.hpp"
#include "topology/indices.hpp"

namespace semirec::test {
namespace {

// sixth-order differences (finite_difference.hpp)
constexpr double kFirst = 1e-10;
constexpr double kSecond = 2e-8;
// sums of about ten products of size one
constexpr double kRoundOff = 1e-13;

// the tree: ground -free- 0 -spherical- 1 (the common ancestor), from it the two branches
//   1 -universal- 2 -cylindrical- 3 and 1 -revolute- 4 -planar- 5 -spherical- 6
constexpr BodyIndex kAncestor = 1;
constexpr BodyIndex kEndA = 3;
constexpr BodyIndex kEndB = 6;

Mechanism make_carrier(std::uint64_t seed) {
  Random random(seed);
  Mechanism m;
  m.name = "carrier";
  const auto add = [&](JointType type, BodyIndex parent) {
    const auto i = static_cast<BodyIndex>(m.bodies.size());
    m.bodies.push_back(make_random_body(random, "b" + std::to_string(i)));
    m.joints.push_back(
        make_random_joint(random, type, parent, i, i % 2 == 0 && i > 0, "j" + std::to_string(i)));
    m.joints.back().placement = Placement::tree;
  };
  add(JointType::free, kGround);
  add(JointType::spherical, 0);
  add(JointType::universal, kAncestor);
  add(JointType::cylindrical, 2);
  add(JointType::revolute, kAncestor);
  add(JointType::planar, 4);
  add(JointType::spherical, 5);
  return m;
}

struct Case {
  std::string name;
  std::function<void(Mechanism&, const Marker& a, const Marker& b)> add;
  int rows = 0;
  bool on_time = false;  ///< has terms of its own in time
};
std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name; }

/// 0.2 sin(3 t + 0.4) + 0.1 t: all derivatives differ from zero at t = 0.
InputIndex add_signal(Mechanism& m) {
  Curve curve;
  curve.add_piece(-1e300, 0.0, {0.0, 0.1});
  curve.add_sine({0.2, 3.0, 0.4, 0.0, -1e300, 1e300});
  m.inputs.push_back({"signal" + std::to_string(m.inputs.size()), curve, {}});
  return static_cast<InputIndex>(m.inputs.size()) - 1;
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const JointType type : joint_types()) {
    if (type == JointType::free) continue;
    std::string name = std::string("cut_") + name_of(type);
    all.push_back({name,
                   [type](Mechanism& m, const Marker& a, const Marker& b) {
                     Joint joint;
                     joint.name = "loop";
                     joint.type = type;
                     joint.a = a;
                     joint.b = b;
                     joint.placement = Placement::cut;
                     m.joints.push_back(joint);
                   },
                   6 - degrees_of_freedom(type)});
  }
  const auto constraint = [](ConstraintType type, bool length_driven, bool end_driven) {
    return [=](Mechanism& m, const Marker& a, const Marker& b) {
      Constraint c;
      c.name = "loop";
      c.type = type;
      c.a = a;
      c.b = b;
      c.length = 0.7;
      if (length_driven) c.length_input = add_signal(m);
      if (end_driven) {
        c.slide_axis = Eigen::Vector3d(0.6, 0.0, -0.8);
        c.slide_input = add_signal(m);
      }
      m.constraints.push_back(c);
    };
  };
  all.push_back({"rod", constraint(ConstraintType::rod, false, false), 1});
  all.push_back({"rod_of_driven_length", constraint(ConstraintType::rod, true, false), 1, true});
  all.push_back({"rod_with_a_driven_end", constraint(ConstraintType::rod, false, true), 1, true});
  all.push_back({"rod_driven_in_both_ways", constraint(ConstraintType::rod, true, true), 1, true});
  all.push_back({"point_on_line", constraint(ConstraintType::point_on_line, false, false), 2});
  all.push_back({"point_on_line_with_a_driven_end",
                 constraint(ConstraintType::point_on_line, false, true), 2, true});
  all.push_back({"point_in_plane", constraint(ConstraintType::point_in_plane, false, false), 1});
  all.push_back({"point_in_plane_of_driven_offset",
                 constraint(ConstraintType::point_in_plane, true, false), 1, true});
  all.push_back({"driver_of_a_turn",
                 [](Mechanism& m, const Marker&, const Marker&) {
                   const InputIndex input = add_signal(m);
                   m.motions.push_back({"loop", 4, 0, input, {}});
                 },
                 1, true});
  all.push_back({"driver_of_a_world_position",
                 [](Mechanism& m, const Marker&, const Marker&) {
                   const InputIndex input = add_signal(m);
                   m.motions.push_back({"loop", 0, 1, input, {}});
                 },
                 1, true});
  return all;
}

struct Sides {
  const char* name;
  BodyIndex a, b;
};
std::ostream& operator<<(std::ostream& out, const Sides& s) { return out << s.name; }

// both branches, one branch (a is the ancestor, or b is), and the ground with everything in between
constexpr Sides kSides[] = {{"TwoBranches", kEndA, kEndB},
                            {"FromTheAncestor", kAncestor, kEndB},
                            {"ToTheAncestor", kEndA, kAncestor},
                            {"FromTheGround", kGround, kEndB}};

class Closures : public testing::TestWithParam<std::tuple<Case, Sides>> {
 protected:
  static constexpr std::uint64_t kSeed = 8;
  Closures() : model(compile(mechanism())), state(make_random_state(model, kSeed)), ws(model) {}

  static Mechanism mechanism(bool points_coincide = false) {
    const auto& [kind, sides] = GetParam();
    Mechanism m = make_carrier(5);
    Random random(6);
    Marker a;
    a.body = sides.a;
    a.X_BF = random.frame(0.4);
    Marker b;
    b.body = sides.b;
    b.X_BF = random.frame(0.4);
    if (points_coincide) {
      const Model carrier = compile(m);
      Workspace scratch(carrier);
      const std::vector<Frame> poses =
          find_body_poses(carrier, make_random_state(carrier, kSeed), scratch);
      const auto pose = [&](BodyIndex body) { return body == kGround ? Frame{} : poses[at(body)]; };
      b.X_BF.p = (inverse(pose(b.body)) * pose(a.body) * a.X_BF).p;
    }
    kind.add(m, a, b);
    return m;
  }
  /// A wrench that both sides share needs a common point: where rows of kind point stand, the gap
  /// must be closed (it is to 1e-12 m in a simulation).
  void let_points_coincide() {
    const auto& rows = closure().equations;
    if (std::none_of(rows.begin(), rows.end(),
                     [](const ClosureRow& r) { return r.kind == RowKind::point; }))
      return;
    model = compile(mechanism(true));
  }
  const Case& kind() const { return std::get<0>(GetParam()); }
  const Closure& closure() const { return model.closures.closures.front(); }
  const RowBlock& block() const { return model.closures.blocks.front(); }

  void evaluate(double t, const Eigen::VectorXd& z, const Eigen::VectorXd& zd,
                const Eigen::VectorXd& zdd) {
    begin_evaluation(model, state, t, ws);
    evaluate_kinematics(model, z.data(), zd.data(), zdd.data(), ws);
  }
  void evaluate() { evaluate(0.0, state.z, state.zd, state.zdd); }
  Eigen::VectorXd Phi(double t, const Eigen::VectorXd& z) {
    evaluate(t, z, state.zd, state.zdd);
    return ws.closures.Phi;
  }
  Eigen::MatrixXd Phi_z() {
    evaluate();
    return dense_jacobian(model.closures, ws.closures, model.n());
  }
  Eigen::VectorXd along(double t) const { return state.z + t * state.zd + 0.5 * t * t * state.zdd; }

  Model model;
  State state;
  Workspace ws;
};
INSTANTIATE_TEST_SUITE_P(All, Closures,
                         testing::Combine(testing::ValuesIn(cases()), testing::ValuesIn(kSides)),
                         [](const auto& test) {
                           return std::get<0>(test.param).name + "_" + std::get<1>(test.param).name;
                         });

TEST_P(Closures, HaveTheRowsOfTheirKind) {
  ASSERT_EQ(model.closures.closures.size(), 1U);
  EXPECT_EQ(model.m(), kind().rows);
  EXPECT_EQ(closure().name, "loop");
}

TEST_P(Closures, JacobianIsTheDerivativeOfPhi) {
  const Eigen::MatrixXd found = Phi_z();
  expect_close(found, jacobian([&](const Eigen::VectorXd& z) { return Phi(0.0, z); }, state.z),
               kFirst, kFirst);
}

TEST_P(Closures, JacobianHasNoColumnAtOrAboveTheCommonAncestor) {
  if (closure().coordinate >= 0) {
    EXPECT_EQ(block().columns.size(), 1U);
    return;
  }
  for (TreeIndex t = closure().ancestor; t > 0; t = model.tree.bodies[at(t)].parent) {
    const TreeBody& body = model.tree.bodies[at(t)];
    for (int k = body.z; k < body.z + body.degrees_of_freedom; ++k)
      EXPECT_EQ(std::count(block().columns.begin(), block().columns.end(), k), 0)
          << "coordinate " << k;
  }
  EXPECT_TRUE(std::is_sorted(block().columns.begin(), block().columns.end()));
}

TEST_P(Closures, RatesAreDerivativesAlongAMotion) {
  evaluate();
  const Eigen::VectorXd Phid = ws.closures.Phid;
  const Eigen::VectorXd Phidd = ws.closures.Phidd;
  const auto moving = [&](double t) { return Phi(t, along(t)); };
  expect_close(Phid, derivative(moving), kFirst, kFirst);

  // the sweep of velocities alone gives the same
  evaluate();
  ws.closures.Phid.setZero();
  compute_velocities(model.tree, state.zd.data(), ws.tree);
  compute_closure_velocities(model.closures, ws.tree, ws.closures);
  expect_close(ws.closures.Phid, Phid, kRoundOff, kRoundOff);
  expect_close(Phidd, second_derivative(moving), kSecond, kSecond);
}

TEST_P(Closures, RatesAreMadeOfTheirParts) {
  // Phid = Phi_z zd + Phi_t, Phidd = Phi_z zdd + (Phid_z zd + Phid_t)
  const Eigen::MatrixXd J = Phi_z();
  const Eigen::VectorXd Phid = ws.closures.Phid;
  const Eigen::VectorXd Phidd = ws.closures.Phidd;
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(model.n());
  evaluate(0.0, state.z, zero, zero);
  const Eigen::VectorXd Phi_t = ws.closures.Phid;
  expect_close(Phi_t, derivative([&](double t) { return Phi(t, state.z); }), kFirst, kFirst);
  if (!kind().on_time) {
    EXPECT_EQ(Phi_t.norm(), 0.0);
  }
  expect_close(Phid, Eigen::VectorXd(J * state.zd + Phi_t), 10 * kRoundOff, 10 * kRoundOff);
  evaluate(0.0, state.z, state.zd, zero);
  const Eigen::VectorXd gamma = ws.closures.Phidd;
  expect_close(Phidd, Eigen::VectorXd(J * state.zdd + gamma), 100 * kRoundOff, 100 * kRoundOff);
}

TEST_P(Closures, WrenchesDoTheWorkOfTheMultipliers) {
  if (closure().coordinate >= 0) return;  // its force acts in the joint's coordinate
  let_points_coincide();
  const Eigen::VectorXd lambda = Random(9).values(model.m(), 1.0);
  const double power = -lambda.dot(Phi_z() * state.zd);
  const Vector6 wrench = closure_wrench(closure(), ws.tree, ws.closures, lambda.data());
  const double found = wrench.dot(ws.tree.relative_velocity(closure().a.body, closure().b.body));
  expect_close(found, power, 100 * kRoundOff, 100 * kRoundOff);
}

TEST_P(Closures, JacobianTransposedEqualsTheWrenchesOnTheBodies) {
  if (closure().coordinate >= 0) return;
  let_points_coincide();
  const Eigen::VectorXd lambda = Random(9).values(model.m(), 1.0);
  const Eigen::VectorXd expected = -Phi_z().transpose() * lambda;
  const Vector6 wrench = closure_wrench(closure(), ws.tree, ws.closures, lambda.data());
  Eigen::VectorXd found = Eigen::VectorXd::Zero(model.n());
  for (const int k : find_loop_path(model.tree.tree, 0, closure().b.body).coordinates)
    found[k] += ws.tree.H[at(k)].dot(wrench);
  for (const int k : find_loop_path(model.tree.tree, 0, closure().a.body).coordinates)
    found[k] -= ws.tree.H[at(k)].dot(wrench);
  expect_close(found, expected, 100 * kRoundOff, 100 * kRoundOff);
}

/// A cut joint must allow exactly what the joint in the tree does.
class CutJoints : public testing::TestWithParam<JointType> {};
INSTANTIATE_TEST_SUITE_P(Types, CutJoints,
                         testing::Values(JointType::fixed, JointType::revolute,
                                         JointType::prismatic, JointType::cylindrical,
                                         JointType::universal, JointType::spherical,
                                         JointType::planar, JointType::translational),
                         [](const auto& test) { return std::string(name_of(test.param)); });

TEST_P(CutJoints, HoldAtEveryPositionOfTheJointAndAtNoOther) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Random random(seed);
    // the body carried by the joint in question, in some position of that joint ...
    Mechanism m;
    m.name = "one joint";
    m.bodies.push_back(make_random_body(random, "body"));
    m.joints.push_back(make_random_joint(random, GetParam(), kGround, 0, seed % 2 == 0, "joint"));
    const Model by_joint = compile(m);
    const State at_position = make_random_state(by_joint, seed);
    Workspace joint_ws(by_joint);
    const Frame pose = find_body_poses(by_joint, at_position, joint_ws)[0];

    // ... and flying there with the joint cut
    m.joints[0].placement = Placement::cut;
    Joint flight;
    flight.name = "flight";
    flight.type = JointType::free;
    flight.b.body = 0;
    const Eigen::Vector3d theta = rotation_log(pose.A);
    flight.position = {pose.p.x(), pose.p.y(), pose.p.z(), theta.x(), theta.y(), theta.z()};
    m.joints.push_back(flight);
    const Model cut = compile(m);
    State state = make_initial_state(cut);
    Workspace ws(cut);
    evaluate_state(cut, state, ws);
    const Eigen::VectorXd closed = Eigen::VectorXd::Zero(cut.m());
    ASSERT_EQ(cut.m(), 6 - degrees_of_freedom(GetParam()));
    expect_close(ws.closures.Phi, closed, 0.0, 10 * kRoundOff);

    // the rows are independent: 6 - m motions remain, and they are those of the joint
    const Eigen::MatrixXd Phi_z = dense_jacobian(cut.closures, ws.closures, 6);
    EXPECT_EQ(pivoted_rank(Phi_z, 1e-6), cut.m());
    Workspace at_ws(by_joint);
    begin_evaluation(by_joint, at_position, 0.0, at_ws);
    at_ws.tree.set_origin(by_joint.tree, state.origin);  // columns about the same point
    compute_positions(by_joint.tree, at_position.z.data(), at_ws.tree);
    for (int k = 0; k < by_joint.n(); ++k) {
      const Vector6 H = at_ws.tree.H[at(k)];
      // the flight's own columns: body velocity at its origin (the moving origin O), world axes
      Vector6 rates;
      rates << velocity_at(H, pose.p - state.origin), H.tail<3>();
      expect_close(Eigen::VectorXd(Phi_z * rates), closed, 0.0, 10 * kRoundOff);
    }
  }
}

}  // namespace
}  // namespace semirec::test
