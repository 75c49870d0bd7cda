#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "apps/fmi/package.hpp"
#include "vehicles/description/drive_description.hpp"

namespace semirec::fmi {

/// A number of the car that an importer may set before the start, or between steps too.
struct Parameter {
  std::string name;  ///< of the FMU's variable
  std::string description;
  std::string unit;                ///< empty where it is not known
  std::string element, attribute;  ///< what it replaces; empty: the scenario's start speed
  int component = -1;              ///< 0 to 2 of a point; -1: a number
  double start = 0.0;              ///< as the files have it
  double least = -std::numeric_limits<double>::infinity();  ///< that the file takes
  double most = std::numeric_limits<double>::infinity();
  bool tunable = false;  ///< it may change between steps
};

/// The parameters of a package: the scenario's start speed; numbers and points that the vehicle
/// file declares (those that it computes from others follow them and are none); factors on the laws
/// of springs, dampers and tyres; numbers that the package sets. Tunable are those that the package
/// calls so. Throws ModelError as read_drive().
std::vector<Parameter> find_parameters(const Package& package, const std::string& folder);

/// Reads the package's files from its folder; [parameter] a value replaces that of the files. One
/// that equals the start changes nothing. Throws ModelError.
DriveDescription read_car(const Package& package, const std::string& folder,
                          const std::vector<Parameter>& parameters,
                          const std::vector<std::optional<double>>& values);

}  // namespace semirec::fmi
