#pragma once

#include <string>

#include "integrator/model.hpp"
#include "integrator/state.hpp"
#include "integrator/workspace.hpp"

namespace semirec {

/// A line where the closures, none of which an input drives or an event switches, leave the
/// mechanism no degree of freedom and some rows are redundant: it stands still, which is seldom
/// meant. Axes that are to be parallel and are not quite do it. Empty where something can move.
/// Off-line: allocates.
std::string describe_immobility(const Model& model, const State& state, Workspace& ws);

}  // namespace semirec
