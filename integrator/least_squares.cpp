#include "integrator/least_squares.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>

namespace semirec {

void decompose(const Eigen::MatrixXd& A, double threshold, OrthogonalDecomposition& decomposition) {
  decomposition.setThreshold(threshold);
  decomposition.compute(A);
}

Eigen::VectorXd solve_least_squares(const OrthogonalDecomposition& decomposition,
                                    const Eigen::VectorXd& b) {
  return decomposition.solve(b);
}

int find_rank(const Eigen::MatrixXd& A, double threshold) {
  Eigen::BDCSVD<Eigen::MatrixXd> svd(A);
  svd.setThreshold(threshold);
  return static_cast<int>(svd.rank());
}

Eigen::VectorXd find_weakest_mode(const Eigen::MatrixXd& A) {
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(A).eigenvectors().col(0);
}

}  // namespace semirec
