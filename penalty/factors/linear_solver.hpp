#pragma once

#include <Eigen/Core>

namespace semirec {

/// A symmetric positive definite matrix A that has been factored: it solves with the factor.
class LinearSolver {
 public:
  virtual ~LinearSolver() = default;
  /// x <- A^-1 x, n values. No heap use.
  virtual void solve(Eigen::VectorXd& x) const = 0;

 protected:
  LinearSolver() = default;
  LinearSolver(const LinearSolver&) = default;
  LinearSolver(LinearSolver&&) = default;
  LinearSolver& operator=(const LinearSolver&) = default;
  LinearSolver& operator=(LinearSolver&&) = default;
};

}  // namespace semirec
