#include "tests/fmi/importer.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <tuple>

#include <gtest/gtest.h>
#include <tinyxml2.h>

namespace semirec::test {

namespace {

namespace fs = std::filesystem;

std::string attribute_of(const tinyxml2::XMLElement& node, const char* name) {
  const char* text = node.Attribute(name);
  return text == nullptr ? "" : text;
}

template <typename Visitor>
void for_each(const tinyxml2::XMLElement* parent, const Visitor& visitor) {
  if (parent == nullptr) return;
  for (const auto* child = parent->FirstChildElement(); child != nullptr;
       child = child->NextSiblingElement())
    visitor(*child);
}

}  // namespace

TestFolder::TestFolder(const std::string& name) {
  path_ = (fs::temp_directory_path() / (name + "-XXXXXX")).string();
  if (mkdtemp(path_.data()) == nullptr) throw std::runtime_error("no folder for the test");
}

TestFolder::~TestFolder() {
  std::error_code error;
  fs::remove_all(path_, error);
}

std::uint32_t Description::reference(const std::string& name) const {
  for (const DescribedVariable& variable : variables)
    if (variable.name == name) return variable.reference;
  ADD_FAILURE() << "no variable " << name;
  return 0xffffffffU;
}

std::vector<std::uint32_t> Description::references(const std::string& causality) const {
  std::vector<std::uint32_t> found;
  for (const DescribedVariable& variable : variables)
    if (variable.causality == causality) found.push_back(variable.reference);
  return found;
}

Description read_description(const std::string& xml, int version) {
  tinyxml2::XMLDocument document;
  EXPECT_EQ(document.Parse(xml.c_str(), xml.size()), tinyxml2::XML_SUCCESS);
  const tinyxml2::XMLElement& root = *document.RootElement();
  Description read;
  read.token = attribute_of(root, version == 3 ? "instantiationToken" : "guid");
  read.naming = attribute_of(root, "variableNamingConvention");
  read.identifier = attribute_of(*root.FirstChildElement("CoSimulation"), "modelIdentifier");
  read.step = root.FirstChildElement("DefaultExperiment")->DoubleAttribute("stepSize");
  for_each(root.FirstChildElement("UnitDefinitions"),
           [&](const auto& unit) { read.units.push_back(attribute_of(unit, "name")); });
  for_each(root.FirstChildElement("LogCategories"), [&](const auto& category) {
    read.categories.push_back(attribute_of(category, "name"));
  });
  for_each(root.FirstChildElement("ModelVariables"), [&](const tinyxml2::XMLElement& node) {
    const tinyxml2::XMLElement& values = version == 3 ? node : *node.FirstChildElement();
    EXPECT_STREQ(values.Name(), version == 3 ? "Float64" : "Real");
    DescribedVariable v;
    v.name = attribute_of(node, "name");
    v.causality = attribute_of(node, "causality");
    v.variability = attribute_of(node, "variability");
    v.initial = attribute_of(node, "initial");
    v.description = attribute_of(node, "description");
    v.unit = attribute_of(values, "unit");
    v.reference = node.UnsignedAttribute("valueReference", 0xffffffffU);
    v.has_start = values.QueryDoubleAttribute("start", &v.start) == tinyxml2::XML_SUCCESS;
    v.has_min = values.QueryDoubleAttribute("min", &v.min) == tinyxml2::XML_SUCCESS;
    v.has_max = values.QueryDoubleAttribute("max", &v.max) == tinyxml2::XML_SUCCESS;
    read.variables.push_back(v);
  });
  const auto note_dependencies = [&](const tinyxml2::XMLElement& node) {
    auto& noted = read.dependencies.emplace_back();
    if (node.Attribute("dependencies") == nullptr) return;
    std::istringstream list(node.Attribute("dependencies"));
    noted.emplace();
    for (std::uint32_t known = 0; list >> known;) noted->push_back(known);
  };
  read.derivatives = root.FirstChildElement("CoSimulation")
                         ->BoolAttribute(version == 3 ? "providesDirectionalDerivatives"
                                                      : "providesDirectionalDerivative");
  const tinyxml2::XMLElement* structure = root.FirstChildElement("ModelStructure");
  if (version == 3) {
    for_each(structure, [&](const tinyxml2::XMLElement& node) {
      const bool output = std::string(node.Name()) == "Output";
      if (output) note_dependencies(node);
      auto& list = output ? read.outputs : read.initial_unknowns;
      list.push_back(node.UnsignedAttribute("valueReference", 0xffffffffU));
    });
    return read;
  }
  for_each(structure->FirstChildElement("Outputs"), [&](const tinyxml2::XMLElement& node) {
    note_dependencies(node);
    read.outputs.push_back(node.UnsignedAttribute("index"));
  });
  for_each(structure->FirstChildElement("InitialUnknowns"), [&](const tinyxml2::XMLElement& node) {
    read.initial_unknowns.push_back(node.UnsignedAttribute("index"));
  });
  return read;
}

UnpackedFmu::UnpackedFmu(int version, const std::string& vehicle, const std::string& scenario,
                         const std::vector<std::string>& sets, const std::string& folder)
    : folder_(folder) {
  const std::string root = std::string(SEMIREC_SOURCE_DIR) + "/";
  fmi::ExportSettings settings;
  settings.vehicle = root + vehicle;
  settings.scenario = scenario.empty() ? "" : root + scenario;
  settings.sets = sets;
  settings.version = version;
  settings.library = SEMIREC_FMU_LIBRARY;
  for (const auto& [name, bytes] : fmi::make_fmu(settings).files) {
    const fs::path path = fs::path(folder_.path()) / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << bytes;
    if (name == "modelDescription.xml") description_ = read_description(bytes, version);
    if (name.substr(0, 9) == "binaries/") library_path_ = path.string();
  }
  library_ = dlopen(library_path_.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library_ == nullptr) throw std::runtime_error(dlerror());
}

UnpackedFmu::~UnpackedFmu() {
  if (library_ != nullptr) dlclose(library_);
}

const UnpackedFmu& shared_fmu(int version, const std::string& vehicle,
                              const std::string& scenario) {
  static std::map<std::tuple<int, std::string, std::string>, std::unique_ptr<UnpackedFmu>> made;
  auto& fmu = made[{version, vehicle, scenario}];
  if (fmu == nullptr) fmu = std::make_unique<UnpackedFmu>(version, vehicle, scenario);
  return *fmu;
}

}  // namespace semirec::test
