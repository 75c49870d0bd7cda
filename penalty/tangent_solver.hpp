#pragma once

#include <memory>
#include <variant>
#include <vector>

#include <Eigen/Cholesky>

#include "recursive/symmetric_pattern.hpp"

namespace semirec {

/// LDL^T of a matrix stored along its elimination tree, eliminated from the tips to the base: no
/// fill, every inner loop runs over one contiguous row.
class TreeFactor {
 public:
  explicit TreeFactor(const SymmetricPattern& pattern);
  bool factor(const double* values);
  void solve(double* x) const;

 private:
  SymmetricPattern pattern_;
  std::vector<double> values_;
  std::vector<double> inverse_pivot_;
};

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
/// so that a step makes no heap call.
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
  struct Cholmod;
  std::unique_ptr<Cholmod> cholmod_;
};

/// Factors the tangent once and solves with it several times. The kind of factor is that of the
/// pattern, chosen when the model is compiled.
class TangentSolver {
 public:
  explicit TangentSolver(const SymmetricPattern& pattern);
  /// False when the matrix is not positive definite (or not finite); the old factor is lost then.
  /// No heap use.
  [[nodiscard]] bool factor(const std::vector<double>& values);
  /// x <- A^-1 x, n values. No heap use.
  void solve(Eigen::VectorXd& x) const;

 private:
  std::variant<TreeFactor, DenseFactor, SparseFactor> factor_;
};

/// Elimination order of least fill (CHOLMOD's AMD) for the pattern that `cliques` make: order[k] is
/// the index eliminated k-th. Build time.
std::vector<int> find_fill_reducing_order(int n, const std::vector<std::vector<int>>& cliques);

}  // namespace semirec
