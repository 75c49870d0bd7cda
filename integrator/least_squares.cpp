#include "integrator/least_squares.hpp"

#include <Eigen/Eigenvalues>

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
  if (A.size() == 0) return 0;
  OrthogonalDecomposition decomposition(A.rows(), A.cols());
  decompose(A, threshold, decomposition);
  return static_cast<int>(decomposition.rank());
}

Eigen::VectorXd find_weakest_mode(const Eigen::MatrixXd& A) {
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(A).eigenvectors().col(0);
}

}  // namespace semirec
