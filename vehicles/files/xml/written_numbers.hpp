#pragma once

#include <string>
#include <vector>

#include "vehicles/files/xml/reader.hpp"

namespace semirec {

/// A number or a row of numbers that an override can replace.
struct WrittenNumbers {
  std::string name;             ///< `element.attribute`, as parse_override() takes it
  std::string unit;             ///< of the attribute's row of the table; empty where not known
  std::string about;            ///< one sentence of that row
  std::vector<double> numbers;  ///< as the file has it after its overrides, expressions worked out
};

/// All numbers that are written in a vehicle or scenario: parameters first, then elements in the
/// order of the file with includes and templates written out. Throws ModelError.
std::vector<WrittenNumbers> find_written_numbers(const Described& described);

}  // namespace semirec
