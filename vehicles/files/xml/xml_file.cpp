#include "vehicles/files/xml/xml_file.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <tinyxml2.h>

#include "topology/nearest.hpp"
#include "vehicles/files/old_names.hpp"
#include "vehicles/files/xml/faults.hpp"
#include "vehicles/files/xml/table.hpp"
#include "vehicles/files/xml/xml_text.hpp"

namespace semirec {

namespace {

using tinyxml2::XMLAttribute;
using tinyxml2::XMLElement;

Source place_of(const XmlFile& file, const XMLElement& node) {
  return {file.path, node.GetLineNum()};
}

/// Its own name, its owner's, or its kind.
std::string label_of(const XMLElement& node, const std::string& owner = "") {
  const std::string name = attribute_of(node, "name");
  return !name.empty() ? name : !owner.empty() ? owner : node.Name();
}

/// tinyxml2 knows its errors as XML_ERROR_MISMATCHED_ELEMENT: the words of it.
std::string plain_words(std::string error) {
  const std::string prefix = "XML_ERROR_";
  if (error.compare(0, prefix.size(), prefix) == 0) error.erase(0, prefix.size());
  for (char& c : error)
    c = c == '_' ? ' ' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return error;
}

void check_attribute(XmlFile& file, const XMLElement& node, const XMLAttribute& a,
                     const ElementRow& row, const std::string& label) {
  const std::string name = a.Name();
  // declarations for an editor's validation are not part of the description
  if (name.rfind("xmlns", 0) == 0 || name.rfind("xsi:", 0) == 0) return;
  const Source place{file.path, a.GetLineNum()};
  const AttributeRow* known = row.find(name);
  if (known == nullptr)
    throw ModelError(place, label,
                     "<" + std::string(node.Name()) + "> has the unknown attribute '" + name + "'" +
                         nearest_hint(name, row.attribute_names()));
  if (known->name == name) return;
  if (node.FindAttribute(known->name.c_str()) != nullptr)
    throw ModelError(place, label,
                     "attribute '" + name + "' stands beside '" + known->name +
                         "', as it is called now, expected only one of the two");
  file.notes.push_back(old_name_note(place, name, known->name));
}

/// The rules for a child, which is called by its name of now from here on.
const ElementRow& row_of_child(XmlFile& file, const XMLElement& node, XMLElement& child,
                               const ElementRow& row, const std::string& owner) {
  const std::string kind = row.current_kind(child.Name());
  if (kind != child.Name()) {
    file.notes.push_back(old_name_note(place_of(file, child), child.Name(), kind));
    child.SetName(kind.c_str());
  }
  const ElementRow* known = row.child(child.Name());
  if (known == nullptr)
    throw ModelError(place_of(file, child), label_of(child, owner),
                     "<" + std::string(child.Name()) + "> is unknown inside <" + node.Name() + ">" +
                         nearest_hint(child.Name(), row.child_kinds()));
  return *known;
}

/// `owner` names the element around; a child of the root has none.
void check_table(XmlFile& file, XMLElement& node, const ElementRow& row, const std::string& owner,
                 Faults& faults) {
  const std::string label = label_of(node, owner);
  for (const XMLAttribute* a = node.FirstAttribute(); a != nullptr; a = a->Next())
    faults.gather([&] { check_attribute(file, node, *a, row, label); });
  const std::string inside = &node == file.root ? "" : label;
  for (tinyxml2::XMLNode* n = node.FirstChild(); n != nullptr; n = n->NextSibling()) {
    if (n->ToText() != nullptr)
      faults.add(ModelError({file.path, n->GetLineNum()}, label,
                            "holds loose text, expected elements and attributes only"));
    XMLElement* child = n->ToElement();
    if (child == nullptr) continue;
    faults.gather([&] {
      check_table(file, *child, row_of_child(file, node, *child, row, inside), inside, faults);
    });
  }
}

void check_root(const XmlFile& file, const std::vector<std::string>& roots) {
  const XMLElement& root = *file.root;
  const Source place = place_of(file, root);
  std::string expected;
  for (const std::string& name : roots) expected += (expected.empty() ? "<" : " or <") + name + ">";
  if (std::find(roots.begin(), roots.end(), root.Name()) == roots.end())
    throw ModelError(
        place, label_of(root),
        "<" + std::string(root.Name()) + "> is the root of this file, expected " + expected);
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
  const tinyxml2::XMLNode* n = file.document->FirstChild();
  for (; n != nullptr; n = n->NextSibling()) {
    const Source place{file.path, n->GetLineNum()};
    if (n->ToText() != nullptr)
      throw ModelError(place, label_of(*file.root),
                       "has loose text beside it, expected one root element alone");
    const XMLElement* other = n->ToElement();
    if (other != nullptr && other != file.root)
      throw ModelError(place, label_of(*other),
                       "<" + std::string(other->Name()) + "> is a second root beside <" +
                           file.root->Name() + ">, expected one root element a file");
  }
}

/// The text of a file, parsed, against the table.
void accept(XmlFile& file, const std::string& text, const std::vector<std::string>& roots) {
  const std::string& path = file.path;
  check_xml_text(text, path);
  file.document = std::make_shared<tinyxml2::XMLDocument>();
  file.document->Parse(text.data(), text.size());
  if (file.document->Error())
    throw ModelError({path, std::max(1, file.document->ErrorLineNum())}, "",
                     "is not well-formed XML (" + plain_words(file.document->ErrorName()) +
                         "), expected each element and quote to be closed");
  XMLElement* root = file.document->RootElement();
  file.root = root;
  if (file.root == nullptr)
    throw ModelError({path, 1}, "", "holds no element, expected a root element");
  check_root(file, roots);
  check_alone(file);
  Faults faults;
  check_table(file, *root, *find_row(file.root->Name()), "", faults);
  faults.tell();
}

}  // namespace

std::string attribute_of(const XMLElement& node, const char* name) {
  const char* value = node.Attribute(name);
  return on_one_line(value != nullptr ? value : "");
}

std::string on_one_line(std::string text) {
  for (char& c : text)
    if (std::iscntrl(static_cast<unsigned char>(c)) != 0) c = ' ';
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
