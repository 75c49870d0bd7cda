#pragma once

#include <limits>
#include <vector>

#include "vehicles/analysis/metrics/signal.hpp"
#include "vehicles/analysis/metrics/spectrum.hpp"

namespace semirec {

/// Transfer from one signal to another over frequency.
struct FrequencyResponse {
  std::vector<double> f;          ///< Hz, rising
  std::vector<double> gain;       ///< unit of the output over that of the input
  std::vector<double> phase;      ///< rad, below zero where the output lags; without jumps of 2 pi
  std::vector<double> coherence;  ///< 0 to 1; 1 where one sine is the input
  /// One standard deviation of the gain, relative, and of the phase, rad.
  std::vector<double> error;
};

/// H1 = Sxy/Sxx from random or swept inputs, from f_from to f_to. Its error comes from the
/// coherence and the number of averages [BP10]:  sqrt((1 - coherence)/(2 averages coherence)).
FrequencyResponse estimate_frequency_response(Samples x, Samples y, double dt,
                                              const WelchSettings& settings, double f_from,
                                              double f_to);

/// One point from sines of the frequency in both signals, over whole periods; the error is that of
/// what is no sine in the output, as if of one value in the whole record. Appended to `response`.
void add_sine_point(FrequencyResponse& response, Samples x, Samples y, double dt, double frequency);

/// Removes jumps of 2 pi from the phases and brings the first one to within -pi and pi.
void unwrap(std::vector<double>& phase);

/// Top of a resonance by the points around the largest one, k: 1/gain^2 is a parabola over f^2, as
/// it is for two poles. `t` is the frequency. Needs 0 < k < size - 1.
Instant find_resonance(const std::vector<double>& f, const std::vector<double>& gain,
                       std::size_t k);

/// A gain at frequency zero; NaN: not known.
struct SteadyGain {
  double value = std::numeric_limits<double>::quiet_NaN();
  double error = std::numeric_limits<double>::quiet_NaN();
};

/// What a frequency response is summed up in.
struct FrequencyMetrics {
  double steady_gain = 0.0;  ///< as given, or the mean over the low frequencies
  double steady_error = 0.0;
  double peak_frequency = 0.0;  ///< Hz; where the gain is largest; NaN: at an end of the range
  /// Hz: from the largest point to the top of the resonance, how far that moves with the points
  /// that it is found from, half of the range in which gains are as large within their errors, and
  /// what these do to the top.
  double peak_frequency_error = 0.0;
  double peak_ratio = 0.0;  ///< its gain over the steady one
  double peak_ratio_error = 0.0;
  double bandwidth = 0.0;        ///< Hz: gain below steady/sqrt(2) from there on; NaN: not in range
  double bandwidth_error = 0.0;  ///< Hz, from the gain's error and slope there
  double equivalent_time = 0.0;  ///< s: 1/omega where the phase is -45 degrees; NaN: not in range
  double equivalent_time_error = 0.0;  ///< s, from the phase's error and between the points
};

/// Mean gain over the low frequencies, those up to `low`, Hz, at least one, and its standard
/// deviation. Only points of coherence above 0.8 count, here and below.
SteadyGain low_frequency_gain(const FrequencyResponse& response, double low);

/// Against a steady gain that is known, or the one of the low frequencies.
FrequencyMetrics find_frequency_metrics(const FrequencyResponse& response, double low,
                                        const SteadyGain& steady = {});

/// Gain and phase at a frequency, linear between the points; NaN out of range.
double gain_at(const FrequencyResponse& response, double f);
double phase_at(const FrequencyResponse& response, double f);
/// Their uncertainty: of the points, and how far a parabola through a third point lies off the
/// line.
double gain_error_at(const FrequencyResponse& response, double f);
double phase_error_at(const FrequencyResponse& response, double f);

}  // namespace semirec
