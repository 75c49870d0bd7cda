#pragma once

#include <string>
#include <vector>

#include "vehicles/description/scenario.hpp"
#include "vehicles/description/units.hpp"
#include "vehicles/description/vehicle.hpp"
#include "vehicles/driver/motion.hpp"

namespace semirec {

/// Three markers on the frame of every unit behind the first one, in its centre of mass, 1 m ahead
/// of it and 1 m above it in the design position, added to the vehicle and to what the scenario
/// records.
void add_unit_markers(Vehicle& vehicle, Scenario& scenario);

/// How the units behind the first one move, read from those markers.
class UnitReader {
 public:
  /// Throws ModelError when a channel of the markers is missing.
  UnitReader(const std::vector<Unit>& units, const std::vector<Channel>& outputs);

  /// Of each unit: `<name>.articulation` (rad, heading of the unit in front less its own, positive
  /// in a turn to the left), `<name>.yaw_rate` (rad/s), `<name>.ay` (m/s^2, of its centre of mass,
  /// level, across its heading, positive to the left).
  const std::vector<Channel>& channels() const { return channels_; }
  /// Appends one number a channel.
  void append(const double* outputs, const CarMotion& car, std::vector<double>& row) const;
  /// The name of a unit that has rolled over; null: none has.
  const std::string* find_rolled_over(const double* outputs) const;

 private:
  struct Place {
    std::string name;
    int leader = 0;                                ///< in units
    std::size_t centre = 0, ahead = 0, above = 0;  ///< first output of the markers
  };
  std::vector<Place> places_;  ///< of units 1, 2, ...
  std::vector<Channel> channels_;
};

}  // namespace semirec
