#include "vehicles/analysis/metrics/sine_with_dwell.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace semirec {

namespace {

constexpr double kGravity = 9.81;    // of the regulation's "g", m/s^2
constexpr double kDisplaced = 1.07;  // s after the beginning of steer

/// Of acceleration, from rest, between two times: int (to - t) a dt by trapezoids over the samples.
double integrate_twice(Samples a, double dt, double from, double to) {
  const int parts = std::max(1, static_cast<int>(std::ceil((to - from) / dt)));
  const double h = (to - from) / parts;
  double sum = 0.0;
  for (int k = 0; k < parts; ++k)
    sum += (k == 0 ? 0.5 : 1.0) * h * (to - from - k * h) * value_at(a, dt, from + k * h);
  return sum;
}

}  // namespace

CurveValue sine_with_dwell(const SineWithDwell& test, double t) {
  const double omega = 2.0 * std::numbers::pi * test.frequency;
  const double third = 0.75 / test.frequency;
  double tau = t - test.start;
  if (tau < 0.0 || tau >= 1.0 / test.frequency + test.dwell) return {};
  if (tau >= third && tau < third + test.dwell) return {-test.amplitude, 0.0, 0.0};
  if (tau >= third) tau -= test.dwell;
  const double s = std::sin(omega * tau);
  return {test.amplitude * s, test.amplitude * omega * std::cos(omega * tau),
          -test.amplitude * omega * omega * s};
}

double steer_completed(const SineWithDwell& test) {
  return test.start + 1.0 / test.frequency + test.dwell;
}

std::vector<double> sine_with_dwell_amplitudes(double A) {
  std::vector<double> amplitudes;
  if (!(A > 0.0)) return amplitudes;
  const double last = std::min(std::max(6.5 * A, 270.0 * kDegree), 300.0 * kDegree);
  // a step that ends within a thousandth of the last one is the last one
  for (int k = 3; 0.5 * k * A < 0.999 * last; ++k) amplitudes.push_back(0.5 * k * A);
  amplitudes.push_back(last);
  return amplitudes;
}

double required_displacement(double mass) { return mass <= 3500.0 ? 1.83 : 1.52; }

SineWithDwellRun judge_sine_with_dwell(const SineWithDwell& test, Samples steering_wheel,
                                       Samples yaw_rate, Samples lateral_acceleration,
                                       Samples across, double dt) {
  SineWithDwellRun run;
  const double side = test.amplitude > 0.0 ? 1.0 : -1.0;
  run.beginning = find_crossing(steering_wheel, dt, side * 5.0 * kDegree, test.start);
  run.completion = steer_completed(test);
  const double reversal = test.start + 0.5 / test.frequency;
  // the first peak the other way: what follows falls by a hundredth of the largest
  const Instant largest = find_peak(yaw_rate, dt, -side, reversal, run.completion + 2.0);
  Instant peak = find_first_peak(yaw_rate, dt, -side, 0.01 * std::abs(largest.value), reversal,
                                 run.completion + 2.0);
  if (!(-side * peak.value > 0.0)) peak = largest;
  run.yaw_peak = peak.value;
  run.yaw_peak_time = peak.t;
  run.ratio_1_00 = value_at(yaw_rate, dt, run.completion + 1.0) / run.yaw_peak;
  run.ratio_1_75 = value_at(yaw_rate, dt, run.completion + 1.75) / run.yaw_peak;
  const double measured = run.beginning + kDisplaced;
  run.displaced = measured;
  run.displacement = std::abs(integrate_twice(lateral_acceleration, dt, run.beginning, measured));
  run.ground_displacement =
      std::abs(value_at(across, dt, measured) - value_at(across, dt, run.beginning));
  // a car that spins the other way has not passed
  run.stable = std::abs(run.ratio_1_00) <= 0.35 && std::abs(run.ratio_1_75) <= 0.20;
  return run;
}

SlowlyIncreasingSteer find_A(Samples steering_wheel, Samples lateral_acceleration) {
  SlowlyIncreasingSteer found;
  std::vector<double> angle, acceleration;
  for (std::size_t k = 0; k < steering_wheel.size(); ++k) {
    const double a = std::abs(lateral_acceleration[k]);
    found.reached = std::max(found.reached, a);
    // the first passage only
    if (found.reached > 0.375 * kGravity || a < 0.1 * kGravity) continue;
    angle.push_back(std::abs(steering_wheel[k]));
    acceleration.push_back(a);
  }
  if (found.reached < 0.375 * kGravity || angle.size() < 2) {
    found.A = found.A_error = kNone;
    return found;
  }
  const Line line = fit_line(angle, acceleration);
  found.A = (0.3 * kGravity - line.offset) / line.slope;
  for (std::size_t k = 0; k < angle.size(); ++k)
    found.A_error =
        std::max(found.A_error,
                 std::abs((acceleration[k] - line.offset - line.slope * angle[k]) / line.slope));
  return found;
}

}  // namespace semirec
