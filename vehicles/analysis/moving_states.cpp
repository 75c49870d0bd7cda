#include "vehicles/analysis/moving_states.hpp"

#include <cmath>
#include <sstream>

#include "integrator/formulation/evaluate.hpp"
#include "integrator/statics/live_states.hpp"
#include "recursive/tree_workspace.hpp"
#include "topology/indices.hpp"
#include "topology/largest_magnitude.hpp"
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

std::string describe_running_states(const Model& model, const State& state, Workspace& ws) {
  const ContinuousMotion continuous(ws.tree);
  const Eigen::VectorXd rates = find_element_rates(model, state, ws);
  const std::vector<char> computing = find_computing_states(model);
  std::string names;
  for (const auto& force : model.forces)
    for (int k = 0; k < force->states().count; ++k) {
      const int place = force->states().first + k;
      if (computing[at(place)] == 0 && is_moving(state, rates, place))
        add_quoted(names, force->state_name(k));
    }
  if (names.empty()) return {};
  return "what these states of elements do is no part of the steady state, in which they go on "
         "changing: " +
         names;
}

std::string describe_open_rates(const Model& model, const State& state, Workspace& ws) {
  constexpr double kOpen = 1e-6;  // of the largest rate
  if (model.m() == 0) return {};
  evaluate_state(model, state, ws);
  Eigen::Index row = 0;
  const double rate = ws.closures.Phid.cwiseAbs().maxCoeff(&row);
  if (!(rate > kOpen * (1.0 + largest_magnitude(state.zd)))) return {};
  std::ostringstream text;
  text.precision(3);
  text << "closure '" << name_of_row(model, static_cast<int>(row)) << "' opens by " << rate
       << " m/s or rad/s in this state: what it joins cannot follow what moves, and is taken as "
          "resting";
  return text.str();
}

}  // namespace semirec
