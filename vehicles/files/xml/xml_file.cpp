#include "vehicles/files/xml/xml_file.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "topology/ascii.hpp"
#include "topology/nearest.hpp"
#include "vehicles/files/old_names.hpp"
#include "vehicles/files/xml/faults.hpp"
#include "vehicles/files/xml/saved_tree.hpp"
#include "vehicles/files/xml/table.hpp"
#include "vehicles/files/xml/xml_parser.hpp"
#include "vehicles/files/xml/xml_text.hpp"

namespace semirec {

namespace {

Source place_of(const XmlFile& file, const XmlNode& node) { return {file.path, node.line}; }

/// Its own name, its owner's, or its kind.
std::string label_of(const XmlNode& node, const std::string& owner = "") {
  const std::string name = attribute_of(node, "name");
  return !name.empty() ? name : !owner.empty() ? owner : node.name;
}

/// What was meant by an attribute that an element does not have: a child element, an attribute of
/// one, or the nearest name.
std::string attribute_hint(const std::string& name, const ElementRow& row) {
  if (row.child(name) != nullptr)
    return ", expected a child element <" + row.current_kind(name) + ">";
  for (const std::string& kind : row.child_kinds())
    if (row.child(kind)->allows(name))
      return ", expected it in a child element <" + kind + " " + name + "=\"...\">";
  return nearest_hint(name, row.attribute_names());
}

void check_attribute(XmlFile& file, const XmlNode& node, const XmlAttribute& a,
                     const ElementRow& row, const std::string& label) {
  const std::string& name = a.name;
  // declarations for an editor's validation are not part of the description
  if (name.rfind("xmlns", 0) == 0 || name.rfind("xsi:", 0) == 0) return;
  const Source place{file.path, a.line};
  const AttributeRow* known = row.find(name);
  if (known == nullptr)
    throw ModelError(
        place, label,
        "<" + node.name + "> has the unknown attribute '" + name + "'" + attribute_hint(name, row));
  if (known->name == name) return;
  if (node.find(known->name) != nullptr)
    throw ModelError(place, label,
                     "attribute '" + name + "' stands beside '" + known->name +
                         "', as it is called now, expected only one of the two");
  file.notes.push_back(old_name_note(place, name, known->name));
}

/// The rules for a child, which is called by its name of now from here on.
const ElementRow& row_of_child(XmlFile& file, const XmlNode& node, XmlNode& child,
                               const ElementRow& row, const std::string& owner) {
  const std::string kind = row.current_kind(child.name);
  if (kind != child.name) {
    file.notes.push_back(old_name_note(place_of(file, child), child.name, kind));
    child.name = kind;
  }
  const ElementRow* known = row.child(child.name);
  if (known == nullptr)
    throw ModelError(place_of(file, child), label_of(child, owner),
                     "<" + child.name + "> is unknown inside <" + node.name + ">" +
                         nearest_hint(child.name, row.child_kinds()));
  return *known;
}

/// `owner` names the element around; a child of the root has none.
void check_table(XmlFile& file, XmlNode& node, const ElementRow& row, const std::string& owner,
                 Faults& faults) {
  const std::string label = label_of(node, owner);
  for (const XmlAttribute& a : node.attributes)
    faults.gather([&] { check_attribute(file, node, a, row, label); });
  const std::string inside = &node == file.root ? "" : label;
  for (XmlNode& child : node.children) {
    if (child.is_text())
      faults.add(ModelError(place_of(file, child), label,
                            "holds loose text, expected elements and attributes only"));
    else
      faults.gather([&] {
        check_table(file, child, row_of_child(file, node, child, row, inside), inside, faults);
      });
  }
}

void check_root(const XmlFile& file, const std::vector<std::string>& roots) {
  const XmlNode& root = *file.root;
  const Source place = place_of(file, root);
  std::string expected;
  for (const std::string& name : roots) expected += (expected.empty() ? "<" : " or <") + name + ">";
  if (std::find(roots.begin(), roots.end(), root.name) == roots.end())
    throw ModelError(place, label_of(root),
                     "<" + root.name + "> is the root of this file, expected " + expected);
  const std::string version = attribute_of(root, "version");
  if (version.empty())
    throw ModelError(place, label_of(root),
                     "attribute 'version' is missing, expected version=\"1\"");
  if (version != "1")
    throw ModelError(
        place, label_of(root),
        "is of version '" + version + "', expected version 1: the only one this reader knows");
}

/// Elements and text beside the root: one root holds all of a file.
void check_alone(const XmlFile& file) {
  for (const XmlNode& other : file.tree->nodes) {
    const Source place = place_of(file, other);
    if (other.is_text())
      throw ModelError(place, label_of(*file.root),
                       "has loose text beside it, expected one root element alone");
    if (&other != file.root)
      throw ModelError(place, label_of(other),
                       "<" + other.name + "> is a second root beside <" + file.root->name +
                           ">, expected one root element a file");
  }
}

XmlTree read_tree(const std::string& text, const std::string& path) {
  if (is_saved_tree(text)) return load_tree(text, path);
  check_xml_text(text, path);
  return parse_xml(text, path);
}

/// The text of a file, parsed, against the table.
void accept(XmlFile& file, const std::string& text, const std::vector<std::string>& roots) {
  const auto tree = std::make_shared<XmlTree>(read_tree(text, file.path));
  file.tree = tree;
  XmlNode* root = tree->root();
  file.root = root;
  if (file.root == nullptr)
    throw ModelError({file.path, 1}, "", "holds no element, expected a root element");
  check_root(file, roots);
  check_alone(file);
  Faults faults;
  check_table(file, *root, *find_row(root->name), "", faults);
  faults.tell();
}

}  // namespace

std::string attribute_of(const XmlNode& node, const char* name) {
  const XmlAttribute* attribute = node.find(name);
  return on_one_line(attribute != nullptr ? attribute->value : "");
}

std::string on_one_line(std::string text) {
  for (char& c : text)
    if (ascii::is_control(c)) c = ' ';
  return text;
}

XmlFile open_xml_file(const std::string& path, const std::vector<std::string>& roots,
                      const Source& asked_by) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) {
    if (!asked_by.file.empty())
      throw ModelError(
          asked_by, "include",
          "file '" + path + "' cannot be read, expected a file relative to the including one");
    throw ModelError(path + ": cannot be read, expected an XML file");
  }
  XmlFile file;
  file.path = path;
  std::ifstream stream(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (!stream.is_open() || stream.bad())
    throw ModelError(path + ": cannot be read, expected an XML file");
  accept(file, text, roots);
  return file;
}

XmlFile parse_xml_text(const std::string& text, const std::string& path,
                       const std::vector<std::string>& roots) {
  XmlFile file;
  file.path = path;
  accept(file, text, roots);
  return file;
}

}  // namespace semirec
