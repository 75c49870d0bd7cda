#include "vehicles/files/xml/xml_parser.hpp"

#include <algorithm>

#include <tinyxml2.h>

#include "topology/ascii.hpp"
#include "topology/mechanism.hpp"

namespace semirec {

namespace {

/// tinyxml2 knows its errors as XML_ERROR_MISMATCHED_ELEMENT: the words of it.
std::string plain_words(std::string error) {
  const std::string prefix = "XML_ERROR_";
  if (error.compare(0, prefix.size(), prefix) == 0) error.erase(0, prefix.size());
  for (char& c : error) c = c == '_' ? ' ' : ascii::to_lower(c);
  return error;
}

/// tinyxml2 refuses files whose elements stand more than some hundred deep.
std::vector<XmlNode> copy_children(const tinyxml2::XMLNode& parent) {
  std::vector<XmlNode> children;
  for (const tinyxml2::XMLNode* n = parent.FirstChild(); n != nullptr; n = n->NextSibling()) {
    const tinyxml2::XMLElement* element = n->ToElement();
    if (element == nullptr && n->ToText() == nullptr) continue;
    XmlNode& node = children.emplace_back();
    node.line = n->GetLineNum();
    if (element == nullptr) continue;
    node.name = element->Name();
    for (const auto* a = element->FirstAttribute(); a != nullptr; a = a->Next())
      node.attributes.push_back({a->Name(), a->Value(), a->GetLineNum()});
    node.children = copy_children(*element);
  }
  return children;
}

}  // namespace

XmlTree parse_xml(const std::string& text, const std::string& path) {
  tinyxml2::XMLDocument document;
  document.Parse(text.data(), text.size());
  if (document.Error())
    throw ModelError({path, std::max(1, document.ErrorLineNum())}, "",
                     "is not well-formed XML (" + plain_words(document.ErrorName()) +
                         "), expected each element and quote to be closed");
  return {copy_children(document)};
}

}  // namespace semirec
