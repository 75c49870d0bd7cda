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

/// Part of a wheel in the whole driving force.
struct DrivenWheel {
  int wheel = 0;                 ///< in Vehicle::wheels
  BodyIndex reaction = kGround;  ///< takes the torque's reaction about the axle
  double share = 0.0;
};

/// Share of an axle in the whole braking and in the whole driving force.
struct ForceShare {
  double braking = 0.0;
  std::vector<DrivenWheel> driven;
  double driving() const;
};

/// Of brakes at full pedal (those that the pedal does not move have none), of drivelines by the
/// most that their motors give in the first gear, of hub torques by their factors from the
/// throttle; zero for all where the vehicle has none. `radius`: [wheel] at which these forces act,
/// m: the loaded one. `note`: a line on hub torques whose size is not known; untouched where all
/// are.
std::vector<ForceShare> find_force_shares(const Vehicle& vehicle, const std::vector<Axle>& axles,
                                          const std::vector<double>& radius, std::string& note);

}  // namespace semirec
