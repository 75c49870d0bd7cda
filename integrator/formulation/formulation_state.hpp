#pragma once

#include "integrator/model.hpp"
#include "integrator/state.hpp"
#include "integrator/workspace.hpp"

namespace semirec {

/// The same mechanism in relative coordinates, with the same force elements: the model itself
/// where its formulation has these. Assembly, equilibrium and reactions work there.
const Model& relative_model(const Model& model);

/// The state of the model's formulation from a state in relative coordinates (of
/// relative_model(model)). Positions, rates and accelerations are carried over; where the
/// formulation's coordinates are other ones, multipliers and effective masses are to be found anew
/// (initialize()). Allocates.
State to_formulation(const Model& model, const State& relative);

/// The reverse; where the coordinates are other ones, multipliers of the cut joints' closures are
/// recovered from the equations of motion. Allocates.
State to_relative(const Model& model, const State& state);

/// Calls use(model, state, ws) in relative coordinates and returns what it returns: with what is at
/// hand where the formulation's coordinates are these, else with a converted state and a workspace
/// of its own, which allocates.
template <typename Use>
auto in_relative_coordinates(const Model& model, const State& state, Workspace& ws, Use&& use) {
  const Model& relative = relative_model(model);
  if (&relative == &model) return use(model, state, ws);
  Workspace own(relative);
  return use(relative, to_relative(model, state), own);
}

/// Multipliers of the closures of a model in relative coordinates from its accelerations: least
/// squares of Phi_z^T lambda = Q - M zdd, the smallest of them where closures are redundant.
void recover_multipliers(const Model& model, State& state, Workspace& ws);

/// Makes the increments of the triads part of their reference rotations and moves the origin onto
/// the reference body: nothing moves, only the way of counting. No heap use.
void rebase(const Model& model, State& state);

}  // namespace semirec
