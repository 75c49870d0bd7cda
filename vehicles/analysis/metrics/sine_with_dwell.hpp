#pragma once

#include <numbers>
#include <vector>

#include "topology/curve.hpp"
#include "vehicles/analysis/metrics/signal.hpp"

namespace semirec {

inline constexpr double kDegree = std::numbers::pi / 180.0;  ///< rad

/// The test of 49 CFR 571.126 (FMVSS 126, UN R140): a sine at the steering wheel that dwells at its
/// second peak.
struct SineWithDwell {
  double frequency = 0.7;  ///< Hz
  double dwell = 0.5;      ///< s, after the third quarter
  double start = 0.0;      ///< s
  double amplitude = 0.0;  ///< rad at the steering wheel; first to the left when above zero
};

/// Steering wheel and its first two rates at t.
CurveValue sine_with_dwell(const SineWithDwell& test, double t);
/// When the steering wheel is back at zero: start + 1/frequency + dwell.
double steer_completed(const SineWithDwell& test);

/// Amplitudes of a series from A: 1.5 A and on by 0.5 A up to the greater of 6.5 A and 270 degrees,
/// at most 300 degrees; rad. A above zero; empty otherwise.
std::vector<double> sine_with_dwell_amplitudes(double A);

/// Where a car of this mass must be 1.07 s after the beginning of steer, from 5 A on, m.
double required_displacement(double mass);

/// One run.
struct SineWithDwellRun {
  double beginning = 0.0;   ///< steering wheel at 5 degrees, s
  double completion = 0.0;  ///< s
  double yaw_peak = 0.0;  ///< first peak of the yaw rate after the steering wheel changed its sign
  double yaw_peak_time = 0.0;  ///< s
  double ratio_1_00 = 0.0;     ///< yaw rate 1 s after completion over the peak, signed
  double ratio_1_75 = 0.0;     ///< 1.75 s after it
  double displaced = 0.0;      ///< when the displacement is measured, s
  double displacement = 0.0;   ///< twice integrated lateral acceleration, 1.07 s on, m, magnitude
  double ground_displacement =
      0.0;              ///< way of the centre of mass across its first course, the same
  bool stable = false;  ///< ratios at most 0.35 and 0.20
};

/// Evaluates a run from its samples (from time 0 of the test on): steering wheel, rad, yaw rate,
/// rad/s, lateral acceleration of the centre of mass along the car's own axis, m/s^2 (integrated
/// from the beginning on, as the regulation has it), and way across the first course, m. The ratios
/// are signed: below zero when the car turns the other way by then.
SineWithDwellRun judge_sine_with_dwell(const SineWithDwell& test, Samples steering_wheel,
                                       Samples yaw_rate, Samples lateral_acceleration,
                                       Samples across, double dt);

/// Steering wheel angle at 0.3 g by a line through all samples from 0.1 g to 0.375 g in a slowly
/// increasing steer test, with the line's standard deviation there; magnitudes. NaN when 0.375 g is
/// not reached.
struct SlowlyIncreasingSteer {
  double A = 0.0;        ///< rad
  double A_error = 0.0;  ///< rad, largest distance of a sample from the line
  double reached = 0.0;  ///< largest lateral acceleration, m/s^2
};
SlowlyIncreasingSteer find_A(Samples steering_wheel, Samples lateral_acceleration);

}  // namespace semirec
