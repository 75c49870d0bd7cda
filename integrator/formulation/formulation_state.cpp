#include "integrator/formulation/formulation_state.hpp"

#include "integrator/formulation/evaluate.hpp"
#include "penalty/factors/least_squares.hpp"

namespace semirec {

const Model& relative_model(const Model& model) { return model.formulation->relative(model); }

State to_formulation(const Model& model, const State& relative) {
  State state;
  model.formulation->from_relative(model, relative, state);
  return state;
}

State to_relative(const Model& model, const State& state) {
  State relative;
  model.formulation->to_relative(model, state, relative);
  return relative;
}

void rebase(const Model& model, State& state) { model.formulation->rebase(model, state); }

void recover_multipliers(const Model& model, State& state, Workspace& ws) {
  begin_evaluation(model, state, state.t, ws);
  evaluate_dynamics(model, state.z.data(), state.zd.data(), state.zdd.data(), {}, ws);
  state.multipliers = Eigen::VectorXd::Zero(model.m());
  if (model.n() == 0) return;  // nothing moves: no force tells them
  OrthogonalDecomposition decomposition;
  decompose(dense_jacobian(model.closures, ws.closures, model.n()).transpose(), 1e-9,
            decomposition);
  state.multipliers = solve_least_squares(decomposition, -ws.tree.residual);
}

}  // namespace semirec
