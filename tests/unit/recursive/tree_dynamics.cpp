// The recursion against an oracle that knows nothing but the poses of the bodies as functions of z:
// velocities, accelerations and Jacobians are differences of poses, M and Q follow from
// d'Alembert's principle, body by body.

#include <algorithm>

#include <gtest/gtest.h>

#include "integrator/compile.hpp"
#include "integrator/formulation/evaluate.hpp"
#include "recursive/accumulation.hpp"
#include "recursive/kinematics.hpp"
#include "tests/support/expect_close.hpp"
#include "tests/support/finite_difference.hpp"
#include "tests/support/random_mechanism.hpp"
#include "topology/indices.hpp"

namespace semirec::test {
namespace {

// sixth-order differences (finite_difference.hpp): first derivatives to 1e-12, second to 1e-10,
// times the depth of the chains
constexpr double kFirst = 1e-10;
constexpr double kSecond = 2e-8;
// a few hundred operations on numbers of size one
constexpr double kRoundOff = 1e-12;

/// Pose of joint frame b in joint frame a, as mechanism.hpp words it.
Frame joint_pose(JointType type, const Eigen::VectorXd& z, const Eigen::Matrix3d& A0) {
  using Eigen::AngleAxisd;
  using V = Eigen::Vector3d;
  Frame X;
  switch (type) {
    case JointType::fixed:
      break;
    case JointType::revolute:
      X.A = AngleAxisd(z[0], V::UnitZ());
      break;
    case JointType::prismatic:
      X.p = z[0] * V::UnitZ();
      break;
    case JointType::cylindrical:
      X.p = z[0] * V::UnitZ();
      X.A = AngleAxisd(z[1], V::UnitZ());
      break;
    case JointType::universal:
      X.A = AngleAxisd(z[0], V::UnitZ()).toRotationMatrix() *
            AngleAxisd(z[1], V::UnitX()).toRotationMatrix();
      break;
    case JointType::spherical:
      X.A = A0;
      break;
    case JointType::planar:
      X.p = V(z[0], z[1], 0.0);
      X.A = AngleAxisd(z[2], V::UnitZ());
      break;
    case JointType::free:
      X.p = z.head<3>();
      X.A = A0;
      break;
    case JointType::translational:
      X.p = z.head<3>();
      break;
  }
  return X;
}

/// World poses of the user's body frames as functions of z, for a fixed state.
class Poses {
 public:
  Poses(const Model& model, const State& state) : model_(model), state_(state), ws_(model) {
    begin_evaluation(model, state, 0.0, ws_);
  }
  const std::vector<Frame>& operator()(const Eigen::VectorXd& z) {
    compute_positions(model_.tree, z.data(), ws_.tree);
    poses_.resize(model_.mechanism.bodies.size());
    for (std::size_t b = 0; b < poses_.size(); ++b) {
      const std::size_t t = at(model_.tree.tree.tree_of_body[b]);
      poses_[b] =
          Frame{ws_.tree.A_WC[t], state_.origin + ws_.tree.p[t]} * model_.tree.bodies[t].X_CB;
    }
    return poses_;
  }
  Eigen::Vector3d centre_of_mass(std::size_t b, const Eigen::VectorXd& z) {
    const Frame X = (*this)(z)[b];
    return X.p + X.A * model_.mechanism.bodies[b].com;
  }
  Eigen::Matrix3d rotation(std::size_t b, const Eigen::VectorXd& z) { return (*this)(z)[b].A; }

 private:
  const Model& model_;
  const State& state_;
  Workspace ws_;
  std::vector<Frame> poses_;
};

/// Half of what is skew in S: the vector of tilde.
Eigen::Vector3d vector_of(const Eigen::Matrix3d& S) {
  return 0.5 * Eigen::Vector3d(S(2, 1) - S(1, 2), S(0, 2) - S(2, 0), S(1, 0) - S(0, 1));
}

/// Motion of a body's centre of mass by differences of its pose, along a motion z(t) or one
/// coordinate.
struct Twist {
  Eigen::Vector3d v, w;
};
template <class Motion>
Twist twist_along(Poses& poses, std::size_t b, const Motion& z) {
  const Eigen::Matrix3d A = poses.rotation(b, z(0.0));
  const Eigen::Matrix3d Ad = derivative([&](double t) { return poses.rotation(b, z(t)); });
  return {derivative([&](double t) { return poses.centre_of_mass(b, z(t)); }),
          vector_of(Ad * A.transpose())};
}
template <class Motion>
Twist second_along(Poses& poses, std::size_t b, const Motion& z) {
  const Eigen::Matrix3d A = poses.rotation(b, z(0.0));
  const Eigen::Matrix3d Ad = derivative([&](double t) { return poses.rotation(b, z(t)); });
  const Eigen::Matrix3d Add = second_derivative([&](double t) { return poses.rotation(b, z(t)); });
  return {second_derivative([&](double t) { return poses.centre_of_mass(b, z(t)); }),
          vector_of(Add * A.transpose() + Ad * Ad.transpose())};
}

class AllJoints : public testing::TestWithParam<std::uint64_t> {
 protected:
  Mechanism mechanism = make_tree_of_all_joints(GetParam());
  Model model = compile(mechanism);
  State state = make_random_state(model, GetParam() + 100);
  Workspace ws{model};
  Poses poses{model, state};

  /// z(t) with the state's rates and accelerations; for the triads' increments this is their motion
  /// up to t^2, as theta x thetad is of third order there.
  auto motion() const {
    return [this](double t) {
      return Eigen::VectorXd(state.z + t * state.zd + 0.5 * t * t * state.zdd);
    };
  }
  auto along(Eigen::Index k) const {
    return [this, k](double t) {
      Eigen::VectorXd z = state.z;
      z[k] += t;
      return z;
    };
  }
  void evaluate(const Eigen::VectorXd& zdd) {
    begin_evaluation(model, state, 0.0, ws);
    evaluate_dynamics(model, state.z.data(), state.zd.data(), zdd.data(), {}, ws);
  }
};

// five trees: each type forward and reversed, at random depths
INSTANTIATE_TEST_SUITE_P(Seeds, AllJoints, testing::Range<std::uint64_t>(1, 6));

TEST_P(AllJoints, PosesFollowTheDescription) {
  const std::vector<Frame> found = poses(state.z);
  for (std::size_t j = 0; j < mechanism.joints.size(); ++j) {
    const Joint& joint = mechanism.joints[j];
    const TreeBranch& branch = model.tree.tree.branches[at(model.tree.tree.branch_of_joint[j])];
    const auto pose = [&](const Marker& marker) {
      return marker.body == kGround ? marker.X_BF : found[at(marker.body)] * marker.X_BF;
    };
    Eigen::VectorXd z = state.z.segment(branch.z, branch.degrees_of_freedom);
    Eigen::Matrix3d A0 = Eigen::Matrix3d::Identity();
    for (const JointMotion& motion : model.tree.motions)
      if (motion.kind == JointMotion::Kind::triad && motion.z >= branch.z &&
          motion.z < branch.z + branch.degrees_of_freedom)
        A0 = state.A0[at(motion.triad)].toRotationMatrix();
    Frame expected;
    if (joint.type == JointType::free) {
      // counts the outboard side from the inboard one, its slides from the moving origin
      const Frame X_WJ = pose(branch.reversed ? joint.b : joint.a);
      expected = Frame{X_WJ.A, state.origin} * joint_pose(joint.type, z, A0);
      const Frame outboard = pose(branch.reversed ? joint.a : joint.b);
      expect_close(outboard.A, expected.A, 0.0, kRoundOff);
      expect_close(outboard.p, expected.p, 0.0, kRoundOff);
      continue;
    }
    // the triad of a reversed joint is the rotation of a against b
    expected = joint_pose(joint.type, z, branch.reversed ? Eigen::Matrix3d(A0.transpose()) : A0);
    const Frame X_ab = inverse(pose(joint.a)) * pose(joint.b);
    expect_close(X_ab.A, expected.A, 0.0, kRoundOff);
    expect_close(X_ab.p, expected.p, 0.0, kRoundOff);
  }
}

TEST_P(AllJoints, ColumnsAreTheUnitVelocitiesOfTheBodies) {
  evaluate(state.zdd);
  for (std::size_t b = 0; b < mechanism.bodies.size(); ++b) {
    const TreeIndex t = model.tree.tree.tree_of_body[b];
    const std::vector<int> path = find_loop_path(model.tree.tree, 0, t).coordinates;
    for (int k = 0; k < model.n(); ++k) {
      const Twist twist = twist_along(poses, b, along(k));
      Vector6 H = Vector6::Zero();
      if (std::find(path.begin(), path.end(), k) != path.end()) H = ws.tree.H[at(k)];
      const Eigen::Vector3d r = poses.centre_of_mass(b, state.z) - state.origin;
      expect_close(velocity_at(H, r), twist.v, 0.0, kFirst);
      expect_close(Eigen::Vector3d(H.tail<3>()), twist.w, 0.0, kFirst);
    }
  }
}

TEST_P(AllJoints, MotionsAreDerivativesOfThePoses) {
  evaluate(state.zdd);
  for (std::size_t b = 0; b < mechanism.bodies.size(); ++b) {
    const std::size_t t = at(model.tree.tree.tree_of_body[b]);
    const Twist first = twist_along(poses, b, motion());
    const Twist second = second_along(poses, b, motion());
    const Eigen::Vector3d r = poses.centre_of_mass(b, state.z) - state.origin;
    expect_close(velocity_at(ws.tree.Z[t], r), first.v, kFirst, kFirst);
    expect_close(Eigen::Vector3d(ws.tree.Z[t].tail<3>()), first.w, kFirst, kFirst);
    expect_close(acceleration_at(ws.tree.Z[t], ws.tree.Zd[t], r), second.v, kSecond, kSecond);
    expect_close(Eigen::Vector3d(ws.tree.Zd[t].tail<3>()), second.w, kSecond, kSecond);
  }
}

TEST_P(AllJoints, MassMatrixAndForcesObeyDAlembertsPrinciple) {
  const int n = model.n();
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(n, n);
  Eigen::VectorXd residual = Eigen::VectorXd::Zero(n);  // M zdd - Q
  for (std::size_t b = 0; b < mechanism.bodies.size(); ++b) {
    const Body& body = mechanism.bodies[b];
    Eigen::MatrixXd J_v(3, n);
    Eigen::MatrixXd J_w(3, n);
    for (int k = 0; k < n; ++k) {
      const Twist twist = twist_along(poses, b, along(k));
      J_v.col(k) = twist.v;
      J_w.col(k) = twist.w;
    }
    const Eigen::Matrix3d A = poses.rotation(b, state.z);
    const Eigen::Matrix3d J = A * body.inertia * A.transpose();
    const Eigen::Vector3d w = twist_along(poses, b, motion()).w;
    const Twist second = second_along(poses, b, motion());
    M += body.mass * J_v.transpose() * J_v + J_w.transpose() * J * J_w;
    residual += J_v.transpose() * body.mass * (second.v - mechanism.gravity) +
                J_w.transpose() * (J * second.w + w.cross(J * w));
  }
  evaluate(state.zdd);
  expect_close(model.tree.pattern.to_dense(ws.tree.tangent.data()), M, kFirst, kFirst);
  expect_close(ws.tree.residual, residual, kSecond, kSecond);
}

TEST_P(AllJoints, ResidualIsLinearInTheAccelerations) {
  // Eqs. (15) and (19) with zdd inside Zd: M zdd - Q = residual(zdd), -Q = residual(0)
  evaluate(Eigen::VectorXd::Zero(model.n()));
  const Eigen::VectorXd minus_Q = ws.tree.residual;
  evaluate(state.zdd);
  const Eigen::MatrixXd M = model.tree.pattern.to_dense(ws.tree.tangent.data());
  expect_close(ws.tree.residual, Eigen::VectorXd(M * state.zdd + minus_Q), kRoundOff, kRoundOff);
}

/// T of [H03] Eq. (6): 6 x 6 identities where body j is on the path to body i, itself included.
Eigen::MatrixXd dense_T(const TreeModel& tree) {
  const int count = static_cast<int>(tree.bodies.size()) - 1;
  Eigen::MatrixXd T = Eigen::MatrixXd::Zero(6 * count, 6 * count);
  for (int i = 1; i <= count; ++i)
    for (int j = i; j > 0; j = tree.bodies[at(j)].parent)
      T.block<6, 6>(6 * (i - 1), 6 * (j - 1)).setIdentity();
  return T;
}

/// H of [H03] Eq. (8): the joints' own columns in their body's rows.
Eigen::MatrixXd dense_H(const TreeModel& tree, const TreeWorkspace& ws) {
  const int count = static_cast<int>(tree.bodies.size()) - 1;
  Eigen::MatrixXd H = Eigen::MatrixXd::Zero(6 * count, tree.n);
  for (int i = 1; i <= count; ++i)
    for (int k = 0; k < tree.bodies[at(i)].degrees_of_freedom; ++k)
      H.block<6, 1>(6 * (i - 1), tree.bodies[at(i)].z + k) = ws.H[at(tree.bodies[at(i)].z + k)];
  return H;
}

TEST_P(AllJoints, RecursionEqualsThePathMatrixProducts) {
  const TreeModel& tree = model.tree;
  const int count = static_cast<int>(tree.bodies.size()) - 1;
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(model.n());
  evaluate(zero);
  const Eigen::MatrixXd M = tree.pattern.to_dense(ws.tree.tangent.data());
  const Eigen::VectorXd Q = -ws.tree.residual;

  // R = T H, Z = R zd
  const Eigen::MatrixXd R = dense_T(tree) * dense_H(tree, ws.tree);
  const Eigen::VectorXd Z = R * state.zd;
  for (int i = 1; i <= count; ++i)
    expect_close(ws.tree.Z[at(i)], Vector6(Z.segment<6>(6 * (i - 1))), kRoundOff, kRoundOff);

  // Mbar, Qbar of [H03] Eqs. (4), (5), with w x m gd in place of w x (w x m g): spatial derivatives
  Eigen::MatrixXd Mbar = Eigen::MatrixXd::Zero(6 * count, 6 * count);
  Eigen::VectorXd Qbar(6 * count);
  for (int i = 1; i <= count; ++i) {
    const TreeBody& body = tree.bodies[at(i)];
    const Eigen::Matrix3d A = ws.tree.A_WC[at(i)];
    const Eigen::Vector3d g = ws.tree.p[at(i)] + A * body.com;
    const Eigen::Matrix3d J = A * body.inertia * A.transpose();
    const Eigen::Matrix3d mg = tilde(body.mass * g);
    const Eigen::Vector3d w = Z.segment<3>(6 * (i - 1) + 3);
    const Eigen::Vector3d gd = velocity_at(Z.segment<6>(6 * (i - 1)), g);
    Matrix6 block;
    block << body.mass * Eigen::Matrix3d::Identity(), -mg, mg, J - mg * tilde(g);
    Mbar.block<6, 6>(6 * (i - 1), 6 * (i - 1)) = block;
    const Eigen::Vector3d force = body.mass * (mechanism.gravity - w.cross(gd));
    Qbar.segment<6>(6 * (i - 1)) = make_six(force, -w.cross(J * w) + g.cross(force));
  }
  // own inertia as the engine keeps it, before it is accumulated
  ws.tree.weights = {};
  compute_body_forces(tree, ws.tree);
  publish_inertias(tree, ws.tree);
  for (int i = 1; i <= count; ++i)
    expect_close(ws.tree.Mbar[at(i)].dense(), Matrix6(Mbar.block<6, 6>(6 * (i - 1), 6 * (i - 1))),
                 kRoundOff, kRoundOff);

  // Hd zd by differences of the columns along the motion
  const Eigen::VectorXd Rd_zd = derivative([&](double t) {
    const Eigen::VectorXd z = motion()(t);
    compute_positions(tree, z.data(), ws.tree);
    return Eigen::VectorXd(dense_T(tree) * dense_H(tree, ws.tree) * state.zd);
  });
  expect_close(M, Eigen::MatrixXd(R.transpose() * Mbar * R), kRoundOff, 100 * kRoundOff);
  expect_close(Q, Eigen::VectorXd(R.transpose() * (Qbar - Mbar * Rd_zd)), kFirst, kFirst);
}

TEST_P(AllJoints, ReferencePointDoesNotMatter) {
  evaluate(state.zdd);
  const Eigen::MatrixXd M = model.tree.pattern.to_dense(ws.tree.tangent.data());
  const Eigen::VectorXd residual = ws.tree.residual;
  // the same places counted from an origin some metres away
  const Eigen::Vector3d shift(3.0, -2.0, 1.0);
  for (const TreeBody& body : model.tree.bodies)
    if (body.floats) state.z.segment<3>(body.z) -= body.X_PJ.A.transpose() * shift;
  state.origin += shift;
  evaluate(state.zdd);
  // entries about O grow with the square of the distance: 14 m^2 of it cancel again
  expect_close(model.tree.pattern.to_dense(ws.tree.tangent.data()), M, kRoundOff, 50 * kRoundOff);
  expect_close(ws.tree.residual, residual, kRoundOff, 50 * kRoundOff);
}

TEST(Rotation, ExponentialTurnsAboutItsVector) {
  Random random(3);
  // both branches: the series below 0.2 rad and the closed form
  for (const double angle : {0.0, 1e-9, 1e-3, 0.199, 0.201, 1.0, 3.0}) {
    const Eigen::Vector3d axis = random.unit();
    const Eigen::Matrix3d expected = Eigen::AngleAxisd(angle, axis).toRotationMatrix();
    expect_close(rotation_exp(angle * axis), expected, 0.0, 1e-15);
    // the angle of a matrix is known to eps / angle beside zero only through its skew part
    expect_close(rotation_log(expected), Eigen::Vector3d(angle * axis), 0.0, 1e-14);
  }
}

}  // namespace
}  // namespace semirec::test
