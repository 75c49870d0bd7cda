#pragma once

#include <vector>

namespace semirec {

/// LU factors of a square matrix whose pivots are its diagonal, in the order of its pattern: for
/// matrices put together so that this serves. Columns that couple with the same later ones make a
/// panel; within it, and from it to what it couples with, the factors are dense rows of whole
/// packs. The pattern of the factors is symmetric, the values need not be.
class PanelFactor {
 public:
  /// The pattern by columns: the rows of column c are row_index[column_begin[c] ...], ascending.
  PanelFactor(const std::vector<int>& column_begin, const std::vector<int>& row_index);

  /// Factors the matrix with these values, in the order of the pattern. False where a pivot is zero
  /// or not finite; the factor is then lost. No heap use.
  [[nodiscard]] bool factor(const double* values);
  /// x <- A^-1 x. No heap use.
  void solve(double* x) const;

  /// Pivot of column k.
  double pivot(int k) const { return pivots_[static_cast<std::size_t>(k)]; }
  /// The smallest magnitude of a pivot over the largest.
  double smallest_pivot() const;
  /// The largest magnitude in each column of U, into `largest` (n).
  void find_largest(std::vector<double>& largest) const;
  /// Entries of the factors, those that panels add not counted.
  long entries() const { return entries_; }
  int size() const { return static_cast<int>(pivots_.size()); }

 private:
  struct Panel {
    int begin, end;            ///< columns
    std::vector<int> rows;     ///< later ones that it couples with, ascending
    int length;                ///< of them, in whole packs
    int width;                 ///< of its own columns, in whole packs
    int own, lower, upper;     ///< in values_: by rows; by columns; by rows
    std::vector<int> targets;  ///< [i, j of rows] in values_: what takes their product
  };
  int index_of(int row, int column) const;
  bool factor_own(const Panel& panel);
  void factor_rest(const Panel& panel);
  void update(const Panel& panel);

  long entries_ = 0;
  std::vector<Panel> panels_;
  std::vector<int> panel_of_;  ///< [column]
  std::vector<int> sources_;   ///< [entry of the pattern] in values_
  std::vector<double> values_, pivots_, inverse_;
  std::vector<double> product_;
  mutable std::vector<double> right_;
};

}  // namespace semirec
