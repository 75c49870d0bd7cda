#pragma once

#include <string>
#include <vector>

#include "vehicles/description/drive_description.hpp"

namespace semirec {

/// Reads a vehicle file and a scenario file: the vehicle with the scenario's overrides and, after
/// them, `overrides`, so that these win where both replace one value. Without a scenario (an empty
/// path) it is Scenario{}: design position, flat ground, no speed. Throws ModelError.
DriveDescription read_drive(const std::string& vehicle, const std::string& scenario,
                            const std::vector<Override>& overrides = {});

/// Reads a scenario file. Throws ModelError with file, line, element and the mend.
Scenario read_scenario(const std::string& path);

/// Reads a vehicle or mechanism file with its includes and templates, applies `overrides` (each
/// must match an element), and checks the result. For a drive in a scenario whose file has
/// overrides of its own read_drive() is the way; make_drive() refuses a vehicle without them.
/// Throws ModelError.
Vehicle read_vehicle(const std::string& path, const std::vector<Override>& overrides = {});

/// The same from the text of a file; `path` is its name in messages, includes are relative to it.
Vehicle read_vehicle_text(const std::string& text, const std::string& path,
                          const std::vector<Override>& overrides = {});

/// Parses `element.attribute=value` of the command line. Throws ModelError.
Override parse_override(const std::string& text);

}  // namespace semirec
