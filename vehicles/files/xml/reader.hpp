#pragma once

#include <string>
#include <vector>

#include "vehicles/description/scenario.hpp"
#include "vehicles/description/vehicle.hpp"

namespace semirec {

/// Reads a scenario file. Throws ModelError with file, line, element and the mend.
Scenario read_scenario(const std::string& path);

/// Reads a vehicle or mechanism file with its includes and templates, applies `overrides` (each
/// must match an element), and checks the result. Throws ModelError.
Vehicle read_vehicle(const std::string& path, const std::vector<Override>& overrides = {});

/// The same from the text of a file; `path` is its name in messages, includes are relative to it.
Vehicle read_vehicle_text(const std::string& text, const std::string& path,
                          const std::vector<Override>& overrides = {});

/// Parses `element.attribute=value` of the command line. Throws ModelError.
Override parse_override(const std::string& text);

}  // namespace semirec
