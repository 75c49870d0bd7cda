#pragma once

#include <algorithm>
#include <vector>

#include "recursive/packs/pack_math.hpp"
#include "recursive/symmetric_pattern.hpp"
#include "topology/indices.hpp"

namespace semirec {

/// Lanes, one bit each, whose pivot is positive and finite.
inline unsigned good_pivots(double pivot) { return pivot > 0.0 && pivot < 1e300 ? 1U : 0U; }
template <AnyPack P>
unsigned good_pivots(const P& pivot) {
  unsigned good = 0;
  for (int l = 0; l < kLanesOf<P>; ++l) good |= good_pivots(pivot[l]) << static_cast<unsigned>(l);
  return good;
}

/// LDL^T of a matrix stored along its elimination tree, eliminated from the tips to the base: no
/// fill, every inner loop runs over one contiguous row. `Number`: double, or a pack of cars side by
/// side, whose matrices are eliminated together.
template <typename Number>
class TreeFactorOf {
 public:
  explicit TreeFactorOf(const SymmetricPattern& pattern)
      : pattern_(pattern), values_(at(pattern.value_count())), inverse_pivot_(at(pattern.size())) {}

  /// False where the matrix is not positive definite, of one of the cars at least: bad_lanes().
  [[nodiscard]] bool factor(const Number* values) {
    std::copy_n(values, values_.size(), values_.data());
    const int* parent = pattern_.parent().data();
    const int* depth = pattern_.depth().data();
    const int* first = pattern_.first().data();
    const int* row = pattern_.row().data();
    Number* v = values_.data();
    unsigned good = kAll;
    for (int i = pattern_.size() - 1; i >= 0; --i) {
      Number* row_i = v + row[i];
      const Number pivot = row_i[depth[i]];
      good &= good_pivots(pivot);
      if (good == 0) break;
      const Number inverse = 1.0 / pivot;
      inverse_pivot_[at(i)] = inverse;
      const int begin = first[i];
      // each ancestor takes its part of the outer product; the entry itself becomes that of L
      for (int j = parent[i], d = depth[i] - 1; d >= begin; j = parent[j], --d) {
        const Number factor = row_i[d] * inverse;
        Number* row_j = v + row[j];
        for (int e = begin; e <= d; ++e) row_j[e] -= factor * row_i[e];
        row_i[d] = factor;
      }
    }
    bad_ = kAll & ~good;
    return bad_ == 0;
  }

  /// x = A^-1 x.
  void solve(Number* x) const {
    const int* parent = pattern_.parent().data();
    const int* depth = pattern_.depth().data();
    const int* first = pattern_.first().data();
    const int* row = pattern_.row().data();
    const Number* v = values_.data();
    const int n = pattern_.size();
    for (int i = n - 1; i >= 0; --i) {
      const Number* row_i = v + row[i];
      const Number x_i = x[i];
      for (int j = parent[i], d = depth[i] - 1; d >= first[i]; j = parent[j], --d)
        x[j] -= row_i[d] * x_i;
      x[i] = x_i * inverse_pivot_[at(i)];
    }
    for (int i = 0; i < n; ++i) {
      const Number* row_i = v + row[i];
      Number x_i = x[i];
      for (int j = parent[i], d = depth[i] - 1; d >= first[i]; j = parent[j], --d)
        x_i -= row_i[d] * x[j];
      x[i] = x_i;
    }
  }

  /// Cars, one bit each, whose matrix the last factor() has refused.
  unsigned bad_lanes() const { return bad_; }

 private:
  static constexpr unsigned kAll = (1U << (sizeof(Number) / sizeof(double))) - 1U;

  SymmetricPattern pattern_;
  std::vector<Number> values_;
  std::vector<Number> inverse_pivot_;
  unsigned bad_ = 0;
};

}  // namespace semirec
