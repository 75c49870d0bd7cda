#pragma once

#include <string>
#include <vector>

#include "integrator/simulation.hpp"

namespace semirec {

/// Why the energies of a run do not add up, where is_balance_broken(): one line.
std::string describe_broken_balance(const RunReport& report);

/// That a force element was turned beyond what its law knows: one line.
std::string describe_half_turn(const HalfTurn& jump);

/// What the model's formulation says of the scheme that it is integrated by, such as one that damps
/// in `global`: one line; empty: nothing.
std::string describe_scheme(const Model& model, const StepSettings& settings);

/// Where the ends of steps of `h` do not lie at rows every `interval`, s: one line; empty where
/// they do, and for an interval of 0, which asks for a row a step.
std::string describe_uneven_rows(double interval, double h);

/// What a run that has been made says beside its status, a line each: laws that jumped, steps that
/// did not settle, round-off near singular positions, energies that do not add up.
std::vector<std::string> find_run_notes(const RunReport& report, const StepSettings& settings);

}  // namespace semirec
