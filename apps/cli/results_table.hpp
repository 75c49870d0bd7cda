#pragma once

#include <string>
#include <vector>

#include "recursive/forces/force_element.hpp"

namespace semirec::cli {

/// The first two lines of results.csv: names, then units.
std::string header_of(const std::vector<Channel>& channels);

/// A line of results.csv, twelve digits a number.
std::string row_of(const std::vector<double>& values);

}  // namespace semirec::cli
