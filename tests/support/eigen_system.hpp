#pragma once

#include <Eigen/Core>

namespace semirec::test {

/// Eigenvalues and eigenvectors (columns) of a real matrix; Eigen's solvers, compiled once for all
/// tests.
struct EigenSystem {
  Eigen::VectorXcd values;
  Eigen::MatrixXcd vectors, inverse;
};
EigenSystem find_eigen_system(const Eigen::MatrixXd& A);

/// Of a symmetric matrix, rising.
Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& A);

}  // namespace semirec::test
