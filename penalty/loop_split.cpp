#include "penalty/loop_split.hpp"

#include <algorithm>
#include <cmath>

#include "recursive/packs/pack_rows.hpp"
#include "topology/indices.hpp"

namespace semirec {

namespace {

constexpr double kLeastPivot = 1e-9;  // pivots below this part of the largest count as zero

int row_count(const LoopSplit& split) { return static_cast<int>(split.rows.size()); }
double* row_of(LoopSplit& split, int row) {
  return split.table.data() + at(row) * at(split.stride);
}

void gather(const std::vector<double>& Phi_z, LoopSplit& split) {
  std::fill(split.table.begin(), split.table.end(), 0.0);
  std::fill(split.is_used.begin(), split.is_used.end(), 0);
  double* table = split.table.data();
  const double* from = Phi_z.data();
  for (const LoopSplit::Entry& entry : split.entries) table[entry.to] = from[entry.from];
}

/// Of the rows that have not given a pivot and all columns: those with a pivot are zero there. Row
/// -1 where everything is.
LoopSplit::Pivot find_largest(const LoopSplit& split, double& size) {
  const double* row = split.table.data();
  const int* used = split.is_used.data();
  const int width = split.width;
  // the largest of every fourth column and its row, then the largest of these
  Pack largest{};
  Pack rows{};
  for (int r = 0; r < row_count(split); ++r, row += split.stride) {
    if (used[r] != 0) continue;
    const Pack own = broadcast(r);
    for (int c = 0; c < width; c += kLanes) {
      const Pack magnitude = magnitude_of(load_loose(row + c));
      const auto larger = magnitude > largest;
      largest = larger ? magnitude : largest;
      rows = larger ? own : rows;
    }
  }
  int best = 0;
  for (int l = 1; l < kLanes; ++l)
    if (largest[l] > largest[best]) best = l;
  size = largest[best];
  if (!(size > 0.0)) return {-1, 0};
  LoopSplit::Pivot pivot{static_cast<int>(rows[best]), best};
  row = split.table.data() + at(pivot.row) * at(split.stride);
  while (std::abs(row[pivot.column]) != size) pivot.column += kLanes;
  return pivot;
}

/// The pivot becomes 1, the rest of its column zero, in the first `packs` packs of the rows.
template <int packs>
void eliminate_in(LoopSplit& split, const LoopSplit::Pivot& pivot) {
  const std::ptrdiff_t stride = split.stride;
  const int column = pivot.column;
  const double* end = split.table.data() + stride * row_count(split);
  double* top = row_of(split, pivot.row);
  const Pack inverse = broadcast(1.0 / top[column]);
  for (int k = 0; k < packs; ++k)
    store_loose(top + kLanes * k, inverse * load_loose(top + kLanes * k));
  for (double* row = split.table.data(); row != end; row += stride) {
    if (row == top) continue;
    const Pack factor = broadcast(row[column]);
    for (int k = 0; k < packs; ++k)
      store_loose(row + kLanes * k,
                  load_loose(row + kLanes * k) - factor * load_loose(top + kLanes * k));
    row[column] = 0.0;
  }
}

void eliminate(LoopSplit& split, const LoopSplit::Pivot& pivot, int length) {
  split.is_used[at(pivot.row)] = 1;
  switch (length / kLanes) {
    case 2:
      return eliminate_in<2>(split, pivot);
    case 3:
      return eliminate_in<3>(split, pivot);
    case 4:
      return eliminate_in<4>(split, pivot);
    default:
      break;
  }
  double* own = row_of(split, pivot.row);
  const Pack inverse = broadcast(1.0 / own[pivot.column]);
  for (int k = 0; k < length; k += kLanes) store_loose(own + k, inverse * load_loose(own + k));
  for (int r = 0; r < row_count(split); ++r) {
    double* row = row_of(split, r);
    const double factor = row[pivot.column];
    if (r == pivot.row || factor == 0.0) continue;
    add_scaled(row, -factor, own, length);
    row[pivot.column] = 0.0;
  }
}

}  // namespace

LoopSplit::LoopSplit(const LoopGroup& group, const std::vector<RowBlock>& blocks)
    : columns(group.columns),
      rows(group.rows),
      width(whole_packs(static_cast<int>(columns.size()))),
      stride(width + whole_packs(static_cast<int>(rows.size()))),
      R(columns.size() * at(width)),
      table(rows.size() * at(stride)),
      is_free(columns.size()),
      is_used(rows.size()),
      right(at(stride - width)) {
  int row = 0;
  for (const int b : group.blocks) {
    const RowBlock& block = blocks[at(b)];
    int from = block.jacobian;
    for (int r = 0; r < block.rows; ++r, ++row)
      for (const int column : block.columns) {
        const auto place = std::lower_bound(columns.begin(), columns.end(), column);
        entries.push_back({from, row * stride + static_cast<int>(place - columns.begin())});
        from += block.stride;
      }
  }
  pivots.reserve(rows.size());
  free.reserve(columns.size());
}

void split_by_pivots(const std::vector<double>& Phi_z, LoopSplit& split) {
  gather(Phi_z, split);
  for (int r = 0; r < row_count(split); ++r) row_of(split, r)[split.width + r] = 1.0;
  const int columns = static_cast<int>(split.columns.size());
  std::fill(split.is_free.begin(), split.is_free.end(), 1);
  split.pivots.clear();
  for (int k = 0; k < std::min(row_count(split), columns); ++k) {
    double size = 0.0;
    const LoopSplit::Pivot pivot = find_largest(split, size);
    if (k == 0) split.largest = size;
    if (pivot.row < 0 || size <= kLeastPivot * split.largest) break;
    eliminate(split, pivot, split.stride);
    split.is_free[at(pivot.column)] = 0;
    split.pivots.push_back(pivot);
  }
  split.free.clear();
  double* R = split.R.data();
  for (int c = 0; c < columns; ++c) {
    if (split.is_free[at(c)] == 0) continue;
    split.free.push_back(c);
    std::fill_n(R, split.width, 0.0);
    R[c] = 1.0;
    for (const LoopSplit::Pivot& pivot : split.pivots)
      R[pivot.column] = -row_of(split, pivot.row)[c];
    R += split.width;
  }
}

void find_dependent(const Eigen::VectorXd& g, LoopSplit& split, double* x) {
  for (std::size_t r = 0; r < split.rows.size(); ++r) split.right[r] = g[split.rows[r]];
  std::fill_n(x, split.width, 0.0);
  for (const LoopSplit::Pivot& pivot : split.pivots)
    x[pivot.column] =
        dot(row_of(split, pivot.row) + split.width, split.right.data(), split.stride - split.width);
}

void find_multipliers(const double* load, LoopSplit& split, Eigen::VectorXd& multipliers) {
  std::fill(split.right.begin(), split.right.end(), 0.0);
  for (const LoopSplit::Pivot& pivot : split.pivots)
    add_scaled(split.right.data(), *load++, row_of(split, pivot.row) + split.width,
               split.stride - split.width);
  for (std::size_t r = 0; r < split.rows.size(); ++r) multipliers[split.rows[r]] = split.right[r];
}

bool move_dependent(const std::vector<double>& Phi_z, const Eigen::VectorXd& error,
                    LoopSplit& split, Eigen::VectorXd& z) {
  gather(Phi_z, split);
  for (int r = 0; r < row_count(split); ++r)
    row_of(split, r)[split.width] = error[split.rows[at(r)]];
  // the same columns; their rows anew
  const int* used = split.is_used.data();
  for (LoopSplit::Pivot& pivot : split.pivots) {
    double size = 0.0;
    const double* entry = split.table.data() + pivot.column;
    for (int r = 0; r < row_count(split); ++r, entry += split.stride) {
      if (used[r] != 0 || !(std::abs(*entry) > size)) continue;
      size = std::abs(*entry);
      pivot.row = r;
    }
    if (!(size > kLeastPivot * split.largest)) return false;
    eliminate(split, pivot, split.width + kLanes);
  }
  for (const LoopSplit::Pivot& pivot : split.pivots)
    z[split.columns[at(pivot.column)]] -= row_of(split, pivot.row)[split.width];
  return true;
}

}  // namespace semirec
