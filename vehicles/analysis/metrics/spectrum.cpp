#include "vehicles/analysis/metrics/spectrum.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

// the one place that instantiates it, with its own kissfft: FFTW would change the licence
#include <unsupported/Eigen/FFT>

namespace semirec {

std::vector<std::complex<double>> transform(Samples y) {
  Eigen::FFT<double> fft;
  fft.SetFlag(Eigen::FFT<double>::HalfSpectrum);
  std::vector<std::complex<double>> spectrum(y.size() / 2 + 1);
  const std::vector<double> copy(y.begin(), y.end());
  fft.fwd(spectrum, copy);
  return spectrum;
}

std::vector<double> transform_back(const std::vector<std::complex<double>>& spectrum,
                                   std::size_t n) {
  Eigen::FFT<double> fft;
  fft.SetFlag(Eigen::FFT<double>::HalfSpectrum);
  std::vector<double> y(n);
  fft.inv(y, spectrum, static_cast<Eigen::Index>(n));
  return y;
}

namespace {

/// A number of samples made of 2, 3 and 5 only, at most n: the transform is fast there.
std::size_t round_length(std::size_t n) {
  for (;; --n) {
    std::size_t rest = n;
    for (const std::size_t prime : {2U, 3U, 5U})
      while (rest % prime == 0) rest /= prime;
    if (rest == 1) return n;
  }
}

/// Variance of the mean of `count` periodograms that lie `hop` apart: their number divided by
/// 1 + 2 sum_j (1 - j/count) rho_j^2, rho_j the correlation of windows j apart [BP10].
double independent_averages(const std::vector<double>& window, std::size_t hop, std::size_t count) {
  double power = 0.0;
  for (const double w : window) power += w * w;
  double sum = 1.0;
  for (std::size_t j = 1; j < count && j * hop < window.size(); ++j) {
    double product = 0.0;
    for (std::size_t k = 0; k + j * hop < window.size(); ++k)
      product += window[k] * window[k + j * hop];
    const double rho = product / power;
    sum += 2.0 * (1.0 - static_cast<double>(j) / static_cast<double>(count)) * rho * rho;
  }
  return static_cast<double>(count) / sum;
}

std::vector<std::complex<double>> transform_segment(Samples y, const std::vector<double>& window) {
  const double mean = mean_of(y);
  std::vector<double> part(y.size());
  for (std::size_t k = 0; k < y.size(); ++k) part[k] = window[k] * (y[k] - mean);
  return transform(part);
}

}  // namespace

Spectra estimate_spectra(Samples x, Samples y, double dt, const WelchSettings& settings) {
  const std::size_t size = std::min(x.size(), y.size());
  const double wanted = std::floor(settings.segment / dt + 1e-9);
  if (!(wanted >= 8.0 && wanted <= static_cast<double>(size)))
    throw std::invalid_argument("segment of the spectra: expected 8 samples to the whole record");
  if (!(settings.overlap >= 0.0 && settings.overlap < 1.0))
    throw std::invalid_argument("overlap of the spectra: expected 0 to below 1");
  const std::size_t length = round_length(static_cast<std::size_t>(wanted));
  const auto hop =
      std::max<std::size_t>(1, static_cast<std::size_t>(std::lround((1.0 - settings.overlap) *
                                                                    static_cast<double>(length))));
  const std::size_t lines = length / 2 + 1;

  std::vector<double> window(length);
  double power = 0.0;
  for (std::size_t k = 0; k < length; ++k) {
    const double share = static_cast<double>(k) / static_cast<double>(length);
    window[k] = 0.5 * (1.0 - std::cos(2.0 * std::numbers::pi * share));
    power += window[k] * window[k];
  }

  Spectra spectra;
  std::vector<double> xx(lines), yy(lines);
  std::vector<std::complex<double>> xy(lines);
  for (std::size_t from = 0; from + length <= size; from += hop) {
    const auto X = transform_segment(x.subspan(from, length), window);
    const auto Y = transform_segment(y.subspan(from, length), window);
    for (std::size_t k = 0; k < lines; ++k) {
      xx[k] += std::norm(X[k]);
      yy[k] += std::norm(Y[k]);
      xy[k] += std::conj(X[k]) * Y[k];
    }
    ++spectra.segments;
  }
  spectra.averages = independent_averages(window, hop, spectra.segments);

  // twice for the negative frequencies, which the last line of an even length does not have
  for (std::size_t k = 1; k < lines; ++k) {
    const double sides = 2 * k == length ? 1.0 : 2.0;
    const double scale = sides * dt / (power * static_cast<double>(spectra.segments));
    spectra.f.push_back(static_cast<double>(k) / (static_cast<double>(length) * dt));
    spectra.xx.push_back(scale * xx[k]);
    spectra.yy.push_back(scale * yy[k]);
    spectra.xy.push_back(scale * xy[k]);
  }
  return spectra;
}

std::vector<Band> third_octaves(const std::vector<double>& f, const std::vector<double>& density) {
  std::vector<Band> bands;
  if (f.size() < 2) return bands;
  const double width = f[1] - f[0];
  const double low = f.front() - 0.5 * width;
  const double high = f.back() + 0.5 * width;
  for (int n = static_cast<int>(std::floor(10.0 * std::log10(f.front()))); n < 80; ++n) {
    const double centre = std::pow(10.0, n / 10.0);
    const double from = centre * std::pow(10.0, -0.05);
    const double to = centre * std::pow(10.0, 0.05);
    if (to > high) break;
    if (from < low) continue;
    double power = 0.0;
    for (std::size_t k = 0; k < f.size(); ++k) {
      const double overlap = std::min(to, f[k] + 0.5 * width) - std::max(from, f[k] - 0.5 * width);
      if (overlap > 0.0) power += overlap * density[k];
    }
    bands.push_back({centre, std::sqrt(power)});
  }
  return bands;
}

}  // namespace semirec
