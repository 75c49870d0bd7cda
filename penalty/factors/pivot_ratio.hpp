#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

namespace semirec {

/// The smallest magnitude of some pivots over the largest: a crude reciprocal condition number.
/// Needs one at least.
inline double smallest_over_largest(const std::vector<double>& pivots) {
  double least = std::abs(pivots.front());
  double most = least;
  for (const double pivot : pivots) {
    least = std::min(least, std::abs(pivot));
    most = std::max(most, std::abs(pivot));
  }
  return least / most;
}

}  // namespace semirec
