#pragma once

#include "integrator/model.hpp"
#include "integrator/state.hpp"
#include "integrator/workspace.hpp"

namespace semirec {

/// Closes the loops of a state whose written positions (Joint::position) are far from the drawn
/// ones, or in which inputs drive coordinates and lengths to values far from them: brings these
/// there in steps of 0.1 rad and 20 mm from the drawing on (of inputs 0.02 rad), shorter ones where
/// a body would turn by more than 0.3 rad, loops closed at each, so that every loop stays in the
/// form in which it is drawn. False, and the state as before, where the values are near, where
/// written ones fit one another already (then they say themselves which form is meant) and no input
/// leads far from them, where they do not all go together, or where the way passes a position from
/// which none leads on. Relative coordinates; off-line work: allocates.
bool close_loops_stepwise(const Model& model, State& state, Workspace& ws);

}  // namespace semirec
