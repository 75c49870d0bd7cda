#pragma once

#include <Eigen/Core>

namespace semirec {

/// The largest absolute value among the entries of a matrix or vector, in their unit: 0 when there
/// are none, as in a mechanism that cannot move, and NaN when any of them is NaN.
template <typename Derived>
double largest_magnitude(const Eigen::MatrixBase<Derived>& entries) {
  return entries.size() > 0 ? entries.cwiseAbs().template maxCoeff<Eigen::PropagateNaN>() : 0.0;
}

}  // namespace semirec
