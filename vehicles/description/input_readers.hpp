#pragma once

#include <string>

#include "vehicles/description/vehicle.hpp"

namespace semirec {

/// Whether a rod, a joint, a force, a brake, a hub torque or an equation of the vehicle takes the
/// input, or one that follows it by a factor other than zero. kNoInput: false. Build time.
bool is_read(const Vehicle& vehicle, InputIndex input);
/// The same of an input by its name; false for one that does not exist.
bool is_read(const Vehicle& vehicle, const std::string& name);

}  // namespace semirec
