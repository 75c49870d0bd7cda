#pragma once

#include <optional>

#include "apps/cli/command.hpp"
#include "vehicles/description/scenario.hpp"

namespace semirec::cli {

/// What a command line may change of a scenario's <run>.
struct RunLimits {
  std::optional<double> step, until;
  std::optional<int> iterations;
};

/// --step, --until, --iterations.
void add_limits(Command& command, RunLimits& limits);

/// Throws ModelError where they are out of range.
void apply(const RunLimits& limits, Scenario& scenario);

}  // namespace semirec::cli
