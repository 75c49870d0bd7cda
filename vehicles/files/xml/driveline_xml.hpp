#pragma once

#include <vector>

#include "vehicles/description/vehicle.hpp"
#include "vehicles/files/xml/attachments.hpp"
#include "vehicles/files/xml/elements.hpp"

namespace semirec {

/// Drivelines, brakes, hub torques, air and sensors; needs the vehicle's bodies, inputs, wheels and
/// chassis. Throws ModelError.
void read_drive_parts(const Elements& elements, const Attachments& attachments, Vehicle& vehicle);

}  // namespace semirec
