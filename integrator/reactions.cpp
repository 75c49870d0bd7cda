#include "integrator/reactions.hpp"

#include "integrator/evaluate.hpp"
#include "integrator/formulation_state.hpp"
#include "recursive/accumulation.hpp"

namespace semirec {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

Reaction at_point(const Vector6& wrench, const Eigen::Vector3d& r) {
  const Eigen::Vector3d force = wrench.head<3>();
  return {force, wrench.tail<3>() - r.cross(force)};
}

}  // namespace

std::vector<Reaction> find_closure_reactions(const Model& model, const State& state,
                                             Workspace& ws) {
  if (model.global) {
    Workspace relative(*model.relative);
    return find_closure_reactions(*model.relative, to_relative(model, state), relative);
  }
  evaluate_state(model, state, ws);
  std::vector<Reaction> reactions;
  for (std::size_t c = 0; c < model.closures.closures.size(); ++c) {
    const Closure& closure = model.closures.closures[c];
    const double* lambda = state.multipliers.data() + model.closures.blocks[c].row;
    if (closure.coordinate >= 0) {
      Reaction reaction;
      const bool turns = ws.tree.H[at(closure.coordinate)].tail<3>().squaredNorm() > 0.5;
      (turns ? reaction.moment : reaction.force).x() = -*lambda;
      reactions.push_back(reaction);
      continue;
    }
    reactions.push_back(at_point(closure_wrench(closure, ws.tree, ws.closures, lambda),
                                 ws.tree.position_of(closure.b)));
  }
  return reactions;
}

std::vector<Reaction> find_joint_reactions(const Model& model, const State& state, Workspace& ws) {
  if (model.global) {
    Workspace relative(*model.relative);
    return find_joint_reactions(*model.relative, to_relative(model, state), relative);
  }
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
  std::vector<Reaction> reactions(model.mechanism.joints.size());
  for (std::size_t j = 0; j < reactions.size(); ++j) {
    const TreeIndex t = tree.tree.branch_of_joint[j];
    if (t < 0) continue;
    const bool reversed = tree.tree.branches[at(t)].reversed;
    const Attachment b = tree.attach(model.mechanism.joints[j].b);
    const Vector6 on_b = reversed ? Vector6(-ws.tree.F[at(t)]) : ws.tree.F[at(t)];
    reactions[j] = at_point(on_b, ws.tree.position_of(b));
  }
  for (std::size_t c = 0; c < tree.tree.cuts.size(); ++c) {
    const Closure& closure = model.closures.closures[c];
    reactions[at(tree.tree.cuts[c].joint)] =
        at_point(closure_wrench(closure, ws.tree, ws.closures,
                                state.multipliers.data() + model.closures.blocks[c].row),
                 ws.tree.position_of(closure.b));
  }
  return reactions;
}

}  // namespace semirec
