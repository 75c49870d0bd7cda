#include "vehicles/analysis/metrics/weave.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <vector>

namespace semirec {

namespace {

constexpr double kCentre = 0.2;  // of the peak: the part of the loop that is its centre

/// Slope of y over x by a line through those samples of a branch (x rising or falling) for which
/// `chosen` holds.
template <class Chosen>
double branch_slope(Samples x, Samples y, bool rising, const Chosen& chosen) {
  std::vector<double> xs, ys;
  for (std::size_t k = 0; k + 1 < x.size(); ++k) {
    if ((x[k + 1] > x[k]) != rising || !chosen(x[k], y[k])) continue;
    xs.push_back(x[k]);
    ys.push_back(y[k]);
  }
  return fit_line(xs, ys).slope;
}

/// Distances of the values of `value` at the rising and the falling zeros of `zero`, one a pair, of
/// whole periods: the record is closed by its first sample, so that a zero at its ends counts once,
/// on whichever side of it rounding has put the sample.
std::vector<double> widths_at_zero(Samples zero, Samples value) {
  std::vector<double> up, down;
  for (std::size_t k = 0; k < zero.size(); ++k) {
    const std::size_t next = k + 1 < zero.size() ? k + 1 : 0;
    const double a = zero[k];
    const double b = zero[next];
    if ((a < 0.0) == (b < 0.0)) continue;
    const double there = value[k] + (value[next] - value[k]) * a / (a - b);
    (a < 0.0 ? up : down).push_back(there);
  }
  std::vector<double> widths(std::min(up.size(), down.size()));
  for (std::size_t k = 0; k < widths.size(); ++k) widths[k] = std::abs(up[k] - down[k]);
  return widths;
}

std::size_t samples_of_a_period(double dt, double frequency) {
  return static_cast<std::size_t>(std::lround(1.0 / (frequency * dt)));
}

std::vector<double> from_the_mean(Samples values) {
  const double mean = mean_of(values);
  std::vector<double> out(values.begin(), values.end());
  for (double& value : out) value -= mean;
  return out;
}

double mean_or_none(const std::vector<double>& values) {
  return values.empty() ? kNone : mean_of(values);
}

double mean_slope(Samples x, Samples y, const auto& chosen) {
  return 0.5 * (branch_slope(x, y, true, chosen) + branch_slope(x, y, false, chosen));
}

}  // namespace

HysteresisLoop find_hysteresis(Samples x, Samples y, double dt, double frequency, double level) {
  HysteresisLoop loop;
  const std::size_t samples = samples_of_a_period(dt, frequency);
  const std::size_t periods = std::min(x.size(), y.size()) / samples;
  std::vector<double> gradients, levels;
  const std::vector<double> xs = from_the_mean(x.first(periods * samples));
  const std::vector<double> ys = from_the_mean(y.first(periods * samples));
  loop.x_peak = peak_of(xs);
  loop.y_peak = peak_of(ys);
  const double centre = kCentre * loop.x_peak;
  for (std::size_t k = 0; k < periods; ++k) {
    // the loop is closed by the first sample of the next period
    const std::size_t size = std::min(samples + 1, xs.size() - k * samples);
    const Samples px = Samples(xs).subspan(k * samples, size);
    const Samples py = Samples(ys).subspan(k * samples, size);
    gradients.push_back(
        mean_slope(px, py, [&](double a, double) { return std::abs(a) <= centre; }));
    levels.push_back(mean_slope(
        px, py, [&](double, double b) { return b >= 0.85 * level && b <= 1.15 * level; }));
    levels.push_back(mean_slope(
        px, py, [&](double, double b) { return -b >= 0.85 * level && -b <= 1.15 * level; }));
  }
  const std::vector<double> bands = widths_at_zero(ys, xs);
  loop.gradient = mean_or_none(gradients);
  loop.dead_band = mean_or_none(bands);
  loop.height = mean_or_none(widths_at_zero(xs, ys));
  loop.gradient_at_level = level > 0.0 && level < loop.y_peak ? mean_or_none(levels) : kNone;
  for (const double gradient : gradients)
    loop.spread = std::max(loop.spread, std::abs(gradient / loop.gradient - 1.0));
  for (const double band : bands)
    loop.spread = std::max(loop.spread, std::abs(band / loop.dead_band - 1.0));
  const SineFit in = fit_sine(xs, dt, frequency);
  const SineFit out = fit_sine(ys, dt, frequency);
  const double angle =
      std::arg(std::complex<double>(out.re, out.im) / std::complex<double>(in.re, in.im));
  loop.lag = -angle / (2.0 * std::numbers::pi * frequency);
  return loop;
}

double find_value_outwards(Samples x, Samples y, double dt, double frequency, double level) {
  const std::size_t samples = samples_of_a_period(dt, frequency);
  const std::size_t size = std::min(x.size(), y.size()) / samples * samples;
  const std::vector<double> xs = from_the_mean(x.first(size));
  const std::vector<double> ys = from_the_mean(y.first(size));
  std::vector<double> found;
  for (const double side : {1.0, -1.0}) {
    for (std::size_t k = 0; k + 1 < size; ++k) {
      const double a = side * xs[k] - level;
      const double b = side * xs[k + 1] - level;
      if (a < 0.0 && b >= 0.0) found.push_back(side * (ys[k] + (ys[k + 1] - ys[k]) * a / (a - b)));
    }
  }
  return mean_or_none(found);
}

}  // namespace semirec
