// For a library that is linked without tinyxml2: it reads files that save_tree() wrote.
#include "vehicles/files/xml/xml_parser.hpp"

#include "topology/mechanism.hpp"

namespace semirec {

XmlTree parse_xml(const std::string& /*text*/, const std::string& path) {
  throw ModelError({path, 1}, "",
                   "is text, expected a file saved by `semirec export car`: this library has no "
                   "XML parser");
}

}  // namespace semirec
