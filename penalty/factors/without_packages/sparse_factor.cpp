// The factors of sparse_factor.cpp without CHOLMOD: row by row, along the elimination tree.
#include <algorithm>
#include <utility>

#include "penalty/factors/tangent_solver.hpp"
#include "topology/indices.hpp"

namespace semirec {

struct SparseFactor::Factor {
  std::vector<int> column_begin, row_index, order;  ///< of the upper triangle of A
  std::vector<int> row_begin, row;                  ///< columns in which row k of L has entries
  std::vector<int> begin, end, index;               ///< L by columns; end moves as rows are done
  std::vector<double> L, pivot, x;
  mutable std::vector<double> y;

  explicit Factor(const SymmetricPattern& pattern)
      : column_begin(pattern.column_begin()),
        row_index(pattern.row_index()),
        order(pattern.order()),
        row_begin(1, 0),
        pivot(order.size()),
        x(order.size()),
        y(order.size()) {
    find_rows();
    std::vector<int> count(order.size() + 1);
    for (const int column : row) ++count[at(column) + 1];
    for (std::size_t k = 1; k < count.size(); ++k) count[k] += count[k - 1];
    begin = count;
    end.resize(order.size());
    index.resize(row.size());
    L.resize(row.size());
  }

  int size() const { return static_cast<int>(order.size()); }

  /// Row k of L: the paths in the elimination tree from the entries of A's column k up to k.
  void find_rows() {
    std::vector<int> parent(order.size(), -1), seen(order.size(), -1);
    for (int k = 0; k < size(); ++k) {
      seen[at(k)] = k;
      for (int e = column_begin[at(k)]; e < column_begin[at(k) + 1]; ++e)
        for (int i = row_index[at(e)]; seen[at(i)] != k; i = parent[at(i)]) {
          seen[at(i)] = k;
          row.push_back(i);
          if (parent[at(i)] < 0) parent[at(i)] = k;
        }
      std::sort(row.begin() + row_begin.back(), row.end());
      row_begin.push_back(static_cast<int>(row.size()));
    }
  }
};

SparseFactor::SparseFactor(const SymmetricPattern& pattern)
    : factor_(std::make_unique<Factor>(pattern)) {}
SparseFactor::~SparseFactor() = default;
SparseFactor::SparseFactor(SparseFactor&&) noexcept = default;
SparseFactor& SparseFactor::operator=(SparseFactor&&) noexcept = default;

bool SparseFactor::factor(const double* values) {
  Factor& f = *factor_;
  std::copy(f.begin.begin(), f.begin.end() - 1, f.end.begin());
  std::fill(f.x.begin(), f.x.end(), 0.0);
  for (int k = 0; k < f.size(); ++k) {
    for (int e = f.column_begin[at(k)]; e < f.column_begin[at(k) + 1]; ++e)
      f.x[at(f.row_index[at(e)])] = values[e];
    double pivot = std::exchange(f.x[at(k)], 0.0);
    for (int e = f.row_begin[at(k)]; e < f.row_begin[at(k) + 1]; ++e) {
      const int j = f.row[at(e)];
      const double y = std::exchange(f.x[at(j)], 0.0);
      for (int i = f.begin[at(j)]; i < f.end[at(j)]; ++i) f.x[at(f.index[at(i)])] -= f.L[at(i)] * y;
      const double l = y / f.pivot[at(j)];
      pivot -= l * y;
      f.index[at(f.end[at(j)])] = k;
      f.L[at(f.end[at(j)]++)] = l;
    }
    if (!(pivot > 0.0) || !(pivot < 1e300)) return false;
    f.pivot[at(k)] = pivot;
  }
  return true;
}

void SparseFactor::solve(double* x) const {
  const Factor& f = *factor_;
  double* y = f.y.data();
  for (int k = 0; k < f.size(); ++k) y[k] = x[f.order[at(k)]];
  for (int k = 0; k < f.size(); ++k)
    for (int e = f.begin[at(k)]; e < f.begin[at(k) + 1]; ++e)
      y[f.index[at(e)]] -= f.L[at(e)] * y[k];
  for (int k = f.size() - 1; k >= 0; --k) {
    double sum = y[k] / f.pivot[at(k)];
    for (int e = f.begin[at(k)]; e < f.begin[at(k) + 1]; ++e) sum -= f.L[at(e)] * y[f.index[at(e)]];
    y[k] = sum;
  }
  for (int k = 0; k < f.size(); ++k) x[f.order[at(k)]] = y[k];
}

}  // namespace semirec
