#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "apps/fmi/zip.hpp"

namespace semirec::fmi {

/// A file of the export's own cannot be written.
class CannotWrite : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What is to become an FMU.
struct ExportSettings {
  std::string vehicle, scenario;  ///< files; scenario empty: none
  std::vector<std::string> sets;  ///< `element.attribute=value`
  std::optional<double> step;     ///< s; without: that of the scenario
  int version = 3;                ///< of the standard: 2 or 3
  std::string library;            ///< the FMU's library, a file
};

/// An FMU as its files, modelDescription.xml first.
struct Fmu {
  std::vector<ArchiveFile> files;
  std::string name, token;
  std::size_t parameters = 0, inputs = 0, outputs = 0;
  std::vector<std::string> notes;  ///< of the car and its start, a line each
};

/// The files of a car for a library that reads no XML, named as in the tree of `car`. The car is
/// started from a copy of them, alone in a folder, and compared: what the copy cannot do is told
/// here. Throws ModelError.
std::vector<ArchiveFile> save_car(const std::string& vehicle, const std::string& scenario);

/// Makes an FMU for co-simulation: model description, library, and all files that vehicle and
/// scenario read. The car is started from a copy of them, alone in a folder, and compared: what the
/// copy cannot do is told here. Throws ModelError.
Fmu make_fmu(const ExportSettings& settings);

}  // namespace semirec::fmi
