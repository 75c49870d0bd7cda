#include "apps/seat/seat_scenario.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <tinyxml2.h>

#include "vehicles/files/xml/read_files.hpp"
#include "vehicles/files/xml/reader.hpp"

namespace semirec::seat {

namespace {

using tinyxml2::XMLElement;

XMLElement& child(XMLElement& parent, const char* name) {
  if (XMLElement* found = parent.FirstChildElement(name)) return *found;
  return *parent.InsertNewChildElement(name);
}

void make_paths_absolute(XMLElement& element, const std::filesystem::path& folder) {
  if (const char* file = element.Attribute("file"))
    element.SetAttribute("file", (folder / file).lexically_normal().c_str());
  for (XMLElement* next = element.FirstChildElement(); next != nullptr;
       next = next->NextSiblingElement())
    make_paths_absolute(*next, folder);
}

std::filesystem::path identity_of(const std::filesystem::path& path) {
  return std::filesystem::weakly_canonical(path);
}

/// Puts what a scenario includes in the place of its <include>s, each file once, so that what is
/// changed here is found wherever it stands.
class WrittenOut {
 public:
  explicit WrittenOut(const std::string& scenario) {
    for (const std::string& file : find_read_files(scenario)) read_.insert(identity_of(file));
    seen_.insert(identity_of(scenario));
  }

  /// `above`: parameters that the files which include this one have written before, for which its
  /// own are defaults.
  void write_out(XMLElement& root, std::vector<std::string> above) {
    const std::vector<std::string> given = above;
    for (XMLElement* part = root.FirstChildElement(); part != nullptr;) {
      XMLElement* next = part->NextSiblingElement();
      const std::string_view kind = part->Name();
      const char* name = part->Attribute("name");
      if (kind == "include") {
        replace(root, *part, above);
      } else if (kind == "parameter" && name != nullptr) {
        if (std::find(given.begin(), given.end(), name) != given.end())
          root.DeleteChild(part);
        else if (part->Attribute("when") == nullptr)
          above.emplace_back(name);
      }
      part = next;
    }
  }

 private:
  void replace(XMLElement& root, XMLElement& include, const std::vector<std::string>& above) {
    const std::filesystem::path path = include.Attribute("file");
    if (path.native().find('{') != std::string::npos)
      throw ModelError("the scenario includes a file that a parameter names, '" + path.string() +
                       "', expected its name itself");
    // one that has not been read was left out by its condition
    if (read_.count(identity_of(path)) > 0 && seen_.insert(identity_of(path)).second) {
      tinyxml2::XMLDocument file;
      if (file.LoadFile(path.c_str()) != tinyxml2::XML_SUCCESS || file.RootElement() == nullptr)
        throw ModelError(path.string() +
                         ": cannot be read any more, expected what the scenario includes");
      make_paths_absolute(*file.RootElement(), path.parent_path());
      write_out(*file.RootElement(), above);
      tinyxml2::XMLNode* place = &include;
      for (const XMLElement* part = file.RootElement()->FirstChildElement(); part != nullptr;
           part = part->NextSiblingElement())
        place = root.InsertAfterChild(place, part->DeepClone(root.GetDocument()));
    }
    root.DeleteChild(&include);
  }

  std::set<std::filesystem::path> read_;  ///< by the scenario as it is
  std::set<std::filesystem::path> seen_;
};

void remove_input(XMLElement& root, const std::string& name) {
  for (XMLElement* input = root.FirstChildElement("input"); input != nullptr;) {
    XMLElement* next = input->NextSiblingElement("input");
    if (input->Attribute("name", name.c_str()) != nullptr) root.DeleteChild(input);
    input = next;
  }
}

void remove_changes(XMLElement& root) {
  for (XMLElement* event = root.FirstChildElement("event"); event != nullptr;) {
    XMLElement* next = event->NextSiblingElement("event");
    if (event->FirstChildElement("set") != nullptr) root.DeleteChild(event);
    event = next;
  }
}

void add_change(XMLElement& root, const ScenarioEvent& change) {
  XMLElement& event = *root.InsertNewChildElement("event");
  event.SetAttribute("name", change.name.c_str());
  event.SetAttribute("time", fmt::format("{:.17g}", change.time).c_str());
  for (const Override& one : change.changes) {
    XMLElement& set = *event.InsertNewChildElement("set");
    set.SetAttribute("element", one.element.c_str());
    set.SetAttribute("attribute", one.attribute.c_str());
    set.SetAttribute("value", one.value.c_str());
  }
}

void add_point(XMLElement& table, double t, double value) {
  XMLElement& point = *table.InsertNewChildElement("point");
  // 17 digits: the same number when it is read
  point.SetAttribute("t", fmt::format("{:.17g}", t).c_str());
  point.SetAttribute("value", fmt::format("{:.17g}", value).c_str());
}

void add_input(XMLElement& root, const std::string& name, std::size_t column,
               const SeatRecord& record, std::size_t rows) {
  XMLElement& input = *root.InsertNewChildElement("input");
  input.SetAttribute("name", name.c_str());
  XMLElement& table = *input.InsertNewChildElement("table");
  for (std::size_t k = 0; k < rows; ++k) {
    const double value = record.value(k, column);
    const bool same_before = k > 0 && record.value(k - 1, column) == value;
    const bool same_after = k + 1 < rows && record.value(k + 1, column) == value;
    if (!same_before || !same_after) add_point(table, record.time(k), value);
  }
}

}  // namespace

std::vector<ScenarioEvent> take_changes(Scenario& scenario) {
  std::vector<ScenarioEvent> changes;
  std::erase_if(scenario.events, [&](const ScenarioEvent& event) {
    if (!event.changes.empty()) changes.push_back(event);
    return !event.changes.empty();
  });
  std::stable_sort(changes.begin(), changes.end(),
                   [](const auto& a, const auto& b) { return a.time < b.time; });
  return changes;
}

Scenario open_area() {
  Scenario scenario;
  scenario.name = "open_area";
  scenario.start = StartMode::equilibrium;
  scenario.until = 1e6;
  return scenario;
}

DrivenScenario write_driven_scenario(const std::string& path, const std::string& name, double step,
                                     const std::array<std::string, kControls>& names,
                                     const SeatRecord& record,
                                     const std::vector<ScenarioEvent>& changes) {
  // the loop goes on and adds rows
  const std::size_t rows = record.rows();
  if (rows < 2) throw ModelError("nothing has been driven since the start, expected some steps");
  const double until = record.time(rows - 1);
  tinyxml2::XMLDocument file;
  if (path.empty()) {
    file.InsertEndChild(file.NewDeclaration());
    XMLElement* root = file.NewElement("scenario");
    file.InsertEndChild(root);
    root->SetAttribute("version", 1);
    child(*root, "start").SetAttribute("from", "equilibrium");
  } else if (file.LoadFile(path.c_str()) != tinyxml2::XML_SUCCESS ||
             file.FirstChildElement("scenario") == nullptr) {
    throw ModelError(path + ": cannot be read any more, expected the scenario of this drive");
  }
  XMLElement& root = *file.FirstChildElement("scenario");
  if (!path.empty()) {
    make_paths_absolute(root, std::filesystem::absolute(path).parent_path());
    WrittenOut(path).write_out(root, {});
  }
  root.SetAttribute("name", name.c_str());
  XMLElement& run = child(root, "run");
  run.SetAttribute("step", fmt::format("{:.17g}", step).c_str());
  run.SetAttribute("until", fmt::format("{:.17g}", until).c_str());
  for (std::size_t k = 0; k < kControls; ++k) {
    if (names[k].empty()) continue;
    remove_input(root, names[k]);
    add_input(root, names[k], k, record, rows);
  }
  remove_changes(root);
  for (const ScenarioEvent& change : changes) add_change(root, change);
  tinyxml2::XMLPrinter printer;
  file.Print(&printer);
  std::string text = printer.CStr();
  static_cast<void>(read_scenario_text(text, name + ".xml"));  // throws where it is none
  return {std::move(text), until};
}

int follow_curves(Session& session, const std::array<int, kControls>& inputs) noexcept {
  const double t = session.next_time();
  for (const int input : inputs) {
    if (input < 0) continue;
    const double value = session.inputs()[static_cast<std::size_t>(input)].curve.evaluate(t).f;
    if (session.set_input(input, value) == InputStatus::not_finite) return input;
  }
  return -1;
}

}  // namespace semirec::seat
