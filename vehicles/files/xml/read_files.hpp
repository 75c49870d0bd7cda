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

}  // namespace semirec
