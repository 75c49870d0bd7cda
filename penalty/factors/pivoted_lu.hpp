#pragma once

#include <vector>

namespace semirec {

/// L U = P R A Q of a sparse matrix: R divides each row by its largest magnitude, Q is an order of
/// little fill, P chooses pivots, the diagonal's where that is at least a thousandth of the largest
/// (Gilbert and Peierls 1988).
class PivotedLu {
 public:
  /// The pattern by columns: the rows of column c are row_index[column_begin[c] ...].
  PivotedLu(std::vector<int> column_begin, std::vector<int> row_index);

  int size() const { return static_cast<int>(order_.size()); }
  /// The columns in the order of their elimination.
  const std::vector<int>& order() const { return order_; }

  /// Chooses pivots for these values and factors. False where there are none. Allocates.
  [[nodiscard]] bool factor(const double* values);
  /// Factors with the pivots at hand. False where one is zero or not finite. No heap use.
  [[nodiscard]] bool refactor(const double* values);

  // of the factors at hand:
  /// Entries of L and U, both diagonals counted.
  long entries() const;
  /// Of the worst column: the largest magnitude in R A over the largest in U. NaN where these are
  /// not finite.
  double growth() const;
  /// The smallest magnitude of a pivot over the largest.
  double smallest_pivot() const;
  /// x <- A^-1 x. No heap use.
  void solve(double* x) const;

 private:
  struct Columns {
    std::vector<int> begin, row;
    std::vector<double> value;
  };
  bool scale(const double* values);
  void find_reach(int column);
  bool choose_pivot(int k);
  void close();

  std::vector<int> column_begin_, row_index_, order_;
  std::vector<double> scale_;    ///< [row]
  std::vector<int> position_;    ///< [row] of its pivot, -1 as long as it has none
  Columns lower_;                ///< without its diagonal of ones; rows by position once closed
  Columns upper_;                ///< by position, each before those that it changes
  std::vector<double> pivot_;    ///< [position]
  std::vector<double> largest_;  ///< [position] in the column of R A
  std::vector<int> place_;       ///< [entry of the pattern] position of its row
  std::vector<double> x_;        ///< of one column
  mutable std::vector<double> right_;
  // of the choice of pivots
  std::vector<int> reach_, seen_, stack_, next_;
};

}  // namespace semirec
