#pragma once

#include <bit>
#include <cstring>

#include "recursive/packs/pack.hpp"

namespace semirec {

/// What a comparison of packs gives: all bits of a lane, or none.
template <AnyPack P>
using PackMaskOf = decltype(P{} < P{});

inline Pack broadcast(double value) { return Pack{value, value, value, value}; }
/// One bit for each lane where the comparison holds.
template <typename Mask>
unsigned bits_of(const Mask& mask) {
  unsigned bits = 0;
  for (unsigned l = 0; l < sizeof(Mask) / sizeof(double); ++l)
    bits |= static_cast<unsigned>(mask[l] & 1) << l;
  return bits;
}

template <AnyPack P>
inline const double* lanes_of(const P& pack) {
  return reinterpret_cast<const double*>(&pack);
}
template <AnyPack P>
inline double* lanes_of(P& pack) {
  return reinterpret_cast<double*>(&pack);
}

/// Four numbers in a row anywhere in memory: at addresses that are multiples of 8 only.
inline Pack load_loose(const double* from) {
  Pack value;
  std::memcpy(&value, from, sizeof(Pack));
  return value;
}
inline void store_loose(double* to, const Pack& value) { std::memcpy(to, &value, sizeof(Pack)); }

inline double sum_of(const Pack& v) { return (v[0] + v[1]) + (v[2] + v[3]); }

template <AnyPack P>
inline Pack3Of<P> operator+(const Pack3Of<P>& a, const Pack3Of<P>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <AnyPack P>
inline Pack3Of<P> operator-(const Pack3Of<P>& a, const Pack3Of<P>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <AnyPack P>
inline Pack3Of<P> operator*(const P& s, const Pack3Of<P>& a) {
  return {s * a.x, s * a.y, s * a.z};
}
template <AnyPack P>
inline Pack3Of<P>& operator+=(Pack3Of<P>& a, const Pack3Of<P>& b) {
  return a = a + b;
}
template <AnyPack P>
inline P dot(const Pack3Of<P>& a, const Pack3Of<P>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <AnyPack P>
inline Pack3Of<P> cross(const Pack3Of<P>& a, const Pack3Of<P>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

template <AnyPack P>
inline Pack3Of<P> operator*(const PackMatrix3Of<P>& A, const Pack3Of<P>& v) {
  return v.x * A.x + v.y * A.y + v.z * A.z;
}
template <AnyPack P>
inline PackMatrix3Of<P> operator*(const PackMatrix3Of<P>& A, const PackMatrix3Of<P>& B) {
  return {A * B.x, A * B.y, A * B.z};
}
/// A^T v.
template <AnyPack P>
inline Pack3Of<P> transposed_times(const PackMatrix3Of<P>& A, const Pack3Of<P>& v) {
  return {dot(A.x, v), dot(A.y, v), dot(A.z, v)};
}
template <AnyPack P>
inline Pack3Of<P> operator*(const PackSymmetric3Of<P>& J, const Pack3Of<P>& v) {
  return {J.xx * v.x + J.xy * v.y + J.xz * v.z, J.xy * v.x + J.yy * v.y + J.yz * v.z,
          J.xz * v.x + J.yz * v.y + J.zz * v.z};
}
template <AnyPack P>
inline PackSymmetric3Of<P>& operator+=(PackSymmetric3Of<P>& a, const PackSymmetric3Of<P>& b) {
  a.xx += b.xx;
  a.yy += b.yy;
  a.zz += b.zz;
  a.xy += b.xy;
  a.xz += b.xz;
  a.yz += b.yz;
  return a;
}

template <AnyPack P>
inline PackSixOf<P> operator+(const PackSixOf<P>& a, const PackSixOf<P>& b) {
  return {a.l + b.l, a.a + b.a};
}
template <AnyPack P>
inline PackSixOf<P> operator-(const PackSixOf<P>& a, const PackSixOf<P>& b) {
  return {a.l - b.l, a.a - b.a};
}
template <AnyPack P>
inline PackSixOf<P> operator*(const P& s, const PackSixOf<P>& a) {
  return {s * a.l, s * a.a};
}
template <AnyPack P>
inline PackSixOf<P>& operator+=(PackSixOf<P>& a, const PackSixOf<P>& b) {
  return a = a + b;
}
template <AnyPack P>
inline P dot(const PackSixOf<P>& a, const PackSixOf<P>& b) {
  return dot(a.l, b.l) + dot(a.a, b.a);
}

/// Rate of the motion vector b that moves with velocity V, as cross_motion() of spatial.hpp.
template <AnyPack P>
inline PackSixOf<P> cross_motion(const PackSixOf<P>& V, const PackSixOf<P>& b) {
  return {cross(V.a, b.l) + cross(V.l, b.a), cross(V.a, b.a)};
}

template <AnyPack P>
inline PackInertiaOf<P>& operator+=(PackInertiaOf<P>& a, const PackInertiaOf<P>& b) {
  a.ll += b.ll;
  a.la.x += b.la.x;
  a.la.y += b.la.y;
  a.la.z += b.la.z;
  a.aa += b.aa;
  return a;
}
template <AnyPack P>
inline PackSixOf<P> operator*(const PackInertiaOf<P>& M, const PackSixOf<P>& h) {
  return {M.ll * h.l + M.la * h.a, transposed_times(M.la, h.l) + M.aa * h.a};
}

/// 1.5 * 2^52: added to a number below 2^51 and taken away again, it leaves the nearest whole one.
inline constexpr double kToWhole = 6755399441055744.0;

/// Sine and cosine of angles of any size below 1e8, to two units in the last place: a quarter turn
/// is taken out in three parts, the rest goes into Taylor's series.
template <AnyPack P>
inline void sine_and_cosine(const P& angle, P& sine, P& cosine) {
  // pi/2 in parts whose products with whole numbers below 2^26 are exact
  constexpr double kPart1 = 0x1.921fb4p0;
  constexpr double kPart2 = 0x1.4442dp-24;
  constexpr double kPart3 = 0x1.8469898cc5170p-48;
  const P shifted = angle * 0.63661977236758134308 + kToWhole;
  const P turns = shifted - kToWhole;
  const P x = ((angle - turns * kPart1) - turns * kPart2) - turns * kPart3;
  const P x2 = x * x;
  const P s =
      x +
      x * x2 *
          (-1.0 / 6.0 +
           x2 * (1.0 / 120.0 + x2 * (-1.0 / 5040.0 +
                                     x2 * (1.0 / 362880.0 +
                                           x2 * (-1.0 / 39916800.0 +
                                                 x2 * (1.0 / 6227020800.0 +
                                                       x2 * (-1.0 / 1307674368000.0 +
                                                             x2 * (1.0 / 355687428096000.0))))))));
  const P c =
      1.0 +
      x2 * (-1.0 / 2.0 +
            x2 * (1.0 / 24.0 +
                  x2 * (-1.0 / 720.0 + x2 * (1.0 / 40320.0 +
                                             x2 * (-1.0 / 3628800.0 +
                                                   x2 * (1.0 / 479001600.0 +
                                                         x2 * (-1.0 / 87178291200.0 +
                                                               x2 * (1.0 / 20922789888000.0))))))));
  using Whole = PackMaskOf<P>;
  const Whole quarter = std::bit_cast<Whole>(shifted);  // its last bits
  const Whole odd = -(quarter & 1LL);                   // all bits where the two swap
  const P swapped_s = odd ? c : s;
  const P swapped_c = odd ? s : c;
  sine = (quarter & 2LL) != 0LL ? -swapped_s : swapped_s;
  cosine = ((quarter + 1LL) & 2LL) != 0LL ? -swapped_c : swapped_c;
}

}  // namespace semirec
