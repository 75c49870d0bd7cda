#include "vehicles/files/xml/xml_tree.hpp"

#include <algorithm>
#include <utility>

namespace semirec {

const XmlAttribute* XmlNode::find(const std::string& attribute) const {
  const auto found = std::find_if(attributes.begin(), attributes.end(),
                                  [&](const XmlAttribute& a) { return a.name == attribute; });
  return found == attributes.end() ? nullptr : &*found;
}

const XmlNode* XmlTree::root() const {
  const auto found =
      std::find_if(nodes.begin(), nodes.end(), [](const XmlNode& n) { return !n.is_text(); });
  return found == nodes.end() ? nullptr : &*found;
}

XmlNode* XmlTree::root() { return const_cast<XmlNode*>(std::as_const(*this).root()); }

}  // namespace semirec
