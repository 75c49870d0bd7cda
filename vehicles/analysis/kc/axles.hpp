#pragma once

#include <string>
#include <vector>

#include "vehicles/description/vehicle.hpp"

namespace semirec {

/// Two wheels side by side, or the outer ones of more.
struct Axle {
  std::string name;  ///< `front`, `rear`; between them `axle_2`, ...
  int left = 0;      ///< in Vehicle::wheels; y > 0 in the design position
  int right = 0;
  double x = 0.0;  ///< of the wheel centres in the design position, m
};

/// The axles of the first unit from the front to the rear, by find_units()
/// (vehicles/description/units.hpp). Throws ModelError without wheels and for an axle with wheels
/// on one side alone.
std::vector<Axle> find_axles(const Vehicle& vehicle);

/// Centre of mass of all bodies in the design position, m.
Eigen::Vector3d find_centre_of_mass(const Mechanism& mechanism);

/// Shares of the axles in the whole braking and driving force, from brakes at full pedal (those
/// that the pedal does not move have none), drivelines and hub torques; zero for all where the
/// vehicle has none. `radius`: [wheel] at which these forces act, m: the loaded one.
struct ForceShare {
  double braking = 0.0;
  double driving = 0.0;
  bool on_carrier = false;  ///< the driving torque leans on the wheel's carrier: a beam axle
};
std::vector<ForceShare> find_force_shares(const Vehicle& vehicle, const std::vector<Axle>& axles,
                                          const std::vector<double>& radius);

}  // namespace semirec
