#include "recursive/kinematics.hpp"

#include <algorithm>
#include <cmath>

namespace semirec {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// A rot(axis, angle): the two columns across the axis turn.
void turn_about(Eigen::Matrix3d& A, int axis, double angle) {
  const double s = std::sin(angle);
  const double c = std::cos(angle);
  const int i = axis == 2 ? 0 : axis + 1;
  const int j = axis == 0 ? 2 : axis - 1;
  const Eigen::Vector3d u = A.col(i);
  const Eigen::Vector3d v = A.col(j);
  A.col(i) = c * u + s * v;
  A.col(j) = c * v - s * u;
}

}  // namespace

Eigen::Matrix3d rotation_exp(const Eigen::Vector3d& theta) {
  // exp = I + f1 tilde(theta) + f2 tilde(theta)^2 with f1 = sin t / t, f2 = (1 - cos t) / t^2
  const double t2 = theta.squaredNorm();
  double f1 = 1.0;
  double f2 = 0.5;
  if (t2 < 0.04) {
    // series to t^10: the next term is below 1e-17
    f1 = 1.0 -
         t2 / 6.0 * (1.0 - t2 / 20.0 * (1.0 - t2 / 42.0 * (1.0 - t2 / 72.0 * (1.0 - t2 / 110.0))));
    f2 = 0.5 -
         t2 / 24.0 * (1.0 - t2 / 30.0 * (1.0 - t2 / 56.0 * (1.0 - t2 / 90.0 * (1.0 - t2 / 132.0))));
  } else {
    const double t = std::sqrt(t2);
    f1 = std::sin(t) / t;
    f2 = (1.0 - std::cos(t)) / t2;
  }
  const double x = theta.x();
  const double y = theta.y();
  const double z = theta.z();
  Eigen::Matrix3d A;
  A << 1.0 - f2 * (y * y + z * z), f2 * x * y - f1 * z, f2 * x * z + f1 * y,  //
      f2 * x * y + f1 * z, 1.0 - f2 * (x * x + z * z), f2 * y * z - f1 * x,   //
      f2 * x * z - f1 * y, f2 * y * z + f1 * x, 1.0 - f2 * (x * x + y * y);
  return A;
}

Eigen::Vector3d rotation_log(const Eigen::Matrix3d& A) {
  const Eigen::AngleAxisd turn(A);
  return turn.angle() * turn.axis();
}

void compute_positions(const TreeModel& model, const double* z, TreeWorkspace& ws) {
  std::copy_n(z, model.n, ws.z.begin());
  ws.p[0] = -ws.origin;
  const int count = static_cast<int>(model.bodies.size());
  for (int i = 1; i < count; ++i) {
    const TreeBody& body = model.bodies[at(i)];
    const Eigen::Matrix3d& A_WP = ws.A_WC[at(body.parent)];
    Eigen::Matrix3d A = A_WP * body.X_PJ.A;
    Eigen::Vector3d x = Eigen::Vector3d::Zero();
    if (!body.floats) x = ws.p[at(body.parent)] + A_WP * body.X_PJ.p;
    for (int k = body.motion_begin; k < body.motion_end; ++k) {
      const JointMotion& motion = model.motions[at(k)];
      const double value = z[motion.z];
      switch (motion.kind) {
        case JointMotion::Kind::turn: {
          const Eigen::Vector3d u = motion.sign * A.col(motion.axis);
          ws.H[at(motion.z)] << x.cross(u), u;
          turn_about(A, motion.axis, motion.sign * value);
          break;
        }
        case JointMotion::Kind::slide: {
          const Eigen::Vector3d u = motion.sign * A.col(motion.axis);
          ws.H[at(motion.z)] << u, Eigen::Vector3d::Zero();
          x += u * value;
          break;
        }
        case JointMotion::Kind::triad: {
          for (int axis = 0; axis < 3; ++axis) {
            const Eigen::Vector3d u = A.col(axis);
            ws.H[at(motion.z + axis)] << x.cross(u), u;
          }
          const Eigen::Map<const Eigen::Vector3d> theta(z + motion.z);
          A = A * (rotation_exp(theta) * ws.A0[at(motion.triad)]);
          break;
        }
      }
    }
    ws.A_WC[at(i)] = A;
    ws.p[at(i)] = x;
  }
}

namespace {

/// The sweep of velocities, with accelerations or without.
template <bool kWithAccelerations>
void sweep_motions(const TreeModel& model, const double* zd, const double* zdd, TreeWorkspace& ws) {
  const int count = static_cast<int>(model.bodies.size());
  for (int i = 1; i < count; ++i) {
    const TreeBody& body = model.bodies[at(i)];
    Vector6 Z = ws.Z[at(body.parent)];
    Vector6 Zd;
    if constexpr (kWithAccelerations) Zd = ws.Zd[at(body.parent)];
    for (int k = body.motion_begin; k < body.motion_end; ++k) {
      const JointMotion& motion = model.motions[at(k)];
      const Vector6* H = &ws.H[at(motion.z)];
      const double* rate = zd + motion.z;
      const bool triad = motion.kind == JointMotion::Kind::triad;
      // the three columns of a triad turn together: one motion with the velocity before all of them
      Vector6 step = H[0] * rate[0];
      if (triad) step += H[1] * rate[1] + H[2] * rate[2];
      if constexpr (kWithAccelerations) {
        const double* second = zdd + motion.z;
        Zd += cross_motion(Z, step) + H[0] * second[0];
        if (triad) Zd += H[1] * second[1] + H[2] * second[2];
      }
      Z += step;
    }
    ws.Z[at(i)] = Z;
    if constexpr (kWithAccelerations) ws.Zd[at(i)] = Zd;
  }
}

}  // namespace

void compute_motions(const TreeModel& model, const double* zd, const double* zdd,
                     TreeWorkspace& ws) {
  std::copy_n(zd, model.n, ws.zd.begin());
  std::copy_n(zdd, model.n, ws.zdd.begin());
  sweep_motions<true>(model, zd, zdd, ws);
}

void compute_velocities(const TreeModel& model, const double* zd, TreeWorkspace& ws) {
  std::copy_n(zd, model.n, ws.zd.begin());
  sweep_motions<false>(model, zd, nullptr, ws);
}

}  // namespace semirec
