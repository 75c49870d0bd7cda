#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "vehicles/expressions/slopes.hpp"
#include "vehicles/expressions/table.hpp"

namespace semirec {

/// Second derivatives of a term's value by the values a and b; none has one by c.
struct TermCurvatures {
  double aa = 0.0, ab = 0.0, bb = 0.0;
};

/// What is computed of a term: its value alone, its slopes (see TermSlopes) or its curvatures, too.
enum class TermDetail { value, slopes, curvatures };

namespace operations {

inline double truth(bool holds) { return holds ? 1.0 : 0.0; }

/// b a^(b - 1), given that v = a^b.
inline double power_slope(double a, double b, double v) {
  if (b == 0.0) return 0.0;
  // the quotient saves a second power; it is no good where v has lost digits or a is zero
  const double size = std::abs(v);
  if (size > 1e-290 && size < 1e290 && a != 0.0) return b * (v / a);
  return b * std::pow(a, b - 1.0);
}

/// 1 - tanh(a)^2, given that v = tanh(a).
inline double tanh_slope(double a, double v) {
  if (std::abs(v) < 0.9) return 1.0 - v * v;
  // v has few digits of its distance to 1
  const double c = std::cosh(a);
  return 1.0 / c / c;
}

}  // namespace operations

/// Value of a term on a, b and c; writes slopes and curvatures as far as `kDetail` asks for
/// them and the operation has them: they must be zero before.
template <TermDetail kDetail>
[[gnu::always_inline]] inline double apply_operation(const Term& term, double a, double b, double c,
                                                     TableSpan tables, TermSlopes& d,
                                                     TermCurvatures& dd) {
  using operations::truth;
  constexpr bool kSlopes = kDetail != TermDetail::value;
  constexpr bool kCurvatures = kDetail == TermDetail::curvatures;
  switch (term.operation) {
    case Operation::add:
      if constexpr (kSlopes) d.a = d.b = 1.0;
      return a + b;
    case Operation::subtract:
      if constexpr (kSlopes) d.a = 1.0, d.b = -1.0;
      return a - b;
    case Operation::multiply:
      if constexpr (kSlopes) d.a = b, d.b = a;
      if constexpr (kCurvatures) dd.ab = 1.0;
      return a * b;
    case Operation::divide: {
      const double v = a / b;
      if constexpr (kSlopes) d.a = 1.0 / b, d.b = -v / b;
      if constexpr (kCurvatures) dd.ab = -d.a / b, dd.bb = -2.0 * d.b / b;
      return v;
    }
    case Operation::power: {
      const double v = std::pow(a, b);
      if constexpr (kSlopes) {
        d.a = operations::power_slope(a, b, v);
        if (a > 0.0) d.b = v * std::log(a);
      }
      if constexpr (kCurvatures) {
        const double before = b == 0.0 ? 0.0 : std::pow(a, b - 1.0);
        dd.aa = b == 0.0 ? 0.0 : b * operations::power_slope(a, b - 1.0, before);
        if (a > 0.0) dd.ab = v / a + d.a * std::log(a), dd.bb = d.b * std::log(a);
      }
      return v;
    }
    case Operation::negate:
      if constexpr (kSlopes) d.a = -1.0;
      return -a;
    case Operation::less:
      return truth(a < b);
    case Operation::less_or_equal:
      return truth(a <= b);
    case Operation::greater:
      return truth(a > b);
    case Operation::greater_or_equal:
      return truth(a >= b);
    case Operation::equal:
      return truth(a == b);
    case Operation::unequal:
      return truth(a != b);
    case Operation::both:
      return truth(a != 0.0 && b != 0.0);
    case Operation::either:
      return truth(a != 0.0 || b != 0.0);
    case Operation::choose:
      if constexpr (kSlopes) (a != 0.0 ? d.b : d.c) = 1.0;
      return a != 0.0 ? b : c;
    case Operation::minimum:
      if constexpr (kSlopes) (b < a ? d.b : d.a) = 1.0;
      return std::isnan(b) ? b : std::min(a, b);
    case Operation::maximum:
      if constexpr (kSlopes) (a < b ? d.b : d.a) = 1.0;
      return std::isnan(b) ? b : std::max(a, b);
    case Operation::absolute:
      if constexpr (kSlopes) d.a = a > 0.0 ? 1.0 : a < 0.0 ? -1.0 : 0.0;
      return std::abs(a);
    case Operation::sign:
      return a > 0.0 ? 1.0 : a < 0.0 ? -1.0 : a == 0.0 ? 0.0 : a;
    case Operation::round: {
      const double below = std::floor(a);
      return a - below >= 0.5 ? below + 1.0 : below;
    }
    case Operation::square_root: {
      const double v = std::sqrt(a);
      if constexpr (kSlopes) d.a = 0.5 / v;
      if constexpr (kCurvatures) dd.aa = -0.5 * d.a / a;
      return v;
    }
    case Operation::exponential: {
      const double v = std::exp(a);
      if constexpr (kSlopes) d.a = v;
      if constexpr (kCurvatures) dd.aa = v;
      return v;
    }
    case Operation::logarithm:
      if constexpr (kSlopes) d.a = 1.0 / a;
      if constexpr (kCurvatures) dd.aa = -d.a / a;
      return std::log(a);
    case Operation::logarithm_2:
      if constexpr (kSlopes) d.a = std::numbers::log2e / a;
      if constexpr (kCurvatures) dd.aa = -d.a / a;
      return std::log2(a);
    case Operation::logarithm_10:
      if constexpr (kSlopes) d.a = std::numbers::log10e / a;
      if constexpr (kCurvatures) dd.aa = -d.a / a;
      return std::log10(a);
    case Operation::sine: {
      const double v = std::sin(a);
      if constexpr (kSlopes) d.a = std::cos(a);
      if constexpr (kCurvatures) dd.aa = -v;
      return v;
    }
    case Operation::cosine: {
      const double v = std::cos(a);
      if constexpr (kSlopes) d.a = -std::sin(a);
      if constexpr (kCurvatures) dd.aa = -v;
      return v;
    }
    case Operation::tangent: {
      const double v = std::tan(a);
      if constexpr (kSlopes) d.a = 1.0 + v * v;
      if constexpr (kCurvatures) dd.aa = 2.0 * v * d.a;
      return v;
    }
    case Operation::arc_sine:
      if constexpr (kSlopes) d.a = 1.0 / std::sqrt((1.0 - a) * (1.0 + a));
      if constexpr (kCurvatures) dd.aa = a * d.a * d.a * d.a;
      return std::asin(a);
    case Operation::arc_cosine:
      if constexpr (kSlopes) d.a = -1.0 / std::sqrt((1.0 - a) * (1.0 + a));
      if constexpr (kCurvatures) dd.aa = a * d.a * d.a * d.a;
      return std::acos(a);
    case Operation::arc_tangent:
      if constexpr (kSlopes) d.a = 1.0 / (1.0 + a * a);
      if constexpr (kCurvatures) dd.aa = -2.0 * a * d.a * d.a;
      return std::atan(a);
    case Operation::arc_tangent_2:
      if constexpr (kSlopes) {
        // the length once in each factor: its square may be out of range
        const double length = std::hypot(a, b);
        if (length > 0.0) d.a = b / length / length, d.b = -a / length / length;
      }
      if constexpr (kCurvatures) {
        dd.aa = 2.0 * d.a * d.b;
        dd.ab = (d.b - d.a) * (d.b + d.a);
        dd.bb = -dd.aa;
      }
      return std::atan2(a, b);
    case Operation::hyperbolic_sine: {
      const double v = std::sinh(a);
      if constexpr (kSlopes) d.a = std::cosh(a);
      if constexpr (kCurvatures) dd.aa = v;
      return v;
    }
    case Operation::hyperbolic_cosine: {
      const double v = std::cosh(a);
      if constexpr (kSlopes) d.a = std::sinh(a);
      if constexpr (kCurvatures) dd.aa = v;
      return v;
    }
    case Operation::hyperbolic_tangent: {
      const double v = std::tanh(a);
      if constexpr (kSlopes) d.a = operations::tanh_slope(a, v);
      if constexpr (kCurvatures) dd.aa = -2.0 * v * d.a;
      return v;
    }
    case Operation::area_sine:
      if constexpr (kSlopes) d.a = 1.0 / std::hypot(1.0, a);
      if constexpr (kCurvatures) dd.aa = -a * d.a * d.a * d.a;
      return std::asinh(a);
    case Operation::area_cosine:
      if constexpr (kSlopes) d.a = 1.0 / (std::sqrt(a - 1.0) * std::sqrt(a + 1.0));
      if constexpr (kCurvatures) dd.aa = -a * d.a * d.a * d.a;
      return std::acosh(a);
    case Operation::look_up_1:
    case Operation::look_up_2: {
      const SurfaceValue v = tables[static_cast<std::size_t>(term.table)]->evaluate(a, b);
      if constexpr (kSlopes) d.a = v.x, d.b = v.y;
      if constexpr (kCurvatures) dd.aa = v.xx, dd.ab = v.xy, dd.bb = v.yy;
      return v.f;
    }
    case Operation::area_tangent:
      if constexpr (kSlopes) d.a = 1.0 / ((1.0 - a) * (1.0 + a));
      if constexpr (kCurvatures) dd.aa = 2.0 * a * d.a * d.a;
      return std::atanh(a);
  }
  return a;
}

}  // namespace semirec
