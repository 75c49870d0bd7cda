#include "vehicles/analysis/metrics/frequency_response.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

namespace semirec {

namespace {

constexpr double kCoherent = 0.8;  // points below it are not used for metrics

double read_between(const std::vector<double>& f, const std::vector<double>& values, double where) {
  if (f.empty() || !(where >= f.front() && where <= f.back())) return kNone;
  std::size_t k = 0;
  while (k + 2 < f.size() && f[k + 1] < where) ++k;
  if (f.size() == 1) return values[0];
  return values[k] + (values[k + 1] - values[k]) * (where - f[k]) / (f[k + 1] - f[k]);
}

/// Points that a linear system explains.
FrequencyResponse coherent_part(const FrequencyResponse& response) {
  FrequencyResponse good;
  for (std::size_t k = 0; k < response.f.size(); ++k) {
    if (!(response.coherence[k] > kCoherent)) continue;
    good.f.push_back(response.f[k]);
    good.gain.push_back(response.gain[k]);
    good.phase.push_back(response.phase[k]);
    good.coherence.push_back(response.coherence[k]);
    good.error.push_back(response.error[k]);
  }
  return good;
}

/// Half of the range of the frequencies at which the gain may as well be the largest: it differs
/// from the one at k by less than the standard deviations of both.
double half_of_top(const FrequencyResponse& response, std::size_t k) {
  const auto deviation = [&](std::size_t j) { return response.error[j] * response.gain[j]; };
  double low = response.f[k];
  double high = low;
  for (std::size_t j = 0; j < response.f.size(); ++j) {
    const double below = response.gain[k] - response.gain[j];
    if (!(below < std::hypot(deviation(j), deviation(k)))) continue;
    low = std::min(low, response.f[j]);
    high = std::max(high, response.f[j]);
  }
  return 0.5 * (high - low);
}

/// What the errors of the gain at k and of its neighbours do to the frequency of find_resonance():
/// one standard deviation, each within the distance of the points.
double error_of_top(const FrequencyResponse& response, std::size_t k) {
  const double top = find_resonance(response.f, response.gain, k).t;
  const double most = 0.5 * (response.f[k + 1] - response.f[k - 1]);
  double squares = 0.0;
  for (std::size_t j = k - 1; j <= k + 1; ++j) {
    std::vector<double> gain = response.gain;
    gain[j] *= 1.0 + response.error[j];
    const double moved = find_resonance(response.f, gain, k).t - top;
    squares += std::isfinite(moved) ? std::pow(std::min(std::abs(moved), most), 2) : most * most;
  }
  return std::sqrt(squares);
}

/// How far the top of find_resonance() may lie off in frequency and gain, where the curve is no
/// parabola: by the cubic term that a fourth point tells, the larger of those through the point
/// before and the one behind. Within the distance of the points, and of their gains.
Instant bend_of_top(const FrequencyResponse& response, std::size_t k) {
  const std::vector<double>& f = response.f;
  const std::vector<double>& gain = response.gain;
  const auto x_of = [&](std::size_t i) { return f[i] * f[i]; };
  const auto y_of = [&](std::size_t i) { return 1.0 / (gain[i] * gain[i]); };
  const auto cubic = [&](double x) {
    return (x - x_of(k - 1)) * (x - x_of(k)) * (x - x_of(k + 1));
  };
  const double first = (y_of(k) - y_of(k - 1)) / (x_of(k) - x_of(k - 1));
  const double second = (y_of(k + 1) - y_of(k)) / (x_of(k + 1) - x_of(k));
  const double bend = (second - first) / (x_of(k + 1) - x_of(k - 1));
  const Instant top = find_resonance(f, gain, k);
  const double x = top.t * top.t;
  const double width = 1e-3 * (x_of(k + 1) - x_of(k - 1));
  const double steepness = (cubic(x + width) - cubic(x - width)) / (2.0 * width);
  Instant off{0.0, 0.0};
  if (!(bend > 0.0)) return off;
  for (const std::size_t other : {k - 2, k + 2}) {
    if (other >= f.size()) continue;  // k - 2 of 1, too
    const double away =
        y_of(other) - (y_of(k - 1) + first * (x_of(other) - x_of(k - 1)) +
                       bend * (x_of(other) - x_of(k - 1)) * (x_of(other) - x_of(k)));
    const double factor = away / cubic(x_of(other));
    const double moved = std::abs(factor * steepness / (2.0 * bend));
    off.t = std::max(off.t, moved / (2.0 * top.t));
    for (const double place : {x - moved, x, x + moved})
      off.value =
          std::max(off.value, 0.5 * std::abs(factor * cubic(place)) * std::pow(top.value, 3.0));
  }
  return {std::min(off.t, 0.5 * (f[k + 1] - f[k - 1])),
          std::min(off.value, gain[k] - std::min(gain[k - 1], gain[k + 1]))};
}

/// How far a parabola through a third point lies from the straight line between the points j - 1
/// and j, at f: the farther of those through the point before and the one behind. Where there are
/// two points alone, half of what they differ by.
double off_the_line(const std::vector<double>& fs, const std::vector<double>& values, std::size_t j,
                    double f) {
  if (fs.size() == 2) return 0.5 * std::abs(values[1] - values[0]);
  const double line = (values[j] - values[j - 1]) / (fs[j] - fs[j - 1]);
  const auto off = [&](std::size_t other) {
    const double away = values[other] - (values[j] + line * (fs[other] - fs[j]));
    return std::abs(away * (f - fs[j - 1]) * (f - fs[j]) /
                    ((fs[other] - fs[j - 1]) * (fs[other] - fs[j])));
  };
  return std::max(j >= 2 ? off(j - 2) : 0.0, j + 1 < fs.size() ? off(j + 1) : 0.0);
}

/// off_the_line() of what read_between() gives.
double off_between(const std::vector<double>& f, const std::vector<double>& values, double where) {
  if (f.size() < 2 || !(where >= f.front() && where <= f.back())) return 0.0;
  std::size_t j = 1;
  while (j + 1 < f.size() && f[j] < where) ++j;
  return off_the_line(f, values, j, where);
}

}  // namespace

void unwrap(std::vector<double>& phase) {
  constexpr double turn = 2.0 * std::numbers::pi;
  double last = 0.0;
  for (double& angle : phase) {
    angle -= turn * std::round((angle - last) / turn);
    last = angle;
  }
}

FrequencyResponse estimate_frequency_response(Samples x, Samples y, double dt,
                                              const WelchSettings& settings, double f_from,
                                              double f_to) {
  const Spectra spectra = estimate_spectra(x, y, dt, settings);
  FrequencyResponse response;
  for (std::size_t k = 0; k < spectra.f.size(); ++k) {
    if (spectra.f[k] < f_from || spectra.f[k] > f_to) continue;
    const std::complex<double> H = spectra.xy[k] / spectra.xx[k];
    const double coherence =
        std::clamp(std::norm(spectra.xy[k]) / (spectra.xx[k] * spectra.yy[k]), 0.0, 1.0);
    response.f.push_back(spectra.f[k]);
    response.gain.push_back(std::abs(H));
    response.phase.push_back(std::arg(H));
    response.coherence.push_back(coherence);
    response.error.push_back(
        std::sqrt((1.0 - coherence) / (2.0 * spectra.averages * std::max(coherence, 1e-12))));
  }
  unwrap(response.phase);
  return response;
}

void add_sine_point(FrequencyResponse& response, Samples x, Samples y, double dt,
                    double frequency) {
  const SineFit in = fit_sine(x, dt, frequency);
  const SineFit out = fit_sine(y, dt, frequency);
  const std::complex<double> H =
      std::complex<double>(out.re, out.im) / std::complex<double>(in.re, in.im);
  const double size = std::hypot(out.re, out.im);
  const double power = 0.5 * size * size;
  response.f.push_back(frequency);
  response.gain.push_back(std::abs(H));
  response.phase.push_back(std::arg(H));
  response.coherence.push_back(power / (power + out.residual * out.residual));
  response.error.push_back(out.residual / size);
  unwrap(response.phase);
}

Instant find_resonance(const std::vector<double>& f, const std::vector<double>& gain,
                       std::size_t k) {
  const auto x_of = [&](std::size_t i) { return f[i] * f[i]; };
  const auto y_of = [&](std::size_t i) { return 1.0 / (gain[i] * gain[i]); };
  const double left = x_of(k - 1) - x_of(k);
  const double right = x_of(k + 1) - x_of(k);
  const double left_slope = (y_of(k - 1) - y_of(k)) / left;
  const double right_slope = (y_of(k + 1) - y_of(k)) / right;
  // y = slope x + bend x^2 from the middle point on
  const double bend = (right_slope - left_slope) / (right - left);
  if (!(bend > 0.0)) return {f[k], gain[k]};
  const double slope = left_slope - bend * left;
  const double x = -0.5 * slope / bend;
  const double lowest = y_of(k) + 0.5 * slope * x;
  // points too far apart for a sharp top: their parabola goes through zero
  if (!(lowest > 0.0)) return {f[k], gain[k]};
  return {std::sqrt(x_of(k) + x), 1.0 / std::sqrt(lowest)};
}

SteadyGain low_frequency_gain(const FrequencyResponse& response, double low) {
  const FrequencyResponse good = coherent_part(response);
  if (good.f.empty()) return {};
  double sum = 0.0;
  double variance = 0.0;
  std::size_t count = 0;
  while (count < good.f.size() && (count == 0 || good.f[count] <= low)) {
    sum += good.gain[count];
    variance += std::pow(good.gain[count] * good.error[count], 2);
    ++count;
  }
  const auto n = static_cast<double>(count);
  return {sum / n, std::sqrt(variance) / n};
}

FrequencyMetrics find_frequency_metrics(const FrequencyResponse& response, double low,
                                        const SteadyGain& steady) {
  FrequencyMetrics metrics;
  metrics.peak_frequency = metrics.bandwidth = metrics.bandwidth_error = kNone;
  metrics.equivalent_time = metrics.peak_ratio = kNone;
  metrics.peak_frequency_error = metrics.peak_ratio_error = metrics.equivalent_time_error = kNone;
  const FrequencyResponse good = coherent_part(response);
  const SteadyGain gain = std::isfinite(steady.value) ? steady : low_frequency_gain(response, low);
  metrics.steady_gain = gain.value;
  metrics.steady_error = gain.error;
  if (good.f.empty()) return metrics;

  const auto top = std::max_element(good.gain.begin(), good.gain.end());
  const auto k = static_cast<std::size_t>(top - good.gain.begin());
  metrics.peak_ratio = *top / gain.value;
  metrics.peak_ratio_error =
      metrics.peak_ratio * std::hypot(good.error[k], gain.error / gain.value);
  // at the end of the range the top may lie beyond it, or before the next point
  if (good.f.size() > 1 && (k == 0 || k + 1 == good.f.size())) {
    const double next = good.gain[k == 0 ? 1 : k - 1];
    metrics.peak_ratio_error =
        std::hypot(metrics.peak_ratio_error, 0.5 * (*top - next) / gain.value);
  }
  if (k >= 1 && k + 1 < good.f.size() && good.f[k] > low) {
    const Instant resonance = find_resonance(good.f, good.gain, k);
    metrics.peak_frequency = resonance.t;
    const Instant bend = bend_of_top(good, k);
    metrics.peak_frequency_error =
        std::hypot(std::hypot(resonance.t - good.f[k], bend.t),
                   std::hypot(half_of_top(good, k), error_of_top(good, k)));
    metrics.peak_ratio = resonance.value / gain.value;
    metrics.peak_ratio_error = std::hypot(
        metrics.peak_ratio_error, metrics.peak_ratio - *top / gain.value, bend.value / gain.value);
  }

  // the last fall through the bound, so that a dip of the estimate does not count
  const double bound = gain.value / std::numbers::sqrt2;
  for (std::size_t j = good.f.size() - 1; j > 0; --j) {
    if (!(good.gain[j] < bound)) break;
    if (good.gain[j - 1] < bound) continue;
    const double slope = (good.gain[j] - good.gain[j - 1]) / (good.f[j] - good.f[j - 1]);
    metrics.bandwidth = good.f[j - 1] + (bound - good.gain[j - 1]) / slope;
    metrics.bandwidth_error = std::hypot(
        std::hypot(bound * good.error[j], gain.error / std::numbers::sqrt2) / std::abs(slope),
        off_the_line(good.f, good.gain, j, metrics.bandwidth) / std::abs(slope));
    break;
  }

  constexpr double lag = -0.25 * std::numbers::pi;
  for (std::size_t j = 1; j < good.f.size(); ++j) {
    if (!(good.phase[j - 1] >= lag && good.phase[j] < lag)) continue;
    const double slope = (good.phase[j] - good.phase[j - 1]) / (good.f[j] - good.f[j - 1]);
    const double f = good.f[j - 1] + (lag - good.phase[j - 1]) / slope;
    const double f_error =
        std::hypot(good.error[j], off_the_line(good.f, good.phase, j, f)) / std::abs(slope);
    metrics.equivalent_time = 1.0 / (2.0 * std::numbers::pi * f);
    metrics.equivalent_time_error = metrics.equivalent_time * f_error / f;
    break;
  }
  return metrics;
}

double gain_at(const FrequencyResponse& response, double f) {
  return read_between(response.f, response.gain, f);
}

double phase_at(const FrequencyResponse& response, double f) {
  return read_between(response.f, response.phase, f);
}

double gain_error_at(const FrequencyResponse& response, double f) {
  return std::hypot(gain_at(response, f) * read_between(response.f, response.error, f),
                    off_between(response.f, response.gain, f));
}

double phase_error_at(const FrequencyResponse& response, double f) {
  return std::hypot(read_between(response.f, response.error, f),
                    off_between(response.f, response.phase, f));
}

}  // namespace semirec
