#pragma once

#include <vector>

#include <Eigen/Cholesky>
#include <Eigen/Core>

#include "penalty/factors/linear_solver.hpp"
#include "recursive/articulated_factor.hpp"
#include "recursive/row_block.hpp"
#include "recursive/tree_model.hpp"

namespace semirec {

/// M + scale Phi_z^T alpha Phi_z by recursion: articulated inertias for M, the closures by a small
/// dense matrix over their rows (Woodbury's identity),
///   (M + P^T d P)^-1 = M^-1 - M^-1 P^T (P M^-1 P^T + d^-1)^-1 P M^-1,  d = scale alpha.
/// Positive definite whatever the rank of P. Order n (1 + m) + m^3.
class ArticulatedSolver final : public LinearSolver {
 public:
  ArticulatedSolver(const TreeModel& model, const std::vector<RowBlock>& blocks, int rows);
  /// Mbar by body and H by coordinate, both about O; Phi_z in the blocks. scale = 0: M alone. False
  /// when the matrix is not positive definite (or not finite). No heap use.
  [[nodiscard]] bool factor(const std::vector<RigidInertia>& Mbar, const std::vector<Vector6>& H,
                            const std::vector<RowBlock>& blocks, const std::vector<double>& Phi_z,
                            const Eigen::VectorXd& alpha, double scale);
  void solve(Eigen::VectorXd& x) const override;

 private:
  ArticulatedFactor M_;
  std::vector<std::vector<TreeIndex>> paths_;  ///< [block] its bodies and all inboard, descending
  std::vector<std::vector<int>> columns_;      ///< [block] their coordinates, ascending
  std::vector<int> first_row_, row_count_;
  Eigen::MatrixXd Y_;  ///< n x m, L^-1 P^T
  Eigen::MatrixXd schur_;
  Eigen::LLT<Eigen::MatrixXd> llt_;
  mutable Eigen::VectorXd mu_;
  bool with_rows_ = false;
};

}  // namespace semirec
