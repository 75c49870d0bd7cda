#pragma once

#include <string>
#include <vector>

#include "integrator/model.hpp"
#include "integrator/state.hpp"
#include "integrator/workspace.hpp"

namespace semirec {

/// A line where the closures, none of which an input drives or an event switches, leave the
/// mechanism no degree of freedom and some rows are redundant: it stands still, which is seldom
/// meant. Axes that are to be parallel and are not quite do it. Empty where something can move.
/// Off-line: allocates.
std::string describe_immobility(const Model& model, const State& state, Workspace& ws);

/// A line for each input that drives closures which cannot follow where they stand: no rates of the
/// coordinates meet the rates that it asks for, Phi_z zd = -Phi_t, as where a ball joint is written
/// as a hinge, or where two inputs drive one motion. Relative coordinates. Off-line: allocates.
std::vector<std::string> find_blocked_inputs(const Model& model, const State& state, Workspace& ws);

}  // namespace semirec
