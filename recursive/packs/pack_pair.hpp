#pragma once

#include "recursive/packs/number_functions.hpp"

namespace semirec {

/// Two masks of a PackPair.
template <typename Mask>
struct PackPairMask {
  Mask first, second;

  friend PackPairMask operator&(const PackPairMask& a, const PackPairMask& b) {
    return {a.first & b.first, a.second & b.second};
  }
  friend PackPairMask operator|(const PackPairMask& a, const PackPairMask& b) {
    return {a.first | b.first, a.second | b.second};
  }
  friend PackPairMask operator&(const PackPairMask& a, long bits) {
    return {a.first & bits, a.second & bits};
  }
  friend PackPairMask operator~(const PackPairMask& a) { return {~a.first, ~a.second}; }
  PackPairMask& operator|=(const PackPairMask& b) { return *this = *this | b; }
};

/// Two packs that are worked on together: a long formula on one pack alone waits at each of its
/// steps for the step before, and the processor has nothing else to do; of two it works on the one
/// while the other waits. A pack, or a number, beside a pair counts for both.
template <OnePack P>
struct PackPair {
  P first, second;

  PackPair() = default;
  ~PackPair() = default;
  PackPair(const P& both) : first(both), second(both) {}
  PackPair(const P& a, const P& b) : first(a), second(b) {}
  // copied pack by pack, as Pack3Of
  PackPair(const PackPair& a) : first(a.first), second(a.second) {}
  PackPair& operator=(const PackPair& a) {
    first = a.first;
    second = a.second;
    return *this;
  }

  friend PackPair operator-(const PackPair& a) { return {-a.first, -a.second}; }
  friend PackPair operator+(const PackPair& a, const PackPair& b) {
    return {a.first + b.first, a.second + b.second};
  }
  friend PackPair operator-(const PackPair& a, const PackPair& b) {
    return {a.first - b.first, a.second - b.second};
  }
  friend PackPair operator*(const PackPair& a, const PackPair& b) {
    return {a.first * b.first, a.second * b.second};
  }
  friend PackPair operator/(const PackPair& a, const PackPair& b) {
    return {a.first / b.first, a.second / b.second};
  }
  friend PackPair operator+(const PackPair& a, double b) { return {a.first + b, a.second + b}; }
  friend PackPair operator-(const PackPair& a, double b) { return {a.first - b, a.second - b}; }
  friend PackPair operator*(const PackPair& a, double b) { return {a.first * b, a.second * b}; }
  friend PackPair operator/(const PackPair& a, double b) { return {a.first / b, a.second / b}; }
  friend PackPair operator+(double a, const PackPair& b) { return {a + b.first, a + b.second}; }
  friend PackPair operator-(double a, const PackPair& b) { return {a - b.first, a - b.second}; }
  friend PackPair operator*(double a, const PackPair& b) { return {a * b.first, a * b.second}; }
  friend PackPair operator/(double a, const PackPair& b) { return {a / b.first, a / b.second}; }
  PackPair& operator+=(const PackPair& b) { return *this = *this + b; }
  PackPair& operator-=(const PackPair& b) { return *this = *this - b; }
  PackPair& operator*=(const PackPair& b) { return *this = *this * b; }

  using Mask = PackPairMask<PackMaskOf<P>>;
  friend Mask operator<(const PackPair& a, const PackPair& b) {
    return {a.first < b.first, a.second < b.second};
  }
  friend Mask operator<=(const PackPair& a, const PackPair& b) {
    return {a.first <= b.first, a.second <= b.second};
  }
  friend Mask operator>(const PackPair& a, const PackPair& b) { return b < a; }
  friend Mask operator>=(const PackPair& a, const PackPair& b) { return b <= a; }
  friend Mask operator<(const PackPair& a, double b) { return {a.first < b, a.second < b}; }
  friend Mask operator<=(const PackPair& a, double b) { return {a.first <= b, a.second <= b}; }
  friend Mask operator>(const PackPair& a, double b) { return {a.first > b, a.second > b}; }
  friend Mask operator>=(const PackPair& a, double b) { return {a.first >= b, a.second >= b}; }
  friend Mask operator!=(const PackPair& a, double b) { return {a.first != b, a.second != b}; }
};

/// How many packs are worked on together, and the one of them.
template <AnyPack P>
inline constexpr int kPacksIn = kIsPackPair<P> ? 2 : 1;
template <OnePack P>
P& pack_in(P& one, int /*k*/) {
  return one;
}
template <OnePack P>
const P& pack_in(const P& one, int /*k*/) {
  return one;
}
template <OnePack P>
P& pack_in(PackPair<P>& pair, int k) {
  return k == 0 ? pair.first : pair.second;
}
template <OnePack P>
const P& pack_in(const PackPair<P>& pair, int k) {
  return k == 0 ? pair.first : pair.second;
}

template <OnePack P>
PackPair<P> select(const PackMaskOf<PackPair<P>>& where, const PackPair<P>& a,
                   const PackPair<P>& b) {
  return {select(where.first, a.first, b.first), select(where.second, a.second, b.second)};
}
template <OnePack P>
PackPair<P> smaller_of(const PackPair<P>& a, const PackPair<P>& b) {
  return {smaller_of(a.first, b.first), smaller_of(a.second, b.second)};
}
template <OnePack P>
PackPair<P> larger_of(const PackPair<P>& a, const PackPair<P>& b) {
  return {larger_of(a.first, b.first), larger_of(a.second, b.second)};
}
template <OnePack P>
PackPair<P> within(const PackPair<P>& x, const P& low, const P& high) {
  return {within(x.first, low, high), within(x.second, low, high)};
}
template <OnePack P>
PackPair<P> absolute(const PackPair<P>& x) {
  return {absolute(x.first), absolute(x.second)};
}
template <OnePack P>
PackPair<P> with_sign(const PackPair<P>& x, const PackPair<P>& sign) {
  return {with_sign(x.first, sign.first), with_sign(x.second, sign.second)};
}
template <OnePack P, typename Function>
PackPair<P> lane_by_lane(const PackPair<P>& x, const Function& function) {
  return {lane_by_lane(x.first, function), lane_by_lane(x.second, function)};
}
template <typename Mask>
bool anywhere(const PackPairMask<Mask>& mask) {
  return anywhere(mask.first | mask.second);
}
template <OnePack P>
PackPair<P> square_root(const PackPair<P>& x) {
  return {square_root(x.first), square_root(x.second)};
}
template <OnePack P>
PackPair<P> exponential(const PackPair<P>& x) {
  return {exponential(x.first), exponential(x.second)};
}
template <OnePack P>
PackPair<P> logarithm(const PackPair<P>& x) {
  return {logarithm(x.first), logarithm(x.second)};
}
template <OnePack P>
void sine_and_cosine(const PackPair<P>& angle, PackPair<P>& sine, PackPair<P>& cosine) {
  sine_and_cosine(angle.first, sine.first, cosine.first);
  sine_and_cosine(angle.second, sine.second, cosine.second);
}

}  // namespace semirec
