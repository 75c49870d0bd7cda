#pragma once

#include <memory>
#include <string>
#include <vector>

#include "topology/mechanism.hpp"
#include "vehicles/files/xml/xml_tree.hpp"

namespace semirec {

/// A file, its elements and attributes known to be in the table. Elements bear their present names,
/// whatever the file calls them.
struct XmlFile {
  std::string path;
  std::shared_ptr<const XmlTree> tree;
  const XmlNode* root = nullptr;     ///< in the tree
  std::vector<std::string> notes{};  ///< on names that are called otherwise now
};

/// Opens a file, XML or saved (saved_tree.hpp), whose root is one of `roots` in version 1;
/// `asked_by` is the <include>, if any. Throws ModelError.
XmlFile open_xml_file(const std::string& path, const std::vector<std::string>& roots,
                      const Source& asked_by);

/// The same from the text of a file that is called `path`.
XmlFile parse_xml_text(const std::string& text, const std::string& path,
                       const std::vector<std::string>& roots);

/// The attribute's words on one line, or empty.
std::string attribute_of(const XmlNode& node, const char* name);
/// Blanks in place of line ends, as XML asks for in attributes.
std::string on_one_line(std::string text);

}  // namespace semirec
