#include "tests/support/plain_sweeps.hpp"

#include <Eigen/Geometry>

#include "topology/indices.hpp"

namespace semirec::test {

namespace {

/// Base to tip: poses and columns of H.
///   turn    H = {x cross u; u},            A <- A rot(u, z)
///   slide   H = {u; 0},                    x <- x + u z
///   triad   H = {tilde(x) A_J; A_J},       A = A_J exp(tilde(theta)) A0
void sweep_positions(const TreeModel& model, const State& state, PlainSweeps& s) {
  s.p[0] = -state.origin;
  for (std::size_t i = 1; i < model.bodies.size(); ++i) {
    const TreeBody& body = model.bodies[i];
    const Eigen::Matrix3d& A_WP = s.A_WC[at(body.parent)];
    Eigen::Matrix3d A = A_WP * body.X_PJ.A;
    Eigen::Vector3d x = Eigen::Vector3d::Zero();
    if (!body.floats) x = s.p[at(body.parent)] + A_WP * body.X_PJ.p;
    for (int k = body.motion_begin; k < body.motion_end; ++k) {
      const JointMotion& motion = model.motions[at(k)];
      switch (motion.kind) {
        case JointMotion::Kind::turn: {
          const Eigen::Vector3d u = motion.sign * A.col(motion.axis);
          s.H[at(motion.z)] = make_six(x.cross(u), u);
          A = Eigen::AngleAxisd(state.z[motion.z], u) * A;
          break;
        }
        case JointMotion::Kind::slide: {
          const Eigen::Vector3d u = motion.sign * A.col(motion.axis);
          s.H[at(motion.z)] = make_six(u, Eigen::Vector3d::Zero());
          x += u * state.z[motion.z];
          break;
        }
        case JointMotion::Kind::triad: {
          for (int axis = 0; axis < 3; ++axis)
            s.H[at(motion.z + axis)] = make_six(x.cross(A.col(axis)), A.col(axis));
          const Eigen::Vector3d theta = state.z.segment<3>(motion.z);
          const double angle = theta.norm();
          if (angle > 0.0) A = A * Eigen::AngleAxisd(angle, theta / angle);
          A = A * state.A0[at(motion.triad)].toRotationMatrix();
          break;
        }
      }
    }
    s.A_WC[i] = A;
    s.p[i] = x;
  }
}

/// Base to tip: velocities and accelerations,
///   Zd_i = Zd_parent + sum (H zdd + cross_motion(Z before the motion, H zd)),
///   Z_i  = Z_parent + sum H zd.
void sweep_motions(const TreeModel& model, const State& state, PlainSweeps& s) {
  for (std::size_t i = 1; i < model.bodies.size(); ++i) {
    const TreeBody& body = model.bodies[i];
    Vector6 Z = s.Z[at(body.parent)];
    Vector6 Zd = s.Zd[at(body.parent)];
    for (int k = body.motion_begin; k < body.motion_end; ++k) {
      const JointMotion& motion = model.motions[at(k)];
      // the three columns of a triad turn together: one motion
      const int columns = motion.kind == JointMotion::Kind::triad ? 3 : 1;
      Vector6 step = Vector6::Zero();
      Vector6 second = Vector6::Zero();
      for (int c = motion.z; c < motion.z + columns; ++c) {
        step += s.H[at(c)] * state.zd[c];
        second += s.H[at(c)] * state.zdd[c];
      }
      Zd += cross_motion(Z, step) + second;
      Z += step;
    }
    s.Z[i] = Z;
    s.Zd[i] = Zd;
  }
}

/// Each body's own share: Mbar about O, Eq. (4), and F = Mbar Zd - Qbar, Eq. (5) with weight.
void find_own_shares(const TreeModel& model, PlainSweeps& s) {
  for (std::size_t i = 1; i < model.bodies.size(); ++i) {
    const TreeBody& body = model.bodies[i];
    const Eigen::Vector3d g = s.p[i] + s.A_WC[i] * body.com;
    const Eigen::Matrix3d J = s.A_WC[i] * body.inertia * s.A_WC[i].transpose();
    const Eigen::Matrix3d mg = tilde(body.mass * g);
    s.M_acc[i] << body.mass * Eigen::Matrix3d::Identity(), -mg, mg, J - mg * tilde(g);
    const Eigen::Vector3d w = s.Z[i].tail<3>();
    const Eigen::Vector3d wd = s.Zd[i].tail<3>();
    const Eigen::Vector3d force = body.mass * (acceleration_at(s.Z[i], s.Zd[i], g) - model.gravity);
    s.F_acc[i] = make_six(force, J * wd + w.cross(J * w) + g.cross(force));
  }
}

/// Tip to base: Eqs. (17), (19), then the joints' share, Eqs. (14), (15).
void accumulate_plainly(const TreeModel& model, PlainSweeps& s) {
  for (std::size_t i = model.bodies.size(); i-- > 1;) {
    const TreeIndex parent = model.bodies[i].parent;
    if (parent == 0) continue;
    s.M_acc[at(parent)] += s.M_acc[i];
    s.F_acc[at(parent)] += s.F_acc[i];
  }
  for (std::size_t i = 1; i < model.bodies.size(); ++i) {
    const TreeBody& body = model.bodies[i];
    for (int k = body.z; k < body.z + body.degrees_of_freedom; ++k) {
      s.residual[k] = s.H[at(k)].dot(s.F_acc[i]);
      const Vector6 MH = s.M_acc[i] * s.H[at(k)];
      for (std::size_t j = i; j > 0; j = at(model.bodies[j].parent))
        for (int c = model.bodies[j].z; c < model.bodies[j].z + model.bodies[j].degrees_of_freedom;
             ++c)
          s.M(k, c) = s.M(c, k) = s.H[at(c)].dot(MH);
    }
  }
}

}  // namespace

PlainSweeps sweep_plainly(const TreeModel& model, const State& state) {
  const std::size_t bodies = model.bodies.size();
  PlainSweeps s;
  s.A_WC.assign(bodies, Eigen::Matrix3d::Identity());
  s.p.assign(bodies, Eigen::Vector3d::Zero());
  s.H.assign(at(model.n), Vector6::Zero());
  s.Z.assign(bodies, Vector6::Zero());
  s.Zd = s.F_acc = s.Z;
  s.M_acc.assign(bodies, Matrix6::Zero());
  s.M = Eigen::MatrixXd::Zero(model.n, model.n);
  s.residual = Eigen::VectorXd::Zero(model.n);
  sweep_positions(model, state, s);
  sweep_motions(model, state, s);
  find_own_shares(model, s);
  accumulate_plainly(model, s);
  return s;
}

}  // namespace semirec::test
