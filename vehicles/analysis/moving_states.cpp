#include "vehicles/analysis/moving_states.hpp"

#include <cmath>

#include "integrator/statics/live_states.hpp"
#include "recursive/tree_workspace.hpp"
#include "vehicles/equations/equation_force.hpp"

namespace semirec {

std::vector<std::string> find_moving_states(const Model& model, const State& state, Workspace& ws) {
  constexpr double kAtRest = 1e-6;  // 1/s of 1 + |x|
  std::vector<std::string> names;
  const ContinuousMotion continuous(ws.tree);  // holds and delays follow at once
  const Eigen::VectorXd rates = find_element_rates(model, state, ws);
  for (const auto& force : model.forces) {
    if (dynamic_cast<const EquationForce*>(force.get()) == nullptr) continue;
    for (int k = 0; k < force->states().count; ++k) {
      const int x = force->states().first + k;
      if (std::abs(rates[x]) > kAtRest * (1.0 + std::abs(state.x[x])))
        names.push_back(force->state_name(k));
    }
  }
  return names;
}

std::string describe_moving_states(const Model& model, const State& state, Workspace& ws) {
  std::string names;
  for (const std::string& name : find_moving_states(model, state, ws))
    names += (names.empty() ? "'" : ", '") + name + "'";
  return names.empty() ? names : "states go on changing where all else is steady: " + names;
}

}  // namespace semirec
