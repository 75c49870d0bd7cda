#pragma once

#include <vector>

#include "vehicles/description/vehicle.hpp"
#include "vehicles/files/xml/attachments.hpp"
#include "vehicles/files/xml/elements.hpp"

namespace semirec {

/// The <shape> elements into Vehicle::shapes. Throws ModelError.
void read_shapes(const Elements& elements, const Attachments& attachments, Vehicle& vehicle);

}  // namespace semirec
