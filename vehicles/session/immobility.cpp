#include "vehicles/session/immobility.hpp"

#include <algorithm>

#include "integrator/statics/initial_conditions.hpp"
#include "natural_coords/closure_input.hpp"

namespace semirec {

std::string describe_immobility(const Model& model, const State& state, Workspace& ws) {
  const auto& closures = model.closures.closures;
  const bool driven = std::any_of(closures.begin(), closures.end(), is_driven);
  const auto switched = [](const auto& element) { return element.attached.has_value(); };
  const Mechanism& mechanism = model.mechanism;
  if (std::any_of(mechanism.joints.begin(), mechanism.joints.end(), switched) ||
      std::any_of(mechanism.constraints.begin(), mechanism.constraints.end(), switched))
    return {};
  if (driven || model.n() == 0 || model.m() <= model.n()) return {};
  const ClosureRank rank = find_closure_rank(model, state, ws);
  if (rank.rank < model.n() || rank.rows == rank.rank) return {};
  return "nothing can move: " + std::to_string(rank.rows) + " closure rows leave " +
         std::to_string(model.n()) + " coordinates no freedom, though " +
         std::to_string(rank.rows - rank.rank) +
         " of them are redundant; loops that are to move need axes and lengths that fit to all "
         "digits";
}

}  // namespace semirec
