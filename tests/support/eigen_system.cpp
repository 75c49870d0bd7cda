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

}  // namespace semirec::test
