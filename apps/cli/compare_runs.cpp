#include "apps/cli/compare_runs.hpp"

#include <algorithm>

#include <fmt/core.h>

namespace semirec::cli {

namespace {

constexpr double kLargestStep = 0.5;    // s, end of the search for the largest good step
constexpr double kReferenceStep = 0.1;  // of the smallest step
constexpr std::size_t kMostSteps = 50;

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
