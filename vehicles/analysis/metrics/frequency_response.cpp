#include "vehicles/analysis/metrics/frequency_response.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

namespace semirec {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kCoherent = 0.8;  // points below it are not used for metrics

double at(const std::vector<double>& f, const std::vector<double>& values, double where) {
  if (f.empty() || !(where >= f.front() && where <= f.back())) return kNone;
  std::size_t k = 0;
  while (k + 2 < f.size() && f[k + 1] < where) ++k;
  if (f.size() == 1) return values[0];
  return values[k] + (values[k + 1] - values[k]) * (where - f[k]) / (f[k + 1] - f[k]);
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

FrequencyMetrics find_frequency_metrics(const FrequencyResponse& response, double low) {
  FrequencyMetrics metrics;
  metrics.peak_frequency = metrics.bandwidth = metrics.bandwidth_error = kNone;
  metrics.equivalent_time = metrics.peak_ratio = metrics.steady_gain = kNone;
  metrics.steady_error = kNone;
  FrequencyResponse good;
  for (std::size_t k = 0; k < response.f.size(); ++k) {
    if (!(response.coherence[k] > kCoherent)) continue;
    good.f.push_back(response.f[k]);
    good.gain.push_back(response.gain[k]);
    good.phase.push_back(response.phase[k]);
    good.error.push_back(response.error[k]);
  }
  if (good.f.empty()) return metrics;

  double sum = 0.0;
  double variance = 0.0;
  std::size_t count = 0;
  while (count < good.f.size() && (count == 0 || good.f[count] <= low)) {
    sum += good.gain[count];
    variance += std::pow(good.gain[count] * good.error[count], 2);
    ++count;
  }
  const auto n = static_cast<double>(count);
  metrics.steady_gain = sum / n;
  metrics.steady_error = std::sqrt(variance) / n;

  const auto top = std::max_element(good.gain.begin(), good.gain.end());
  const auto k = static_cast<std::size_t>(top - good.gain.begin());
  metrics.peak_ratio = *top / metrics.steady_gain;
  if (k >= count && k + 1 < good.f.size()) metrics.peak_frequency = good.f[k];

  // the last fall through the bound, so that a dip of the estimate does not count
  const double bound = metrics.steady_gain / std::numbers::sqrt2;
  for (std::size_t j = good.f.size() - 1; j > 0; --j) {
    if (!(good.gain[j] < bound)) break;
    if (good.gain[j - 1] < bound) continue;
    const double slope = (good.gain[j] - good.gain[j - 1]) / (good.f[j] - good.f[j - 1]);
    metrics.bandwidth = good.f[j - 1] + (bound - good.gain[j - 1]) / slope;
    metrics.bandwidth_error =
        std::hypot(bound * good.error[j], metrics.steady_error / std::numbers::sqrt2) /
        std::abs(slope);
    break;
  }

  constexpr double lag = -0.25 * std::numbers::pi;
  for (std::size_t j = 1; j < good.f.size(); ++j) {
    if (!(good.phase[j - 1] >= lag && good.phase[j] < lag)) continue;
    const double share = (good.phase[j - 1] - lag) / (good.phase[j - 1] - good.phase[j]);
    const double f = good.f[j - 1] + share * (good.f[j] - good.f[j - 1]);
    metrics.equivalent_time = 1.0 / (2.0 * std::numbers::pi * f);
    break;
  }
  return metrics;
}

double gain_at(const FrequencyResponse& response, double f) {
  return at(response.f, response.gain, f);
}

double phase_at(const FrequencyResponse& response, double f) {
  return at(response.f, response.phase, f);
}

}  // namespace semirec
