#include "vehicles/files/xml/read_files.hpp"

#include <filesystem>
#include <set>

#include "vehicles/files/xml/document.hpp"
#include "vehicles/files/xml/xml_file.hpp"

namespace semirec {

namespace {

namespace fs = std::filesystem;

void add_named(const Element& element, std::vector<std::string>& files) {
  for (const Attribute& attribute : element.attributes)
    if (const AttributeRow* row = element.row->find(attribute.name);
        row != nullptr && row->kind == Kind::file)
      files.push_back((fs::path(attribute.source.file).parent_path() / attribute.value).string());
  for (const Element& child : element.children) add_named(child, files);
}

void add_written(const std::string& path, WrittenFiles& written, std::set<std::string>& seen);

void add_written(const XmlNode& node, const ElementRow* row, const std::string& path,
                 WrittenFiles& written, std::set<std::string>& seen) {
  for (const XmlAttribute& attribute : node.attributes) {
    const AttributeRow* known = row == nullptr ? nullptr : row->find(attribute.name);
    if (known == nullptr || known->kind != Kind::file) continue;
    if (attribute.value.find('{') != std::string::npos) {
      written.worked_out = true;
      continue;
    }
    const std::string file = (fs::path(path).parent_path() / attribute.value).string();
    written.files.push_back(file);
    if (fs::path(file).extension() == ".xml") add_written(file, written, seen);
  }
  for (const XmlNode& child : node.children) {
    const ElementRow* of_child = row == nullptr ? nullptr : row->child(child.name);
    add_written(child, of_child == nullptr ? find_row(child.name) : of_child, path, written, seen);
  }
}

void add_written(const std::string& path, WrittenFiles& written, std::set<std::string>& seen) {
  std::error_code error;
  if (!seen.insert(fs::weakly_canonical(path, error).string()).second) return;
  try {
    const XmlFile file =
        open_xml_file(path, {"vehicle", "mechanism", "scenario", "manoeuvre", "study"}, {});
    add_written(*file.root, find_row(file.root->name), path, written, seen);
  } catch (const ModelError&) {
    // whoever reads it will say what is wrong with it
  }
}

}  // namespace

WrittenFiles find_written_files(const std::string& path) {
  WrittenFiles written;
  std::set<std::string> seen;
  add_written(path, written, seen);
  return written;
}

std::vector<std::string> find_read_files(const std::string& path,
                                         const std::vector<Override>& overrides) {
  std::vector<std::string> files;
  try {
    const Document document =
        load_document(path, {"vehicle", "mechanism", "scenario", "manoeuvre", "study"}, overrides);
    files = document.files;
    add_named(document.root, files);
    for (const Element& element : document.elements) add_named(element, files);
  } catch (const ModelError&) {
    files.clear();
  }
  return files;
}

}  // namespace semirec
