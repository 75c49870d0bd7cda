#include "vehicles/road/random_road.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <numbers>
#include <stdexcept>

namespace semirec {

namespace {

using Complex = std::complex<double>;

constexpr double kReference = 0.1;  ///< n0, cycles/m
constexpr double kLowest = 0.011;   ///< cycles/m
constexpr double kHighest = 2.83;   ///< cycles/m
constexpr double kPitch = 0.05;     ///< seven points on the shortest wave, m

/// A number in [0, 1) from a seed and a counter: two rounds of a 64-bit mixer.
double uniform(std::uint64_t seed, std::uint64_t counter) {
  std::uint64_t word = seed + 0x9e3779b97f4a7c15U * (counter + 1);
  for (int round = 0; round < 2; ++round) {
    word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9U;
    word = (word ^ (word >> 27)) * 0x94d049bb133111ebU;
    word ^= word >> 31;
  }
  return static_cast<double>(word >> 11) * 0x1p-53;
}

/// Sums waves: out[j] = sum over k of in[k] exp(2 pi i j k/N), N a power of two, in place.
void sum_waves(std::vector<Complex>& a) {
  const std::size_t n = a.size();
  for (std::size_t i = 1, j = 0; i < n; ++i) {
    std::size_t bit = n >> 1;
    for (; (j & bit) != 0; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(a[i], a[j]);
  }
  for (std::size_t half = 1; half < n; half *= 2)
    for (std::size_t k = 0; k < half; ++k) {
      const Complex turn =
          std::polar(1.0, std::numbers::pi * static_cast<double>(k) / static_cast<double>(half));
      for (std::size_t start = k; start < n; start += 2 * half) {
        const Complex other = turn * a[start + half];
        a[start + half] = a[start] - other;
        a[start] += other;
      }
    }
}

}  // namespace

double displacement_density(char road_class) {
  if (road_class < 'A' || road_class > 'H') return 0.0;
  return 16e-6 * std::pow(4.0, road_class - 'A');
}

RandomRoad::RandomRoad(const RandomRoadSettings& settings)
    : length_(settings.length), pitch_(0.0), half_track_(0.5 * settings.track) {
  const double density = displacement_density(settings.road_class);
  if (density == 0.0) throw std::invalid_argument("road class is not a letter from A to H");
  if (!(settings.length >= 10.0 && settings.length <= 50e3))
    throw std::invalid_argument("length of the random road is not between 10 m and 50 km");
  if (!(settings.coherence >= 0.0) || !(settings.track > 0.0) || !std::isfinite(settings.track))
    throw std::invalid_argument("coherence is negative or track not above zero");

  const auto least = static_cast<std::size_t>(std::ceil(length_ / kPitch));
  const std::size_t n = std::bit_ceil(least);
  pitch_ = length_ / static_cast<double>(n);
  std::vector<Complex> common(n), difference(n);
  const auto first = static_cast<std::size_t>(std::ceil(kLowest * length_));
  const auto last = static_cast<std::size_t>(std::floor(kHighest * length_));
  for (std::size_t k = std::max<std::size_t>(first, 1); k <= last; ++k) {
    const double wave = static_cast<double>(k) / length_;
    const double power = density * (kReference / wave) * (kReference / wave) / length_;
    const double coherence =
        settings.coherence > 0.0 ? std::exp(-wave * settings.track / settings.coherence) : 0.0;
    const double turn = 2.0 * std::numbers::pi;
    // halves of the power go where both tracks agree and where they differ, by the coherence
    common[k] =
        std::polar(std::sqrt(power * (1.0 + coherence)), turn * uniform(settings.seed, 2 * k));
    difference[k] =
        std::polar(std::sqrt(power * (1.0 - coherence)), turn * uniform(settings.seed, 2 * k + 1));
  }
  sum_waves(common);
  sum_waves(difference);
  heights_.resize(n);
  for (std::size_t j = 0; j < n; ++j)
    heights_[j] = {static_cast<float>(common[j].real()), static_cast<float>(difference[j].real())};
}

RoadPoint RandomRoad::evaluate(double x, double y) const {
  const std::size_t n = heights_.size();
  // far away the rest of the division is of no worth, yet the place must lie in the table
  const double place = std::fmin(std::fmax((x - length_ * std::floor(x / length_)) / pitch_, 0.0),
                                 static_cast<double>(n));
  const std::size_t whole = std::min(static_cast<std::size_t>(place), n - 1);
  const double t = place - static_cast<double>(whole);
  const Heights& h0 = heights_[(whole + n - 1) % n];
  const Heights& h1 = heights_[whole];
  const Heights& h2 = heights_[(whole + 1) % n];
  const Heights& h3 = heights_[(whole + 2) % n];
  // cubic through the middle points with slopes by central differences
  const auto cubic = [t](double a, double b, double c, double d, double& slope) {
    const double p = 0.5 * (c - a);
    const double q = a - 2.5 * b + 2.0 * c - 0.5 * d;
    const double r = 0.5 * (d - a) + 1.5 * (b - c);
    slope = p + t * (2.0 * q + 3.0 * r * t);
    return b + t * (p + t * (q + r * t));
  };
  double common_x = 0.0;
  double difference_x = 0.0;
  const double common = cubic(h0.common, h1.common, h2.common, h3.common, common_x);
  const double difference =
      cubic(h0.difference, h1.difference, h2.difference, h3.difference, difference_x);
  const double side = std::clamp(y / half_track_, -1.0, 1.0);
  RoadPoint point;
  point.z = common + side * difference;
  point.z_x = (common_x + side * difference_x) / pitch_;
  point.z_y = std::abs(y) < half_track_ ? difference / half_track_ : 0.0;
  return point;
}

void RandomRoad::put_into(Fingerprint& fingerprint) const {
  fingerprint("random road", length_, pitch_, half_track_, heights_.size());
  for (const auto& [common, difference] : heights_) fingerprint(common, difference);
}

}  // namespace semirec
