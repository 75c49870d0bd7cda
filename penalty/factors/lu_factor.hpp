#pragma once

#include <memory>
#include <vector>

namespace semirec {

/// How a factorization came about.
enum class Pivoting {
  kept,     ///< with the pivots of before: no heap use
  renewed,  ///< pivots chosen anew: allocates
  failed    ///< no pivots found: the matrix is singular or not finite; solve() must not be called
};

/// LU factors of a square matrix that need be neither symmetric nor definite. The pattern is
/// analysed once; pivots are chosen at the first factorization, in an order of little fill
/// (PivotedLu) or that of the pattern (PanelFactor), whichever fills in less, and kept while they
/// serve: do not grow much more.
class LuFactor {
 public:
  /// The pattern by columns: the rows of column c are row_index[column_begin[c] ...], ascending.
  LuFactor(std::vector<int> column_begin, std::vector<int> row_index);
  ~LuFactor();
  LuFactor(LuFactor&&) noexcept;
  LuFactor& operator=(LuFactor&&) noexcept;
  LuFactor(const LuFactor&) = delete;
  LuFactor& operator=(const LuFactor&) = delete;

  /// Factors the matrix with these values, given as the pattern lists its entries. `symmetric`: the
  /// values are; L D L^T is then made where the pivots are kept and are those of the diagonal. When
  /// pivots are renewed, L U is made whatever the values.
  [[nodiscard]] Pivoting factor(const double* values, bool symmetric = false);
  /// Chooses the pivots anew at the next factorization.
  void forget_pivots();
  /// Factors with pivots chosen anew. False where there are none. Allocates.
  [[nodiscard]] bool choose_pivots(const double* values);
  /// The smallest pivot over the largest, of rows scaled to 1 in the order of little fill: a crude
  /// reciprocal condition number. Needs a factor.
  double smallest_pivot() const;
  /// x <- A^-1 x. Needs a factor; no heap use.
  void solve(double* x) const;

 private:
  struct Factors;
  std::unique_ptr<Factors> factors_;
};

}  // namespace semirec
