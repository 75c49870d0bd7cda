#include "vehicles/files/xml/read_files.hpp"

#include <filesystem>

#include "vehicles/files/xml/document.hpp"

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

}  // namespace

std::vector<std::string> find_read_files(const std::string& path,
                                         const std::vector<Override>& overrides) {
  std::vector<std::string> files;
  try {
    const Document document = load_document(
        path, {"vehicle", "mechanism", "scenario", "manoeuvre", "study"}, overrides);
    files = document.files;
    add_named(document.root, files);
    for (const Element& element : document.elements) add_named(element, files);
  } catch (const ModelError&) {
    files.clear();
  }
  return files;
}

}  // namespace semirec
