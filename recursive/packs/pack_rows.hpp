#pragma once

#include <bit>

#include "recursive/packs/pack_math.hpp"

namespace semirec {

// Rows of numbers in whole packs: lengths are multiples of kLanes, what is behind the row's own
// numbers is zero or does not matter.

/// The least multiple of kLanes that is not below size.
constexpr int whole_packs(int size) { return (size + kLanes - 1) / kLanes * kLanes; }

/// Absolute values.
inline Pack magnitude_of(const Pack& v) {
  using Whole = long long __attribute__((vector_size(32)));
  return std::bit_cast<Pack>(std::bit_cast<Whole>(v) & 0x7fffffffffffffffLL);
}

/// to += factor from.
inline void add_scaled(double* to, double factor, const double* from, int length) {
  const Pack f = broadcast(factor);
  const auto add = [&](int k) {
    store_loose(to + k, load_loose(to + k) + f * load_loose(from + k));
  };
  // without a loop where rows are short
  if (length == 2 * kLanes) {
    add(0);
    add(kLanes);
    return;
  }
  for (int k = 0; k < length; k += kLanes) add(k);
}

inline double dot(const double* a, const double* b, int length) {
  const auto product = [&](int k) { return load_loose(a + k) * load_loose(b + k); };
  if (length == 2 * kLanes) return sum_of(product(0) + product(kLanes));
  // two sums that do not wait for one another
  Pack even{};
  Pack odd{};
  int k = 0;
  for (; k + kLanes < length; k += 2 * kLanes) {
    even += product(k);
    odd += product(k + kLanes);
  }
  if (k < length) even += product(k);
  return sum_of(even + odd);
}

}  // namespace semirec
