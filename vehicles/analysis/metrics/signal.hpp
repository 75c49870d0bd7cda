#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace semirec {

/// What a metric is that does not exist.
inline constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// Values of a signal at equal intervals, the first one at time zero of the metric.
using Samples = std::span<const double>;

/// A time and the value there.
struct Instant {
  double t = 0.0;  ///< s after the first sample; NaN: there is none
  double value = 0.0;
};

// All of these work on at least one sample; times outside of the record are taken at its ends.

double mean_of(Samples y);
double rms_of(Samples y);
double peak_of(Samples y);  ///< largest magnitude
/// Standard deviation of the samples about their mean.
double deviation_of(Samples y);

/// The samples from time `from` to time `to`, ends included; at least one.
Samples part_of(Samples y, double dt, double from, double to);

/// Linear between the samples; NaN at a time that is none.
double value_at(Samples y, double dt, double t);

/// First time at or after `from` at which y passes `level` (in either direction), linear between
/// the samples; NaN if it never does, or if `from` is no time.
double find_crossing(Samples y, double dt, double level, double from = 0.0);

/// The largest sample of sign * y from `from` to `to`, refined by the parabola through it and its
/// neighbours.
Instant find_peak(Samples y, double dt, double sign, double from, double to);

/// First local maximum of sign * y from `from` to `to` that is followed by a fall of more than
/// `fall` (in the unit of y), refined by a parabola; t is NaN if there is none.
Instant find_first_peak(Samples y, double dt, double sign, double fall, double from, double to);

/// Straight line value(x) = offset + slope x by least squares.
struct Line {
  double offset = 0.0, slope = 0.0;
  double slope_error = 0.0;  ///< one standard deviation, from the residuals as if independent
  std::size_t count = 0;     ///< points used; fewer than two: slope is NaN
};
Line fit_line(Samples x, Samples y);

/// offset + Re(amplitude exp(i 2 pi f t)) by least squares; phases of cos: sin(...) has amplitude
/// -i.
struct SineFit {
  double re = 0.0, im = 0.0, offset = 0.0;
  double residual = 0.0;  ///< rms of what is left
};
SineFit fit_sine(Samples y, double dt, double frequency);

/// Delay (s, positive when `later` lags) that maximizes the correlation of two signals that begin
/// and end at zero, over -range to range; refined by a parabola.
double find_lag(Samples earlier, Samples later, double dt, double range);

}  // namespace semirec
