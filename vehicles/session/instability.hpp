#pragma once

#include <string>

#include "integrator/model.hpp"
#include "integrator/state.hpp"
#include "integrator/workspace.hpp"

namespace semirec {

/// A line where a mechanism that stands on no wheels does not stay in the equilibrium at rest that
/// was found: where its stiffness, over its mass, is below zero in a motion that the closures leave
/// (find_standing()). Empty where it stays. Off-line: allocates.
std::string describe_instability(const Model& model, const State& rest, Workspace& ws);

}  // namespace semirec
