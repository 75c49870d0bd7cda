#pragma once

#include <optional>
#include <string>

#include "integrator/model.hpp"
#include "integrator/state.hpp"
#include "integrator/workspace.hpp"

namespace semirec {

/// Takes over what is constant during a step: origin, reference rotations, switches, inputs at time
/// t (where they jump: after the jump, or before it with `from_left`).
void begin_evaluation(const Model& model, const State& state, double t, Workspace& ws,
                      bool from_left = false);
/// Values of a description's inputs at time t, but for those that elements compute; `live` may be
/// empty. No heap use.
void evaluate_inputs(const Mechanism& mechanism, const std::vector<LiveInput>& live, double t,
                     std::vector<CurveValue>& values, bool from_left = false);
/// Of begin_evaluation() the inputs alone. No heap use.
void evaluate_inputs(const Model& model, const State& state, double t, Workspace& ws,
                     bool from_left = false);

/// The formulation at one iterate (z, zd, zdd): residual, tangent by `weights`, Phi and Phi_z. In
/// relative coordinates
///   kinematics    base to tip: poses, H, Z, Zd                         [H03] (3), (6)-(9)
///   forces        each element adds to F, C, K                         [H03] (28)-(34)
///   accumulation  tip to base: M zdd - Q and weighted M + C + K        [H03] (12)-(19)
///   closures      Phi, Phi_z at the cut points                         [H03] (20)
/// No heap use.
void evaluate_dynamics(const Model& model, const double* z, const double* zd, const double* zdd,
                       const TangentWeights& weights, Workspace& ws);

/// Poses, motions and all three levels of the closures, without forces; zdd may be null: without
/// accelerations and Phidd. No heap use.
void evaluate_kinematics(const Model& model, const double* z, const double* zd, const double* zdd,
                         Workspace& ws);

/// Phi; Phi_z keeps what it was. No heap use.
void evaluate_positions(const Model& model, const double* z, Workspace& ws);
/// Phid at the positions evaluated last. No heap use.
void evaluate_velocities(const Model& model, const double* zd, Workspace& ws);
/// Phid and Phidd at the positions evaluated last. No heap use.
void evaluate_accelerations(const Model& model, const double* zd, const double* zdd, Workspace& ws);

/// First-order states of the force elements and their rates at the positions and velocities of the
/// coordinates: ws.tree.x, ws.tree.xd. The accelerations are those that an element samples, where
/// one does. No heap use.
void evaluate_element_states(const Model& model, const double* z, const double* zd,
                             const double* zdd, Workspace& ws);
/// The same at the motion evaluated last. No heap use.
void update_element_states(const Model& model, Workspace& ws);

/// Evaluates at a state, accelerations included, for reports; relative coordinates too.
void evaluate_state(const Model& model, const State& state, Workspace& ws);

/// alpha_j = kappa m_j c_a from the frozen effective masses.
void set_penalties(const StepSettings& settings, const Scheme& scheme, const State& state,
                   Workspace& ws);
/// Lets the formulation add beforehand what the penalty of ws.alpha adds in every iteration alike.
/// After begin_evaluation(). No heap use.
void prepare_penalty(const Model& model, double scale, Workspace& ws);

/// A number of the workspace by what it belongs to: an input, or a first-order state of an element.
struct ComputedNumber {
  InputIndex input = kNoInput;            ///< or kNoInput: a state
  const ForceElement* element = nullptr;  ///< of the state
  int state = 0;                          ///< index among the element's own
  bool is_rate = false;                   ///< its rate, not its value
  double value = 0.0;
};
/// The first number that is not finite among the inputs that elements compute, inputs by a function
/// of time with their rates, and the rates of the states of elements that compute inputs; after
/// update_element_states(). No heap use.
std::optional<ComputedNumber> find_non_finite(const Model& model, const Workspace& ws);
/// The name of what it belongs to, and the place in the file.
std::string name_of(const Model& model, const ComputedNumber& number);
Source source_of(const Model& model, const ComputedNumber& number);

}  // namespace semirec
