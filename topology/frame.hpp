#pragma once

#include <Eigen/Core>

namespace semirec {

/// A right-handed orthonormal frame F seen from another one: columns of A are F's axes, p is F's
/// origin (m). Stored unaligned on purpose: its layout does not depend on the instruction set.
struct Frame {
  Eigen::Matrix3d A = Eigen::Matrix3d::Identity();
  Eigen::Vector3d p = Eigen::Vector3d::Zero();
};

// Templates of nothing: a source that calls none of them makes none of their expressions (decision
// 0047).

/// X_WC = X_WB * X_BC.
template <typename = void>
inline Frame operator*(const Frame& X_WB, const Frame& X_BC) {
  return {X_WB.A * X_BC.A, X_WB.p + X_WB.A * X_BC.p};
}

/// X_BW from X_WB.
template <typename = void>
inline Frame inverse(const Frame& X_WB) {
  return {X_WB.A.transpose(), -(X_WB.A.transpose() * X_WB.p)};
}

/// A frame at `point` whose z axis is `axis` and whose x axis is the part of `hint` across it; with
/// a zero hint, the part of the world axis that is most across it. `axis` need not be a unit
/// vector.
Frame make_frame(const Eigen::Vector3d& point, const Eigen::Vector3d& axis,
                 const Eigen::Vector3d& hint = Eigen::Vector3d::Zero());

}  // namespace semirec
