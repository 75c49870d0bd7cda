#pragma once

#include "integrator/model.hpp"
#include "integrator/state.hpp"
#include "integrator/workspace.hpp"

namespace semirec {

/// Whether a closure follows the input, itself or through inputs that follow it: a driven
/// coordinate, a rod's length or a sliding end.
bool moves_mechanism(const Mechanism& mechanism, InputIndex input);

/// Unit of the effort of an input, N m where the input turns and N where it slides. A sliding input
/// that follows by a factor makes of the one that it follows a steering wheel.
const char* effort_unit(const Mechanism& mechanism, InputIndex input);

/// What holds and moves an input: the effort whose product with the input's rate is the power that
/// goes into the mechanism, lambda^T dPhi/du with all inputs that follow u. Positive where it
/// pushes the way of the input. Needs evaluate_state(); leaves velocities and Phid of the
/// workspace behind changed. No heap use.
double input_effort(const Model& model, const State& state, InputIndex input, Workspace& ws);

}  // namespace semirec
