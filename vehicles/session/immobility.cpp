#include "vehicles/session/immobility.hpp"

#include <algorithm>

#include "integrator/formulation/evaluate.hpp"
#include "integrator/statics/initial_conditions.hpp"
#include "natural_coords/closure_input.hpp"
#include "penalty/factors/least_squares.hpp"
#include "topology/largest_magnitude.hpp"

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

namespace {

/// Phi_t of an input that changes by 1 a second, all others standing still.
Eigen::VectorXd asked_rates(const Model& model, const State& still, std::size_t input,
                            Workspace& ws) {
  evaluate_state(model, still, ws);
  const Eigen::VectorXd standing = ws.closures.Phid;
  State moving = still;
  moving.live[input].value.fd = 1.0;
  evaluate_state(model, moving, ws);
  return ws.closures.Phid - standing;
}

}  // namespace

std::vector<std::string> find_blocked_inputs(const Model& model, const State& state,
                                             Workspace& ws) {
  constexpr double kMissed = 1e-3;  // of the rates that an input asks for
  constexpr double kRank = 1e-9;    // of the largest pivot
  std::vector<std::string> lines;
  const auto& closures = model.closures.closures;
  if (model.n() == 0 || std::none_of(closures.begin(), closures.end(), is_driven)) return lines;
  evaluate_state(model, state, ws);
  const Eigen::MatrixXd J = dense_jacobian(model.blocks(), ws.closures.Phi_z, model.m(), model.n());
  OrthogonalDecomposition decomposition;
  decompose(J, kRank, decomposition);
  if (decomposition.rank() == J.rows()) return lines;  // rows without redundancy meet any rates
  const std::vector<Input>& inputs = model.mechanism.inputs;
  State still = state;
  still.zd.setZero();
  still.live.resize(inputs.size());
  for (std::size_t k = 0; k < inputs.size(); ++k)
    if (is_free(inputs[k])) still.live[k] = {true, {ws.tree.inputs[k].f, 0.0, 0.0}};
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    if (!is_free(inputs[k])) continue;
    const Eigen::VectorXd asked = asked_rates(model, still, k, ws);
    if (largest_magnitude(asked) == 0.0) continue;  // it drives no closure
    const Eigen::VectorXd missed = apply(J, solve_least_squares(decomposition, asked)) - asked;
    Eigen::Index row = 0;
    if (!(missed.cwiseAbs().maxCoeff(&row) > kMissed * largest_magnitude(asked))) continue;
    lines.push_back("input '" + inputs[k].name + "' drives what cannot follow: '" +
                    name_of_row(model, static_cast<int>(row)) +
                    "' cannot stay closed as it moves; a joint may have too few degrees of "
                    "freedom, two inputs may drive one motion, or a loop is at a dead point");
  }
  return lines;
}

}  // namespace semirec
