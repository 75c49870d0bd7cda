#include "integrator/outputs/half_turns.hpp"

#include <algorithm>
#include <numbers>

namespace semirec {

namespace {

Eigen::Vector3d turn_of(const Model& model, const Workspace& ws, std::size_t k) {
  const ForceElement& element = *model.forces[k];
  return element.part_turn(ForceInput(model.tree, ws.tree, element.states()));
}

}  // namespace

HalfTurnWatcher::HalfTurnWatcher(const Model& model, const Workspace& ws) {
  for (std::size_t k = 0; k < model.forces.size(); ++k)
    if (model.forces[k]->takes_a_part_turn()) {
      const Eigen::Vector3d turn = turn_of(model, ws, k);
      watched_.push_back({k, turn, turn.norm(), ws.tree.time});
    }
}

std::vector<FarthestTurn> HalfTurnWatcher::farthest(const Model& model) const {
  std::vector<FarthestTurn> turns;
  for (const Watched& one : watched_)
    turns.push_back({model.forces[one.element]->name(), one.farthest, one.farthest_at});
  return turns;
}

void HalfTurnWatcher::look(const Model& model, const Workspace& ws, double t,
                           std::vector<HalfTurn>& seen) {
  for (Watched& one : watched_) {
    const Eigen::Vector3d turn = turn_of(model, ws, one.element);
    const bool jumped = (turn - one.turn).norm() > std::numbers::pi;
    one.turn = turn;
    if (const double angle = turn.norm(); angle > one.farthest) {
      one.farthest = angle;
      one.farthest_at = t;
    }
    if (!jumped) continue;
    const std::string& name = model.forces[one.element]->name();
    const auto known = std::find_if(seen.begin(), seen.end(),
                                    [&](const HalfTurn& other) { return other.element == name; });
    if (known == seen.end())
      seen.push_back({name, t, 1});
    else
      ++known->times;
  }
}

}  // namespace semirec
