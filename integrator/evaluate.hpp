#pragma once

#include "integrator/model.hpp"
#include "integrator/state.hpp"
#include "integrator/workspace.hpp"

namespace semirec {

/// Takes over what is constant during a step: origin, reference rotations, inputs at time t (where
/// they jump: after the jump, or before it with `from_left`).
void begin_evaluation(const Model& model, const State& state, double t, Workspace& ws,
                      bool from_left = false);

/// The hybrid formulation at one iterate (z, zd, zdd): fills the desk.
///   kinematics    base to tip: poses, H, Z, Zd                         [H03] (3), (6)-(9)
///   forces        each element adds to F, C, K                         [H03] (28)-(34)
///   accumulation  tip to base: M zdd - Q and weighted M + C + K        [H03] (12)-(19)
///   closures      Phi, Phi_z at the cut points                         [H03] (20)
/// No heap use.
void evaluate_dynamics(const Model& model, const double* z, const double* zd, const double* zdd,
                       const TangentWeights& weights, Workspace& ws);

/// Poses, motions and all three levels of the closures, without forces. No heap use.
void evaluate_kinematics(const Model& model, const double* z, const double* zd, const double* zdd,
                         Workspace& ws);

/// Evaluates at a state, accelerations included, for reports.
void evaluate_state(const Model& model, const State& state, Workspace& ws);

}  // namespace semirec
