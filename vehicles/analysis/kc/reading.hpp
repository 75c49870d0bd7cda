#pragma once

#include <vector>

#include "vehicles/analysis/kc/rig.hpp"

namespace semirec {

/// What is read off one wheel, world axes (those of the chassis as long as it is not rolled).
struct WheelReading {
  Eigen::Vector3d centre{0, 0, 0}, contact{0, 0, 0};  ///< m
  double steer = 0.0;        ///< heading of the wheel's plane, to the left, rad
  double inclination = 0.0;  ///< left end of the axle up, rad: the wheel leans to the right
  double load = 0.0;         ///< vertical, of the pad, N
};

/// What is read off the rig, or how fast it changes.
struct Reading {
  std::vector<WheelReading> wheels;
  std::vector<double> lengths;  ///< of Rig::lengths, m, rad
};

Reading read_rig(const Rig& rig, const RigState& state, Workspace& ws);
/// Change of all of it along a response, by central differences of this size (m, rad).
Reading read_rate(const Rig& rig, const RigState& state, const RigResponse& response, Workspace& ws,
                  double step);

/// Motion of a wheel's carrier along a response: at the world's origin and about it,
/// [linear; angular].
Vector6 find_twist(const Rig& rig, const RigState& state, const RigResponse& response, int wheel,
                   Workspace& ws);
/// The same of a body of the vehicle.
Vector6 find_body_twist(const Rig& rig, const RigState& state, const RigResponse& response,
                        BodyIndex body, Workspace& ws);

// signs of a side: +1 left, -1 right
inline double toe_of(const WheelReading& wheel, double side) { return -side * wheel.steer; }
inline double camber_of(const WheelReading& wheel, double side) {
  return -side * wheel.inclination;
}

}  // namespace semirec
