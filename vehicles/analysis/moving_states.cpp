#include "vehicles/analysis/moving_states.hpp"

#include <cmath>

#include "integrator/statics/live_states.hpp"
#include "recursive/tree_workspace.hpp"
#include "topology/quoted_names.hpp"
#include "vehicles/equations/equation_states.hpp"

namespace semirec {

std::string describe_moving_states(const Model& model, const State& state, Workspace& ws,
                                   const std::string& words) {
  constexpr double kAtRest = 1e-6;             // 1/s of 1 + |x|
  const ContinuousMotion continuous(ws.tree);  // holds and delays follow at once
  const Eigen::VectorXd rates = find_element_rates(model, state, ws);
  std::string names;
  for_each_equation_state(model, [&](int k, const std::string& name) {
    if (std::abs(rates[k]) > kAtRest * (1.0 + std::abs(state.x[k]))) add_quoted(names, name);
  });
  return names.empty() ? names : words + names;
}

}  // namespace semirec
