#pragma once

#include <Eigen/Core>

namespace semirec {

/// The smallest x among those that minimise |A x - b|, for one right side; pivots below `threshold`
/// of the largest count as zero. For sources that are optimised little, which must not hold a
/// decomposition of their own (cmake/Room.cmake). Allocates.
Eigen::VectorXd solve_overdetermined(const Eigen::MatrixXd& A, double threshold,
                                     const Eigen::VectorXd& b);

}  // namespace semirec
