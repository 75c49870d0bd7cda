#pragma once

#include <string>
#include <vector>

namespace semirec {

struct XmlAttribute {
  std::string name;
  std::string value;
  int line = 0;
};

/// An element, or loose text beside elements, which has no name and no children. Comments and
/// declarations are left out.
struct XmlNode {
  std::string name;
  int line = 0;
  std::vector<XmlAttribute> attributes;
  std::vector<XmlNode> children;

  bool is_text() const { return name.empty(); }
  /// Null where there is none of this name.
  const XmlAttribute* find(const std::string& attribute) const;
};

/// What stands in an XML file, as it is written there.
struct XmlTree {
  std::vector<XmlNode> nodes;  ///< of the outermost level

  /// The first element; null where there is none.
  const XmlNode* root() const;
  XmlNode* root();
};

}  // namespace semirec
