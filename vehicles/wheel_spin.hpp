#pragma once

#include <vector>

#include "integrator/model.hpp"
#include "integrator/workspace.hpp"
#include "vehicles/vehicle.hpp"

namespace semirec {

/// The coordinate in which a wheel turns: that of a revolute joint about its axle.
struct WheelSpin {
  std::size_t wheel = 0;  ///< in the vehicle's list
  int z = 0;
  double rolling = 0.0;  ///< rad/s of the coordinate that rolls on the unloaded radius at 1 m/s
};

/// Of all wheels that turn. Needs poses.
std::vector<WheelSpin> find_wheel_spins(const Model& model, const std::vector<Wheel>& wheels,
                                        const Workspace& ws);

}  // namespace semirec
