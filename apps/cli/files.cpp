
#include <algorithm>

#include "apps/cli/commands.hpp"
#include "apps/cli/terminal.hpp"
#include "vehicles/files/xml/reader.hpp"

namespace semirec::cli {

void add_named_files(Command& command, Files& files, bool scenario_required) {
  command.add_option("VEHICLE", files.vehicle, "vehicle or mechanism file (XML)")->required();
  Argument* scenario = command.add_option("SCENARIO", files.scenario, "scenario file (XML)");
  if (scenario_required) scenario->required();
}

void add_files(Command& command, Files& files, bool scenario_required) {
  add_named_files(command, files, scenario_required);
  add_overrides(command, files.overrides);
}

void add_overrides(Command& command, std::vector<std::string>& overrides) {
  command
      .add_option("--set", overrides,
                  "element.attribute=value: replace a value of the vehicle file; * stands for any "
                  "text in the element's name; may be repeated")
      ->take_all();
}

namespace {

/// The last override takes the place of an earlier one of the same name; a factor does not.
void note_replaced(const std::vector<Override>& overrides) {
  const auto is_same = [](const Override& a, const Override& b) {
    return a.element == b.element && a.attribute == b.attribute;
  };
  for (auto last = overrides.begin(); last != overrides.end(); ++last) {
    const auto is_this = [&](const Override& other) { return is_same(other, *last); };
    if (last->value.front() == '*' || std::none_of(overrides.begin(), last, is_this) ||
        std::any_of(last + 1, overrides.end(), is_this))
      continue;
    note_once("--set " + last->element + "." + last->attribute +
              " is given more than once, the last one counts: " + last->value);
  }
}

}  // namespace

std::vector<Override> read_overrides(const std::vector<std::string>& texts) {
  std::vector<Override> overrides;
  for (const std::string& text : texts) {
    overrides.push_back(parse_override(text));
    overrides.back().source = {"--set " + text, 0};
  }
  note_replaced(overrides);
  return overrides;
}

DriveDescription load(const Files& files) {
  DriveDescription loaded =
      read_drive(files.vehicle, files.scenario, read_overrides(files.overrides));
  for (const std::vector<std::string>* notes : {&loaded.vehicle.notes, &loaded.scenario.road_notes})
    for (const std::string& note : *notes) complain("note: {}\n", note);
  return loaded;
}

Formulation parse_formulation(const std::string& name) {
  if (const auto formulation = find_formulation(name)) return *formulation;
  throw ModelError("--formulation is '" + name + "', expected " + formulation_names());
}

TangentChoice parse_tangent(const std::string& name) {
  if (name == "automatic") return TangentChoice::automatic;
  if (name == "tree") return TangentChoice::tree;
  if (name == "lanes") return TangentChoice::lanes;
  if (name == "sparse") return TangentChoice::sparse;
  if (name == "dense") return TangentChoice::dense;
  throw ModelError("--tangent is '" + name + "', expected automatic, tree, lanes, sparse or dense");
}

}  // namespace semirec::cli
