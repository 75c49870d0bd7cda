#include "integrator/formulation/evaluate.hpp"

#include <algorithm>

#include "recursive/accumulation.hpp"
#include "recursive/kinematics.hpp"

namespace semirec {

void begin_evaluation(const Model& model, const State& state, double t, Workspace& ws,
                      bool from_left) {
  ws.tree.time = t;
  ws.tree.set_origin(model.tree, state.origin);
  ws.tree.x = state.x;
  ws.tree.rule.hold(state.x, state.xd);
  for (std::size_t k = 0; k < state.A0.size(); ++k) ws.tree.A0[k] = state.A0[k].toRotationMatrix();
  for (std::size_t k = 0; k < model.mechanism.inputs.size(); ++k) {
    CurveValue& value = ws.tree.inputs[k];
    if (k < state.live.size() && state.live[k].given) {
      value = state.live[k].value;
      continue;
    }
    const Input& input = model.mechanism.inputs[k];
    value = input.curve.evaluate(t, from_left);
    if (input.of == kNoInput) continue;
    const CurveValue& driving = ws.tree.inputs[static_cast<std::size_t>(input.of)];
    value.f += input.factor * driving.f;
    value.fd += input.factor * driving.fd;
    value.fdd += input.factor * driving.fdd;
  }
  if (ws.global) {
    set_switches(*model.global, state.switches, model.tree, *ws.global, ws.closures);
    ws.global->angles = state.angles;
    ws.global->prepaid = 0;
  } else {
    for (std::size_t s = 0; s < state.switches.size(); ++s)
      ws.closures.switches[s] = state.switches[s];
  }
}

namespace {

void evaluate_global(const Model& model, const double* q, const double* qd, const double* qdd,
                     Workspace& ws) {
  const GlobalModel& global = *model.global;
  GlobalWorkspace& gws = *ws.global;
  if (gws.prepaid > 0) {
    std::copy(gws.base.begin(), gws.base.end(), ws.tree.tangent.begin());
  } else {
    for (std::size_t k = 0; k < global.mass.size(); ++k)
      ws.tree.tangent[k] = ws.tree.weights.mass * global.mass[k];
  }
  compute_global_positions(global, q, gws, ws.tree);
  compute_global_motions(global, qd, nullptr, gws, ws.tree);
  if (!global.forced.empty()) measure_coordinates(global, model.tree, false, gws, ws.tree);
  for (Vector6& F : ws.tree.F) F.setZero();
  add_forces(model.forces, model.tree, ws.tree);
  add_global_forces(global, model.tree, qdd, gws, ws.tree);
  compute_global_closures(global, ws.tree, gws, ws.closures);
}

}  // namespace

void evaluate_dynamics(const Model& model, const double* z, const double* zd, const double* zdd,
                       const TangentWeights& weights, Workspace& ws) {
  ws.tree.weights = weights;
  ws.tree.residual.setZero();
  if (ws.global) {
    evaluate_global(model, z, zd, zdd, ws);
    return;
  }
  const bool with_tangent =
      weights.mass != 0.0 || weights.damping != 0.0 || weights.stiffness != 0.0;
  if (with_tangent) std::fill(ws.tree.tangent.begin(), ws.tree.tangent.end(), 0.0);
  compute_positions(model.tree, z, ws.tree);
  compute_motions(model.tree, zd, zdd, ws.tree);
  compute_body_forces(model.tree, ws.tree);
  if (model.formulation == Formulation::recursive) {
    // the articulated inertias know no stiffness: what it would add is left to the iteration
    ws.tree.weights = {1.0, 0.0, 0.0};
    publish_inertias(model.tree, ws.tree);
    add_forces(model.forces, model.tree, ws.tree);
    accumulate_forces(model.tree, ws.tree);
  } else {
    add_forces(model.forces, model.tree, ws.tree);
    if (with_tangent)
      accumulate(model.tree, ws.tree);
    else
      accumulate_forces(model.tree, ws.tree);
  }
  compute_closure_positions(model.closures, ws.tree, ws.closures);
}

void evaluate_kinematics(const Model& model, const double* z, const double* zd, const double* zdd,
                         Workspace& ws) {
  if (ws.global) {
    compute_global_positions(*model.global, z, *ws.global, ws.tree);
    compute_global_motions(*model.global, zd, zdd, *ws.global, ws.tree);
    measure_coordinates(*model.global, model.tree, true, *ws.global, ws.tree);
    compute_global_closures(*model.global, ws.tree, *ws.global, ws.closures);
    compute_global_closure_motions(*model.global, zd, zdd, ws.tree, *ws.global, ws.closures);
    return;
  }
  compute_positions(model.tree, z, ws.tree);
  compute_motions(model.tree, zd, zdd, ws.tree);
  compute_closure_positions(model.closures, ws.tree, ws.closures);
  compute_closure_motions(model.closures, ws.tree, ws.closures);
}

void evaluate_positions(const Model& model, const double* z, Workspace& ws) {
  if (ws.global) {
    // the rows need q alone; poses follow when the next evaluation asks for them
    ws.global->q = Eigen::Map<const Eigen::VectorXd>(z, model.global->n);
    compute_global_closures(*model.global, ws.tree, *ws.global, ws.closures,
                            /*with_jacobian=*/false);
    return;
  }
  compute_positions(model.tree, z, ws.tree);
  compute_closure_positions(model.closures, ws.tree, ws.closures, /*with_jacobian=*/false);
}

void evaluate_velocities(const Model& model, const double* zd, Workspace& ws) {
  if (ws.global) {
    compute_global_closure_motions(*model.global, zd, nullptr, ws.tree, *ws.global, ws.closures);
    return;
  }
  compute_velocities(model.tree, zd, ws.tree);
  compute_closure_velocities(model.closures, ws.tree, ws.closures);
}

void evaluate_accelerations(const Model& model, const double* zd, const double* zdd,
                            Workspace& ws) {
  if (ws.global) {
    compute_global_closure_motions(*model.global, zd, zdd, ws.tree, *ws.global, ws.closures);
    return;
  }
  compute_motions(model.tree, zd, zdd, ws.tree);
  compute_closure_motions(model.closures, ws.tree, ws.closures);
}

void evaluate_element_states(const Model& model, const double* z, const double* zd, Workspace& ws) {
  if (model.tree.states == 0) return;
  if (ws.global) {
    compute_global_positions(*model.global, z, *ws.global, ws.tree);
    compute_global_motions(*model.global, zd, nullptr, *ws.global, ws.tree);
  } else {
    compute_positions(model.tree, z, ws.tree);
    compute_velocities(model.tree, zd, ws.tree);
  }
  update_element_states(model, ws);
}

void update_element_states(const Model& model, Workspace& ws) {
  update_states(model.forces, model.tree, ws.tree);
}

void evaluate_state(const Model& model, const State& state, Workspace& ws) {
  begin_evaluation(model, state, state.t, ws);
  evaluate_kinematics(model, state.z.data(), state.zd.data(), state.zdd.data(), ws);
}

void prepare_penalty(const Model& model, double scale, Workspace& ws) {
  if (!ws.global) return;
  const GlobalModel& global = *model.global;
  GlobalWorkspace& gws = *ws.global;
  const Eigen::Index rows = global.linear_rows;
  gws.prepaid = global.linear_rows;
  if (gws.base_scale == scale && gws.base_alpha == ws.alpha.head(rows)) return;
  gws.base_scale = scale;
  gws.base_alpha = ws.alpha.head(rows);
  gws.base = global.mass;
  for (int r = 0; r < global.linear_rows; ++r) {
    const RowBlock& block = global.blocks[static_cast<std::size_t>(r)];
    const double* row = ws.closures.Phi_z.data() + block.jacobian;
    const int* slot = block.slots.data();
    for (std::size_t i = 0; i < block.columns.size(); ++i) {
      const double left = scale * ws.alpha[r] * row[i];
      for (std::size_t k = 0; k <= i; ++k)
        gws.base[static_cast<std::size_t>(*slot++)] += left * row[k];
    }
  }
}

}  // namespace semirec
