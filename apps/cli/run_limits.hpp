#pragma once

#include <map>
#include <optional>
#include <string>

#include "apps/cli/command.hpp"
#include "vehicles/description/scenario.hpp"

namespace semirec::cli {

/// What a command line may change of the time integration.
struct SchemeLimits {
  std::optional<std::string> scheme;
  std::map<std::string, std::optional<double>> parameters;  ///< of all schemes, by name
  std::optional<std::string> weighting;                     ///< of modified_hht, as a word
  std::optional<std::string> closing;
  bool independent = false;  ///< closing "independent"
  bool no_projection = false;
};

/// --scheme and the parameters of schemes, --closing, --no-projection.
void add_scheme_limits(Command& command, SchemeLimits& limits);

/// Throws ModelError where they are out of range, or where the scheme has not such a parameter.
void apply(const SchemeLimits& limits, Scenario& scenario);

/// What a command line may change of the lengths of the steps.
struct ControlLimits {
  std::optional<double> error_tolerance;
  std::optional<double> longest_step;
  std::optional<std::string> estimate;
  bool cut_contacts = false;
};

/// --error-tolerance, --longest-step, --estimate, --cut-contacts.
void add_control_limits(Command& command, ControlLimits& limits);
/// The same for a command whose steps have one length: any of them is refused.
void add_refused_control_limits(Command& command, ControlLimits& limits);

/// Throws ModelError where they are out of range.
void apply(const ControlLimits& limits, Scenario& scenario);
/// A tolerance of the command line. Throws ModelError unless it is 0 to 0.1 m or rad.
void check_error_tolerance(double tolerance);
/// Whether --estimate asks for the constant that the paper prints. Throws ModelError where it asks
/// for something else than there is.
bool asks_for_printed_estimate(const ControlLimits& limits);
/// Throws ModelError where --estimate is given though no step asks for one.
void check_estimate(const ControlLimits& limits, bool is_controlled);
/// Throws ModelError in the words `why` where one of them is given.
void refuse_control(const ControlLimits& limits, const std::string& why);

/// What a command line may change of how a scenario is run.
struct RunLimits {
  std::optional<double> step, until;
  std::optional<int> iterations;
  SchemeLimits scheme;
  ControlLimits control;
};

/// --step, --until, --iterations, and those of scheme and control.
void add_limits(Command& command, RunLimits& limits);

/// Throws ModelError where they are out of range.
void apply(const RunLimits& limits, Scenario& scenario);

}  // namespace semirec::cli
