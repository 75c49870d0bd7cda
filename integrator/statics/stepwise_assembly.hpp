#pragma once

#include "integrator/model.hpp"
#include "integrator/state.hpp"
#include "integrator/workspace.hpp"

namespace semirec {

/// Closes the loops of a state whose written positions (Joint::position) are far from the drawn
/// ones: brings them there in steps of 0.1 rad and 20 mm from the drawing on, loops closed at each,
/// so that every loop stays in the form in which it is drawn. False, and the state as before, where
/// the values are near, where they fit one another already (then they say themselves which form is
/// meant) or where they do not all go together. Relative coordinates; off-line work: allocates.
bool close_loops_stepwise(const Model& model, State& state, Workspace& ws);

}  // namespace semirec
