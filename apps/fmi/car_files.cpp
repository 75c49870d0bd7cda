#include "apps/fmi/car_files.hpp"

#include <algorithm>
#include <filesystem>
#include <map>

#include "apps/fmi/package.hpp"
#include "vehicles/files/xml/document.hpp"
#include "vehicles/files/xml/saved_tree.hpp"
#include "vehicles/files/xml/xml_parser.hpp"
#include "vehicles/road/crg_file.hpp"

namespace semirec::fmi {

namespace {

namespace fs = std::filesystem;

class Collector {
 public:
  void add_description(const std::string& path, const std::vector<std::string>& roots,
                       const std::vector<Override>& overrides) {
    const Document document = load_document(path, roots, overrides);
    for (const std::string& file : document.files) add(file, true);
    for (const Element& element : document.elements) add_named(element, element);
  }

  CarFiles finish(const std::string& vehicle, const std::string& scenario) const {
    fs::path common = full(vehicle).parent_path();
    for (const auto& [path, unused] : files_)
      while (!is_below(path, common)) common = common.parent_path();
    const auto name_of = [&](const fs::path& path) {
      return path.lexically_relative(common).generic_string();
    };
    CarFiles found;
    found.vehicle = name_of(full(vehicle));
    if (!scenario.empty()) found.scenario = name_of(full(scenario));
    for (const auto& [path, file] : files_)
      found.files.push_back({file.path, name_of(path), file.description});
    std::sort(found.files.begin(), found.files.end(),
              [](const CarFile& a, const CarFile& b) { return a.name < b.name; });
    return found;
  }

 private:
  static fs::path full(const std::string& path) { return fs::absolute(path).lexically_normal(); }

  static bool is_below(const fs::path& path, const fs::path& folder) {
    const auto [end, unused] =
        std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
    return end == folder.end();
  }

  void add(const std::string& path, bool description = false) {
    files_.emplace(full(path), CarFile{path, {}, description});
  }

  /// Tyres and roads, by the attributes that hold a path.
  void add_named(const Element& element, const Element& owner) {
    for (const Attribute& attribute : element.attributes) {
      if (element.row->find(attribute.name)->kind != Kind::file) continue;
      if (fs::path(attribute.value).is_absolute())
        element.fail(attribute.name, "is '" + attribute.value +
                                         "', expected a path relative to its file: an FMU finds "
                                         "nothing outside");
      // what the command line names lies beside the description
      const std::string& from =
          attribute.source.line > 0 ? attribute.source.file : element.source.file;
      const fs::path path = fs::path(from).parent_path() / attribute.value;
      std::error_code error;
      // a tyre that no wheel calls may be missing
      if (!fs::is_regular_file(path, error)) continue;
      add(path.string());
      if (element.kind == "crg") add_references(path.string());
    }
    for (const Element& child : element.children) add_named(child, owner);
  }

  /// Files that an OpenCRG file refers to.
  void add_references(const std::string& path) {
    const CrgOpen open = [&](const std::string& name, const std::string& from) {
      const std::string next = (fs::path(from).parent_path() / name).string();
      if (fs::path(name).is_absolute())
        throw ModelError({from, 0}, "ROAD_CRG_FILE",
                         "is '" + name +
                             "', expected a path relative to its file: an FMU finds "
                             "nothing outside");
      add(next);
      return CrgBytes{next, read_file(next)};
    };
    static_cast<void>(parse_crg(read_file(path), path, open));
  }

  std::map<fs::path, CarFile> files_;  ///< by full path; their own are as they were given
};

}  // namespace

CarFiles find_car_files(const std::string& vehicle, const std::string& scenario,
                        const std::vector<Override>& overrides) {
  Collector collector;
  collector.add_description(vehicle, {"vehicle", "mechanism"}, overrides);
  if (!scenario.empty()) collector.add_description(scenario, {"scenario"}, {});
  return collector.finish(vehicle, scenario);
}

std::string saved_bytes(const CarFile& file) {
  std::string bytes = read_file(file.path);
  if (!file.description || is_saved_tree(bytes)) return bytes;
  return save_tree(parse_xml(bytes, file.path));
}

}  // namespace semirec::fmi
