#pragma once

#include <string>
#include <string_view>

namespace semirec::fmi {

/// ` name="value"`, the value with references for what may not stand in an attribute; line ends and
/// control characters become blanks, bytes that are no UTF-8 question marks.
std::string attribute(const char* name, std::string_view value);
/// The number's shortest text.
std::string attribute(const char* name, double value);

}  // namespace semirec::fmi
