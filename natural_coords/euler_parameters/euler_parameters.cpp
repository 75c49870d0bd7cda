#include "natural_coords/euler_parameters/euler_parameters.hpp"

#include <Eigen/Geometry>

namespace semirec {

EulerParameters euler_parameters_of(const Eigen::Matrix3d& A) {
  const Eigen::Quaterniond turn = Eigen::Quaterniond(A).normalized();
  EulerParameters e(turn.w(), turn.x(), turn.y(), turn.z());
  Eigen::Index largest = 0;
  e.cwiseAbs().maxCoeff(&largest);
  return e[largest] < 0.0 ? EulerParameters(-e) : e;
}

}  // namespace semirec
