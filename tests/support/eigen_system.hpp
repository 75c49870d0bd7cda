#pragma once

#include <Eigen/Core>

namespace semirec::test {

// Eigen's dense decompositions, compiled once for all tests: each costs seconds in every source
// that calls it.

/// Eigenvalues and eigenvectors (columns) of a real matrix.
struct EigenSystem {
  Eigen::VectorXcd values;
  Eigen::MatrixXcd vectors, inverse;
};
EigenSystem find_eigen_system(const Eigen::MatrixXd& A);

/// Of a symmetric matrix, rising.
Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& A);

/// The x of A x = b by elimination with full pivoting; A square and regular.
Eigen::VectorXd solve_fully_pivoted(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);

/// How many pivots of an elimination with full pivoting exceed `threshold` of the largest.
int pivoted_rank(const Eigen::MatrixXd& A, double threshold);

/// Columns of length 1 that span all x with A x = 0; none where A has full column rank.
Eigen::MatrixXd pivoted_kernel(const Eigen::MatrixXd& A, double threshold);

}  // namespace semirec::test
