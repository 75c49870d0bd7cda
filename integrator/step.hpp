#pragma once

#include "integrator/model.hpp"
#include "integrator/report.hpp"
#include "integrator/state.hpp"
#include "integrator/workspace.hpp"

namespace semirec {

/// One time step by the scheme and the closing of the settings. With the penalty, as the model's
/// formulation has it: index-3 augmented Lagrangian with projections of velocities and
/// accelerations by the factor of the last Newton iterate ([H03] section 3), or independent
/// coordinates (topological). With multipliers or independent coordinates: method_of()
/// (method/methods.hpp).
///
/// In converged mode the state is untouched unless the step converged, so that the caller may retry
/// with a smaller h. With settings.iterations > 0 the step does exactly that many iterations and
/// always accepts, unless the tangent is not positive definite, a number is not finite or the
/// closures are lost (kLostClosure).
///
/// Needs   a consistent state (initialize()); ws built from the same model.
/// Cost    iterations x (evaluation, factor, solve) + 2 solves; no heap, lock, output or exception.
StepReport step(const Model& model, const StepSettings& settings, State& state, Workspace& ws);

}  // namespace semirec
