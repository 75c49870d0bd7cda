#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>

#include "recursive/packs/pack_functions.hpp"

namespace semirec {

// What pack_functions.hpp has for packs, for one number: a law that is written with these holds for
// one car and for several side by side.

inline double select(bool where, double a, double b) { return where ? a : b; }
inline double smaller_of(double a, double b) { return std::min(a, b); }
inline double larger_of(double a, double b) { return std::max(a, b); }
inline double within(double x, double low, double high) { return std::clamp(x, low, high); }
inline double absolute(double x) { return std::abs(x); }
inline double square_root(double x) { return std::sqrt(x); }
inline bool anywhere(bool where) { return where; }
inline bool negated(bool where) { return !where; }

template <typename Mask>
Mask negated(const Mask& where) {
  return ~where;
}
/// What a comparison of such numbers gives.
template <typename Real>
using MaskOf = decltype(Real{} < Real{});

/// A number, or that of each lane, as Real: double or a pack.
template <typename Real>
Real as(double value) {
  if constexpr (std::same_as<Real, double>)
    return value;
  else
    return spread<Real>(value);
}
template <AnyPack P>
P as(const P& value) {
  return value;
}

}  // namespace semirec
