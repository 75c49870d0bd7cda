#include "penalty/factors/least_squares.hpp"

#include <limits>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

namespace semirec {

Eigen::MatrixXd product(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B) { return A * B; }

Eigen::VectorXd apply(const Eigen::MatrixXd& A, const Eigen::VectorXd& x) { return A * x; }

std::optional<Eigen::MatrixXd> solve_definite(const Eigen::MatrixXd& M, const Eigen::MatrixXd& B) {
  const Eigen::LLT<Eigen::MatrixXd> factor(M);
  if (factor.info() != Eigen::Success) return std::nullopt;
  return factor.solve(B);
}

void decompose(const Eigen::MatrixXd& A, double threshold, OrthogonalDecomposition& decomposition) {
  decomposition.setThreshold(threshold);
  decomposition.compute(A);
}

Eigen::VectorXd solve_least_squares(const OrthogonalDecomposition& decomposition,
                                    const Eigen::VectorXd& b) {
  return decomposition.solve(b);
}

namespace {

/// X of A X = B, a column at a time: with whole matrices Eigen's products would be compiled again.
Eigen::MatrixXd solve_columns(const OrthogonalDecomposition& A, const Eigen::MatrixXd& B) {
  Eigen::MatrixXd X(A.cols(), B.cols());
  for (Eigen::Index k = 0; k < B.cols(); ++k) X.col(k) = solve_least_squares(A, B.col(k));
  return X;
}

}  // namespace

Eigen::MatrixXd solve_regular(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B) {
  OrthogonalDecomposition decomposition(A.rows(), A.cols());
  decompose(A, 0.0, decomposition);
  return solve_columns(decomposition, B);
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
  if (decomposition.rank() == n) return {n, 0};
  const Eigen::MatrixXd Z = decomposition.matrixZ();
  return decomposition.colsPermutation() * Z.bottomRows(n - decomposition.rank()).transpose();
}

Eigen::MatrixXd pseudo_inverse(const OrthogonalDecomposition& decomposition) {
  return solve_columns(decomposition,
                       Eigen::MatrixXd::Identity(decomposition.rows(), decomposition.rows()));
}

int sign_of_determinant(const Eigen::MatrixXd& A) {
  if (A.size() == 0) return 1;
  OrthogonalDecomposition decomposition(A.rows(), A.cols());
  decompose(A, std::numeric_limits<double>::epsilon() * static_cast<double>(A.rows()),
            decomposition);
  if (decomposition.rank() < A.rows()) return 0;
  // A P = Q R: a reflection for each coefficient of Q that is not 0
  int sign = static_cast<int>(decomposition.colsPermutation().determinant());
  for (Eigen::Index k = 0; k < A.rows(); ++k) {
    if (decomposition.matrixQTZ()(k, k) < 0.0) sign = -sign;
    if (decomposition.hCoeffs()[k] != 0.0) sign = -sign;
  }
  return sign;
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

double find_least_pivot(const Eigen::MatrixXd& A) {
  return Eigen::LDLT<Eigen::MatrixXd>(A).vectorD().minCoeff();
}

Eigen::VectorXd find_weakest_mode(const Eigen::MatrixXd& A) {
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(A).eigenvectors().col(0);
}

}  // namespace semirec
