#pragma once

#include <optional>
#include <string>
#include <vector>

#include "integrator/model.hpp"
#include "integrator/workspace.hpp"
#include "vehicles/description/vehicle.hpp"

namespace semirec {

/// The coordinate in which a wheel turns: that of a revolute joint about its axle.
struct WheelSpin {
  std::size_t wheel = 0;  ///< in the vehicle's list
  int z = 0;
  double rolling = 0.0;  ///< rad/s of the coordinate that rolls without slip at 1 m/s
  bool written = false;  ///< the file gives the joint a rate of its own
};

/// The spins of all wheels that turn, as they roll at `speed` (m/s): on the effective radius of the
/// tyre law under the load of the poses, without a law on the unloaded radius. Needs the poses and
/// inputs of the workspace.
std::vector<WheelSpin> find_wheel_spins(const Model& model, const std::vector<Wheel>& wheels,
                                        const Workspace& ws, double speed = 0.0);

/// Coordinates between the ground and what carries a wheel, its own turning apart: what moves there
/// is the suspension, which follows no wheel that turns. Ascending.
std::vector<int> find_carrying_coordinates(const Model& model, const std::vector<Wheel>& wheels,
                                           const std::vector<WheelSpin>& spins);

/// A line for each wheel whose body can turn about the axle and which no WheelSpin turns: it stands
/// still while the car moves. Either the wheel names no rim although a body turns on its axle, or
/// its rim hangs on another joint than a revolute one of the tree. Nothing of wheels whose body is
/// the carrier and nothing else.
std::vector<std::string> find_wheels_without_spin(const Model& model,
                                                  const std::vector<Wheel>& wheels,
                                                  const std::vector<WheelSpin>& spins);

}  // namespace semirec
