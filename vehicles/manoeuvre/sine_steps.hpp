#pragma once

#include <vector>

#include "vehicles/manoeuvre/method.hpp"

namespace semirec {

/// One frequency of a stepped sweep: sines of whole periods, one frequency after the other without
/// a pause, each first until the car has settled.
struct SineStep {
  double frequency = 0.0;  ///< Hz
  double from = 0.0;       ///< s
  double measured = 0.0;   ///< s: from here to the end
  double end = 0.0;        ///< s
};

/// `f_from`, `f_to`, `count`, `transient`, `periods`.
std::vector<ValueRule> sine_steps_values(double f_from, double f_to, double count);
/// Frequencies at equal ratios; the first one begins at `start`. Throws ModelError on a band that
/// ends below its begin.
std::vector<SineStep> sine_steps_of(const Manoeuvre& manoeuvre, double start);

/// The same at these frequencies, Hz, each after so many times `transient`.
std::vector<SineStep> sine_steps_at(const std::vector<double>& frequencies,
                                    const Manoeuvre& manoeuvre, double start,
                                    double transients = 1.0);

/// amplitude sin(2 pi f (t - from)) during the step.
Curve::Sine sine_of(const SineStep& step, double amplitude);

}  // namespace semirec
