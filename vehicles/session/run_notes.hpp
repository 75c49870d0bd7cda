#pragma once

#include <string>
#include <vector>

#include "integrator/simulation.hpp"

namespace semirec {

/// Why the energies of a run do not add up, where is_balance_broken(): one line.
std::string describe_broken_balance(const RunReport& report);

/// That a force element was turned beyond what its law knows: one line.
std::string describe_half_turn(const HalfTurn& jump);

/// What a run that has been made says beside its status, a line each: laws that jumped, steps that
/// did not settle, round-off near singular positions, energies that do not add up.
std::vector<std::string> find_run_notes(const RunReport& report, const StepSettings& settings);

}  // namespace semirec
