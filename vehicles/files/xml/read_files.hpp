#pragma once

#include <string>
#include <vector>

#include "vehicles/files/xml/overrides.hpp"

namespace semirec {

/// The files that a description is made of with these replacements: itself, what it includes and
/// what its elements name, as roads and tyres. Names alone: they need not exist. Empty where it
/// cannot be read: whoever reads it will say what is wrong with it.
std::vector<std::string> find_read_files(const std::string& path,
                                         const std::vector<Override>& overrides = {});

/// The files that an XML file and those that it includes name, whether or not the conditions of the
/// elements are met. What cannot be read is left out: who reads it says so.
struct WrittenFiles {
  std::vector<std::string> files;
  bool worked_out = false;  ///< others are named by values in braces
};
WrittenFiles find_written_files(const std::string& path);

}  // namespace semirec
