#include "vehicles/driver/manual_gearbox.hpp"

#include <algorithm>
#include <limits>

#include "topology/indices.hpp"

namespace semirec {

namespace {

constexpr double kPower = 0.8;                              ///< of the largest power
constexpr double kCruise = 0.45, kUp = 0.95, kDown = 0.25;  ///< of the fastest
constexpr double kUsualIdle = 85.0;                         ///< rad/s, where the file has none

/// Where the power of a motor has fallen behind its peak, or its limiter acts, rad/s; infinite
/// where neither is known.
double find_fastest(const Motor& motor) {
  constexpr int kSamples = 2000;
  double end = motor.max_speed;
  if (!(end > 0.0))
    for (const double speed : motor.full.breakpoints()) end = std::max(end, speed);
  if (!(end > 0.0)) return std::numeric_limits<double>::infinity();
  const auto speed = [&](int k) { return end * k / kSamples; };
  const auto power = [&](int k) {
    const double full = speed(k) * motor.full.evaluate(speed(k)).f;
    return motor.power > 0.0 ? std::min(full, motor.power) : full;
  };
  double most = 0.0;
  for (int k = 0; k <= kSamples; ++k) most = std::max(most, power(k));
  int k = kSamples;
  while (k > 1 && power(k) < kPower * most) --k;
  return speed(k);
}

}  // namespace

std::optional<ManualGearbox> find_manual_gearbox(const Vehicle& vehicle) {
  const std::vector<Input>& inputs = vehicle.mechanism.inputs;
  for (const Driveline& line : vehicle.drivelines) {
    const Gearbox& gearbox = line.gearbox;
    if (gearbox.automatic || gearbox.gears.empty() || gearbox.selector == kNoInput) continue;
    // of one gear there is nothing to shift
    if (gearbox.gears.size() < 2 && line.coupling.pedal == kNoInput) continue;
    if (inputs[at(gearbox.selector)].name != vehicle.controls.gear) continue;
    const DrivenAxle& axle = line.axles.front();
    const double radius = vehicle.wheels[at(axle.wheels.front())].radius;
    ManualGearbox box;
    box.motor_speed = line.name + ".motor_speed";
    if (line.coupling.pedal != kNoInput) box.clutch = inputs[at(line.coupling.pedal)].name;
    for (const Gear& gear : gearbox.gears) box.paces.push_back(gear.ratio * axle.ratio / radius);
    box.idle = line.motor.idle_speed > 0.0 ? line.motor.idle_speed : kUsualIdle;
    box.fastest = find_fastest(line.motor);
    return box;
  }
  return std::nullopt;
}

int choose_gear(const ManualGearbox& box, double speed) noexcept {
  int gear = static_cast<int>(box.paces.size());
  while (gear > 1 && box.paces[at(gear - 1)] * speed < kCruise * box.fastest) --gear;
  return gear;
}

int next_gear(const ManualGearbox& box, int gear, double speed) noexcept {
  const int last = static_cast<int>(box.paces.size());
  const double motor_speed = box.paces[at(std::clamp(gear, 1, last) - 1)] * speed;
  if (motor_speed > kUp * box.fastest) return std::min(gear + 1, last);
  if (motor_speed < kDown * box.fastest) return std::max(gear - 1, 1);
  return gear;
}

double clutch_pedal(const ManualGearbox& box, double motor_speed) noexcept {
  return std::clamp(2.0 - motor_speed / box.idle, 0.0, 1.0);
}

}  // namespace semirec
