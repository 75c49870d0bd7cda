#include "vehicles/study/distribution.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace semirec {

namespace {

std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

/// Phi(x), exact in its lower tail.
double lower_tail(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

/// Normal between a and b, in deviations from the mean: the lower tail keeps its digits, so what
/// lies above the mean is mirrored.
double truncated_normal(double a, double b, double u) {
  if (a > 0.0) return -truncated_normal(-b, -a, 1.0 - u);
  const double low = lower_tail(a);
  const double p = low + u * (lower_tail(b) - low);
  return std::clamp(normal_quantile(p), a, b);
}

}  // namespace

double chance(std::uint64_t seed, std::uint64_t stream, std::uint64_t index) {
  const std::uint64_t x = mixed(mixed(mixed(seed) ^ stream) ^ index);
  return (static_cast<double>(x >> 32U) + 0.5) * 0x1p-32;
}

double mirrored_digits(std::uint64_t index, unsigned base) {
  double value = 0.0;
  double place = 1.0;
  for (; index > 0; index /= base) {
    place /= base;
    value += place * static_cast<double>(index % base);
  }
  return value;
}

double normal_quantile(double p) {
  if (p > 0.5) return -normal_quantile(1.0 - p);
  // halved until nothing is left between the ends
  double low = -39.0;
  double high = 0.0;
  for (int k = 0; k < 200; ++k) {
    const double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) break;
    (lower_tail(middle) < p ? low : high) = middle;
  }
  return high;
}

double quantile(const Vary& vary, double u) {
  if (vary.distribution == Distribution::normal) {
    const double x = truncated_normal((vary.minimum - vary.mean) / vary.deviation,
                                      (vary.maximum - vary.mean) / vary.deviation, u);
    return std::clamp(vary.mean + vary.deviation * x, vary.minimum, vary.maximum);
  }
  if (vary.distribution == Distribution::log_uniform)
    return std::clamp(vary.minimum * std::pow(vary.maximum / vary.minimum, u), vary.minimum,
                      vary.maximum);
  return std::clamp(vary.minimum + u * (vary.maximum - vary.minimum), vary.minimum, vary.maximum);
}

}  // namespace semirec
