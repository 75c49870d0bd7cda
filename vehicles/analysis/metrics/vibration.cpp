#include "vehicles/analysis/metrics/vibration.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "vehicles/analysis/metrics/spectrum.hpp"

namespace semirec {

namespace {

/// Corner frequencies, Hz, and quality factors of ISO 2631-1 (and ISO 8041); 0: the part is not
/// there. The band limits are of second order with Q = 1/sqrt(2).
struct Corners {
  double high_pass, low_pass;  ///< f1, f2
  double f3, f4, Q4;           ///< transition from acceleration to velocity; f3 0: no numerator
  double f5, Q5, f6, Q6;       ///< upward step
};

Corners corners_of(Weighting weighting) {
  switch (weighting) {
    case Weighting::Wk:
      return {0.4, 100.0, 12.5, 12.5, 0.63, 2.37, 0.91, 3.35, 0.91};
    case Weighting::Wd:
      return {0.4, 100.0, 2.0, 2.0, 0.63, 0.0, 0.0, 0.0, 0.0};
    case Weighting::Wc:
      return {0.4, 100.0, 8.0, 8.0, 0.63, 0.0, 0.0, 0.0, 0.0};
    case Weighting::We:
      return {0.4, 100.0, 1.0, 1.0, 0.63, 0.0, 0.0, 0.0, 0.0};
    case Weighting::Wf:
      return {0.08, 0.63, 0.0, 0.25, 0.86, 0.0625, 0.80, 0.1, 0.80};
  }
  return {};
}

std::size_t fast_length(std::size_t n) {
  std::size_t length = 1;
  while (length < n) length *= 2;
  return length;
}

}  // namespace

std::complex<double> weighting_factor(Weighting weighting, double f) {
  if (!(f > 0.0)) return 0.0;
  const Corners c = corners_of(weighting);
  const std::complex<double> s(0.0, f);  // p/(2 pi), as all corners are in Hz
  using std::numbers::sqrt2;
  std::complex<double> H = 1.0 / (1.0 + sqrt2 * c.high_pass / s + std::pow(c.high_pass / s, 2));
  H /= 1.0 + sqrt2 * s / c.low_pass + std::pow(s / c.low_pass, 2);
  if (c.f3 > 0.0) H *= 1.0 + s / c.f3;
  H /= 1.0 + s / (c.Q4 * c.f4) + std::pow(s / c.f4, 2);
  if (c.f5 > 0.0) {
    H *= 1.0 + s / (c.Q5 * c.f5) + std::pow(s / c.f5, 2);
    H /= 1.0 + s / (c.Q6 * c.f6) + std::pow(s / c.f6, 2);
    H *= std::pow(c.f5 / c.f6, 2);
  }
  return H;
}

std::vector<double> weigh(Samples acceleration, double dt, Weighting weighting) {
  // what the high pass still rings with must not come round to the begin
  const double ring = 10.0 / corners_of(weighting).high_pass;
  const std::size_t n =
      fast_length(acceleration.size() + static_cast<std::size_t>(std::ceil(ring / dt)));
  std::vector<double> padded(n, 0.0);
  std::copy(acceleration.begin(), acceleration.end(), padded.begin());
  std::vector<std::complex<double>> spectrum = transform(padded);
  for (std::size_t k = 0; k < spectrum.size(); ++k)
    spectrum[k] *=
        weighting_factor(weighting, static_cast<double>(k) / (static_cast<double>(n) * dt));
  spectrum.back() = spectrum.back().real();
  std::vector<double> weighted = transform_back(spectrum, n);
  weighted.resize(acceleration.size());
  return weighted;
}

std::vector<double> running_rms(Samples a, double dt, double window) {
  const auto length = std::max<std::size_t>(1, static_cast<std::size_t>(std::lround(window / dt)));
  std::vector<double> rms(a.size());
  std::vector<double> sums(a.size() + 1, 0.0);
  for (std::size_t k = 0; k < a.size(); ++k) sums[k + 1] = sums[k] + a[k] * a[k];
  for (std::size_t k = 0; k < a.size(); ++k) {
    const std::size_t from = k + 1 > length ? k + 1 - length : 0;
    rms[k] = std::sqrt(std::max(0.0, sums[k + 1] - sums[from]) / static_cast<double>(length));
  }
  return rms;
}

VibrationDose find_dose(Samples weighted, double dt) {
  VibrationDose dose;
  dose.rms = rms_of(weighted);
  dose.peak = peak_of(weighted);
  dose.crest_factor = dose.rms > 0.0 ? dose.peak / dose.rms : 0.0;
  constexpr double kWindow = 1.0;  // s
  dose.mtvv = static_cast<double>(weighted.size()) * dt < (1.0 - 1e-9) * kWindow
                  ? std::numeric_limits<double>::quiet_NaN()
                  : peak_of(running_rms(weighted, dt, kWindow));
  double sum = 0.0;
  for (const double a : weighted) sum += a * a * a * a * dt;
  dose.vdv = std::pow(sum, 0.25);
  return dose;
}

}  // namespace semirec
