#pragma once

#include <functional>

#include "integrator/model.hpp"
#include "integrator/state.hpp"
#include "integrator/workspace.hpp"

namespace semirec {

/// Makes what elements keep and what a search has found one: filters in a circle and logics
/// (StatesAtRest::add_kept_values()), which stay while it searches. They are settled for the state
/// found and the search goes on from there, by Broyden's rule for those that go evenly, until
/// nothing changes. `state` is one that `search` has found; `search` leaves in it what it finds
/// from there, or returns false. Where the two do not become one, as with a logic that its own deed
/// undoes, `state` is the one in which they were nearest to it. Off-line: allocates.   (theory 13)
void settle_kept_values(const Model& model, State& state, Workspace& ws,
                        const std::function<bool(State&)>& search);

}  // namespace semirec
