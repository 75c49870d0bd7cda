#pragma once

#include <string>
#include <vector>

#include "vehicles/description/vehicle.hpp"
#include "vehicles/files/xml/document.hpp"
#include "vehicles/files/xml/tyre_xml.hpp"

namespace semirec {

/// What the root of a vehicle file may be.
const std::vector<std::string>& vehicle_roots();

/// The vehicle that a document describes, `tyres` a shelf of its elements; the overrides have been
/// applied. Throws ModelError.
Vehicle make_vehicle(const Document& document, const std::vector<Override>& overrides,
                     TyreShelf& tyres);

}  // namespace semirec
