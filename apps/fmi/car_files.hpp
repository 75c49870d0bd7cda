#pragma once

#include <string>
#include <vector>

#include "vehicles/description/override.hpp"

namespace semirec::fmi {

/// A file with the name that it gets below resources/.
struct CarFile {
  std::string path;
  std::string name;          ///< relative, forward slashes
  bool description = false;  ///< XML of a vehicle or scenario
};

/// The files of a car with the tree that they stand in below their lowest common folder.
struct CarFiles {
  std::string vehicle, scenario;  ///< names of these two; scenario empty: none
  std::vector<CarFile> files;     ///< ascending by name, each once
};

/// All files that vehicle and scenario (empty: none) read: includes, tyres, roads and what road
/// files refer to. Throws ModelError on a file that cannot be read, and where one is named by an
/// absolute path: it could not be found inside an FMU.
CarFiles find_car_files(const std::string& vehicle, const std::string& scenario,
                        const std::vector<Override>& overrides);

/// The bytes of the file in an FMU: descriptions saved (vehicles/files/xml/saved_tree.hpp), for a
/// library without an XML parser; the others as they are. Throws ModelError.
std::string saved_bytes(const CarFile& file);

}  // namespace semirec::fmi
