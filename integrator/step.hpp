#pragma once

#include "integrator/model.hpp"
#include "integrator/report.hpp"
#include "integrator/state.hpp"
#include "integrator/workspace.hpp"

namespace semirec {

/// The rms(dz) at which converged mode is content: the least of the tolerances at this step.
double content_correction(const StepSettings& settings, const Scheme& scheme);

/// One time step of the hybrid formulation: scheme of the settings, index-3 augmented Lagrangian,
/// projection of velocities and accelerations with the factor of the last Newton iterate ([H03]
/// section 3).
///
/// In converged mode the state is untouched unless the step converged, so that the caller may retry
/// with a smaller h. With settings.iterations > 0 the step does exactly that many iterations and
/// always accepts, unless the tangent is not positive definite or a number is not finite.
///
/// Needs   a consistent state (initialize()); ws built from the same model.
/// Cost    iterations x (evaluation, factor, solve) + 2 solves; no heap, lock, output or exception.
StepReport step(const Model& model, const StepSettings& settings, State& state, Workspace& ws);

/// alpha_j = kappa m_j c_a from the frozen effective masses.
void set_penalties(const StepSettings& settings, const Scheme& scheme, const State& state,
                   Workspace& ws);

/// Makes the increments of the triads part of their reference rotations and moves the origin onto
/// the reference body: nothing moves, only the way of counting.
void rebase(const Model& model, State& state);

}  // namespace semirec
