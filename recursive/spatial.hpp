#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace semirec {

using Vector6 = Eigen::Matrix<double, 6, 1>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;

// Templates of nothing: a source that calls none of them makes none of their expressions (decision
// 0047).

/// tilde(v) x = v cross x.
template <typename = void>
inline Eigen::Matrix3d tilde(const Eigen::Vector3d& v) {
  Eigen::Matrix3d m;
  m << 0.0, -v.z(), v.y(), v.z(), 0.0, -v.x(), -v.y(), v.x(), 0.0;
  return m;
}

/// Velocity-like six-vectors are [linear at O; angular], force-like ones [force; moment about O].
template <typename = void>
inline Vector6 make_six(const Eigen::Vector3d& linear, const Eigen::Vector3d& angular) {
  Vector6 v;
  v.head<3>() = linear;
  v.tail<3>() = angular;
  return v;
}

/// Rate of the motion vector b that moves with velocity V: {w x b_l + v x b_a; w x b_a}.
template <typename = void>
inline Vector6 cross_motion(const Vector6& V, const Vector6& b) {
  const Eigen::Vector3d v = V.head<3>();
  const Eigen::Vector3d w = V.tail<3>();
  const Eigen::Vector3d l = b.head<3>();
  const Eigen::Vector3d a = b.tail<3>();
  return make_six(w.cross(l) + v.cross(a), w.cross(a));
}

/// Velocity of the point r (from O) of a field Z.
template <typename = void>
inline Eigen::Vector3d velocity_at(const Vector6& Z, const Eigen::Vector3d& r) {
  return Z.head<3>() + Z.tail<3>().cross(r);
}

/// Acceleration of the body point now at r: Zd is the spatial derivative (convention A), so the
/// point's own motion adds w x rd.
template <typename = void>
inline Eigen::Vector3d acceleration_at(const Vector6& Z, const Vector6& Zd,
                                       const Eigen::Vector3d& r) {
  return velocity_at(Zd, r) + Z.tail<3>().cross(velocity_at(Z, r));
}

/// Line of action through the point r (from O) along the unit vector u: velocity along it is
/// line . Z, a unit force along it is the wrench line.
template <typename = void>
inline Vector6 make_line(const Eigen::Vector3d& r, const Eigen::Vector3d& u) {
  return make_six(u, r.cross(u));
}

/// Rigid-body inertia about O in world axes, Mbar of [H03] Eq. (4), by its ten numbers:
///   Mbar = [ m I, -tilde(mg) ; tilde(mg), J ],  J about O
struct RigidInertia {
  double m = 0.0;  ///< kg
  Eigen::Vector3d mg =
      Eigen::Vector3d::Zero();             ///< mass times position of the centre of mass, kg m
  double Jxx = 0.0, Jyy = 0.0, Jzz = 0.0;  ///< about O, kg m^2
  double Jxy = 0.0, Jxz = 0.0, Jyz = 0.0;

  /// The full 6 x 6 matrix, for tests and reading.
  Matrix6 dense() const;
};

}  // namespace semirec
