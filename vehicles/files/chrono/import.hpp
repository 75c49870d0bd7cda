#pragma once

#include <string>
#include <vector>

#include "vehicles/files/json_file.hpp"

namespace semirec::chrono {

using namespace semirec::json;  // NOLINT(google-build-using-namespace): the files are JSON

struct ImportOptions {
  std::string vehicle;       ///< file of a WheeledVehicle, or one whose "Vehicle" names it
  std::string tyre;          ///< JSON or .tir; empty: as that one says, else no wheels
  std::string engine;        ///< empty: no driveline
  std::string transmission;  ///< empty: no driveline
  std::string xml_folder;    ///< where the result will be, for paths inside
  /// Name of the file beside the result for a tyre whose Magic Formula stands in a JSON file.
  std::string property_file = "tyre.tir";
  /// False writes only what a reader without rolling tyres knows: wheels that carry a vertical
  /// load, no brakes and no driveline.
  bool with_drive = true;
};

struct ImportedVehicle {
  std::string xml;
  /// What is not covered or changed, one line each: first what makes the car drive otherwise.
  std::vector<std::string> notes;
  double mass = 0.0;          ///< kg
  std::string property_text;  ///< of ImportOptions::property_file; empty: none is needed
};

/// The lowest of the folders above a vehicle file in which the files that it names are. Throws
/// ModelError where there is none.
std::string find_data_folder(const std::string& vehicle);

/// Writes a Chrono::Vehicle in JSON as a vehicle file.
///
/// Axes are the same in both; the design position is Chrono's, so high that the lowest tyre touches
/// the ground z = 0 with its unloaded radius. Files that other files name lie in `folder`.
///
/// Throws ModelError: broken or missing files, templates that are not covered (all of them in one
/// line), geometry without sense, an engine without a transmission.
ImportedVehicle import_vehicle(const JsonFolder& folder, const ImportOptions& options);

}  // namespace semirec::chrono
