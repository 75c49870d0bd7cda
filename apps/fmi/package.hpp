#pragma once

#include <string>
#include <vector>

#include "vehicles/session/session.hpp"

namespace semirec::fmi {

/// What an FMU carries of a car: its files below resources/, named with forward slashes, and how it
/// steps. It is written as the text file kPackageFile beside them.
struct Package {
  std::string vehicle;
  std::string scenario;              ///< empty: none
  std::vector<std::string> sets;     ///< `element.attribute=value`, in their order
  double step = 1e-3;                ///< s
  int iterations = 0;                ///< as in SessionSettings, and
  int factorizations = 0;            ///< this
  std::vector<std::string> tunable;  ///< parameters that may change between steps (tunable.hpp)
  std::vector<std::string> files;    ///< all of them, vehicle and scenario included, ascending
};

inline constexpr const char* kPackageFile = "semirec.txt";

/// The text of the package's file. Throws ModelError where a name or a value has a line end.
std::string package_text(const Package& package);

/// Reads kPackageFile of a resources folder. Throws ModelError with file and line.
Package read_package(const std::string& folder);

/// Instantiation token (FMI 3) and guid (FMI 2): version of the program and a fingerprint of the
/// package's text and of the bytes of all its files. Throws ModelError where a file is missing.
std::string find_token(const Package& package, const std::string& folder);

SessionSettings session_settings(const Package& package);

/// What the package's `sets` ask for, for read_drive(). Throws ModelError.
std::vector<Override> find_overrides(const Package& package);

/// All bytes of a file. Throws ModelError.
std::string read_file(const std::string& path);

/// A number in the fewest digits that read back as the same one.
std::string number_text(double value);

}  // namespace semirec::fmi
