#pragma once

#include <memory>
#include <variant>
#include <vector>

#include <Eigen/Cholesky>

#include "penalty/factors/linear_solver.hpp"
#include "penalty/factors/tree_factor.hpp"
#include "recursive/lanes/lane_rows.hpp"
#include "recursive/symmetric_pattern.hpp"

namespace semirec {

/// The elimination of TreeFactor in lanes: like rows of up to four branches together, then what
/// they share.
class LaneFactor {
 public:
  explicit LaneFactor(const SymmetricPattern& pattern);
  bool factor(const double* values);
  void solve(double* x) const;

 private:
  void solve_shared(double* x) const;

  LaneRows rows_;
  std::vector<Pack> values_, inverse_pivot_;
  std::vector<double> schur_, shared_pivot_;  ///< the shared columns' triangle
  std::vector<Pack> taken_;                   ///< what the lanes take from it, lane by lane
  std::vector<int> taken_from_;               ///< where they take anything
  mutable std::vector<Pack> x_;
  mutable std::vector<double> x_shared_;
  mutable std::vector<Pack> sum_;
};

using TreeFactor = TreeFactorOf<double>;

/// Eigen's dense Cholesky factor.
class DenseFactor {
 public:
  explicit DenseFactor(const SymmetricPattern& pattern);
  bool factor(const double* values);
  void solve(double* x) const;

 private:
  int n_;
  Eigen::LLT<Eigen::MatrixXd> llt_;
  Eigen::MatrixXd matrix_;
};

/// CHOLMOD's simplicial LDL^T, symbolic analysis done once; the sweeps of the solution are our own,
/// so that a step makes no heap call. A library that is linked without CHOLMOD has factors of our
/// own in its place (without_packages/sparse_factor.cpp).
class SparseFactor {
 public:
  explicit SparseFactor(const SymmetricPattern& pattern);
  ~SparseFactor();
  SparseFactor(SparseFactor&&) noexcept;
  SparseFactor& operator=(SparseFactor&&) noexcept;
  SparseFactor(const SparseFactor&) = delete;
  SparseFactor& operator=(const SparseFactor&) = delete;
  bool factor(const double* values);
  void solve(double* x) const;

 private:
  struct Factor;
  std::unique_ptr<Factor> factor_;
};

/// Factors a matrix once and solves with it several times. The kind of factor is that of the
/// pattern, chosen when the model is compiled.
class TangentSolver final : public LinearSolver {
 public:
  explicit TangentSolver(const SymmetricPattern& pattern);
  /// The matrix by its values [slot]. False when it is not positive definite (or not finite); the
  /// old factor is lost then. No heap use.
  [[nodiscard]] bool factor(const std::vector<double>& values);
  void solve(Eigen::VectorXd& x) const override;

 private:
  std::variant<TreeFactor, LaneFactor, DenseFactor, SparseFactor> factor_;
};

/// Elimination order of little fill (find_minimum_degree_order()) for the pattern that `cliques`
/// make: order[k] is the index eliminated k-th. Build time.
std::vector<int> find_fill_reducing_order(int n, const std::vector<std::vector<int>>& cliques);

}  // namespace semirec
