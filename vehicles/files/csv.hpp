#pragma once

#include <string>

namespace semirec {

/// The text as a cell of a CSV file after RFC 4180: in double quotes where it holds a comma, a
/// quote or a line end, with its quotes doubled.
std::string csv_cell(const std::string& text);

}  // namespace semirec
