#pragma once

#include <map>
#include <optional>
#include <string>

#include "apps/cli/command.hpp"
#include "vehicles/description/scenario.hpp"

namespace semirec::cli {

/// What a command line may change of how a scenario is run.
struct RunLimits {
  std::optional<double> step, until;
  std::optional<int> iterations;
  std::optional<std::string> scheme;
  std::map<std::string, std::optional<double>> scheme_parameters;  ///< of all schemes, by name
  std::optional<std::string> closing;
  bool no_projection = false;
};

/// --step, --until, --iterations, --scheme and the parameters of schemes, --closing,
/// --no-projection.
void add_limits(Command& command, RunLimits& limits);

/// Throws ModelError where they are out of range, or where the scheme has not such a parameter.
void apply(const RunLimits& limits, Scenario& scenario);

}  // namespace semirec::cli
