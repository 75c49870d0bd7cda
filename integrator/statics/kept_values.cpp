#include "integrator/statics/kept_values.hpp"

#include <cmath>
#include <vector>

#include <Eigen/Core>

#include "integrator/formulation/evaluate.hpp"
#include "integrator/statics/broyden.hpp"
#include "recursive/forces/states_at_rest.hpp"
#include "topology/indices.hpp"

namespace semirec {

namespace {

constexpr int kMostPasses = 40;
constexpr int kMostJumps = 10;    // passes in which a logic changes
constexpr int kMostAttempts = 5;  // at a change, ever smaller, that the search does not follow
constexpr double kSame = 1e-10;   // of 1 + |x|

std::vector<KeptValue> find_kept_values(const Model& model) {
  std::vector<KeptValue> kept;
  for (const auto& force : model.forces)
    if (const auto* element = dynamic_cast<const StatesAtRest*>(force.get()))
      element->add_kept_values(kept);
  return kept;
}

Eigen::VectorXd read(const std::vector<KeptValue>& kept, const Eigen::VectorXd& x) {
  Eigen::VectorXd values(static_cast<Eigen::Index>(kept.size()));
  for (std::size_t k = 0; k < kept.size(); ++k)
    values[static_cast<Eigen::Index>(k)] = x[kept[k].first];
  return values;
}

void write(const std::vector<KeptValue>& kept, const Eigen::VectorXd& values, Eigen::VectorXd& x) {
  for (std::size_t k = 0; k < kept.size(); ++k)
    x.segment(kept[k].first, kept[k].count).setConstant(values[static_cast<Eigen::Index>(k)]);
}

/// The values that go with the state.
Eigen::VectorXd find_settled(const Model& model, const std::vector<KeptValue>& kept,
                             const State& state, Workspace& ws) {
  evaluate_state(model, state, ws);
  settle_states(model.forces, model.tree, ws.tree);
  return read(kept, ws.tree.x);
}

bool jumps(const std::vector<KeptValue>& kept, const Eigen::VectorXd& change) {
  for (std::size_t k = 0; k < kept.size(); ++k)
    if (kept[k].jumps && change[static_cast<Eigen::Index>(k)] != 0.0) return true;
  return false;
}

}  // namespace

void settle_kept_values(const Model& model, State& state, Workspace& ws,
                        const std::function<bool(State&)>& search) {
  const std::vector<KeptValue> kept = find_kept_values(model);
  if (kept.empty()) return;
  BroydenSteps steps(/*may_turn=*/true);
  double share = 1.0;  // of what is left, that a first step goes
  int jumped = 0;
  for (int pass = 0; pass < kMostPasses; ++pass) {
    const Eigen::VectorXd before = read(kept, state.x);
    const Eigen::VectorXd left = find_settled(model, kept, state, ws) - before;
    if (!left.allFinite()) return;
    if ((left.array().abs() <= kSame * (1.0 + before.array().abs())).all()) return;
    const bool jump = jumps(kept, left);
    if (jump && ++jumped > kMostJumps) return;
    if (jump) steps.begin();
    Eigen::VectorXd change = jump ? left : steps.step(share * left);
    bool found = false;
    for (int attempt = 0; attempt < kMostAttempts && !found; ++attempt) {
      if (change.size() == 0) {
        steps.begin();
        change = steps.step(share * left);
      }
      State trial = state;
      write(kept, before + change, trial.x);
      found = search(trial);
      if (found) state = std::move(trial);
      if (!found && jump) return;
      if (!found) {
        share *= 0.25;
        change.resize(0);
      }
    }
    if (!found) return;
  }
}

}  // namespace semirec
