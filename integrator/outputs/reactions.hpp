#pragma once

#include <string>
#include <vector>

#include "integrator/model.hpp"
#include "integrator/state.hpp"
#include "integrator/workspace.hpp"

namespace semirec {

/// Force and moment that side a of a joint or closure puts on side b, at the joint's place on b, in
/// world axes; N and N m.
struct Reaction {
  Eigen::Vector3d force = Eigen::Vector3d::Zero();
  Eigen::Vector3d moment = Eigen::Vector3d::Zero();
};

/// Reactions of all joints of the description (in its order) from the second-order multipliers: cut
/// joints by -Phi_q^T lambda, tree joints by the balance of the bodies outboard of them, force
/// elements and cut joints included. For redundant closures one of the admissible sets.
std::vector<Reaction> find_joint_reactions(const Model& model, const State& state, Workspace& ws);

/// Reactions of all constraints of the description (rods, guided points), in its order.
std::vector<Reaction> find_constraint_reactions(const Model& model, const State& state,
                                                Workspace& ws);

/// Reaction of each closure (cut joints, constraints, prescribed motions in the order of
/// model.closures). A prescribed motion has its force in .force.x() when its coordinate slides,
/// .moment.x() when it turns.
std::vector<Reaction> find_closure_reactions(const Model& model, const State& state, Workspace& ws);

/// The same one by one and without heap use, of a model in relative coordinates: first this, which
/// evaluates the state, then those that are wanted.
void prepare_reactions(const Model& model, const State& state, Workspace& ws);
/// Whether inertia and multipliers are in balance with the forces of the state in every coordinate,
/// but for a hundredth of what its joint and its closures carry (forces in N along slides, moments
/// in N m about axes) and a thousandth of the weight of its body, for moments at the body's own arm
/// (without gravity: of the mass times 1 m/s^2). After prepare_reactions(). No heap use.
bool is_balanced(const Model& model, const State& state, Workspace& ws);
Reaction joint_reaction(const Model& model, const State& state, const Workspace& ws,
                        std::size_t joint);
Reaction closure_reaction(const Model& model, const State& state, const Workspace& ws,
                          std::size_t closure);

}  // namespace semirec
