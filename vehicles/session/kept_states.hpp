#pragma once

#include <string>

#include "integrator/model.hpp"
#include "integrator/state.hpp"
#include "integrator/workspace.hpp"

namespace semirec {

/// A line about the vehicle's `<state>`s that an equilibrium at rest leaves at the `initial` that
/// the file writes, though they go on changing there (by more than 1e-6 of 1 + |x| in a second) and
/// the car feels it. Empty where there is none. Off-line: allocates.
std::string describe_kept_states(const Model& model, const State& state, Workspace& ws);

/// A line about its `<hold>`s and `<delay>`s that begin at another `initial` than the value that
/// they follow (an equilibrium takes those at it that go in no circle), and `<logic>`s at one that
/// their own conditions change, where the car feels it at the state that a search for a start has
/// found; also of those without `initial` with which no balance was found to agree. Empty where
/// there is none. Off-line: allocates.
std::string describe_given_starts(const Model& model, const State& state, Workspace& ws);

}  // namespace semirec
