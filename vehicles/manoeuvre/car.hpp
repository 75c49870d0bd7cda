#pragma once

#include <string>

#include "vehicles/driver/driver.hpp"
#include "vehicles/vehicle.hpp"

namespace semirec {

/// What a driver and a pylon course must know of a car; lengths in the design position, m.
struct CarMeasures {
  double mass = 0.0;               ///< of all bodies, kg
  double front = 0.0, rear = 0.0;  ///< axles before and behind the chassis' centre of mass
  double wheelbase = 0.0;
  double track_front = 0.0, track_rear = 0.0;
  double width = 0.0;   ///< wider track and one tyre of 0.25 m
  double length = 0.0;  ///< wheelbase and overhangs of 1.85 m together
};

/// Throws ModelError on a vehicle without chassis on a free joint, or without two axles of two
/// wheels.
CarMeasures measure_car(const Vehicle& vehicle);

/// Throw ModelError naming what is missing: `the vehicle has no brake, expected ...`.
void need_steering(const Vehicle& vehicle, const std::string& manoeuvre);
void need_brake(const Vehicle& vehicle, const std::string& manoeuvre);
void need_throttle(const Vehicle& vehicle, const std::string& manoeuvre);

/// Pedals where the car has a throttle, otherwise the force.
SpeedKeeper::Means means_of_speed(const Vehicle& vehicle);
SpeedKeeper make_speed_keeper(const Vehicle& vehicle);

}  // namespace semirec
