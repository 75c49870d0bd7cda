#include <algorithm>
#include <cstring>
#include <type_traits>

#include "penalty/factors/tangent_solver.hpp"
#include "recursive/packs/pack_math.hpp"
#include "topology/indices.hpp"

namespace semirec {

namespace {

bool is_pivot(double d) { return d > 0.0 && d < 1e300; }

/// Calls f with the number, as one that the compiler knows where it is that of a body that floats
/// with up to six coordinates more: loops over it have no loop left then.
template <std::size_t kSize = 6, typename Function>
auto with_size(std::size_t size, Function f) {
  if constexpr (kSize <= 12) {
    if (size == kSize) return f(std::integral_constant<std::size_t, kSize>{});
    return with_size<kSize + 1>(size, f);
  } else {
    return f(size);
  }
}

/// L D L^T of a triangle by rows, from the last row on; L takes its place.
template <typename Size>
bool factor_triangle(Size size, double* triangle, double* inverse_pivots) {
  bool good = true;
#pragma GCC unroll 12
  for (std::size_t i = size; i-- > 0;) {
    double* row = triangle + i * (i + 1) / 2;
    good = good && is_pivot(row[i]);
    const double inverse = 1.0 / row[i];
    inverse_pivots[i] = inverse;
#pragma GCC unroll 12
    for (std::size_t j = i; j-- > 0;) {
      const double factor = row[j] * inverse;
      double* to = triangle + j * (j + 1) / 2;
#pragma GCC unroll 12
      for (std::size_t k = 0; k <= j; ++k) to[k] -= factor * row[k];
      row[j] = factor;
    }
  }
  return good;
}

template <typename Size>
void solve_triangle(Size size, const double* triangle, const double* inverse_pivots, double* y) {
#pragma GCC unroll 12
  for (std::size_t i = size; i-- > 0;) {
    const double* row = triangle + i * (i + 1) / 2;
#pragma GCC unroll 12
    for (std::size_t j = 0; j < i; ++j) y[j] -= row[j] * y[i];
    y[i] *= inverse_pivots[i];
  }
#pragma GCC unroll 12
  for (std::size_t i = 0; i < size; ++i) {
    const double* row = triangle + i * (i + 1) / 2;
#pragma GCC unroll 12
    for (std::size_t j = 0; j < i; ++j) y[i] -= row[j] * y[j];
  }
}

}  // namespace

LaneFactor::LaneFactor(const SymmetricPattern& pattern)
    : rows_(pattern.lane_rows()),
      values_(at(rows_.packs)),
      inverse_pivot_(rows_.rows.size()),
      schur_(rows_.shared.size() * (rows_.shared.size() + 1) / 2),
      shared_pivot_(rows_.shared.size()),
      taken_(schur_.size()),
      x_(rows_.rows.size()),
      x_shared_(rows_.shared.size()),
      sum_(rows_.shared.size()) {
  for (const LaneRows::Row& row : rows_.rows)
    for (const int high : row.shared)
      for (const int low : row.shared)
        if (low <= high) taken_from_.push_back(high * (high + 1) / 2 + low);
  std::sort(taken_from_.begin(), taken_from_.end());
  taken_from_.erase(std::unique(taken_from_.begin(), taken_from_.end()), taken_from_.end());
}

bool LaneFactor::factor(const double* values) {
  std::memcpy(values_.data(), values, values_.size() * sizeof(Pack));
  std::copy_n(values + at(kLanes * rows_.packs), schur_.size(), schur_.data());
  for (const int k : taken_from_) taken_[at(k)] = Pack{};
  Pack* v = values_.data();
  using Mask = decltype(Pack{} > 0.0);
  Mask bad{};
  for (std::size_t r = rows_.rows.size(); r-- > 0;) {
    const LaneRows::Row& row = rows_.rows[r];
    Pack* own = v + row.begin;
    const std::size_t width = row.columns.size();
    Pack pivot = own[width];
    for (int l = row.count; l < kLanes; ++l) pivot[l] = 1.0;
    bad |= ~(pivot > 0.0) | ~(pivot < 1e300);
    const Pack inverse = 1.0 / pivot;
    inverse_pivot_[r] = inverse;
    const Pack* shared = own + width + 1;
    const std::size_t shared_width = row.shared.size();
    const int* target = row.targets.data();
    for (std::size_t a = 0; a < width; ++a) {
      const Pack factor = own[a] * inverse;
      for (std::size_t b = 0; b <= a; ++b) v[*target++] -= factor * own[b];
      for (std::size_t s = 0; s < shared_width; ++s) v[*target++] -= factor * shared[s];
    }
    // the products take the entries themselves: they become those of L now
    for (std::size_t a = 0; a < width; ++a) own[a] *= inverse;
    // what the shared columns take from the lanes
    for (std::size_t s = 0; s < shared_width; ++s) {
      const Pack factor = shared[s] * inverse;
      const int high = row.shared[s];
      Pack* to = taken_.data() + high * (high + 1) / 2;
      for (std::size_t t = 0; t <= s; ++t) to[row.shared[t]] += factor * shared[t];
    }
    for (std::size_t s = 0; s < shared_width; ++s) own[width + 1 + s] *= inverse;
  }
  for (const int k : taken_from_) schur_[at(k)] -= sum_of(taken_[at(k)]);
  return (bad[0] | bad[1] | bad[2] | bad[3]) == 0 &&
         with_size(shared_pivot_.size(), [&](auto size) {
           return factor_triangle(size, schur_.data(), shared_pivot_.data());
         });
}

void LaneFactor::solve(double* x) const {
  const Pack* v = values_.data();
  const std::size_t count = rows_.rows.size();
  for (std::size_t r = 0; r < count; ++r) {
    const auto& index = rows_.rows[r].index;
    x_[r] = Pack{x[index[0]], x[index[1]], x[index[2]], x[index[3]]};
  }
  std::fill(sum_.begin(), sum_.end(), Pack{});
  for (std::size_t r = count; r-- > 0;) {
    const LaneRows::Row& row = rows_.rows[r];
    const Pack* own = v + row.begin;
    const Pack x_r = x_[r];
    for (const int c : row.columns) x_[at(c)] -= *own++ * x_r;
    ++own;
    for (const int s : row.shared) sum_[at(s)] += *own++ * x_r;
    x_[r] = x_r * inverse_pivot_[r];
  }
  solve_shared(x);
  for (std::size_t r = 0; r < count; ++r) {
    const LaneRows::Row& row = rows_.rows[r];
    const Pack* own = v + row.begin;
    Pack x_r = x_[r];
    for (const int c : row.columns) x_r -= *own++ * x_[at(c)];
    ++own;
    for (const int s : row.shared) x_r -= *own++ * x_shared_[at(s)];
    x_[r] = x_r;
    for (int l = 0; l < row.count; ++l) x[row.index[at(l)]] = x_r[l];
  }
}

void LaneFactor::solve_shared(double* x) const {
  const std::size_t size = shared_pivot_.size();
  double* y = x_shared_.data();
  for (std::size_t s = 0; s < size; ++s) y[s] = x[rows_.shared[s]] - sum_of(sum_[s]);
  with_size(size,
            [&](auto known) { solve_triangle(known, schur_.data(), shared_pivot_.data(), y); });
  for (std::size_t s = 0; s < size; ++s) x[rows_.shared[s]] = y[s];
}

}  // namespace semirec
