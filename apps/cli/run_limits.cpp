#include "apps/cli/run_limits.hpp"

#include <cmath>

#include <fmt/format.h>

#include "topology/mechanism.hpp"

namespace semirec::cli {

namespace {

constexpr const char* kWeighting = "weighting";  // a parameter that has words for its values

[[noreturn]] void refuse(const char* option, double value, const char* expected) {
  throw ModelError(fmt::format("{} is {:g}, expected {}", option, value, expected));
}

}  // namespace

void add_scheme_limits(Command& command, SchemeLimits& limits) {
  std::string names;
  for (const SchemeFamily* family : scheme_families())
    names += (names.empty() ? "" : ", ") + fmt::format("{} ({})", family->name, family->meaning);
  command.add_option("--scheme", limits.scheme,
                     "time integration: " + names + " (default: the scenario's)");
  for (const SchemeFamily* family : scheme_families())
    for (const SchemeParameter& parameter : family->parameters) {
      if (std::string(parameter.name) == kWeighting) continue;
      const auto [option, is_new] = limits.parameters.try_emplace(parameter.name);
      if (is_new)
        command.add_option("--" + option->first, option->second,
                           fmt::format("of {}: {}", family->name, parameter.meaning));
    }
  command.add_option(
      "--weighting", limits.weighting,
      "of modified_hht: the forces on a body's rotation at the step's start count as "
      "turned with the body (of second order, the default), or as printed (of first "
      "order where the moment is not along the spin)");
  command.add_option(
      "--closing", limits.closing,
      "loop closures: penalty (augmented Lagrangian), multipliers (unknowns beside the "
      "coordinates; formulations hybrid, global and cartesian) or independent (independent "
      "coordinates; scheme linearly_implicit_euler) (default: the scenario's)");
  command.add_flag("--independent", limits.independent, "short for --closing independent");
  command.add_flag("--no-projection", limits.no_projection,
                   "leave rates and accelerations (linearly_implicit_euler: positions) as the "
                   "scheme's formulas give them");
}

void apply(const SchemeLimits& limits, Scenario& scenario) {
  std::vector<std::pair<std::string, double>> given;
  for (const auto& [name, value] : limits.parameters)
    if (value) given.emplace_back(name, *value);
  if (limits.weighting) {
    if (*limits.weighting != "turned" && *limits.weighting != "printed")
      throw ModelError("--weighting is '" + *limits.weighting + "', expected turned or printed");
    given.emplace_back(kWeighting, *limits.weighting == "printed" ? 1.0 : 0.0);
  }
  if (limits.scheme && *limits.scheme != scenario.scheme.family->name)
    scenario.scheme = choose_scheme(*limits.scheme, given, "--");
  else if (!given.empty())
    scenario.scheme = change_scheme(scenario.scheme, given, "--");
  if (limits.independent) {
    if (limits.closing.value_or("independent") != "independent")
      throw ModelError("--independent is given beside --closing " + *limits.closing +
                       ", expected only one of the two");
    scenario.closing = Closing::independent;
  }
  if (limits.closing) {
    const std::optional<Closing> closing = find_closing(*limits.closing);
    if (!closing)
      throw ModelError("--closing is '" + *limits.closing +
                       "', expected penalty, multipliers or independent");
    scenario.closing = *closing;
  }
  if (limits.no_projection) scenario.projection = false;
}

void add_control_limits(Command& command, ControlLimits& limits) {
  command.add_option("--error-tolerance", limits.error_tolerance,
                     "local error that a step may have, m or rad, such as 1e-5: steps take lengths "
                     "of their own, from --step on; 0: equal steps (default: the scenario's)");
  command.add_option("--longest-step", limits.longest_step,
                     "s, of these lengths: what lies between the ends of a step is not seen "
                     "(default: the scenario's, or the least of 5 cm of way where the road is no "
                     "plane and of a quarter of the intervals of the vehicle's equations)");
  command.add_option("--estimate", limits.estimate,
                     "of that error: corrected (default), or printed as in the paper of hht");
  command.add_flag("--cut-contacts", limits.cut_contacts,
                   "steps end where contacts and stops begin and end, located within the step");
}

void add_refused_control_limits(Command& command, ControlLimits& limits) {
  command.add_option("--error-tolerance", limits.error_tolerance,
                     "refused here: all steps have one length");
  command.add_option("--longest-step", limits.longest_step, "refused here with it");
  command.add_option("--estimate", limits.estimate, "refused here with it");
  command.add_flag("--cut-contacts", limits.cut_contacts, "refused here, too");
}

void check_error_tolerance(double tolerance) {
  if (!(tolerance >= 0.0 && tolerance <= 0.1))
    refuse("--error-tolerance", tolerance, "0 (equal steps) to 0.1");
}

bool asks_for_printed_estimate(const ControlLimits& limits) {
  const std::string estimate = limits.estimate.value_or("corrected");
  if (estimate != "corrected" && estimate != "printed")
    throw ModelError("--estimate is '" + estimate + "', expected corrected or printed");
  return estimate == "printed";
}

void check_estimate(const ControlLimits& limits, bool is_controlled) {
  if (limits.estimate && !is_controlled)
    throw ModelError(
        "--estimate is given with steps of one length, which ask for no estimate, expected it "
        "beside --error-tolerance only");
}

void apply(const ControlLimits& limits, Scenario& scenario) {
  if (limits.error_tolerance) {
    check_error_tolerance(*limits.error_tolerance);
    scenario.error_tolerance = *limits.error_tolerance;
  }
  if (limits.longest_step) {
    if (!(*limits.longest_step > 0.0) || !std::isfinite(*limits.longest_step))
      refuse("--longest-step", *limits.longest_step, "a number of seconds above 0");
    if (scenario.until / *limits.longest_step > 1e9)
      refuse("--longest-step", *limits.longest_step, "one that makes at most 1e9 steps to the end");
    if (scenario.error_tolerance == 0.0)
      throw ModelError(
          "--longest-step is given with steps of one length, expected it beside "
          "--error-tolerance only");
    scenario.longest_step = *limits.longest_step;
  }
  if (limits.cut_contacts) scenario.cut_contacts = true;
  static_cast<void>(asks_for_printed_estimate(limits));
  check_estimate(limits, scenario.error_tolerance > 0.0);
}

void refuse_control(const ControlLimits& limits, const std::string& why) {
  if (limits.error_tolerance) throw ModelError("--error-tolerance is given: " + why);
  if (limits.longest_step) throw ModelError("--longest-step is given: " + why);
  if (limits.estimate) throw ModelError("--estimate is given: " + why);
  if (limits.cut_contacts) throw ModelError("--cut-contacts is given: " + why);
}

void add_limits(Command& command, RunLimits& limits) {
  command.add_option("--step", limits.step, "time step, s (default: the scenario's)");
  command.add_option("--until", limits.until, "end time, s (default: the scenario's)");
  command.add_option(
      "--iterations", limits.iterations,
      "exactly this many Newton iterations a step (constant work); 0: until converged");
  add_scheme_limits(command, limits.scheme);
  add_control_limits(command, limits.control);
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
  apply(limits.scheme, scenario);
  apply(limits.control, scenario);
}

}  // namespace semirec::cli
