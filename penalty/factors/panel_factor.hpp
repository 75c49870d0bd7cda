#pragma once

#include <cstddef>
#include <vector>

namespace semirec {

/// LU factors of a square matrix whose pivots are its diagonal, in the order of its pattern: for
/// matrices put together so that this serves. Columns that couple with the same later ones make a
/// panel; within it, and from it to what it couples with, the factors are dense rows of whole
/// packs. The pattern of the factors is symmetric, the values need not be: where they are, L is
/// U^T D^-1 and half of the work is saved (L D L^T).
class PanelFactor {
 public:
  /// The pattern by columns: the rows of column c are row_index[column_begin[c] ...], ascending.
  PanelFactor(const std::vector<int>& column_begin, const std::vector<int>& row_index);

  /// Factors the matrix with these values, in the order of the pattern. False where a pivot is zero
  /// or not finite; the factor is then lost. `symmetric`: so are the values; those below the
  /// diagonal are not read. No heap use.
  [[nodiscard]] bool factor(const double* values, bool symmetric = false);
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
    int own;                   ///< in values_: rows of its square, each going on with that of U
    int lower;                 ///< in values_: columns of L below the square
    std::vector<int> targets;  ///< [i, j of rows] in values_: what takes their product
    int stride() const { return width + length; }
    int columns() const { return end - begin; }
  };
  int index_of(int row, int column) const;
  void scatter(const double* values, bool symmetric);
  /// Keeps it and its inverse. False where it is zero or not finite.
  bool take_pivot(int column, double pivot);
  bool factor_rows(const Panel& panel);
  bool factor_symmetric_rows(const Panel& panel);
  void factor_lower(const Panel& panel);
  void take_lower(const Panel& panel);
  void multiply_two_rows(const Panel& panel, std::size_t i, int j);
  void update(const Panel& panel, bool symmetric);
  void solve_down(const Panel& panel, double* y, double* known) const;
  void solve_up(const Panel& panel, double* y, double* known) const;

  long entries_ = 0;
  int rows_size_ = 0;  ///< of what is in values_ by rows; columns of L are behind
  std::vector<Panel> panels_;
  std::vector<int> panel_of_;  ///< [column]
  std::vector<int> sources_;   ///< [entry of the pattern] in values_
  struct Source {
    int from, to;
  };
  std::vector<Source> upper_sources_;  ///< the diagonal and what is above: entry, in values_
  std::vector<double> values_, pivots_, inverse_;
  std::vector<double> product_;
  mutable std::vector<double> right_;
};

}  // namespace semirec
