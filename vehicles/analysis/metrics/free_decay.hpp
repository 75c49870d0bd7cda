#pragma once

#include "vehicles/analysis/metrics/signal.hpp"

namespace semirec {

/// How a signal leaves its value and comes to rest, once what held it has let go.
struct FreeDecay {
  double before = 0.0;     ///< value at the release
  double residual = 0.0;   ///< mean of the last tenth of the time after it
  double unrest = 0.0;     ///< largest less smallest value there, over the way
  double half_time = 0.0;  ///< release to half of the way, s; NaN: never
  /// First swing beyond the residual, over the way; 0: there is none.
  double overshoot = 0.0;
  double swing_time = 0.0;  ///< of that swing after the release, s; NaN: there is none
  /// Of the swing, from the logarithmic decrement of its first two half-waves beyond the way; NaN
  /// where there are not two of at least a hundredth of the way.
  double damping = 0.0;
  double period = 0.0;  ///< twice the time between these two, s; NaN likewise
};

/// Released at the time `release`, s after the first sample; looked at to the last one. A signal
/// that is where it stays has half_time NaN.
FreeDecay find_free_decay(Samples y, double dt, double release);

}  // namespace semirec
