#pragma once

#include "vehicles/analysis/metrics/signal.hpp"

namespace semirec {

/// Response of one quantity to one period of a sine at the steering wheel [ISO7401]. The first half
/// wave is that of the steering wheel's first peak, whichever its sign.
struct SingleSineResponse {
  double zero = 0.0;                           ///< value at the start
  double first_peak = 0.0, second_peak = 0.0;  ///< signed, from there
  double first_time = 0.0, second_time = 0.0;  ///< of these, s after the first sample
  double first_lag = 0.0, second_lag = 0.0;    ///< peak of the steering wheel to that of y, s
  double lag = 0.0;                            ///< by cross-correlation, s
  double first_gain = 0.0, second_gain = 0.0;  ///< peak of y over peak of the steering wheel
};

/// Both signals are zero before the sine, which has the period `period`, begins at `start` and is
/// followed by at least half a period. y answers with the same sign (yaw rate, lateral
/// acceleration) or, with `sign` -1, with the other one.
SingleSineResponse find_single_sine_response(Samples steering_wheel, Samples y, double dt,
                                             double start, double period, double sign = 1.0);

}  // namespace semirec
