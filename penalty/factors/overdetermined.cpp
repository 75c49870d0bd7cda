#include "penalty/factors/overdetermined.hpp"

#include "penalty/factors/least_squares.hpp"

namespace semirec {

Eigen::VectorXd solve_overdetermined(const Eigen::MatrixXd& A, double threshold,
                                     const Eigen::VectorXd& b) {
  OrthogonalDecomposition decomposition(A.rows(), A.cols());
  decompose(A, threshold, decomposition);
  return solve_least_squares(decomposition, b);
}

}  // namespace semirec
