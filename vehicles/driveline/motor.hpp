#pragma once

#include "vehicles/driveline/driveline.hpp"

namespace semirec {

/// Torque and its slope over the speed.
struct MotorTorque {
  double torque = 0.0;  ///< N m
  double slope = 0.0;   ///< N m s/rad
};

/// combustion  T = (1 - u) closed(w) + u full(w), u the throttle within 0 and 1
/// electric    T = u full(|w|), u within -1 and 1, the size within power/|w|
/// Governor and limiter replace u in a narrow band below idle_speed and above max_speed, so that T
/// is continuous in w. w: rad/s. Not finite throttles count as 0.
MotorTorque compute_motor_torque(const Motor& motor, double throttle, double w);

/// Torques and slopes of a torque converter over the speeds w of its pump and of its turbine.
struct ConverterTorque {
  double pump = 0.0;                                ///< taken from the motor, N m
  double turbine = 0.0;                             ///< given to the gearbox, N m
  double pump_w = 0.0, pump_w_turbine = 0.0;        ///< d pump, N m s/rad
  double turbine_w = 0.0, turbine_w_turbine = 0.0;  ///< d turbine, N m s/rad
};

/// pump = (w/K)^2, turbine = torque ratio times pump, K and the ratio over the speed ratio; from
/// 0.98 to 1 the torque goes to zero, beyond it changes its sign with the parts exchanged and the
/// torque ratio 1. A turbine that runs backwards counts as one that stands.
ConverterTorque compute_converter_torque(const Coupling& coupling, double w, double w_turbine);

}  // namespace semirec
