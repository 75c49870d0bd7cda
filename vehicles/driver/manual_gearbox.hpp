#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vehicles/description/vehicle.hpp"

namespace semirec {

/// A gearbox that its driver shifts, as far as he knows it. Speeds of the motor in rad/s. Where to
/// shift is assumed, not taken from a source.
struct ManualGearbox {
  std::string motor_speed;    ///< channel
  std::string clutch;         ///< input of the pedal; empty without one
  std::vector<double> paces;  ///< [gear - 1] motor speed over the car's, clutch closed, rad/m
  double idle = 0.0;          ///< the motor would stall below
  double fastest = 0.0;       ///< above it has less than 80 % of its largest power, or a limiter
};

/// The gearbox behind the input Controls::gear, if it is manual and has several gears.
std::optional<ManualGearbox> find_manual_gearbox(const Vehicle& vehicle);

/// The highest gear that leaves the motor torque to spare at a speed (m/s): 45 % of its fastest;
/// the first where none does.
int choose_gear(const ManualGearbox& box, double speed) noexcept;

/// The gear after the one that is in: up at 95 % of the motor's fastest, down at 25 %.
int next_gear(const ManualGearbox& box, int gear, double speed) noexcept;

/// A foot that lets the clutch in between the idle speed (1) and twice of it (0).
double clutch_pedal(const ManualGearbox& box, double motor_speed) noexcept;

}  // namespace semirec
