#pragma once

#include <bit>
#include <cstring>

#include "recursive/packs/pack.hpp"

namespace semirec {

inline Pack broadcast(double value) { return Pack{value, value, value, value}; }
inline const double* lanes_of(const Pack& pack) { return reinterpret_cast<const double*>(&pack); }
inline double* lanes_of(Pack& pack) { return reinterpret_cast<double*>(&pack); }

/// Four numbers in a row anywhere in memory: at addresses that are multiples of 8 only.
inline Pack load_loose(const double* from) {
  Pack value;
  std::memcpy(&value, from, sizeof(Pack));
  return value;
}
inline void store_loose(double* to, const Pack& value) { std::memcpy(to, &value, sizeof(Pack)); }

inline double sum_of(const Pack& v) { return (v[0] + v[1]) + (v[2] + v[3]); }

inline Pack3 operator+(const Pack3& a, const Pack3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Pack3 operator-(const Pack3& a, const Pack3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Pack3 operator*(const Pack& s, const Pack3& a) { return {s * a.x, s * a.y, s * a.z}; }
inline Pack3& operator+=(Pack3& a, const Pack3& b) { return a = a + b; }
inline Pack dot(const Pack3& a, const Pack3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Pack3 cross(const Pack3& a, const Pack3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

inline Pack3 operator*(const PackMatrix3& A, const Pack3& v) {
  return v.x * A.x + v.y * A.y + v.z * A.z;
}
inline PackMatrix3 operator*(const PackMatrix3& A, const PackMatrix3& B) {
  return {A * B.x, A * B.y, A * B.z};
}
/// A^T v.
inline Pack3 transposed_times(const PackMatrix3& A, const Pack3& v) {
  return {dot(A.x, v), dot(A.y, v), dot(A.z, v)};
}
inline Pack3 operator*(const PackSymmetric3& J, const Pack3& v) {
  return {J.xx * v.x + J.xy * v.y + J.xz * v.z, J.xy * v.x + J.yy * v.y + J.yz * v.z,
          J.xz * v.x + J.yz * v.y + J.zz * v.z};
}
inline PackSymmetric3& operator+=(PackSymmetric3& a, const PackSymmetric3& b) {
  a.xx += b.xx;
  a.yy += b.yy;
  a.zz += b.zz;
  a.xy += b.xy;
  a.xz += b.xz;
  a.yz += b.yz;
  return a;
}

inline PackSix operator+(const PackSix& a, const PackSix& b) { return {a.l + b.l, a.a + b.a}; }
inline PackSix operator-(const PackSix& a, const PackSix& b) { return {a.l - b.l, a.a - b.a}; }
inline PackSix operator*(const Pack& s, const PackSix& a) { return {s * a.l, s * a.a}; }
inline PackSix& operator+=(PackSix& a, const PackSix& b) { return a = a + b; }
inline Pack dot(const PackSix& a, const PackSix& b) { return dot(a.l, b.l) + dot(a.a, b.a); }

/// Rate of the motion vector b that moves with velocity V, as cross_motion() of spatial.hpp.
inline PackSix cross_motion(const PackSix& V, const PackSix& b) {
  return {cross(V.a, b.l) + cross(V.l, b.a), cross(V.a, b.a)};
}

inline PackInertia& operator+=(PackInertia& a, const PackInertia& b) {
  a.ll += b.ll;
  a.la.x += b.la.x;
  a.la.y += b.la.y;
  a.la.z += b.la.z;
  a.aa += b.aa;
  return a;
}
inline PackSix operator*(const PackInertia& M, const PackSix& h) {
  return {M.ll * h.l + M.la * h.a, transposed_times(M.la, h.l) + M.aa * h.a};
}

/// Sine and cosine of angles of any size below 1e8, to two units in the last place: a quarter turn
/// is taken out in three parts, the rest goes into Taylor's series.
inline void sine_and_cosine(const Pack& angle, Pack& sine, Pack& cosine) {
  // pi/2 in parts whose products with whole numbers below 2^26 are exact
  constexpr double kPart1 = 0x1.921fb4p0;
  constexpr double kPart2 = 0x1.4442dp-24;
  constexpr double kPart3 = 0x1.8469898cc5170p-48;
  // adding and taking away 1.5 * 2^52 rounds to a whole number
  constexpr double kRound = 6755399441055744.0;
  const Pack shifted = angle * 0.63661977236758134308 + kRound;
  const Pack turns = shifted - kRound;
  const Pack x = ((angle - turns * kPart1) - turns * kPart2) - turns * kPart3;
  const Pack x2 = x * x;
  const Pack s =
      x +
      x * x2 *
          (-1.0 / 6.0 +
           x2 * (1.0 / 120.0 + x2 * (-1.0 / 5040.0 +
                                     x2 * (1.0 / 362880.0 +
                                           x2 * (-1.0 / 39916800.0 +
                                                 x2 * (1.0 / 6227020800.0 +
                                                       x2 * (-1.0 / 1307674368000.0 +
                                                             x2 * (1.0 / 355687428096000.0))))))));
  const Pack c =
      1.0 +
      x2 * (-1.0 / 2.0 +
            x2 * (1.0 / 24.0 +
                  x2 * (-1.0 / 720.0 + x2 * (1.0 / 40320.0 +
                                             x2 * (-1.0 / 3628800.0 +
                                                   x2 * (1.0 / 479001600.0 +
                                                         x2 * (-1.0 / 87178291200.0 +
                                                               x2 * (1.0 / 20922789888000.0))))))));
  using Whole = long long __attribute__((vector_size(32)));
  const Whole quarter = std::bit_cast<Whole>(shifted);  // its last bits
  const Whole odd = -(quarter & 1LL);                   // all bits where the two swap
  const Pack swapped_s = odd ? c : s;
  const Pack swapped_c = odd ? s : c;
  sine = (quarter & 2LL) != 0LL ? -swapped_s : swapped_s;
  cosine = ((quarter + 1LL) & 2LL) != 0LL ? -swapped_c : swapped_c;
}

}  // namespace semirec
