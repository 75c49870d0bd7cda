#pragma once

#include <Eigen/Core>

namespace semirec {

/// The point nearest to `p` (m) whose coordinates are whole multiples of 2^-10 m. The reference
/// point O moves between such points only: their sums and differences are exact, to 100 km and far
/// beyond, and what is left of a displacement keeps all its digits.
inline Eigen::Vector3d round_origin(const Eigen::Vector3d& p) {
  return (p * 1024.0).array().round() / 1024.0;
}

}  // namespace semirec
