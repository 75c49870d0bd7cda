#pragma once

#include <complex>
#include <vector>

#include "vehicles/analysis/metrics/signal.hpp"

namespace semirec {

/// Frequency weightings of ISO 2631-1 for vibration of the whole body.
enum class Weighting {
  Wk,  ///< seat, z; standing and lying people
  Wd,  ///< seat, x and y
  Wc,  ///< seat back, x
  We,  ///< seat, rotations
  Wf   ///< motion sickness, z
};

/// Transfer of the weighting at f, Hz (zero at f = 0): band limits, transition, upward step.
std::complex<double> weighting_factor(Weighting weighting, double f);

/// The weighted signal, sample by sample, by the exact transfer in the frequency domain. The signal
/// is taken as zero before and after, and the weighting as causal: what rings after the end is cut.
std::vector<double> weigh(Samples acceleration, double dt, Weighting weighting);

/// Numbers of a weighted acceleration a over its whole length T.
struct VibrationDose {
  double rms = 0.0;
  double peak = 0.0;
  double crest_factor = 0.0;  ///< peak/rms; above 9 the r.m.s. alone says too little
  double mtvv = 0.0;  ///< largest running r.m.s. of 1 s (linear average), m/s^2; NaN of less
  double vdv = 0.0;   ///< (integral of a^4)^(1/4), m/s^1.75
};
VibrationDose find_dose(Samples weighted, double dt);

/// Running r.m.s. over the last `window` seconds; at the begin over what there is of it, taken as
/// zero before.
std::vector<double> running_rms(Samples a, double dt, double window = 1.0);

}  // namespace semirec
