#include "integrator/evaluate.hpp"

#include <algorithm>

#include "recursive/accumulation.hpp"
#include "recursive/kinematics.hpp"

namespace semirec {

void begin_evaluation(const Model& model, const State& state, double t, Workspace& ws,
                      bool from_left) {
  ws.tree.time = t;
  ws.tree.set_origin(model.tree, state.origin);
  for (std::size_t k = 0; k < state.A0.size(); ++k) ws.tree.A0[k] = state.A0[k].toRotationMatrix();
  for (std::size_t k = 0; k < model.mechanism.inputs.size(); ++k)
    ws.tree.inputs[k] = model.mechanism.inputs[k].curve.evaluate(t, from_left);
}

void evaluate_dynamics(const Model& model, const double* z, const double* zd, const double* zdd,
                       const TangentWeights& weights, Workspace& ws) {
  ws.tree.weights = weights;
  ws.tree.residual.setZero();
  std::fill(ws.tree.tangent.begin(), ws.tree.tangent.end(), 0.0);
  compute_positions(model.tree, z, ws.tree);
  compute_motions(model.tree, zd, zdd, ws.tree);
  compute_body_forces(model.tree, ws.tree);
  for (const auto& force : model.forces) force->add_forces(model.tree, ws.tree);
  accumulate(model.tree, ws.tree);
  compute_closure_positions(model.closures, ws.tree, ws.closures);
}

void evaluate_kinematics(const Model& model, const double* z, const double* zd, const double* zdd,
                         Workspace& ws) {
  compute_positions(model.tree, z, ws.tree);
  compute_motions(model.tree, zd, zdd, ws.tree);
  compute_closure_positions(model.closures, ws.tree, ws.closures);
  compute_closure_motions(model.closures, ws.tree, ws.closures);
}

void evaluate_state(const Model& model, const State& state, Workspace& ws) {
  begin_evaluation(model, state, state.t, ws);
  evaluate_kinematics(model, state.z.data(), state.zd.data(), state.zdd.data(), ws);
}

}  // namespace semirec
