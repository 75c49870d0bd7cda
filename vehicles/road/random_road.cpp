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

std::size_t count_points(double length) {
  return std::bit_ceil(static_cast<std::size_t>(std::ceil(length / kPitch)));
}

/// An even number, half of them on each side of the middle.
double count_tracks(const RandomRoadSettings& settings) {
  // a width of whole tracks but for rounding takes no more of them
  const double half = std::ceil(0.5 * (settings.width / settings.track + 1.0) - 1e-9);
  return 2.0 * std::max(1.0, half);
}

/// A wave of the road.
struct Wave {
  double amplitude;  ///< m
  double coherence;  ///< of two neighbouring tracks
};

}  // namespace

double displacement_density(char road_class) {
  if (road_class < 'A' || road_class > 'H') return 0.0;
  return 16e-6 * std::pow(4.0, road_class - 'A');
}

double count_heights(const RandomRoadSettings& settings) {
  return count_tracks(settings) * static_cast<double>(count_points(settings.length));
}

RandomRoad::RandomRoad(const RandomRoadSettings& settings)
    : tracks_(2), length_(settings.length), pitch_(0.0), track_(settings.track), half_width_(0.0) {
  const double density = displacement_density(settings.road_class);
  if (density == 0.0) throw std::invalid_argument("road class is not a letter from A to H");
  if (!(settings.length >= 10.0 && settings.length <= 50e3))
    throw std::invalid_argument("length of the random road is not between 10 m and 50 km");
  if (!(settings.coherence >= 0.0) || !(settings.track > 0.0) || !std::isfinite(settings.track))
    throw std::invalid_argument("coherence is negative or track not above zero");
  if (!(settings.width >= 0.0) || !(count_heights(settings) <= kMostHeights))
    throw std::invalid_argument("width is negative or has too many heights");

  tracks_ = static_cast<std::size_t>(count_tracks(settings));
  half_width_ = 0.5 * static_cast<double>(tracks_ - 1) * track_;
  const std::size_t n = count_points(length_);
  pitch_ = length_ / static_cast<double>(n);
  heights_.resize(n * tracks_);

  const auto first =
      std::max<std::size_t>(static_cast<std::size_t>(std::ceil(kLowest * length_)), 1);
  const auto last = static_cast<std::size_t>(std::floor(kHighest * length_));
  const auto wave_of = [&](std::size_t k) {
    const double wave = static_cast<double>(k) / length_;
    return Wave{
        std::sqrt(2.0 * density * (kReference / wave) * (kReference / wave) / length_),
        settings.coherence > 0.0 ? std::exp(-wave * settings.track / settings.coherence) : 0.0};
  };
  const auto phase = [&](std::size_t counter) {
    return 2.0 * std::numbers::pi * uniform(settings.seed, counter);
  };
  std::vector<Complex> sums(n);
  const auto write = [&](const std::vector<Complex>& waves, std::size_t track) {
    std::fill(sums.begin(), sums.end(), Complex());
    std::copy(waves.begin(), waves.end(), sums.begin() + static_cast<std::ptrdiff_t>(first));
    sum_waves(sums);
    for (std::size_t j = 0; j < n; ++j)
      heights_[j * tracks_ + track] = static_cast<float>(sums[j].real());
  };

  std::vector<Complex> left, right;
  for (std::size_t k = first; k <= last; ++k) {
    // halves of the power go where both tracks agree and where they differ, by the coherence
    const auto [amplitude, coherence] = wave_of(k);
    const Complex common = std::polar(amplitude * std::sqrt(0.5 * (1.0 + coherence)), phase(2 * k));
    const Complex difference =
        std::polar(amplitude * std::sqrt(0.5 * (1.0 - coherence)), phase(2 * k + 1));
    left.push_back(common + difference);
    right.push_back(common - difference);
  }
  const std::size_t middle = tracks_ / 2;
  write(left, middle);
  write(right, middle - 1);
  for (std::size_t out = 1; out < middle; ++out)
    for (std::vector<Complex>* side : {&left, &right}) {
      // each track has counters of its own, beyond the waves of the longest road
      const std::size_t counters = (2 * out + (side == &right ? 1 : 0)) << 32;
      for (std::size_t k = first; k <= last; ++k) {
        const auto [amplitude, coherence] = wave_of(k);
        Complex& wave = (*side)[k - first];
        wave = coherence * wave +
               std::polar(amplitude * std::sqrt(1.0 - coherence * coherence), phase(counters + k));
      }
      write(*side, side == &left ? middle + out : middle - 1 - out);
    }
}

RoadPoint RandomRoad::evaluate(double x, double y) const {
  const std::size_t n = heights_.size() / tracks_;
  // far away the rest of the division is of no worth, yet the place must lie in the table
  const double place = std::fmin(std::fmax((x - length_ * std::floor(x / length_)) / pitch_, 0.0),
                                 static_cast<double>(n));
  const std::size_t whole = std::min(static_cast<std::size_t>(place), n - 1);
  const double t = place - static_cast<double>(whole);
  // the track on the right of the point, and how far it is towards the next one
  const double across =
      std::fmin(std::fmax((y + half_width_) / track_, 0.0), static_cast<double>(tracks_ - 1));
  const std::size_t track = std::min(static_cast<std::size_t>(across), tracks_ - 2);
  const double side = across - static_cast<double>(track);
  const auto row = [&](std::size_t point) { return &heights_[(point % n) * tracks_ + track]; };
  const float* const h0 = row(whole + n - 1);
  const float* const h1 = row(whole);
  const float* const h2 = row(whole + 1);
  const float* const h3 = row(whole + 2);
  // cubic through the middle points with slopes by central differences
  const auto cubic = [t](double a, double b, double c, double d, double& slope) {
    const double p = 0.5 * (c - a);
    const double q = a - 2.5 * b + 2.0 * c - 0.5 * d;
    const double r = 0.5 * (d - a) + 1.5 * (b - c);
    slope = p + t * (2.0 * q + 3.0 * r * t);
    return b + t * (p + t * (q + r * t));
  };
  double right_x = 0.0;
  double left_x = 0.0;
  const double right = cubic(h0[0], h1[0], h2[0], h3[0], right_x);
  const double left = cubic(h0[1], h1[1], h2[1], h3[1], left_x);
  RoadPoint point;
  point.z = right + side * (left - right);
  point.z_x = (right_x + side * (left_x - right_x)) / pitch_;
  point.z_y = std::abs(y) < half_width_ ? (left - right) / track_ : 0.0;
  return point;
}

void RandomRoad::put_into(Fingerprint& fingerprint) const {
  fingerprint("random road", length_, pitch_, track_, tracks_, heights_.size());
  for (const float height : heights_) fingerprint(height);
}

}  // namespace semirec
