#include "recursive/spatial.hpp"

namespace semirec {

Matrix6 RigidInertia::dense() const {
  Matrix6 M;
  M.topLeftCorner<3, 3>() = m * Eigen::Matrix3d::Identity();
  M.topRightCorner<3, 3>() = -tilde(mg);
  M.bottomLeftCorner<3, 3>() = tilde(mg);
  M.bottomRightCorner<3, 3>() << Jxx, Jxy, Jxz, Jxy, Jyy, Jyz, Jxz, Jyz, Jzz;
  return M;
}

}  // namespace semirec
