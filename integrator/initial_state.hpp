#pragma once

#include "integrator/model.hpp"
#include "integrator/state.hpp"

namespace semirec {

/// The state as written in the description at time t: initial relative coordinates and rates, not
/// yet assembled; no accelerations.
State make_initial_state(const Model& model, double t = 0.0);

}  // namespace semirec
