#pragma once

#include <vector>

#include "vehicles/description/drive_description.hpp"
#include "vehicles/manoeuvre/gates.hpp"

namespace semirec {

/// The cones of a scenario in the world: those that it names, then those of its gates for the width
/// of this car. Without gates for a vehicle that has no width (measure_car()).
std::vector<Cone> find_cones(const DriveDescription& read);

/// The car's outline seen from above; without an area for a vehicle that measure_car() refuses.
Outline find_outline(const Vehicle& vehicle);

}  // namespace semirec
