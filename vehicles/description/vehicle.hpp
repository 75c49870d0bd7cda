#pragma once

#include <string>
#include <vector>

#include "topology/mechanism.hpp"
#include "vehicles/description/override.hpp"
#include "vehicles/description/shape.hpp"
#include "vehicles/driveline/driveline.hpp"
#include "vehicles/equations/equation.hpp"
#include "vehicles/parts/aero.hpp"
#include "vehicles/parts/sensor.hpp"
#include "vehicles/tyre/wheel.hpp"

namespace semirec {

/// What a driver holds: names of inputs; empty where the vehicle has none.
struct Controls {
  std::string steering, throttle, brake, gear;
  double steering_ratio = 1.0;  ///< steering input (rad or m) by angle of the steering wheel (rad)
};

/// What a body's `unit` says: it is the frame of a unit of its own, or of none (units.hpp).
struct UnitMark {
  BodyIndex body = kGround;
  bool own = true;
};

/// A factor on a law of an element: what can be changed while the vehicle is driven.
struct LawScale {
  std::string element;
  std::string attribute;  ///< `spring_scale`, `damper_scale`, `friction_scale`
  double value = 1.0;     ///< as it was read
  /// Of the element in the design position, y without its sign: alike left and right, m. Zero where
  /// it has none.
  Eigen::Vector3d place = Eigen::Vector3d::Zero();
};

/// A mechanism that drives: which body carries it, and its wheels. A mechanism without wheels is a
/// legal vehicle, so that a four-bar is described and run by the same files.
struct Vehicle {
  // compiled once, in vehicle.cpp, not in every source that copies or destroys one
  Vehicle();
  Vehicle(const Vehicle&);
  Vehicle(Vehicle&&) noexcept;
  Vehicle& operator=(const Vehicle&);
  Vehicle& operator=(Vehicle&&) noexcept;
  ~Vehicle();

  Mechanism mechanism;
  BodyIndex chassis = kGround;  ///< kGround when the file names none
  std::vector<Wheel> wheels;
  std::vector<UnitMark> unit_marks;  ///< where the file says which bodies are units
  std::vector<std::string> notes;    ///< what its files ask for and do not get, one a line
  std::vector<Driveline> drivelines;
  std::vector<Brake> brakes;
  std::vector<HubTorque> hub_torques;
  std::vector<Aero> aeros;
  std::vector<Sensor> sensors;
  Equations equations;             ///< what the file gives by expressions of the run
  std::vector<SolidShape> shapes;  ///< for pictures alone
  Controls controls;
  std::vector<Override> overrides;  ///< with which its file was read, the last one of a name wins
  std::vector<LawScale> scales;     ///< of all laws that have one, in the order of the file
};

}  // namespace semirec
