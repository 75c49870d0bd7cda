#pragma once

#include <string>

namespace semirec {

/// Throws ModelError, at the line, where the text of an XML file holds what no XML text may hold
/// and tinyxml2 passes on: bytes that are no UTF-8, control characters other than tab and line end,
/// and references such as &#0; to characters of that kind. `path` is the file's name in messages.
void check_xml_text(const std::string& text, const std::string& path);

}  // namespace semirec
