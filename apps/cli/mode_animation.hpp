#pragma once

#include <string>

#include "vehicles/analysis/modes.hpp"

namespace semirec::cli {

/// glTF 2.0 in one text: bodies as lines (world z up turned to glTF's y up), one animation a mode
/// that runs through one swing in two seconds; what does not oscillate moves out and back.
std::string animate_modes(SteadyCar& car, const CarModes& modes);

}  // namespace semirec::cli
