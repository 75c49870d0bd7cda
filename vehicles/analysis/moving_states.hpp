#pragma once

#include <string>

#include "integrator/model.hpp"
#include "integrator/state.hpp"
#include "integrator/workspace.hpp"

namespace semirec {

/// One line for an answer's notes: `words`, then in quotes the vehicle's `<state>`s that go on
/// changing at a state that is to be steady, by more than 1e-6 of 1 + |x| in a second: what is held
/// at a limit, or never comes to a stand. Empty where there is none. Off-line: allocates.
std::string describe_moving_states(
    const Model& model, const State& state, Workspace& ws,
    const std::string& words = "states go on changing where all else is steady: ");

/// One line that names the states of all other elements that go on changing at a state that is to
/// be steady: a motor without load and limit, or one in gear in a car
/// at rest, which is solved without it. Empty where there is
/// none. Off-line: allocates.
std::string describe_running_states(const Model& model, const State& state, Workspace& ws);

/// One line where rates of a state that is to be steady open a closure, by more than 1e-6 of the
/// largest rate: what it joins to something that moves cannot follow. Empty where none opens.
/// Off-line: allocates.
std::string describe_open_rates(const Model& model, const State& state, Workspace& ws);

}  // namespace semirec
