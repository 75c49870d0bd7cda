#pragma once

#include <string>
#include <vector>

#include "integrator/model.hpp"
#include "integrator/state.hpp"
#include "integrator/workspace.hpp"

namespace semirec {

/// Names of the vehicle's `<state>`s that go on changing at a state that is to be steady, in the
/// order of the file: what is held at a limit, or never comes to a stand. Off-line: allocates.
std::vector<std::string> find_moving_states(const Model& model, const State& state, Workspace& ws);

/// The same as one line for an answer's notes; empty where there is none.
std::string describe_moving_states(const Model& model, const State& state, Workspace& ws);

}  // namespace semirec
