#pragma once

#include <memory>
#include <string>
#include <vector>

#include "vehicles/session/drive.hpp"

namespace semirec::test {

/// A road under a car that starts at the origin of the world, heading along x.
struct StandingRoad {
  std::string name;
  std::shared_ptr<const RoadSurface> surface;
  ContactMethod method = ContactMethod::point;
  bool flat = false;  ///< one plane: level or of a constant slope or bank
};

/// 200 roads: slopes and banks up to 0.2 rad, heights from -0.5 to 0.5 m, 20 seeds of each of the
/// ISO 8608 classes A to E felt in turn at a point, by discs and by cams, and ten places of every
/// shipped road.
std::vector<StandingRoad> make_standing_roads();

/// A shipped car by its file and what is changed in it.
struct CarToStart {
  std::string name;
  Vehicle vehicle;
  double off_heading = 1e-6;  ///< rad, at most, of its speed on a plane
};

/// The sedan, the sedan on bushings and the Iltis.
std::vector<CarToStart> make_standing_cars();

/// The sedan with its trailer. The load on its ball pitches it by 8 mrad, which on a bank of 0.2
/// turns its heading by some 6e-6 rad.
CarToStart make_standing_trailer();

/// How a car starts on a road from equilibrium.
struct StandingStart {
  bool refused = false;
  std::string message;             ///< of the refusal
  std::vector<std::string> notes;  ///< of the start
  /// It says that no steady motion was found: its accelerations are not judged.
  bool unsteady = false;
  /// What is wrong with the start, judged by heights of the road under the wheels alone; empty
  /// where it is the standing or rolling car. Lines of one fault each.
  std::string wrong;
  double roll = 0.0, pitch = 0.0;  ///< against the plane through the road under the wheels, rad
};

/// Starts the car from equilibrium at a speed, m/s, and judges what comes.
StandingStart start_on(const CarToStart& car, const StandingRoad& road, double speed);

}  // namespace semirec::test
