#pragma once

#include <string>
#include <vector>

namespace semirec::cli {

/// Numbers as options take them: `1`, `1,2,5`, or `from:to:step` with both ends. Throws ModelError
/// naming the option.
std::vector<double> read_numbers(const std::string& option, const std::string& text);

}  // namespace semirec::cli
