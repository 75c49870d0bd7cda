#include "recursive/symmetric_pattern.hpp"

#include <algorithm>
#include <cassert>
#include <set>

#include "recursive/lanes/lane_rows.hpp"
#include "topology/indices.hpp"

namespace semirec {

SymmetricPattern SymmetricPattern::make_dense(int n) {
  SymmetricPattern pattern;
  pattern.kind_ = PatternKind::dense;
  pattern.n_ = n;
  pattern.value_count_ = n * n;
  return pattern;
}

SymmetricPattern SymmetricPattern::make_tree(int n, const std::vector<std::vector<int>>& cliques) {
  SymmetricPattern pattern;
  pattern.kind_ = PatternKind::tree;
  pattern.n_ = n;
  // below[i]: columns j < i of row i, with the fill of an elimination from the last row to the
  // first
  std::vector<std::set<int>> below(at(n));
  for (const auto& clique : cliques)
    for (const int i : clique)
      for (const int j : clique)
        if (j < i) below[at(i)].insert(j);
  pattern.parent_.assign(at(n), -1);
  for (int i = n - 1; i >= 0; --i) {
    if (below[at(i)].empty()) continue;
    const int p = *below[at(i)].rbegin();
    pattern.parent_[at(i)] = p;
    for (const int j : below[at(i)])
      if (j < p) below[at(p)].insert(j);
  }
  pattern.depth_.assign(at(n), 0);
  pattern.first_.assign(at(n), 0);
  pattern.row_.assign(at(n), 0);
  for (int i = 0; i < n; ++i) {
    const int p = pattern.parent_[at(i)];
    pattern.depth_[at(i)] = p < 0 ? 0 : pattern.depth_[at(p)] + 1;
    pattern.first_[at(i)] =
        below[at(i)].empty() ? pattern.depth_[at(i)] : pattern.depth_[at(*below[at(i)].begin())];
  }
  // an update of row i reaches every ancestor down to first[i]: their runs must hold it
  for (int i = n - 1; i >= 0; --i)
    for (int p = pattern.parent_[at(i)]; p >= 0 && pattern.depth_[at(p)] >= pattern.first_[at(i)];
         p = pattern.parent_[at(p)])
      pattern.first_[at(p)] = std::min(pattern.first_[at(p)], pattern.first_[at(i)]);
  for (int i = 0; i < n; ++i) {
    pattern.row_[at(i)] = pattern.value_count_ - pattern.first_[at(i)];
    pattern.value_count_ += pattern.depth_[at(i)] - pattern.first_[at(i)] + 1;
  }
  return pattern;
}

SymmetricPattern SymmetricPattern::make_lanes(int n, LaneRows rows) {
  SymmetricPattern pattern;
  pattern.kind_ = PatternKind::lanes;
  pattern.n_ = n;
  pattern.value_count_ = rows.value_count();
  pattern.lane_rows_ = std::make_shared<const LaneRows>(std::move(rows));
  return pattern;
}

SymmetricPattern SymmetricPattern::make_sparse(int n, const std::vector<std::vector<int>>& cliques,
                                               const std::vector<int>& order) {
  SymmetricPattern pattern;
  pattern.kind_ = PatternKind::sparse;
  pattern.n_ = n;
  pattern.order_ = order;
  pattern.place_.assign(at(n), 0);
  for (int k = 0; k < n; ++k) pattern.place_[at(order[at(k)])] = k;
  std::vector<std::set<int>> column(at(n));
  for (int k = 0; k < n; ++k) column[at(k)].insert(k);
  for (const auto& clique : cliques)
    for (const int i : clique)
      for (const int j : clique) {
        const int r = pattern.place_[at(i)];
        const int c = pattern.place_[at(j)];
        if (r <= c) column[at(c)].insert(r);
      }
  pattern.column_begin_.push_back(0);
  for (int c = 0; c < n; ++c) {
    pattern.row_index_.insert(pattern.row_index_.end(), column[at(c)].begin(), column[at(c)].end());
    pattern.column_begin_.push_back(static_cast<int>(pattern.row_index_.size()));
  }
  pattern.value_count_ = static_cast<int>(pattern.row_index_.size());
  return pattern;
}

int SymmetricPattern::slot(int i, int j) const {
  switch (kind_) {
    case PatternKind::dense:
      return i >= j ? j * n_ + i : i * n_ + j;
    case PatternKind::tree: {
      const int low = std::max(i, j);
      const int high = std::min(i, j);
      assert(depth_[at(high)] >= first_[at(low)]);
      return row_[at(low)] + depth_[at(high)];
    }
    case PatternKind::lanes:
      return lane_rows_->slot(i, j);
    case PatternKind::sparse: {
      const int r = std::min(place_[at(i)], place_[at(j)]);
      const int c = std::max(place_[at(i)], place_[at(j)]);
      const auto begin = row_index_.begin() + column_begin_[at(c)];
      const auto end = row_index_.begin() + column_begin_[at(c) + 1];
      const auto found = std::lower_bound(begin, end, r);
      assert(found != end && *found == r);
      return static_cast<int>(found - row_index_.begin());
    }
  }
  return -1;
}

std::vector<int> SymmetricPattern::block_slots(const std::vector<int>& indices) const {
  std::vector<int> slots;
  for (std::size_t r = 0; r < indices.size(); ++r)
    for (std::size_t c = 0; c <= r; ++c) slots.push_back(slot(indices[r], indices[c]));
  return slots;
}

std::vector<double> SymmetricPattern::row_lengths() const {
  std::vector<double> lengths(at(n_), 0.0);
  switch (kind_) {
    case PatternKind::dense:
      for (int i = 0; i < n_; ++i) lengths[at(i)] = i;
      break;
    case PatternKind::tree:
      for (int i = 0; i < n_; ++i) lengths[at(i)] = depth_[at(i)] - first_[at(i)];
      break;
    case PatternKind::lanes:
      for (int i = 0; i < n_; ++i) {
        const int r = lane_rows_->row_of[at(i)];
        lengths[at(i)] = r < 0 ? lane_rows_->lane_of[at(i)]
                               : static_cast<double>(lane_rows_->rows[at(r)].columns.size() +
                                                     lane_rows_->rows[at(r)].shared.size());
      }
      break;
    case PatternKind::sparse: {
      // row structures of the factor by the elimination tree of the renumbered matrix
      std::vector<std::set<int>> above(at(n_));
      for (int c = 0; c < n_; ++c)
        for (int k = column_begin_[at(c)]; k < column_begin_[at(c) + 1]; ++k)
          if (row_index_[at(k)] < c) above[at(row_index_[at(k)])].insert(c);
      for (int i = 0; i < n_; ++i) {
        lengths[at(i)] = static_cast<double>(above[at(i)].size());
        if (above[at(i)].empty()) continue;
        const int p = *above[at(i)].begin();
        for (const int j : above[at(i)])
          if (j > p) above[at(p)].insert(j);
      }
      break;
    }
  }
  return lengths;
}

double SymmetricPattern::factor_cost() const {
  double cost = 0.0;
  for (const double length : row_lengths()) cost += length * (length + 3.0) / 2.0;
  return cost;
}

double SymmetricPattern::factor_entries() const {
  double entries = 0.0;
  for (const double length : row_lengths()) entries += length;
  return entries;
}

std::vector<PatternEntry> SymmetricPattern::list_entries() const {
  // a matrix whose values are the numbers of its slots, counted from one, tells where they are
  std::vector<double> numbers(at(value_count_));
  for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] = static_cast<double>(k + 1);
  const Eigen::MatrixXd slot_at = to_dense(numbers.data());
  std::vector<PatternEntry> entries;
  for (int j = 0; j < n_; ++j)
    for (int i = j; i < n_; ++i)
      if (slot_at(i, j) > 0.0) entries.push_back({i, j, static_cast<int>(slot_at(i, j)) - 1});
  return entries;
}

Eigen::MatrixXd SymmetricPattern::to_dense(const double* values) const {
  Eigen::MatrixXd A(n_, n_);
  fill_dense(values, A);
  return A;
}

void SymmetricPattern::fill_dense(const double* values, Eigen::MatrixXd& A) const {
  A.setZero();
  const auto put = [&](int i, int j, double value) { A(i, j) = A(j, i) = value; };
  switch (kind_) {
    case PatternKind::dense:
      for (int j = 0; j < n_; ++j)
        for (int i = j; i < n_; ++i) put(i, j, values[j * n_ + i]);
      break;
    case PatternKind::tree:
      for (int i = 0; i < n_; ++i)
        for (int j = i; j >= 0 && depth_[at(j)] >= first_[at(i)]; j = parent_[at(j)])
          put(i, j, values[row_[at(i)] + depth_[at(j)]]);
      break;
    case PatternKind::lanes:
      for (int i = 0; i < n_; ++i) {
        const int r = lane_rows_->row_of[at(i)];
        const int lane = lane_rows_->lane_of[at(i)];
        if (r < 0) {
          for (int s = 0; s <= lane; ++s) {
            const int j = lane_rows_->shared[at(s)];
            put(i, j, values[slot(i, j)]);
          }
          continue;
        }
        const LaneRows::Row& row = lane_rows_->rows[at(r)];
        put(i, i, values[slot(i, i)]);
        for (const int c : row.columns) {
          const LaneRows::Row& other = lane_rows_->rows[at(c)];
          if (lane >= other.count) continue;
          put(i, other.index[at(lane)], values[slot(i, other.index[at(lane)])]);
        }
        for (const int s : row.shared) {
          const int j = lane_rows_->shared[at(s)];
          put(i, j, values[slot(i, j)]);
        }
      }
      break;
    case PatternKind::sparse:
      for (int c = 0; c < n_; ++c)
        for (int k = column_begin_[at(c)]; k < column_begin_[at(c) + 1]; ++k)
          put(order_[at(row_index_[at(k)])], order_[at(c)], values[k]);
      break;
  }
}

}  // namespace semirec
