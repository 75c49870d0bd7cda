#pragma once

#include <cmath>
#include <concepts>

#include "recursive/packs/number_functions.hpp"

namespace semirec {

/// A number together with its slopes over kappa and tan_alpha, carried along by the chain rule: a
/// tyre law is written once and its slopes are exact. Real: double, or a pack for tyres side by
/// side.
template <typename Real>
struct SlopedOf {
  Real f;
  Real f_kappa;
  Real f_alpha;  ///< over tan_alpha

  // copied number by number, as Pack3
  SlopedOf() = default;
  ~SlopedOf() = default;
  SlopedOf(const SlopedOf& a) : f(a.f), f_kappa(a.f_kappa), f_alpha(a.f_alpha) {}
  SlopedOf& operator=(const SlopedOf& a) {
    f = a.f;
    f_kappa = a.f_kappa;
    f_alpha = a.f_alpha;
    return *this;
  }
  SlopedOf(const Real& value) : f(value), f_kappa{}, f_alpha{} {}  // a constant
  SlopedOf(double value) requires(!std::same_as<Real, double>) : SlopedOf(Real{} + value) {}
  SlopedOf(const Real& value, const Real& over_kappa, const Real& over_alpha)
      : f(value), f_kappa(over_kappa), f_alpha(over_alpha) {}

  friend SlopedOf operator-(const SlopedOf& a) { return {-a.f, -a.f_kappa, -a.f_alpha}; }
  friend SlopedOf operator+(const SlopedOf& a, const SlopedOf& b) {
    return {a.f + b.f, a.f_kappa + b.f_kappa, a.f_alpha + b.f_alpha};
  }
  friend SlopedOf operator-(const SlopedOf& a, const SlopedOf& b) {
    return {a.f - b.f, a.f_kappa - b.f_kappa, a.f_alpha - b.f_alpha};
  }
  friend SlopedOf operator*(const SlopedOf& a, const SlopedOf& b) {
    return {a.f * b.f, a.f_kappa * b.f + a.f * b.f_kappa, a.f_alpha * b.f + a.f * b.f_alpha};
  }
  friend SlopedOf operator/(const SlopedOf& a, const SlopedOf& b) {
    const Real by = 1.0 / b.f;
    const Real q = a.f * by;
    return {q, (a.f_kappa - q * b.f_kappa) * by, (a.f_alpha - q * b.f_alpha) * by};
  }

  // constants have no slopes
  friend SlopedOf operator+(const SlopedOf& a, const Real& b) {
    return {a.f + b, a.f_kappa, a.f_alpha};
  }
  friend SlopedOf operator-(const SlopedOf& a, const Real& b) {
    return {a.f - b, a.f_kappa, a.f_alpha};
  }
  friend SlopedOf operator*(const Real& a, const SlopedOf& b) {
    return {a * b.f, a * b.f_kappa, a * b.f_alpha};
  }
  friend SlopedOf operator*(const SlopedOf& a, const Real& b) { return b * a; }
  friend SlopedOf operator*(double a, const SlopedOf& b) requires(!std::same_as<Real, double>) {
    return {a * b.f, a * b.f_kappa, a * b.f_alpha};
  }
};

using Sloped = SlopedOf<double>;
using SlopedPack = SlopedOf<Pack>;

/// g(x) from its value and its slope g'(x).
template <typename Real>
SlopedOf<Real> chain(const SlopedOf<Real>& x, const Real& g, const Real& gd) {
  return {g, gd * x.f_kappa, gd * x.f_alpha};
}

inline Sloped sin(const Sloped& x) { return chain(x, std::sin(x.f), std::cos(x.f)); }
inline Sloped cos(const Sloped& x) { return chain(x, std::cos(x.f), -std::sin(x.f)); }
inline Sloped atan(const Sloped& x) { return chain(x, std::atan(x.f), 1.0 / (1.0 + x.f * x.f)); }
/// Above zero only.
inline Sloped sqrt(const Sloped& x) {
  const double root = std::sqrt(x.f);
  return chain(x, root, 0.5 / root);
}

template <AnyPack P>
P sin(const P& x) {
  P s;
  P c;
  sine_and_cosine(x, s, c);
  return s;
}
template <AnyPack P>
P cos(const P& x) {
  P s;
  P c;
  sine_and_cosine(x, s, c);
  return c;
}
template <AnyPack P>
P atan(const P& x) {
  return arc_tangent(x);
}

template <AnyPack P>
SlopedOf<P> sin(const SlopedOf<P>& x) {
  P s;
  P c;
  sine_and_cosine(x.f, s, c);
  return chain<P>(x, s, c);
}
template <AnyPack P>
SlopedOf<P> cos(const SlopedOf<P>& x) {
  P s;
  P c;
  sine_and_cosine(x.f, s, c);
  return chain<P>(x, c, -s);
}
template <AnyPack P>
SlopedOf<P> atan(const SlopedOf<P>& x) {
  return chain<P>(x, arc_tangent(x.f), 1.0 / (1.0 + x.f * x.f));
}
template <AnyPack P>
SlopedOf<P> sqrt(const SlopedOf<P>& x) {
  const P root = square_root(x.f);
  return chain<P>(x, root, 0.5 / root);
}
/// cos(atan(x)).
template <AnyPack P>
P cos_atan(const P& x) {
  return 1.0 / square_root(1.0 + x * x);
}
template <AnyPack P>
SlopedOf<P> cos_atan(const SlopedOf<P>& x) {
  const P c = cos_atan(x.f);
  return chain<P>(x, c, -x.f * c * c * c);
}
template <AnyPack P>
SlopedOf<P> select(const PackMaskOf<P>& where, const SlopedOf<P>& a, const SlopedOf<P>& b) {
  return {select(where, a.f, b.f), select(where, a.f_kappa, b.f_kappa),
          select(where, a.f_alpha, b.f_alpha)};
}

}  // namespace semirec
