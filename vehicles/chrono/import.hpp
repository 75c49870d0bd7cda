#pragma once

#include <string>
#include <vector>

#include "vehicles/chrono/json_file.hpp"

namespace semirec::chrono {

struct ImportOptions {
  std::string vehicle;       ///< file of a WheeledVehicle, or one whose "Vehicle" names it
  std::string tyre;          ///< JSON or .tir; empty: as that one says, else no wheels
  std::string engine;        ///< empty: no driveline
  std::string transmission;  ///< empty: no driveline
  std::string xml_folder;    ///< where the result will be, for paths inside
  /// False writes only what a reader without rolling tyres knows: wheels that carry a vertical
  /// load, no brakes and no driveline.
  bool with_drive = true;
};

struct ImportedVehicle {
  std::string xml;
  std::vector<std::string> notes;  ///< what is not covered or changed, one line each
  double mass = 0.0;               ///< kg
};

/// Writes a Chrono::Vehicle in JSON as a vehicle file.
///
/// Axes are the same in both; the design position is Chrono's, so high that the lowest tyre touches
/// the ground z = 0 with its unloaded radius. Files that other files name lie in `folder`.
///
/// Throws ModelError: broken or missing files, templates that are not covered, geometry without
/// sense.
ImportedVehicle import_vehicle(const JsonFolder& folder, const ImportOptions& options);

}  // namespace semirec::chrono
