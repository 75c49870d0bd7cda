#pragma once

#include <bit>
#include <numbers>
#include <vector>

#include <Eigen/Core>

#if defined(__AVX__)
#include <immintrin.h>
#endif

#include "recursive/packs/pack_math.hpp"

namespace semirec {

using PackMask = PackMaskOf<Pack>;

/// True in the lanes of these bits.
template <AnyPack P>
inline PackMaskOf<P> lanes_where(unsigned bits) {
  PackMaskOf<P> mask{};
  for (int l = 0; l < kLanesOf<P>; ++l)
    mask[l] = (bits >> static_cast<unsigned>(l) & 1U) != 0 ? -1 : 0;
  return mask;
}

template <AnyPack P>
inline P select(const PackMaskOf<P>& where, const P& a, const P& b) {
  return where ? a : b;
}
/// These lanes of all packs; as many packs in both.
template <AnyPack P>
void copy_lanes(const PackMaskOf<P>& lanes, const std::vector<P>& from, std::vector<P>& to) {
  for (std::size_t k = 0; k < to.size(); ++k) to[k] = select(lanes, from[k], to[k]);
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
template <AnyPack P, typename Function>
P lane_by_lane(const P& x, const Function& function) {
  P result;
  for (int l = 0; l < kLanesOf<P>; ++l) result[l] = function(x[l]);
  return result;
}
/// Whether the comparison holds in a lane at least.
template <typename Mask>
inline bool anywhere(const Mask& mask) {
#if defined(__AVX512DQ__)
  if constexpr (sizeof(Mask) == sizeof(WidePack))
    return _mm512_movepi64_mask(std::bit_cast<__m512i>(mask)) != 0;
#endif
#if defined(__AVX__)
  if constexpr (sizeof(Mask) == sizeof(Pack))
    return _mm256_movemask_pd(std::bit_cast<__m256d>(mask)) != 0;
#endif
  return bits_of(mask) != 0;
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
template <AnyPack P>
inline P arc_tangent(const P& x) {
  using std::numbers::pi;
  constexpr double kLow = 0.41421356237309503;           // tan(pi/8)
  constexpr double kHigh = 2.4142135623730949;           // tan(3 pi/8)
  constexpr double kHalfPiRest = 0x1.1a62633145c07p-54;  // pi/2 less its double
  const P size = absolute(x);
  const PackMaskOf<P> high = size > kHigh;
  const PackMaskOf<P> middle = size > kLow;
  const P one = spread<P>(1.0);
  const P zero{};
  const P above = select(high, -one, select(middle, size - 1.0, size));
  const P below = select(high, size, select(middle, size + 1.0, one));
  const P turned = select(high, spread<P>(pi / 2), select(middle, spread<P>(pi / 4), zero));
  const P rest = turned * (kHalfPiRest / (pi / 2));
  const P y = above / below;
  const P z = y * y;
  const P z2 = z * z;
  const P z4 = z2 * z2;
  // in pairs: they wait less for one another
  const P part0 = (-0.3333333333333333 + z * 0.1999999999999552) +
                  z2 * (-0.14285714284666542 + z * 0.11111111015256361);
  const P part4 = (-0.09090904578123903 + z * 0.07692183190826087) +
                  z2 * (-0.06664511447381948 + z * 0.0585814891280221);
  const P part8 = (-0.0508544973794026 + z * 0.03923165829558719) + z2 * -0.01917688711906226;
  const P series = part0 + z4 * (part4 + z4 * part8);
  return with_sign(turned + (y + (y * (z * series) + rest)), x);
}

/// Angle of the point (x, y), from -pi to pi; 0 for the origin.
template <AnyPack P>
inline P arc_tangent_2(const P& y, const P& x) {
  const P none{};
  const P across = absolute(y);
  const P angle = arc_tangent(across / absolute(x));
  const P turned = select(x < none, std::numbers::pi - angle, angle);
  return with_sign(select((across == none) & (x == none), none, turned), y);
}
/// Arc sine of numbers between -1 and 1.
template <AnyPack P>
inline P arc_sine(const P& x) {
  return arc_tangent(x / square_root((1.0 - x) * (1.0 + x)));
}

}  // namespace semirec
