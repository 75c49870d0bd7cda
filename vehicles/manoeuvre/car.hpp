#pragma once

#include <string>

#include "vehicles/description/vehicle.hpp"
#include "vehicles/driver/driver.hpp"
#include "vehicles/manoeuvre/manoeuvre.hpp"

namespace semirec {

/// What a driver and a pylon course must know of a car; lengths in the design position, m. All but
/// the mass is of the first unit: a trailer has no part in it (vehicles/description/units.hpp).
struct CarMeasures {
  double mass = 0.0;      ///< of all bodies, trailers too, kg
  double own_mass = 0.0;  ///< of the first unit, kg
  std::size_t axles = 0;
  /// Groups of axles before and behind the chassis' centre of mass: of a tandem its middle.
  double front = 0.0, rear = 0.0;
  double wheelbase = 0.0;                      ///< between them
  double first = 0.0, last = 0.0;              ///< first axle before, last one behind the same
  double track_front = 0.0, track_rear = 0.0;  ///< of the first and the last axle
  double width = 0.0;                          ///< widest axle and one tyre of 0.25 m
  double length = 0.0;  ///< first to last axle and overhangs of 1.85 m together
};

/// Throws ModelError on a vehicle without chassis on a free joint, or whose first unit has not two
/// axles with wheels on both sides.
CarMeasures measure_car(const Vehicle& vehicle);

/// Throw ModelError naming what is missing: `the vehicle has no brake, expected ...`.
/// Steering also throws AnalysisError where the car turns to the right in a slow steady turn as the
/// steering wheel is turned to the left.
void need_steering(const Vehicle& vehicle, const Manoeuvre& manoeuvre);
void need_brake(const Vehicle& vehicle, const std::string& manoeuvre);
void need_throttle(const Vehicle& vehicle, const std::string& manoeuvre);

/// Pedals where the car has a throttle, otherwise the force.
SpeedKeeper::Means means_of_speed(const Vehicle& vehicle);
SpeedKeeper make_speed_keeper(const Vehicle& vehicle);

}  // namespace semirec
