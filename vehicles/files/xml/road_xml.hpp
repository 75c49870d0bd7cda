#pragma once

#include "vehicles/description/scenario.hpp"
#include "vehicles/files/xml/element.hpp"

namespace semirec {

/// A <road>: profiles alone go into scenario.road, as soon as there is a layer (plank, crg, ...)
/// all of it goes into scenario.surface. Files are looked for beside the file that names them.
/// Throws ModelError.
void read_road(const Element& road, Scenario& scenario);

}  // namespace semirec
