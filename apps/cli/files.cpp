#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "apps/cli/commands.hpp"
#include "vehicles/xml/reader.hpp"

namespace semirec::cli {

void add_files(CLI::App& command, Files& files, bool scenario_required) {
  command.add_option("VEHICLE", files.vehicle, "vehicle or mechanism file (XML)")->required();
  CLI::Option* scenario = command.add_option("SCENARIO", files.scenario, "scenario file (XML)");
  if (scenario_required) scenario->required();
  command
      .add_option("--set", files.overrides,
                  "element.attribute=value: replace a value of the vehicle file; * stands for any "
                  "text in the element's name; may be repeated")
      ->take_all();
}

Loaded load(const Files& files) {
  Loaded loaded;
  if (!files.scenario.empty()) loaded.scenario = read_scenario(files.scenario);
  std::vector<Override> overrides = loaded.scenario.overrides;
  for (const std::string& text : files.overrides) {
    overrides.push_back(parse_override(text));
    overrides.back().source = {"--set " + text, 0};
  }
  loaded.vehicle = read_vehicle(files.vehicle, overrides);
  for (const std::vector<std::string>* notes : {&loaded.vehicle.notes, &loaded.scenario.road_notes})
    for (const std::string& note : *notes) fmt::print(stderr, "note: {}\n", note);
  return loaded;
}

Formulation parse_formulation(const std::string& name) {
  if (const auto formulation = find_formulation(name)) return *formulation;
  throw ModelError("--formulation is '" + name +
                   "', expected hybrid, global, topological or recursive");
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
