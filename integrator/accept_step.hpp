#pragma once

#include "integrator/formulation/step_method.hpp"

namespace semirec {

/// The end of a step, as the workspace holds it, becomes the state, with what the scheme reads in
/// the next step. No heap use where the state has its sizes.
void accept(StepInProgress& step);

}  // namespace semirec
