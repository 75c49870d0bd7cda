#include "penalty/loop_split.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>

#include "recursive/packs/pack_rows.hpp"
#include "topology/indices.hpp"

namespace semirec {

namespace {

constexpr double kLeastPivot = 1e-9;  // pivots below this part of the largest count as zero

/// Whether a pivot is one beside the largest.
bool is_pivot(double size, double largest) {
  return size > kLeastPivot * largest && size > kZeroRow;
}

int row_count(const LoopSplit& split) { return static_cast<int>(split.rows.size()); }
double* row_of(LoopSplit& split, int row) {
  return split.table.data() + at(row) * at(split.stride);
}

/// Without a call where rows are short.
void clear(double* to, int length) {
  if (length > 2 * kLanes) {
    std::fill_n(to, length, 0.0);
    return;
  }
  store_loose(to, Pack{});
  if (length == 2 * kLanes) store_loose(to + kLanes, Pack{});
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

void take_right(const Eigen::VectorXd& g, LoopSplit& split) {
  // in packs, as it is read
  const int count = row_count(split);
  for (int first = 0; first < count; first += kLanes) {
    const int* rows = split.rows.data() + first;
    Pack four{};
    if (first + kLanes <= count)
      four = Pack{g[rows[0]], g[rows[1]], g[rows[2]], g[rows[3]]};
    else
      for (int r = first; r < count; ++r) four[r - first] = g[rows[r - first]];
    store_loose(split.right.data() + first, four);
  }
}

/// Of Phi_d^-1 split.right.
double dependent_of(const LoopSplit::Pivot& pivot, LoopSplit& split) {
  const double* row = row_of(split, pivot.row) + split.width;
  const double* right = split.right.data();
  if (split.stride - split.width == kLanes) return sum_of(load_loose(row) * load_loose(right));
  return dot(row, right, split.stride - split.width);
}

/// The split of up to four rows with `packs` packs of columns, the same to the last bit as that of
/// more; its loops have no ends to look for.
template <int packs>
class SmallSplit {
 public:
  explicit SmallSplit(LoopSplit& split) : split_(split), table_(split.table.data()) { open_all(); }
  static bool serves(const LoopSplit& split) {
    return row_count(split) <= kLanes && split.width == packs * kLanes;
  }

  /// Of what gather() has put into the table.
  void find(const std::vector<double>& Phi_z) {
    const int count = std::min(row_count(split_), static_cast<int>(split_.columns.size()));
    // from step to step the pivots hardly ever change: looked for, one waits for the other
    if (static_cast<int>(split_.pivots.size()) == count && eliminate_as_before()) return take();
    open_all();
    gather(Phi_z);
    split_.pivots.clear();
    for (int found = 0; found < count; ++found) {
      double size = 0.0;
      const LoopSplit::Pivot pivot = find_largest(size);
      if (found == 0) split_.largest = size;
      if (!is_pivot(size, split_.largest)) break;
      eliminate(pivot);
      split_.pivots.push_back(pivot);
    }
    take();
  }

  void gather(const std::vector<double>& Phi_z) {
    // a loop would become a call
    [&]<int... k>(std::integer_sequence<int, k...>) {
      (store_loose(table_ + kLanes * k, Pack{}), ...);
    }
    (std::make_integer_sequence<int, kStride>{});
    const double* from = Phi_z.data();
    for (const LoopSplit::Entry& entry : split_.entries) table_[entry.to] = from[entry.from];
    for (int r = 0; r < kLanes; ++r) table_[r * kStride + packs * kLanes + r] = 1.0;
  }

 private:
  using Whole = long long __attribute__((vector_size(sizeof(Pack))));
  static constexpr int kStride = (packs + 1) * kLanes;

  void open_all() {
    constexpr long long kAllButSign = 0x7fffffffffffffffLL;
    open_.fill(Whole{kAllButSign, kAllButSign, kAllButSign, kAllButSign});
  }

  /// Eliminates with the pivots of the split before. False where one of them is not strictly the
  /// largest, so that what is found never depends on what was before.
  bool eliminate_as_before() {
    double largest = 0.0;
    bool good = true;
    Whole as_large{};  // minus the count of open entries >= their step's pivot, which counts itself
    for (std::size_t k = 0; k < split_.pivots.size(); ++k) {
      const LoopSplit::Pivot pivot = split_.pivots[k];
      const double size = std::abs(table_[pivot.row * kStride + pivot.column]);
      if (k == 0) largest = size;
      good = good && open_[at(pivot.row)][0] != 0 && is_pivot(size, largest);
      const Pack own = broadcast(size);
#pragma GCC unroll 4
      for (int r = 0; r < kLanes; ++r)
#pragma GCC unroll 4
        for (int c = 0; c < packs; ++c) {
          const Pack entries = load_loose(table_ + r * kStride + c * kLanes);
          as_large += std::bit_cast<Pack>(std::bit_cast<Whole>(entries) & open_[at(r)]) >= own;
        }
      eliminate(pivot);
    }
    split_.largest = largest;
    const long long count = -(as_large[0] + as_large[1] + as_large[2] + as_large[3]);
    return good && count == static_cast<long long>(split_.pivots.size());
  }

  /// What the elimination tells: free columns and R.
  void take() {
    std::uint32_t dependent = 0;
    for (const LoopSplit::Pivot& pivot : split_.pivots)
      dependent |= 1U << static_cast<unsigned>(pivot.column);
    split_.free.clear();
    double* R = split_.R.data();
    for (int c = 0; c < static_cast<int>(split_.columns.size()); ++c) {
      const bool is_free = (dependent >> static_cast<unsigned>(c) & 1U) == 0;
      split_.is_free[at(c)] = is_free ? 1 : 0;
      if (!is_free) continue;
      split_.free.push_back(c);
      for (int k = 0; k < packs; ++k) store_loose(R + kLanes * k, Pack{});
      R[c] = 1.0;
      for (const LoopSplit::Pivot& pivot : split_.pivots)
        R[pivot.column] = -table_[pivot.row * kStride + c];
      R += packs * kLanes;
    }
  }

  /// The largest of every fourth column in two rows, and its row.
  struct Largest {
    Pack size{}, row{};
  };
  Largest find_largest_of(int first) const {
    Largest found;
#pragma GCC unroll 2
    for (int r = first; r < first + 2; ++r)
#pragma GCC unroll 4
      for (int k = 0; k < packs; ++k) {
        const Pack entries = load_loose(table_ + r * kStride + k * kLanes);
        const Pack magnitude = std::bit_cast<Pack>(std::bit_cast<Whole>(entries) & open_[at(r)]);
        const auto larger = magnitude > found.size;
        found.size = larger ? magnitude : found.size;
        found.row = larger ? broadcast(r) : found.row;
      }
    return found;
  }

  LoopSplit::Pivot find_largest(double& size) const {
    const Largest upper = find_largest_of(0);
    const Largest lower = find_largest_of(2);
    const auto larger = lower.size > upper.size;
    const Pack largest = larger ? lower.size : upper.size;
    const Pack rows = larger ? lower.row : upper.row;
    const int left = largest[1] > largest[0] ? 1 : 0;
    const int right = largest[3] > largest[2] ? 3 : 2;
    const int best = largest[right] > largest[left] ? right : left;
    size = largest[best];
    LoopSplit::Pivot pivot{static_cast<int>(rows[best]), best};
    const double* row = table_ + pivot.row * kStride;
    for (int k = 1; k < packs && std::abs(row[pivot.column]) != size; ++k) pivot.column += kLanes;
    return pivot;
  }

  /// The pivot becomes 1, the rest of its column zero: by masks, as a number written into a row
  /// would hold up the next reading of the whole row.
  void eliminate(const LoopSplit::Pivot& pivot) {
    open_[at(pivot.row)] = Whole{};
    double* top = table_ + pivot.row * kStride;
    const Pack inverse = broadcast(1.0 / top[pivot.column]);
    std::array<Pack, packs + 1> scaled;
    std::array<Whole, packs + 1> others;  // all bits but for the pivot's column
    const Whole lanes{0, 1, 2, 3};
#pragma GCC unroll 4
    for (int k = 0; k <= packs; ++k) {
      scaled[at(k)] = inverse * load_loose(top + k * kLanes);
      others[at(k)] = lanes != static_cast<long long>(pivot.column - k * kLanes);
    }
#pragma GCC unroll 4
    for (int r = 0; r < kLanes; ++r) {
      double* row = table_ + r * kStride;
      const Pack factor = broadcast(row[pivot.column]);
#pragma GCC unroll 4
      for (int k = 0; k <= packs; ++k) {
        const Pack rest = load_loose(row + k * kLanes) - factor * scaled[at(k)];
        store_loose(row + k * kLanes,
                    std::bit_cast<Pack>(std::bit_cast<Whole>(rest) & others[at(k)]));
      }
    }
    for (int k = 0; k <= packs; ++k) store_loose(top + k * kLanes, scaled[at(k)]);
  }

  LoopSplit& split_;
  double* table_;
  std::array<Whole, kLanes>
      open_;  ///< [row] what magnitudes are masked by: zero once it has a pivot
};

}  // namespace

LoopSplit::LoopSplit(const LoopGroup& group, const std::vector<RowBlock>& blocks)
    : columns(group.columns),
      rows(group.rows),
      width(whole_packs(static_cast<int>(columns.size()))),
      stride(width + whole_packs(static_cast<int>(rows.size()))),
      R(columns.size() * at(width)),
      table(std::max(rows.size(), at(kLanes)) * at(stride)),
      is_free(columns.size()),
      is_used(rows.size()),
      was_free(columns.size()),
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
  last_pivots.reserve(rows.size());
  free.reserve(columns.size());
}

void fill_table(const std::vector<double>& Phi_z, LoopSplit& split) {
  if (SmallSplit<2>::serves(split)) return SmallSplit<2>(split).gather(Phi_z);
  if (SmallSplit<1>::serves(split)) return SmallSplit<1>(split).gather(Phi_z);
  gather(Phi_z, split);
  for (int r = 0; r < row_count(split); ++r) row_of(split, r)[split.width + r] = 1.0;
}

void split_by_pivots(const std::vector<double>& Phi_z, LoopSplit& split) {
  if (SmallSplit<2>::serves(split)) return SmallSplit<2>(split).find(Phi_z);
  if (SmallSplit<1>::serves(split)) return SmallSplit<1>(split).find(Phi_z);
  const int columns = static_cast<int>(split.columns.size());
  std::fill(split.is_free.begin(), split.is_free.end(), 1);
  split.pivots.clear();
  for (int k = 0; k < std::min(row_count(split), columns); ++k) {
    double size = 0.0;
    const LoopSplit::Pivot pivot = find_largest(split, size);
    if (k == 0) split.largest = size;
    if (pivot.row < 0 || !is_pivot(size, split.largest)) break;
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
  take_right(g, split);
  clear(x, split.width);
  for (const LoopSplit::Pivot& pivot : split.pivots) x[pivot.column] = dependent_of(pivot, split);
}

void find_multipliers(const double* load, LoopSplit& split, Eigen::VectorXd& multipliers) {
  const int width = split.stride - split.width;
  if (width == kLanes) {
    Pack sum{};
    for (const LoopSplit::Pivot& pivot : split.pivots)
      sum += broadcast(*load++) * load_loose(row_of(split, pivot.row) + split.width);
    store_loose(split.right.data(), sum);
  } else {
    clear(split.right.data(), width);
    for (const LoopSplit::Pivot& pivot : split.pivots)
      add_scaled(split.right.data(), *load++, row_of(split, pivot.row) + split.width, width);
  }
  for (std::size_t r = 0; r < split.rows.size(); ++r) multipliers[split.rows[r]] = split.right[r];
}

namespace {

/// The pivots' columns eliminated, their rows chosen anew.
bool move_by_columns(const std::vector<double>& Phi_z, const Eigen::VectorXd& error,
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
    if (!is_pivot(size, split.largest)) return false;
    eliminate(split, pivot, split.width + kLanes);
  }
  for (const LoopSplit::Pivot& pivot : split.pivots)
    z[split.columns[at(pivot.column)]] -= row_of(split, pivot.row)[split.width];
  return true;
}

}  // namespace

bool move_dependent(const std::vector<double>& Phi_z, const Eigen::VectorXd& error,
                    LoopSplit& split, bool& is_split, Eigen::VectorXd& z) {
  split.was_free = split.is_free;
  split.last_pivots = split.pivots;
  const double largest = split.largest;
  split_by_pivots(Phi_z, split);
  is_split = split.is_free == split.was_free;
  if (!is_split) {
    split.pivots = split.last_pivots;
    split.largest = largest;
    if (move_by_columns(Phi_z, error, split, z)) return true;
    split.pivots.clear();  // some are of the old rows: the next split is to begin with none
    return false;
  }
  take_right(error, split);
  for (const LoopSplit::Pivot& pivot : split.pivots)
    z[split.columns[at(pivot.column)]] -= dependent_of(pivot, split);
  return true;
}

}  // namespace semirec
