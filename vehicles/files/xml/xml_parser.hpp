#pragma once

#include <string>

#include "vehicles/files/xml/xml_tree.hpp"

namespace semirec {

/// The text of an XML file that is called `path`. Throws ModelError, at the line, where it is not
/// well-formed. A library that is linked without tinyxml2 has another one, which refuses every
/// text (without_packages/xml_parser.cpp).
XmlTree parse_xml(const std::string& text, const std::string& path);

}  // namespace semirec
