#include "integrator/outputs/reactions.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "integrator/formulation/evaluate.hpp"
#include "integrator/formulation/formulation_state.hpp"
#include "penalty/augmented_lagrangian.hpp"
#include "recursive/accumulation.hpp"
#include "topology/indices.hpp"

namespace semirec {

namespace {

Reaction at_point(const Vector6& wrench, const Eigen::Vector3d& r) {
  const Eigen::Vector3d force = wrench.head<3>();
  return {force, wrench.tail<3>() - r.cross(force)};
}

}  // namespace

void prepare_reactions(const Model& model, const State& state, Workspace& ws) {
  const TreeModel& tree = model.tree;
  begin_evaluation(model, state, state.t, ws);
  evaluate_dynamics(model, state.z.data(), state.zd.data(), state.zdd.data(), {}, ws);
  // what closures put on a body its joints need not
  for (std::size_t c = 0; c < model.closures.closures.size(); ++c) {
    const Closure& closure = model.closures.closures[c];
    const Vector6 wrench = closure_wrench(closure, ws.tree, ws.closures,
                                          state.multipliers.data() + model.closures.blocks[c].row);
    ws.tree.F[at(closure.b.body)] -= wrench;
    ws.tree.F[at(closure.a.body)] += wrench;
  }
  // then Mbar Zd - Qbar of each subtree is what its joint must provide
  for (std::size_t i = tree.bodies.size(); i-- > 1;)
    ws.tree.F[at(tree.bodies[i].parent)] += ws.tree.F[i];
}

bool is_balanced(const Model& model, const State& state, Workspace& ws) {
  constexpr double kOfLoads = 1e-2;
  constexpr double kOfWeight = 1e-3;
  constexpr double kRounding = 1e-12;  // of all weights
  const double g = std::max(model.tree.gravity.norm(), 1.0);
  double rounding = 0.0;
  for (const Body& body : model.mechanism.bodies) rounding += kRounding * g * body.mass;
  ws.correction.setZero();
  add_transposed(model.closures.blocks, ws.closures.Phi_z, state.multipliers, ws.correction);
  const std::vector<TreeBody>& bodies = model.tree.bodies;
  for (std::size_t t = 1; t < bodies.size(); ++t) {
    // of the body about its joint
    const double arm =
        bodies[t].com.norm() +
        (bodies[t].mass > 0.0 ? std::sqrt(bodies[t].inertia.trace() / bodies[t].mass) : 0.0);
    const Joint& joint = model.mechanism.joints[at(model.tree.tree.branches[t].joint)];
    const Reaction carried =
        at_point(ws.tree.F[t], ws.tree.position_of(model.tree.attach(joint.b)));
    // a force in N, a moment in N m about the joint
    const auto is_even = [&](int k, double carries, double weight) {
      const double loads = carries + std::abs(ws.tree.residual[k]) + std::abs(ws.correction[k]);
      return !(std::abs(ws.tree.residual[k] + ws.correction[k]) >
               kOfLoads * loads + kOfWeight * weight + rounding);
    };
    for (int m = bodies[t].motion_begin; m < bodies[t].motion_end; ++m) {
      const JointMotion& motion = model.tree.motions[at(m)];
      const bool slides = motion.kind == JointMotion::Kind::slide;
      const double carries = slides ? carried.force.norm() : carried.moment.norm();
      const double weight = bodies[t].mass * g * (slides ? 1.0 : arm);
      const int count = motion.kind == JointMotion::Kind::triad ? 3 : 1;
      for (int k = motion.z; k < motion.z + count; ++k)
        if (!is_even(k, carries, weight)) return false;
    }
  }
  return true;
}

Reaction joint_reaction(const Model& model, const State& state, const Workspace& ws,
                        std::size_t joint) {
  const SpanningTree& tree = model.tree.tree;
  const TreeIndex t = tree.branch_of_joint[joint];
  if (t < 0) {
    std::size_t c = 0;
    while (at(tree.cuts[c].joint) != joint) ++c;
    return closure_reaction(model, state, ws, c);
  }
  const Attachment b = model.tree.attach(model.mechanism.joints[joint].b);
  const bool reversed = tree.branches[at(t)].reversed;
  const Vector6 on_b = reversed ? Vector6(-ws.tree.F[at(t)]) : ws.tree.F[at(t)];
  return at_point(on_b, ws.tree.position_of(b));
}

Reaction closure_reaction(const Model& model, const State& state, const Workspace& ws,
                          std::size_t index) {
  const Closure& closure = model.closures.closures[index];
  const double* lambda = state.multipliers.data() + model.closures.blocks[index].row;
  if (closure.coordinate < 0)
    return at_point(closure_wrench(closure, ws.tree, ws.closures, lambda),
                    ws.tree.position_of(closure.b));
  Reaction reaction;
  const bool turns = ws.tree.H[at(closure.coordinate)].tail<3>().squaredNorm() > 0.5;
  (turns ? reaction.moment : reaction.force).x() = -*lambda;
  return reaction;
}

std::vector<Reaction> find_closure_reactions(const Model& model, const State& state,
                                             Workspace& ws) {
  const auto find = [](const Model& own, const State& at_state, Workspace& own_ws) {
    evaluate_state(own, at_state, own_ws);
    std::vector<Reaction> reactions(own.closures.closures.size());
    for (std::size_t c = 0; c < reactions.size(); ++c)
      reactions[c] = closure_reaction(own, at_state, own_ws, c);
    return reactions;
  };
  return in_relative_coordinates(model, state, ws, find);
}

std::vector<Reaction> find_constraint_reactions(const Model& model, const State& state,
                                                Workspace& ws) {
  const auto find = [](const Model& own, const State& at_state, Workspace& own_ws) {
    evaluate_state(own, at_state, own_ws);
    // closures begin with the cut joints
    const std::size_t first = own.tree.tree.cuts.size();
    std::vector<Reaction> reactions(own.mechanism.constraints.size());
    for (std::size_t c = 0; c < reactions.size(); ++c)
      reactions[c] = closure_reaction(own, at_state, own_ws, first + c);
    return reactions;
  };
  return in_relative_coordinates(model, state, ws, find);
}

std::vector<Reaction> find_joint_reactions(const Model& model, const State& state, Workspace& ws) {
  const auto find = [](const Model& own, const State& at_state, Workspace& own_ws) {
    prepare_reactions(own, at_state, own_ws);
    std::vector<Reaction> reactions(own.mechanism.joints.size());
    for (std::size_t j = 0; j < reactions.size(); ++j)
      reactions[j] = joint_reaction(own, at_state, own_ws, j);
    return reactions;
  };
  return in_relative_coordinates(model, state, ws, find);
}

}  // namespace semirec
