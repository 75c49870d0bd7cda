#pragma once

#include <complex>
#include <vector>

#include "vehicles/analysis/metrics/signal.hpp"

namespace semirec {

/// Y_k = sum_j y_j exp(-i 2 pi j k/n) for k = 0 .. n/2 (n samples, rounded down).
std::vector<std::complex<double>> transform(Samples y);
/// Its inverse for a record of n samples.
std::vector<double> transform_back(const std::vector<std::complex<double>>& spectrum,
                                   std::size_t n);

/// How a record is cut for Welch's averages.
struct WelchSettings {
  double segment = 0.0;  ///< s, at most the record's length
  double overlap = 0.5;  ///< of neighbours, 0 to below 1
};

/// One-sided spectral densities of two signals, averaged over segments with a Hann window, each
/// less its mean.
struct Spectra {
  std::vector<double> f;                 ///< Hz, from 1/segment
  std::vector<double> xx, yy;            ///< unit^2/Hz
  std::vector<std::complex<double>> xy;  ///< conj(X) Y
  std::size_t segments = 0;              ///< averaged
  double averages = 0.0;                 ///< independent ones they are worth: overlap correlates
};

/// Welch's method. Throws std::invalid_argument on a segment shorter than 8 samples or longer than
/// the record, and on an overlap out of range.
Spectra estimate_spectra(Samples x, Samples y, double dt, const WelchSettings& settings);

/// A band of one third of an octave.
struct Band {
  double centre = 0.0;  ///< exact, 10^(n/10) Hz
  double rms = 0.0;     ///< of the signal within 10^(-1/20) to 10^(1/20) of the centre
};

/// Bands from the density on the lines f (equal distances): each line is spread evenly over its
/// distance. Bands that reach beyond the lines are left out.
std::vector<Band> third_octaves(const std::vector<double>& f, const std::vector<double>& density);

}  // namespace semirec
