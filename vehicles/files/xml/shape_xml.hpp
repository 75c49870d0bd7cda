#pragma once

#include <vector>

#include "vehicles/description/vehicle.hpp"
#include "vehicles/files/xml/attachments.hpp"
#include "vehicles/files/xml/element.hpp"

namespace semirec {

/// The <shape> elements into Vehicle::shapes. Throws ModelError.
void read_shapes(const std::vector<Element>& elements, const Attachments& attachments,
                 Vehicle& vehicle);

}  // namespace semirec
