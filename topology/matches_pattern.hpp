#pragma once

#include <string>

namespace semirec {

/// Whether `*` in the pattern, standing for any run of characters, can make it the text.
bool matches_pattern(const std::string& pattern, const std::string& text);

}  // namespace semirec
