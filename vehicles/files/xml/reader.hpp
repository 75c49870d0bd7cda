#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "vehicles/description/drive_description.hpp"

namespace semirec {

/// Reads a vehicle file and a scenario file: the vehicle with the scenario's overrides and, after
/// them, `overrides`, so that these win where both replace one value. Without a scenario (an empty
/// path) it is Scenario{}: design position, flat ground, no speed. Throws ModelError.
DriveDescription read_drive(const std::string& vehicle, const std::string& scenario,
                            const std::vector<Override>& overrides = {});

/// A file, or the text of one, with values that replace some of what it says.
struct Described {
  std::string path;  ///< with a text its name in messages; includes are relative to it
  std::optional<std::string> text;  ///< in place of the file
  std::vector<Override> overrides;
};

/// The same of files and texts. A scenario with neither path nor text: none.
DriveDescription read_drive(const Described& vehicle, const Described& scenario);

/// Reads a scenario file and applies `overrides` to its own elements. Those without a name are
/// called by their kind: run.step, start.speed. Throws ModelError with file, line, element and the
/// mend.
Scenario read_scenario(const std::string& path, const std::vector<Override>& overrides = {});
/// The same from the text of a file; `path` is its name in messages, other files are relative to
/// it.
Scenario read_scenario_text(const std::string& text, const std::string& path,
                            const std::vector<Override>& overrides = {});

/// Reads a vehicle or mechanism file with its includes and templates, applies `overrides` (each
/// must match an element), and checks the result. For a drive in a scenario whose file has
/// overrides of its own read_drive() is the way; make_drive() refuses a vehicle without them.
/// Throws ModelError.
Vehicle read_vehicle(const std::string& path, const std::vector<Override>& overrides = {});

/// The same from the text of a file; `path` is its name in messages, includes are relative to it.
Vehicle read_vehicle_text(const std::string& text, const std::string& path,
                          const std::vector<Override>& overrides = {});

Vehicle read_vehicle(const Described& vehicle);

/// A vehicle or mechanism file that is read many times with other overrides, as the cars of a study
/// are: what these leave as it is, is worked out once, and the cars share laws of tyres. Files,
/// also those of tyres, scenarios and roads, must stay as they are meanwhile. Threads may share it.
class VehicleFile {
 public:
  /// Throws nothing: what is wrong with the file read() says.
  explicit VehicleFile(const std::string& path);
  /// As read_vehicle(); throws ModelError.
  Vehicle read(const std::vector<Override>& overrides) const;
  /// As read_drive(); throws ModelError. The last scenario is kept: cars share its roads.
  DriveDescription read_drive(const std::string& scenario,
                              const std::vector<Override>& overrides) const;

 private:
  struct Shared;
  std::shared_ptr<Shared> shared_;
};

/// Parses `element.attribute=value` of the command line. Throws ModelError.
Override parse_override(const std::string& text);

}  // namespace semirec
