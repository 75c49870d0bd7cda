#include "penalty/factors/pivoted_lu.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "penalty/factors/minimum_degree.hpp"
#include "penalty/factors/pivot_ratio.hpp"
#include "topology/indices.hpp"

namespace semirec {

namespace {

/// What the diagonal must have of the column's largest magnitude to be its pivot.
constexpr double kLeastDiagonal = 1e-3;

}  // namespace

PivotedLu::PivotedLu(std::vector<int> column_begin, std::vector<int> row_index)
    : column_begin_(std::move(column_begin)),
      row_index_(std::move(row_index)),
      order_(find_minimum_degree_order(column_begin_, row_index_)),
      scale_(order_.size()),
      position_(order_.size()),
      pivot_(order_.size()),
      largest_(order_.size()),
      place_(row_index_.size()),
      x_(order_.size()),
      right_(order_.size()),
      seen_(order_.size()) {}

/// False where a row holds nothing but zeros, or what is not finite.
bool PivotedLu::scale(const double* values) {
  std::fill(scale_.begin(), scale_.end(), 0.0);
  double nothing = 0.0;
  for (std::size_t e = 0; e < row_index_.size(); ++e) {
    double& most = scale_[at(row_index_[e])];
    most = std::max(most, std::abs(values[e]));
    nothing += 0.0 * values[e];
  }
  for (double& s : scale_) {
    if (!(s > 0.0)) return false;
    s = 1.0 / s;
  }
  return nothing == 0.0;
}

/// Rows that the column reaches through the columns of L at hand, into reach_: each behind those
/// that it changes.
void PivotedLu::find_reach(int column) {
  reach_.clear();
  for (int e = column_begin_[at(column)]; e < column_begin_[at(column) + 1]; ++e) {
    const int start = row_index_[at(e)];
    if (seen_[at(start)] == column) continue;
    seen_[at(start)] = column;
    stack_.assign(1, start);
    next_.assign(1, 0);
    while (!stack_.empty()) {
      const int row = stack_.back();
      const int j = position_[at(row)];
      const int begin = j < 0 ? 0 : lower_.begin[at(j)];
      const int count = j < 0 ? 0 : lower_.begin[at(j) + 1] - begin;
      int& next = next_.back();
      while (next < count && seen_[at(lower_.row[at(begin + next)])] == column) ++next;
      if (next == count) {
        reach_.push_back(row);
        stack_.pop_back();
        next_.pop_back();
        continue;
      }
      const int child = lower_.row[at(begin + next)];
      seen_[at(child)] = column;
      stack_.push_back(child);
      next_.push_back(0);
    }
  }
}

/// Among the rows of the reach that have no position; the others of them become column k of L.
bool PivotedLu::choose_pivot(int k) {
  const int diagonal = order_[at(k)];
  int chosen = -1;
  double most = 0.0;
  for (const int row : reach_) {
    if (position_[at(row)] >= 0 || !(std::abs(x_[at(row)]) > most)) continue;
    most = std::abs(x_[at(row)]);
    chosen = row;
  }
  if (chosen < 0 || !std::isfinite(most)) return false;
  if (seen_[at(diagonal)] == diagonal && position_[at(diagonal)] < 0 &&
      std::abs(x_[at(diagonal)]) >= kLeastDiagonal * most)
    chosen = diagonal;
  position_[at(chosen)] = k;
  pivot_[at(k)] = x_[at(chosen)];
  for (const int row : reach_) {
    if (position_[at(row)] >= 0) continue;
    lower_.row.push_back(row);
    lower_.value.push_back(x_[at(row)] / pivot_[at(k)]);
  }
  return true;
}

bool PivotedLu::factor(const double* values) {
  if (!scale(values)) return false;
  std::fill(position_.begin(), position_.end(), -1);
  std::fill(seen_.begin(), seen_.end(), -1);
  for (Columns* columns : {&lower_, &upper_}) {
    columns->begin.assign(1, 0);
    columns->row.clear();
    columns->value.clear();
  }
  for (int k = 0; k < size(); ++k) {
    const int column = order_[at(k)];
    find_reach(column);
    for (const int row : reach_) x_[at(row)] = 0.0;
    double& largest = largest_[at(k)];
    largest = 0.0;
    for (int e = column_begin_[at(column)]; e < column_begin_[at(column) + 1]; ++e) {
      const int row = row_index_[at(e)];
      x_[at(row)] = values[e] * scale_[at(row)];
      largest = std::max(largest, std::abs(x_[at(row)]));
    }
    for (auto row = reach_.rbegin(); row != reach_.rend(); ++row) {
      const int j = position_[at(*row)];
      if (j < 0) continue;
      const double u = x_[at(*row)];
      upper_.row.push_back(j);
      upper_.value.push_back(u);
      for (int e = lower_.begin[at(j)]; e < lower_.begin[at(j) + 1]; ++e)
        x_[at(lower_.row[at(e)])] -= lower_.value[at(e)] * u;
    }
    upper_.begin.push_back(static_cast<int>(upper_.row.size()));
    if (!choose_pivot(k)) return false;
    lower_.begin.push_back(static_cast<int>(lower_.row.size()));
  }
  close();
  return true;
}

/// From rows to the positions of their pivots.
void PivotedLu::close() {
  for (int& row : lower_.row) row = position_[at(row)];
  for (std::size_t e = 0; e < place_.size(); ++e) place_[e] = position_[at(row_index_[e])];
  std::fill(x_.begin(), x_.end(), 0.0);
}

bool PivotedLu::refactor(const double* values) {
  if (!scale(values)) return false;
  // x is zero between columns
  for (int k = 0; k < size(); ++k) {
    const int column = order_[at(k)];
    double& largest = largest_[at(k)];
    largest = 0.0;
    for (int e = column_begin_[at(column)]; e < column_begin_[at(column) + 1]; ++e) {
      const double value = values[e] * scale_[at(row_index_[at(e)])];
      x_[at(place_[at(e)])] = value;
      largest = std::max(largest, std::abs(value));
    }
    for (int e = upper_.begin[at(k)]; e < upper_.begin[at(k) + 1]; ++e) {
      const int j = upper_.row[at(e)];
      const double u = std::exchange(x_[at(j)], 0.0);
      upper_.value[at(e)] = u;
      for (int i = lower_.begin[at(j)]; i < lower_.begin[at(j) + 1]; ++i)
        x_[at(lower_.row[at(i)])] -= lower_.value[at(i)] * u;
    }
    const double pivot = std::exchange(x_[at(k)], 0.0);
    pivot_[at(k)] = pivot;
    for (int e = lower_.begin[at(k)]; e < lower_.begin[at(k) + 1]; ++e)
      lower_.value[at(e)] = std::exchange(x_[at(lower_.row[at(e)])], 0.0) / pivot;
    if (!(std::abs(pivot) > 0.0) || !std::isfinite(pivot)) {
      std::fill(x_.begin(), x_.end(), 0.0);
      return false;
    }
  }
  return true;
}

long PivotedLu::entries() const {
  return static_cast<long>(lower_.row.size() + upper_.row.size() + 2 * order_.size());
}

double PivotedLu::growth() const {
  double least = 1.0;
  double nothing = 0.0;
  for (int k = 0; k < size(); ++k) {
    double most = std::abs(pivot_[at(k)]);
    for (int e = upper_.begin[at(k)]; e < upper_.begin[at(k) + 1]; ++e)
      most = std::max(most, std::abs(upper_.value[at(e)]));
    nothing += 0.0 * most;
    least = std::min(least, largest_[at(k)] / most);
  }
  return least + nothing;
}

double PivotedLu::smallest_pivot() const { return smallest_over_largest(pivot_); }

void PivotedLu::solve(double* x) const {
  double* y = right_.data();
  for (int row = 0; row < size(); ++row) y[position_[at(row)]] = x[row] * scale_[at(row)];
  for (int k = 0; k < size(); ++k)
    for (int e = lower_.begin[at(k)]; e < lower_.begin[at(k) + 1]; ++e)
      y[lower_.row[at(e)]] -= lower_.value[at(e)] * y[k];
  for (int k = size() - 1; k >= 0; --k) {
    y[k] /= pivot_[at(k)];
    for (int e = upper_.begin[at(k)]; e < upper_.begin[at(k) + 1]; ++e)
      y[upper_.row[at(e)]] -= upper_.value[at(e)] * y[k];
  }
  for (int k = 0; k < size(); ++k) x[order_[at(k)]] = y[k];
}

}  // namespace semirec
