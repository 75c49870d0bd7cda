#include "topology/frame.hpp"

#include <Eigen/Geometry>

namespace semirec {

Frame make_frame(const Eigen::Vector3d& point, const Eigen::Vector3d& axis,
                 const Eigen::Vector3d& hint) {
  const Eigen::Vector3d z = axis.normalized();
  Eigen::Vector3d across = hint - hint.dot(z) * z;
  if (across.norm() <= 1e-9 * hint.norm() || hint.isZero()) {
    // x first, so that a vertical axis keeps the world's own axes
    const Eigen::Vector3d other =
        std::abs(z.x()) < 0.9 ? Eigen::Vector3d::UnitX() : Eigen::Vector3d::UnitY();
    across = other - other.dot(z) * z;
  }
  Frame frame;
  frame.A.col(0) = across.normalized();
  frame.A.col(1) = z.cross(frame.A.col(0));
  frame.A.col(2) = z;
  frame.p = point;
  return frame;
}

}  // namespace semirec
