#pragma once

#include "integrator/model.hpp"
#include "integrator/state.hpp"
#include "integrator/workspace.hpp"

namespace semirec {

/// The state of the model's formulation from a state in relative coordinates (of
/// relative_model(model)): itself but for the global formulation, whose z are natural coordinates.
/// Positions, rates and accelerations are carried over; multipliers and effective masses are to be
/// found anew (initialize()).
State to_formulation(const Model& model, const State& relative);

/// The reverse: relative coordinates, rates and accelerations read off the bodies, multipliers of
/// the cut joints' closures recovered from the equations of motion.
State to_relative(const Model& model, const State& state);

/// Multipliers of the closures of a model in relative coordinates from its accelerations: least
/// squares of Phi_z^T lambda = Q - M zdd, the smallest of them where closures are redundant.
void recover_multipliers(const Model& model, State& state, Workspace& ws);

}  // namespace semirec
