#include "apps/cli/compare_runs.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "vehicles/session/run_notes.hpp"

namespace semirec::cli {

namespace {

constexpr double kLargestStep = 0.5;    // s, end of the search for the largest good step
constexpr double kReferenceStep = 0.1;  // of the smallest step
constexpr std::size_t kMostSteps = 50;

/// What the start says, the same for all methods.
std::vector<std::string> notes_of_start(const Bench& bench) {
  StartReport said;
  try {
    Scenario scenario = bench.scenario();
    // as the rows of the table are run
    scenario.error_tolerance = 0.0;
    const Drive drive = make_drive(bench.vehicle(), scenario);
    Workspace ws(drive.model);
    start_drive(drive, ws, said);
  } catch (const ModelError&) {
    // the rows of the methods say why they have none
  }
  return said.notes;
}

/// What formulations say of the schemes that they are integrated by, behind their names.
std::vector<std::string> notes_of_schemes(const Bench& bench, const std::vector<Method>& methods,
                                          double step) {
  std::vector<std::pair<std::string, std::string>> said;  // words, names
  for (const Method& method : methods) {
    Scenario scenario = bench.scenario();
    scenario.step = step;
    scenario.error_tolerance = 0.0;
    method.apply(scenario);
    std::string words;
    try {
      const Drive drive = make_drive(bench.vehicle(), scenario, method.compile);
      words = describe_scheme(drive.model, drive.settings.step);
    } catch (const ModelError&) {
      // its rows say why there are none
    }
    if (words.empty()) continue;
    const auto known = std::find_if(said.begin(), said.end(),
                                    [&](const auto& note) { return note.first == words; });
    if (known == said.end())
      said.emplace_back(words, method.name);
    else
      known->second += ", " + method.name;
  }
  std::vector<std::string> notes;
  for (const auto& [words, names] : said) notes.push_back(fmt::format("{}: {}", names, words));
  return notes;
}

}  // namespace

std::vector<Method> choose_methods(const std::vector<std::string>& names) {
  std::vector<Method> methods;
  if (names.empty())
    methods.assign(all_methods().begin(), all_methods().begin() + all_formulations().size());
  for (const std::string& name : names) {
    const bool twice = std::any_of(methods.begin(), methods.end(),
                                   [&](const Method& other) { return other.name == name; });
    if (!twice) methods.push_back(find_method(name));
  }
  return methods;
}

std::vector<double> usual_steps(const Scenario& scenario) {
  std::vector<double> steps;
  for (const double factor : {1.0, 3.0, 10.0})
    steps.push_back(std::min(factor * scenario.step, 1.0));
  return steps;
}

std::vector<double> check_steps(const std::string& who, std::vector<double> steps,
                                const Scenario& scenario) {
  for (const double step : steps) {
    if (!(step > 0.0 && step <= 1.0))
      throw ModelError(
          fmt::format("{} holds {:g}, expected steps above 0 and of at most 1 s", who, step));
    if (scenario.until / step > 1e8)
      throw ModelError(
          fmt::format("{} holds {:g}, expected at most 1e8 steps to the end", who, step));
  }
  std::sort(steps.begin(), steps.end());
  steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
  if (steps.empty() || steps.size() > kMostSteps)
    throw ModelError(
        fmt::format("{} holds {} steps, expected 1 to {}", who, steps.size(), kMostSteps));
  return steps;
}

std::vector<std::string> find_notes(const Bench& bench, const CompareTask& task) {
  std::vector<std::string> notes = notes_of_start(bench);
  if (bench.scenario().error_tolerance > 0.0)
    notes.emplace_back(
        "the scenario's error_tolerance is not followed: steps have one length, but for the rows "
        "of --error-tolerance");
  if (!task.steps.empty())
    for (std::string& line : notes_of_schemes(bench, task.methods, task.steps.front()))
      notes.push_back(std::move(line));
  return notes;
}

Comparison compare(Bench& bench, const CompareTask& task,
                   const std::function<void(const std::string&)>& show) {
  show("the reference");
  bench.make_reference(kReferenceStep * task.steps.front());
  bench.set_limit(task.good);
  Comparison comparison = describe(bench, task.repeat);
  for (const double step : task.steps)
    for (const Method& method : task.methods) {
      if (bench.interrupted()) return comparison;
      show(fmt::format("{} at {:g} s", method.name, step));
      comparison.cells.push_back(bench.run_cell(method, step, task.repeat));
    }
  for (const VariableStep& one : task.variable)
    for (const Method& method : task.methods) {
      if (bench.interrupted()) return comparison;
      show(fmt::format("{} at tolerance {:g}", method.name, one.tolerance));
      comparison.cells.push_back(bench.run_variable(method, task.steps.front(), one, task.repeat));
    }
  if (task.largest_step)
    for (const Method& method : task.methods) {
      if (bench.interrupted()) return comparison;
      show(fmt::format("largest good step of {}", method.name));
      comparison.largest.push_back(
          bench.find_largest_step(method, task.steps.front(), kLargestStep, task.repeat));
    }
  return comparison;
}

}  // namespace semirec::cli
