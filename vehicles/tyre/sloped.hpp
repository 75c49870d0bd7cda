#pragma once

#include <cmath>

namespace semirec {

/// A number together with its slopes over kappa and tan_alpha, carried along by the chain rule: a
/// tyre law is written once and its slopes are exact.
struct Sloped {
  double f = 0.0;
  double f_kappa = 0.0;
  double f_alpha = 0.0;  ///< over tan_alpha

  Sloped() = default;
  Sloped(double value) : f(value) {}  // a constant
  Sloped(double value, double over_kappa, double over_alpha)
      : f(value), f_kappa(over_kappa), f_alpha(over_alpha) {}
};

/// g(x) from its value and its slope g'(x).
inline Sloped chain(const Sloped& x, double g, double gd) {
  return {g, gd * x.f_kappa, gd * x.f_alpha};
}

inline Sloped operator-(const Sloped& a) { return {-a.f, -a.f_kappa, -a.f_alpha}; }
inline Sloped operator+(const Sloped& a, const Sloped& b) {
  return {a.f + b.f, a.f_kappa + b.f_kappa, a.f_alpha + b.f_alpha};
}
inline Sloped operator-(const Sloped& a, const Sloped& b) {
  return {a.f - b.f, a.f_kappa - b.f_kappa, a.f_alpha - b.f_alpha};
}
inline Sloped operator*(const Sloped& a, const Sloped& b) {
  return {a.f * b.f, a.f_kappa * b.f + a.f * b.f_kappa, a.f_alpha * b.f + a.f * b.f_alpha};
}
inline Sloped operator/(const Sloped& a, const Sloped& b) {
  const double q = a.f / b.f;
  return {q, (a.f_kappa - q * b.f_kappa) / b.f, (a.f_alpha - q * b.f_alpha) / b.f};
}

inline Sloped sin(const Sloped& x) { return chain(x, std::sin(x.f), std::cos(x.f)); }
inline Sloped cos(const Sloped& x) { return chain(x, std::cos(x.f), -std::sin(x.f)); }
inline Sloped atan(const Sloped& x) { return chain(x, std::atan(x.f), 1.0 / (1.0 + x.f * x.f)); }
/// Above zero only.
inline Sloped sqrt(const Sloped& x) {
  const double root = std::sqrt(x.f);
  return chain(x, root, 0.5 / root);
}
/// cos(atan(x)).
inline Sloped cos_atan(const Sloped& x) {
  const double c = 1.0 / std::sqrt(1.0 + x.f * x.f);
  return chain(x, c, -x.f * c * c * c);
}

}  // namespace semirec
