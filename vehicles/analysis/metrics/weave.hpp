#pragma once

#include "vehicles/analysis/metrics/signal.hpp"

namespace semirec {

/// A loop of y over x, both nearly sines of one frequency, in the manner of ISO 13674-1: steering
/// wheel angle, lateral acceleration and yaw rate, two at a time. Each number is the mean over the
/// periods; `spread` is the largest deviation of a period from it, relative.
struct HysteresisLoop {
  double gradient = 0.0;  ///< dy/dx through the centre: mean of both branches where |x| is within
                          ///< 20 % of its peak
  double gradient_at_level = 0.0;  ///< dy/dx of both branches around |y| = level; NaN without
  double dead_band = 0.0;          ///< width in x at y = 0
  double height = 0.0;             ///< width in y at x = 0
  double x_peak = 0.0, y_peak = 0.0;
  double lag = 0.0;     ///< of y behind x at the frequency, s; below zero: ahead
  double spread = 0.0;  ///< of gradient and dead band
};

/// Over whole periods in a steady weave, as many as are in the record. `level`: where the second
/// gradient is taken, in units of y; 0: not at all.
HysteresisLoop find_hysteresis(Samples x, Samples y, double dt, double frequency,
                               double level = 0.0);

/// Value of y where x leaves the centre through the level, in the same steady weave: half the
/// difference of its values at +level (x rising) and -level (falling), mean over the record; NaN
/// where x stays below the level. Both counted from their means over whole periods.
double find_value_outwards(Samples x, Samples y, double dt, double frequency, double level);

}  // namespace semirec
