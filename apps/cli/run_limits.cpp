#include "apps/cli/run_limits.hpp"

#include <cmath>

#include <fmt/format.h>

#include "topology/mechanism.hpp"

namespace semirec::cli {

namespace {

[[noreturn]] void refuse(const char* option, double value, const char* expected) {
  throw ModelError(fmt::format("{} is {:g}, expected {}", option, value, expected));
}

}  // namespace

void add_limits(Command& command, RunLimits& limits) {
  command.add_option("--step", limits.step, "time step, s (default: the scenario's)");
  command.add_option("--until", limits.until, "end time, s (default: the scenario's)");
  command.add_option(
      "--iterations", limits.iterations,
      "exactly this many Newton iterations a step (constant work); 0: until converged");
  std::string names;
  for (const SchemeFamily* family : scheme_families())
    names += (names.empty() ? "" : ", ") + fmt::format("{} ({})", family->name, family->meaning);
  command.add_option("--scheme", limits.scheme,
                     "time integration: " + names + " (default: the scenario's)");
  for (const SchemeFamily* family : scheme_families())
    for (const SchemeParameter& parameter : family->parameters) {
      const auto [option, is_new] = limits.scheme_parameters.try_emplace(parameter.name);
      if (is_new)
        command.add_option("--" + option->first, option->second,
                           fmt::format("of {}: {}", family->name, parameter.meaning));
    }
  command.add_option(
      "--closing", limits.closing,
      "loop closures: penalty (augmented Lagrangian) or multipliers (unknowns beside "
      "the coordinates; formulations hybrid and global) (default: the scenario's)");
  command.add_flag("--no-projection", limits.no_projection,
                   "leave rates and accelerations as the scheme's formulas give them");
}

void apply(const RunLimits& limits, Scenario& scenario) {
  if (limits.step) {
    if (!(*limits.step > 0.0 && *limits.step <= 1.0))
      refuse("--step", *limits.step, "a step above 0 and of at most 1 s");
    scenario.step = *limits.step;
  }
  if (limits.until) {
    if (!(*limits.until > 0.0 && std::isfinite(*limits.until)))
      refuse("--until", *limits.until, "a time above 0 s");
    scenario.until = *limits.until;
  }
  if (scenario.until / scenario.step > 1e9)
    refuse("--until over --step", scenario.until / scenario.step, "at most 1e9 steps");
  if (limits.iterations) {
    if (*limits.iterations < 0 || *limits.iterations > 100)
      refuse("--iterations", *limits.iterations, "0 (until converged) to 100");
    scenario.iterations = *limits.iterations;
  }
  std::vector<std::pair<std::string, double>> given;
  for (const auto& [name, value] : limits.scheme_parameters)
    if (value) given.emplace_back(name, *value);
  if (limits.scheme || !given.empty())
    scenario.scheme =
        choose_scheme(limits.scheme.value_or(scenario.scheme.family->name), given, "--");
  if (limits.closing) {
    if (*limits.closing != "penalty" && *limits.closing != "multipliers")
      throw ModelError("--closing is '" + *limits.closing + "', expected penalty or multipliers");
    scenario.closing = *limits.closing == "penalty" ? Closing::penalty : Closing::multipliers;
  }
  if (limits.no_projection) scenario.projection = false;
}

}  // namespace semirec::cli
