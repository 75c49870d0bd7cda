#pragma once

#include "vehicles/analysis/metrics/signal.hpp"

namespace semirec {

/// Where a step manoeuvre is read, s after the first sample.
struct StepWindow {
  double reference = 0.0;  ///< the steering wheel is half way [ISO7401]
  double before = 0.0;     ///< up to here the car runs straight: its mean is the zero
  double settled = 0.0;    ///< from here to the end the steady state is averaged
  double end = 0.0;
};

/// Response of one quantity to a step of the steering wheel, counted from its mean before the step.
struct StepResponse {
  double zero = 0.0;           ///< mean before the step
  double steady = 0.0;         ///< mean of the settled part
  double steady_ripple = 0.0;  ///< half the range within it: how steady it is
  bool still_changes = false;  ///< over the settled part its mean goes on by a tenth of steady
  double response_time = 0.0;  ///< reference to 90 % of steady, s; NaN: never
  double peak = 0.0;           ///< the first one; steady where there is none
  double peak_time = 0.0;      ///< reference to the peak, s; NaN: there is no peak above steady
  double overshoot = 0.0;      ///< (peak - steady)/steady; 0 without a peak
  // what a steady value elsewhere in its ripple would change
  double response_time_error = 0.0;  ///< s; NaN: there is no time
  double overshoot_error = 0.0;
};

/// Evaluates y in the window. What never leaves zero has NaN times.
StepResponse find_step_response(Samples y, double dt, const StepWindow& window);

}  // namespace semirec
