#include "vehicles/session/kept_states.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "integrator/formulation/evaluate.hpp"
#include "integrator/statics/live_states.hpp"
#include "recursive/forces/evaluate_forces.hpp"
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

std::string describe_given_starts(const Model& model, const State& state, Workspace& ws) {
  using Start = EquationForce::GivenStart;
  constexpr double kSame = 1e-6;  // of 1 + the larger
  const auto differ = [&](double a, double b) {
    return !(std::abs(a - b) <= kSame * (1.0 + std::max(std::abs(a), std::abs(b))));
  };
  std::vector<Start> starts;
  {
    const ContinuousMotion continuous(ws.tree);
    evaluate_state(model, state, ws);
    for (const auto& force : model.forces)
      if (const auto* equations = dynamic_cast<const EquationForce*>(force.get()))
        equations->add_given_starts(input_of(*equations, model.tree, ws.tree), starts);
  }
  std::erase_if(starts, [&](const Start& one) { return !differ(one.begins_at, one.comes_to); });
  if (starts.empty()) return {};
  std::vector<int> all(at(model.tree.states));
  std::iota(all.begin(), all.end(), 0);
  const std::vector<int> felt = keep_felt_states(model, state, all, ws);
  const auto put = [](const Start& one, double value, State& trial) {
    for (int k = 0; k < one.count; ++k) trial.x[one.first + k] = value;
  };
  // forces, and rates of states that the car feels
  const auto seen = [&](const State& trial) {
    const Eigen::VectorXd rates = find_element_rates(model, trial, ws);
    begin_evaluation(model, trial, trial.t, ws);
    evaluate_dynamics(model, trial.z.data(), trial.zd.data(), trial.zdd.data(), {}, ws);
    const Eigen::Index n = ws.tree.residual.size();
    Eigen::VectorXd numbers(n + static_cast<Eigen::Index>(felt.size()));
    numbers.head(n) = ws.tree.residual;
    for (std::size_t f = 0; f < felt.size(); ++f)
      numbers[n + static_cast<Eigen::Index>(f)] = rates[felt[f]];
    return numbers;
  };
  const auto is_seen = [&](const State& a, const State& b) {
    const Eigen::VectorXd first = seen(a);
    const Eigen::VectorXd then = seen(b);
    for (Eigen::Index k = 0; k < first.size(); ++k)
      if (differ(first[k], then[k])) return true;
    return false;
  };
  State begin = state;
  State later = state;
  for (const Start& one : starts) {
    put(one, one.begins_at, begin);
    put(one, one.comes_to, later);
  }
  if (!is_seen(begin, later)) return {};
  std::string names;
  std::string together;
  for (const Start& one : starts) {
    State without = begin;
    put(one, one.comes_to, without);
    State alone = later;
    put(one, one.begins_at, alone);
    if (is_seen(begin, without) || is_seen(later, alone)) add_quoted(names, one.name);
    add_quoted(together, one.name);
  }
  return "the car leaves the equilibrium at once by these, whose value there is not what they "
         "follow "
         "or what their conditions say: " +
         (names.empty() ? together : names);
}

}  // namespace semirec
