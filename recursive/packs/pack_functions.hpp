#pragma once

#include <bit>
#include <numbers>

#include <Eigen/Core>

#include "recursive/packs/pack_math.hpp"

namespace semirec {

using PackMask = PackMaskOf<Pack>;

template <AnyPack P>
inline P select(const PackMaskOf<P>& where, const P& a, const P& b) {
  return where ? a : b;
}
template <AnyPack P>
inline P smaller_of(const P& a, const P& b) {
  return a < b ? a : b;
}
template <AnyPack P>
inline P larger_of(const P& a, const P& b) {
  return a > b ? a : b;
}
template <AnyPack P>
inline P within(const P& x, const P& low, const P& high) {
  return smaller_of(larger_of(x, low), high);
}
template <AnyPack P>
inline P smaller_of(const P& a, double b) {
  return smaller_of(a, spread<P>(b));
}
template <AnyPack P>
inline P larger_of(const P& a, double b) {
  return larger_of(a, spread<P>(b));
}
template <AnyPack P>
inline P within(const P& x, double low, double high) {
  return within(x, spread<P>(low), spread<P>(high));
}
/// |x|
template <AnyPack P>
inline P absolute(const P& x) {
  return std::bit_cast<P>(std::bit_cast<PackMaskOf<P>>(x) & 0x7fffffffffffffffLL);
}
/// x with the sign of `sign`; x not below zero.
template <AnyPack P>
inline P with_sign(const P& x, const P& sign) {
  return std::bit_cast<P>(std::bit_cast<PackMaskOf<P>>(x) |
                          (std::bit_cast<PackMaskOf<P>>(sign) & ~0x7fffffffffffffffLL));
}

/// A function that is known for one number only.
template <typename Function>
Pack lane_by_lane(const Pack& x, const Function& function) {
  return Pack{function(x[0]), function(x[1]), function(x[2]), function(x[3])};
}

/// A function that Eigen has for arrays.
template <AnyPack P, typename Function>
P as_array(const P& x, const Function& function) {
  using Array = Eigen::Array<double, kLanesOf<P>, 1>;
  P result;
  Eigen::Map<Array, Eigen::Aligned32>(lanes_of(result)) =
      function(Eigen::Map<const Array, Eigen::Aligned32>(lanes_of(x)));
  return result;
}
template <AnyPack P>
inline P square_root(const P& x) {
  return as_array(x, [](const auto& a) { return a.sqrt(); });
}
template <AnyPack P>
inline P exponential(const P& x) {
  return as_array(x, [](const auto& a) { return a.exp(); });
}
template <AnyPack P>
inline P logarithm(const P& x) {
  return as_array(x, [](const auto& a) { return a.log(); });
}

/// Arc tangent of any number, to two units in the last place.
///   atan(x) = pi/4 + atan((x - 1)/(x + 1)) = pi/2 + atan(-1/x)
/// leaves |y| <= tan(pi/8), where a polynomial of degree 10 in y^2 is nearest to atan(y)/y by
/// Chebyshev's measure.
inline Pack arc_tangent(const Pack& x) {
  using std::numbers::pi;
  constexpr double kLow = 0.41421356237309503;           // tan(pi/8)
  constexpr double kHigh = 2.4142135623730949;           // tan(3 pi/8)
  constexpr double kHalfPiRest = 0x1.1a62633145c07p-54;  // pi/2 less its double
  const Pack size = absolute(x);
  const PackMask high = size > kHigh;
  const PackMask middle = size > kLow;
  const Pack one = broadcast(1.0);
  const Pack zero{};
  const Pack above = select(high, -one, select(middle, size - 1.0, size));
  const Pack below = select(high, size, select(middle, size + 1.0, one));
  const Pack turned = select(high, broadcast(pi / 2), select(middle, broadcast(pi / 4), zero));
  const Pack rest = turned * (kHalfPiRest / (pi / 2));
  const Pack y = above / below;
  const Pack z = y * y;
  const Pack z2 = z * z;
  const Pack z4 = z2 * z2;
  // in pairs: they wait less for one another
  const Pack part0 = (-0.3333333333333333 + z * 0.1999999999999552) +
                     z2 * (-0.14285714284666542 + z * 0.11111111015256361);
  const Pack part4 = (-0.09090904578123903 + z * 0.07692183190826087) +
                     z2 * (-0.06664511447381948 + z * 0.0585814891280221);
  const Pack part8 = (-0.0508544973794026 + z * 0.03923165829558719) + z2 * -0.01917688711906226;
  const Pack series = part0 + z4 * (part4 + z4 * part8);
  return with_sign(turned + (y + (y * (z * series) + rest)), x);
}

}  // namespace semirec
