#include "vehicles/session/kept_states.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "integrator/formulation/evaluate.hpp"
#include "integrator/statics/live_states.hpp"
#include "topology/quoted_names.hpp"
#include "vehicles/equations/equation_states.hpp"

namespace semirec {

std::string describe_kept_states(const Model& model, const State& state, Workspace& ws) {
  constexpr double kAtRest = 1e-6;             // 1/s of 1 + |x|
  const ContinuousMotion continuous(ws.tree);  // holds and delays follow at once
  std::vector<int> solved = find_states_at_rest(model);
  std::sort(solved.begin(), solved.end());
  const Eigen::VectorXd rates = find_element_rates(model, state, ws);
  std::vector<int> kept;
  bool moves = false;
  const auto is_moving = [&](int k) {
    return std::abs(rates[k]) > kAtRest * (1.0 + std::abs(state.x[k]));
  };
  for_each_equation_state(model, [&](int k, const std::string&) {
    if (std::binary_search(solved.begin(), solved.end(), k)) return;
    kept.push_back(k);
    moves = moves || is_moving(k);
  });
  if (!moves) return {};
  const std::vector<int> felt = keep_felt_states(model, state, kept, ws);
  // what follows neither the car nor itself, as a clock does not, never comes to rest
  const std::vector<int> live = find_live_states(model, state, {}, ws).all;
  std::string names;
  for_each_equation_state(model, [&](int k, const std::string& name) {
    if (is_moving(k) && std::binary_search(felt.begin(), felt.end(), k) &&
        std::binary_search(live.begin(), live.end(), k))
      add_quoted(names, name);
  });
  if (names.empty()) return {};
  return "the equilibrium keeps states at the `initial` that the file writes, from which they go "
         "on "
         "changing, and the car with them: " +
         names + "; without it they are found with the equilibrium";
}

}  // namespace semirec
