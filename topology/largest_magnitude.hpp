#pragma once

#include <cmath>

#include <Eigen/Core>

namespace semirec {

/// The largest absolute value among the entries of a matrix or vector, in their unit: 0 when there
/// are none, as in a mechanism that cannot move, and NaN when any of them is NaN.
template <typename Derived>
double largest_magnitude(const Eigen::MatrixBase<Derived>& entries) {
  return entries.size() > 0 ? entries.cwiseAbs().template maxCoeff<Eigen::PropagateNaN>() : 0.0;
}

/// Whether no entry is infinite or NaN. In packs, which Eigen's allFinite() is not.
template <typename Derived>
bool is_finite(const Eigen::MatrixBase<Derived>& entries) {
  return entries.size() == 0 || (0.0 * entries).sum() == 0.0;
}

/// Row of the first entry of this absolute value; 0 where there is none.
inline int row_of_magnitude(const Eigen::VectorXd& entries, double magnitude) {
  for (Eigen::Index k = 0; k < entries.size(); ++k)
    if (std::abs(entries[k]) == magnitude) return static_cast<int>(k);
  return 0;
}

}  // namespace semirec
