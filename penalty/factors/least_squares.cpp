#include "penalty/factors/least_squares.hpp"

#include <limits>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>

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

Eigen::MatrixXd null_space(const OrthogonalDecomposition& decomposition) {
  // A P = Q [T 0; 0 0] Z
  const Eigen::Index n = decomposition.cols();
  const Eigen::MatrixXd Z = decomposition.matrixZ();
  return decomposition.colsPermutation() * Z.bottomRows(n - decomposition.rank()).transpose();
}

Eigen::MatrixXd pseudo_inverse(const OrthogonalDecomposition& decomposition) {
  return decomposition.pseudoInverse();
}

int sign_of_determinant(const Eigen::MatrixXd& A) {
  const Eigen::FullPivLU<Eigen::MatrixXd> lu(A);
  if (!lu.isInvertible()) return 0;
  return lu.determinant() > 0.0 ? 1 : -1;
}

double find_smallest_eigenvalue(const Eigen::MatrixXd& K, const Eigen::MatrixXd& M) {
  const Eigen::LLT<Eigen::MatrixXd> factor(M);
  if (factor.info() != Eigen::Success) return std::numeric_limits<double>::quiet_NaN();
  const Eigen::MatrixXd half = factor.matrixL().solve(K);
  const Eigen::MatrixXd scaled = factor.matrixL().solve(half.transpose());
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(0.5 * (scaled + scaled.transpose()),
                                                              Eigen::EigenvaluesOnly);
  return solver.eigenvalues()[0];
}

Eigen::VectorXd find_weakest_mode(const Eigen::MatrixXd& A) {
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(A).eigenvectors().col(0);
}

}  // namespace semirec
