#include "vehicles/session/kept_states.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "integrator/formulation/evaluate.hpp"
#include "integrator/statics/live_states.hpp"
#include "topology/indices.hpp"
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

std::string describe_given_followers(const Model& model, const State& state, Workspace& ws) {
  constexpr double kSame = 1e-6;  // of 1 + the larger
  struct Follower {
    int state;
    std::string name;
    double begins_at, comes_to;
  };
  std::vector<Follower> leaving;
  {
    const ContinuousMotion continuous(ws.tree);
    evaluate_state(model, state, ws);
    for (const auto& force : model.forces)
      if (const auto* equations = dynamic_cast<const EquationForce*>(force.get()))
        equations->for_each_given_follower([&](int k, const Equation& equation) {
          leaving.push_back(
              {k, equation.name, equation.initial, ws.tree.inputs[at(equation.input)].f});
        });
  }
  const auto differ = [&](double a, double b) {
    return !(std::abs(a - b) <= kSame * (1.0 + std::max(std::abs(a), std::abs(b))));
  };
  std::erase_if(leaving, [&](const Follower& one) { return !differ(one.begins_at, one.comes_to); });
  if (leaving.empty()) return {};
  std::vector<int> all(at(model.tree.states));
  std::iota(all.begin(), all.end(), 0);
  const std::vector<int> felt = keep_felt_states(model, state, all, ws);
  // forces, and rates of states that the car feels
  const auto seen_with = [&](int k, double value) {
    State trial = state;
    trial.x[k] = value;
    const Eigen::VectorXd rates = find_element_rates(model, trial, ws);
    begin_evaluation(model, trial, trial.t, ws);
    evaluate_dynamics(model, trial.z.data(), trial.zd.data(), trial.zdd.data(), {}, ws);
    Eigen::VectorXd seen(ws.tree.residual.size() + static_cast<Eigen::Index>(felt.size()));
    seen.head(ws.tree.residual.size()) = ws.tree.residual;
    for (std::size_t f = 0; f < felt.size(); ++f)
      seen[ws.tree.residual.size() + static_cast<Eigen::Index>(f)] = rates[felt[f]];
    return seen;
  };
  std::string names;
  for (const Follower& one : leaving) {
    const Eigen::VectorXd first = seen_with(one.state, one.begins_at);
    const Eigen::VectorXd then = seen_with(one.state, one.comes_to);
    bool feels = false;
    for (Eigen::Index k = 0; k < first.size(); ++k) feels = feels || differ(first[k], then[k]);
    if (feels) add_quoted(names, one.name);
  }
  if (names.empty()) return {};
  return "the equilibrium takes what is held and delayed at the value that it follows; the start "
         "has these at their `initial`, and the car leaves the equilibrium by that: " +
         names;
}

}  // namespace semirec
