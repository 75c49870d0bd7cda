#pragma once

#include <algorithm>
#include <cmath>

namespace semirec {

/// The value at which a rate vanishes, looked for from `begin` in a direction (1 or -1) by steps
/// that double and then by bisection; `begin` where it vanishes there. NaN where the rate keeps its
/// sign, jumps over zero, dies away without an end or is no number. `vanishes`: what may be left,
/// of the rate at the begin; `rate_at`: rate by value, up to 150 times.
template <typename Rate>
double find_standstill(double begin, double direction, double vanishes, const Rate& rate_at) {
  constexpr int kDoublings = 60;
  constexpr int kBisections = 80;
  constexpr double kDied = 1e-12;  // of the rate at the begin
  const double first = rate_at(begin);
  if (!std::isfinite(first)) return std::nan("");
  if (first == 0.0) return begin;
  double step = direction * 1e-3 * std::max(1.0, std::abs(begin));
  double near = begin;
  double far = begin + step;
  int doubling = 0;
  while (doubling < kDoublings && rate_at(far) * first > 0.0) {
    near = far;
    far = begin + (step *= 2.0);
    ++doubling;
  }
  if (doubling == kDoublings) return std::nan("");
  for (int bisection = 0; bisection < kBisections && near != far; ++bisection) {
    const double middle = 0.5 * (near + far);
    (rate_at(middle) * first > 0.0 ? near : far) = middle;
  }
  // one that has died away has no place at which it does
  const double before = std::abs(rate_at(far - 1e-3 * (far - begin)));
  const bool is_place =
      before > kDied * std::abs(first) && std::abs(rate_at(far)) <= vanishes * std::abs(first);
  return is_place ? far : std::nan("");
}

}  // namespace semirec
