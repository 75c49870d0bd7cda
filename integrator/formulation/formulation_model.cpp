#include "integrator/formulation/formulation_model.hpp"

#include "integrator/formulation/evaluate.hpp"
#include "penalty/augmented_lagrangian.hpp"
#include "penalty/projection.hpp"
#include "topology/largest_magnitude.hpp"

namespace semirec {

void FormulationModel::prepare_penalty(const Model& /*model*/, double /*scale*/,
                                       Workspace& /*ws*/) const {}

bool FormulationModel::factor_weight(const Model& model, Workspace& ws) const {
  return factor(model, ws.alpha, 0.0, ws);
}

void FormulationModel::to_relative(const Model& /*model*/, const State& state,
                                   State& relative) const {
  relative = state;
}

void FormulationModel::from_relative(const Model& /*model*/, const State& relative,
                                     State& state) const {
  state = relative;
}

void FormulationModel::keep(const Model& /*model*/, Workspace& /*ws*/, State& /*state*/) const {}

void FormulationModel::begin_step(StepInProgress& /*step*/, bool /*again*/) const {}

void FormulationModel::prepare(StepInProgress& step) const {
  set_penalties(step.settings, step.scheme, step.state, step.ws);
  prepare_penalty(step.model, step.scheme.scale, step.ws);
}

std::string FormulationModel::note_of(const Scheme& /*scheme*/) const { return {}; }

void FormulationModel::compute_rates(StepInProgress& step) const {
  Workspace& ws = step.ws;
  step.scheme.compute_rates(step.state, ws.increment, ws.zd, ws.zdd);
}

bool FormulationModel::evaluate_iterate(StepInProgress& step) const {
  Workspace& ws = step.ws;
  if (!step.factors && step.P != &ws.P) {
    ws.P = ws.closures.Phi_z;
    step.P = &ws.P;
  }
  compute_rates(step);
  ws.z = step.state.z + ws.increment;
  const TangentWeights weights = step.factors ? step.scheme.weights : TangentWeights{0.0, 0.0, 0.0};
  semirec::evaluate_dynamics(step.model, ws.z.data(), ws.zd.data(), ws.zdd.data(), weights, ws);
  return true;
}

bool FormulationModel::factor_iterate(StepInProgress& step) const {
  Workspace& ws = step.ws;
  DynamicTerms terms = terms_of(step.model, ws);
  if (step.factors) {
    add_penalty(terms, ws.alpha, ws.lambda, step.scheme.scale);
    if (!factor(step.model, ws.alpha, step.scheme.scale, ws)) return refuse_tangent(step);
    ++step.report.factorizations;
  } else {
    ws.weighted = ws.alpha.cwiseProduct(terms.Phi);
    // the penalty's pull, zero in the end, along the rows that are inside the factor: along others
    // the factor would take it for kappa times as much motion
    add_transposed(terms.blocks, *step.P, ws.weighted, terms.residual);
    add_transposed(terms.blocks, terms.Phi_z, ws.lambda, terms.residual);
  }
  return true;
}

double FormulationModel::correct(StepInProgress& step) const {
  Workspace& ws = step.ws;
  ws.correction = -step.scheme.scale * ws.tree.residual;
  ws.formulation->solve(ws.correction);
  ws.increment += ws.correction;
  update_multipliers(terms_of(step.model, ws), *step.P, ws.alpha, ws.correction, ws.weighted,
                     ws.lambda);
  return root_mean_square(ws.correction);
}

bool FormulationModel::is_trusted(StepInProgress& /*step*/) const { return true; }

bool FormulationModel::finish(StepInProgress& step) const {
  const auto& [model, settings, scheme, state, ws, report, factors, P] = step;
  // positions are final; Phi_z keeps the values that are inside the factor
  const DynamicTerms terms = terms_of(model, ws);
  compute_rates(step);
  ws.z = state.z + ws.increment;
  evaluate_positions(model, ws.z.data(), ws);
  ws.multipliers = ws.lambda;

  if (m(model) > 0) {
    report.Phi = largest_magnitude(terms.Phi);
    report.worst_row = row_of_magnitude(terms.Phi, report.Phi);
    for (int pass = 0; pass < settings.projections; ++pass) {
      evaluate_velocities(model, ws.zd.data(), ws);
      if (pass == 0) report.Phid = largest_magnitude(terms.Phid);
      project(*ws.formulation, terms.blocks, *P, ws.alpha, scheme.scale, terms.Phid, ws.weighted,
              ws.correction, ws.zd);
    }
    for (int pass = 0; pass < settings.projections; ++pass) {
      evaluate_accelerations(model, ws.zd.data(), ws.zdd.data(), ws);
      project(*ws.formulation, terms.blocks, *P, ws.alpha, scheme.scale, terms.Phidd, ws.weighted,
              ws.correction, ws.zdd);
      // sigma = scale alpha (Phidd + P dzdd): the multipliers of the projected accelerations
      ws.weighted = terms.Phidd;
      add_product(terms.blocks, *P, ws.correction, ws.weighted);
      ws.multipliers.array() += scheme.scale * ws.alpha.array() * ws.weighted.array();
    }
  }
  if (!is_finite(ws.zdd) || !is_finite(ws.multipliers)) {
    report.status = StepStatus::non_finite;
    return false;
  }
  report.settled = is_settled(report, settings);
  if (m(model) > 0 && settings.projections > 0 && levels_move_bodies() &&
      !model.tree.samples_accelerations)
    update_element_states(model, ws);  // the accelerations were projected at the final rates
  else
    evaluate_element_states(model, ws.z.data(), ws.zd.data(), ws.zdd.data(), ws);
  return true;
}

bool FormulationModel::refuse_tangent(StepInProgress& step) {
  step.report.status = step.ws.tree.residual.allFinite() ? StepStatus::tangent_not_positive_definite
                                                         : StepStatus::non_finite;
  return false;
}

bool FormulationModel::end_step(StepInProgress& /*step*/, bool /*again*/) const { return false; }

}  // namespace semirec
