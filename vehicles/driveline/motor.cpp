#include "vehicles/driveline/motor.hpp"

#include <algorithm>
#include <cmath>

#include "vehicles/driveline/driveline_numbers.hpp"

namespace semirec {

namespace {

using driveline_numbers::kCoupled;
using driveline_numbers::kDragBand;
using driveline_numbers::kIdleBand;
using driveline_numbers::kLimiterBand;

/// 0 to 1 over a band that begins at `from`, with its slope.
CurveValue ramp(double w, double from, double width) {
  const double x = (w - from) / width;
  if (x <= 0.0) return {};
  if (x >= 1.0) return {1.0, 0.0, 0.0};
  return {x, 1.0 / width, 0.0};
}

/// The torque of the closed throttle. Drag holds against the speed, whichever way the motor turns.
CurveValue closed_torque(const Motor& motor, double w) {
  CurveValue closed = motor.closed.evaluate(w);
  if (closed.f >= 0.0 || w >= kDragBand) return closed;
  const double share = std::max(w / kDragBand, -1.0);
  return {share * closed.f, share * closed.fd + (share > -1.0 ? closed.f / kDragBand : 0.0), 0.0};
}

MotorTorque compute_combustion(const Motor& motor, double throttle, double w) {
  CurveValue u{std::clamp(throttle, 0.0, 1.0), 0.0, 0.0};
  if (motor.idle_speed > 0.0) {
    // opens from the idle speed downwards
    const CurveValue governed = ramp(-w, -motor.idle_speed, kIdleBand * motor.idle_speed);
    if (governed.f > u.f) u = {governed.f, -governed.fd, 0.0};
  }
  if (motor.max_speed > 0.0) {
    const CurveValue cut = ramp(w, motor.max_speed, kLimiterBand * motor.max_speed);
    if (1.0 - cut.f < u.f) u = {1.0 - cut.f, -cut.fd, 0.0};
  }
  const CurveValue full = motor.full.evaluate(w);
  const CurveValue closed = closed_torque(motor, w);
  return {(1.0 - u.f) * closed.f + u.f * full.f,
          (1.0 - u.f) * closed.fd + u.f * full.fd + u.fd * (full.f - closed.f)};
}

MotorTorque compute_electric(const Motor& motor, double throttle, double w) {
  const double u = std::clamp(throttle, -1.0, 1.0);
  const double speed = std::abs(w);
  const double sign = w < 0.0 ? -1.0 : 1.0;
  CurveValue full = motor.full.evaluate(speed);
  if (motor.power > 0.0 && std::abs(u * full.f) * speed > motor.power) {
    const double limit = std::copysign(motor.power / speed, u * full.f);
    full = {limit / u, -limit / (u * speed), 0.0};
  }
  // braking is never limited by the speed
  if (motor.max_speed > 0.0 && u * full.f * sign > 0.0) {
    const CurveValue cut = ramp(speed, motor.max_speed, kLimiterBand * motor.max_speed);
    full = {(1.0 - cut.f) * full.f, (1.0 - cut.f) * full.fd - cut.fd * full.f, 0.0};
  }
  return {u * full.f, u * full.fd * sign};
}

}  // namespace

MotorTorque compute_motor_torque(const Motor& motor, double throttle, double w) {
  if (!std::isfinite(throttle)) throttle = 0.0;
  return motor.type == MotorType::electric ? compute_electric(motor, throttle, w)
                                           : compute_combustion(motor, throttle, w);
}

ConverterTorque compute_converter_torque(const Coupling& coupling, double w, double w_turbine) {
  const double fast = std::max({w, w_turbine, 0.0});
  if (fast <= 0.0) return {};
  const bool overrun = w_turbine > w;
  const double slow = std::max(overrun ? w : w_turbine, 0.0);
  const double ratio = slow / fast;
  // torque of the faster side: fast^2 c(ratio), c = 1/K^2 with its end at ratio 1
  const CurveValue K = coupling.capacity_factor.evaluate(ratio);
  const double fade = std::min(1.0, (1.0 - ratio) / (1.0 - kCoupled));
  const double c = fade / (K.f * K.f);
  const double c_ratio =
      -2.0 * c * K.fd / K.f - (ratio > kCoupled ? 1.0 / ((1.0 - kCoupled) * K.f * K.f) : 0.0);
  const double torque = fast * fast * c;
  const double over_fast = 2.0 * fast * c - slow * c_ratio;
  const double over_slow = slow > 0.0 ? fast * c_ratio : 0.0;
  if (overrun) return {-torque, -torque, -over_slow, -over_fast, -over_slow, -over_fast};
  const CurveValue gain = coupling.torque_ratio.evaluate(ratio);
  const double gain_fast = -gain.fd * slow / (fast * fast);
  const double gain_slow = slow > 0.0 ? gain.fd / fast : 0.0;
  return {torque,
          gain.f * torque,
          over_fast,
          over_slow,
          gain.f * over_fast + gain_fast * torque,
          gain.f * over_slow + gain_slow * torque};
}

}  // namespace semirec
