#pragma once

#include <cstddef>
#include <cstring>
#include <utility>

#include "recursive/packs/pack.hpp"

namespace semirec {

namespace packs {

/// Of packs a and b that stand kFar rows apart: a square of kFar numbers each way changes places
/// with that of the other, in every pair of them.
template <int kFar, OnePack P, int... kLane>
void trade_squares(P& a, P& b, std::integer_sequence<int, kLane...> /*lanes*/) {
  constexpr int kBoth = kLanesOf<P>;
  const P low =
      __builtin_shufflevector(a, b, ((kLane & kFar) == 0 ? kLane : kBoth + kLane - kFar)...);
  const P high =
      __builtin_shufflevector(a, b, ((kLane & kFar) == 0 ? kLane + kFar : kBoth + kLane)...);
  a = low;
  b = high;
}

template <int kFar, OnePack P>
void trade_all_squares(P* rows) {
  for (int k = 0; k < kLanesOf<P>; ++k)
    if ((k & kFar) == 0)
      trade_squares<kFar>(rows[k], rows[k + kFar], std::make_integer_sequence<int, kLanesOf<P>>{});
}

}  // namespace packs

/// As many packs as one has lanes: lane k of pack l becomes lane l of pack k.
template <OnePack P>
void transpose(P* rows) {
  packs::trade_all_squares<1>(rows);
  packs::trade_all_squares<2>(rows);
  if constexpr (kLanesOf<P> == 8) packs::trade_all_squares<4>(rows);
}

/// Numbers of cars that stand apart, from[lane][k], as packs of one number of all: to[k]. A lane
/// without numbers, nullptr, gets zeros.
template <OnePack P>
void gather_lanes(const double* const* from, std::size_t count, P* to) {
  constexpr int kCars = kLanesOf<P>;
  for (std::size_t k = 0; k < count; k += kCars) {
    const std::size_t here = count - k < kCars ? count - k : kCars;
    P rows[kCars];
    for (int l = 0; l < kCars; ++l) {
      rows[l] = P{};
      if (from[l] == nullptr) continue;
      if (here == kCars)
        std::memcpy(&rows[l], from[l] + k, sizeof(P));
      else
        std::memcpy(&rows[l], from[l] + k, here * sizeof(double));
    }
    transpose(rows);
    for (std::size_t i = 0; i < here; ++i) to[k + i] = rows[i];
  }
}

/// The way back.
template <OnePack P>
void scatter_lanes(const P* from, std::size_t count, double* const* to) {
  constexpr int kCars = kLanesOf<P>;
  for (std::size_t k = 0; k < count; k += kCars) {
    const std::size_t here = count - k < kCars ? count - k : kCars;
    P rows[kCars];
    for (std::size_t i = 0; i < kCars; ++i) rows[i] = i < here ? from[k + i] : P{};
    transpose(rows);
    for (int l = 0; l < kCars; ++l) {
      if (here == kCars)
        std::memcpy(to[l] + k, &rows[l], sizeof(P));
      else
        std::memcpy(to[l] + k, &rows[l], here * sizeof(double));
    }
  }
}

}  // namespace semirec
