#pragma once

#include <string>

#include "vehicles/description/vehicle.hpp"

namespace semirec::fmi {

/// A picture of the vehicle in the design position, seen from its left front, as lines on a
/// transparent ground: the bytes of a PNG file (ISO/IEC 15948), 192 by 144 points. Empty where
/// there is nothing to draw. Throws ModelError.
std::string car_icon(const Vehicle& vehicle);

}  // namespace semirec::fmi
