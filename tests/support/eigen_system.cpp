#include "tests/support/eigen_system.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

namespace semirec::test {

EigenSystem find_eigen_system(const Eigen::MatrixXd& A) {
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(A);
  return {solver.eigenvalues(), solver.eigenvectors(), solver.eigenvectors().fullPivLu().inverse()};
}

Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& A) {
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(A, Eigen::EigenvaluesOnly).eigenvalues();
}

Eigen::VectorXd solve_fully_pivoted(const Eigen::MatrixXd& A, const Eigen::VectorXd& b) {
  return A.fullPivLu().solve(b);
}

int pivoted_rank(const Eigen::MatrixXd& A, double threshold) {
  Eigen::FullPivLU<Eigen::MatrixXd> lu(A);
  lu.setThreshold(threshold);
  return static_cast<int>(lu.rank());
}

Eigen::MatrixXd pivoted_kernel(const Eigen::MatrixXd& A, double threshold) {
  Eigen::FullPivLU<Eigen::MatrixXd> lu(A);
  lu.setThreshold(threshold);
  // Eigen's kernel of full rank is one column of zeros
  if (lu.rank() == A.cols()) return Eigen::MatrixXd(A.cols(), 0);
  return lu.kernel().colwise().normalized();
}

}  // namespace semirec::test
