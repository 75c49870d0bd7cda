#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "topology/mechanism.hpp"
#include "vehicles/driveline/driveline.hpp"
#include "vehicles/parts/aero.hpp"
#include "vehicles/parts/sensor.hpp"
#include "vehicles/tyre/tyre_law.hpp"

namespace semirec {

/// Lateral force polynomial of the Iltis benchmark (Calspan): see vehicles/tyre/calspan.hpp.
struct CalspanCoefficients {
  double A0 = 0, A1 = 0, A2 = 0, A3 = 0, A4 = 0;
  double B1 = 0, B3 = 0, B4 = 0, SN = 1;
  double AF1 = 0, AF2 = 0;
};

/// A wheel standing on the road: its centre and axle on a carrier, and its tyre.
struct Wheel {
  std::string name;        ///< `wheel_fl`, ...
  Marker centre;           ///< y axis along the axle, to the left in the design position
  double radius = 0.0;     ///< unloaded, m
  double stiffness = 0.0;  ///< vertical, N/m
  double damping = 0.0;    ///< vertical, N s/m
  bool unilateral = true;  ///< cannot pull
  std::optional<CalspanCoefficients> lateral;
  BodyIndex rim = kGround;             ///< body that spins about the axle; kGround: none does
  std::shared_ptr<const TyreLaw> law;  ///< with a rim: the tyre that rolls on it
  std::uint64_t tyre_fingerprint = 0;  ///< laws of one fingerprint are the same; who sets a law by
                                       ///< hand sets this too
  Source source;
};

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

/// A mechanism that drives: which body carries it, and its wheels. A mechanism without wheels is a
/// legal vehicle, so that a four-bar is described and run by the same files.
struct Vehicle {
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
  Controls controls;
};

}  // namespace semirec
