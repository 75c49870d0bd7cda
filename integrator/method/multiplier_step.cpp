#include "integrator/method/multiplier_step.hpp"

#include <algorithm>
#include <memory>

#include "integrator/formulation/evaluate.hpp"
#include "integrator/formulation/formulation_model.hpp"
#include "penalty/augmented_lagrangian.hpp"
#include "topology/indices.hpp"
#include "topology/largest_magnitude.hpp"

namespace semirec {

namespace {

/// Pivots of rows scaled to 1 below it may come from dependent rows.
constexpr double kSmallPivot = 1e-9;

class MultiplierStep final : public StepMethod {
 public:
  void begin_step(StepInProgress& /*step*/, bool /*again*/) const override {}
  void prepare(StepInProgress& step) const override;
  int max_iterations(const StepSettings& settings) const override {
    return settings.max_iterations;
  }
  bool evaluate_iterate(StepInProgress& step) const override;
  bool factor_iterate(StepInProgress& step) const override;
  double correct(StepInProgress& step) const override;
  bool is_trusted(StepInProgress& /*step*/) const override { return true; }
  bool finish(StepInProgress& step) const override;
  bool end_step(StepInProgress& step, bool again) const override;
};

/// The part, which prepare() has made.
MultiplierPart& part_of(const StepInProgress& step) {
  return static_cast<MultiplierPart&>(*step.ws.method);
}

bool factor_saddle(const StepInProgress& step, MultiplierPart& part) {
  const Pivoting pivoting =
      part.saddle.factor(step.ws.tree.tangent, step.ws.closures.Phi_z, part.compliance, part.exact);
  ++step.report.factorizations;
  if (pivoting != Pivoting::renewed) return pivoting == Pivoting::kept;
  ++step.report.pivotings;
  part.pivots = part.saddle.values();
  part.renewed = true;
  part.pivot = part.saddle.smallest_pivot();
  return true;
}

/// Forgets what another state has left behind: pivots and dependent rows are those of the state.
void take_pivots(const State& state, MultiplierPart& part) {
  part.renewed = false;
  if (part.has_pivots_of(state)) return;
  part.rows.forget();
  part.saddle.forget_pivots();
  part.pivots = state.pivots;
  if (!part.are_known_to(state)) return;
  if (!part.saddle.choose_pivots(state.pivots)) return;
  part.pivot = part.saddle.smallest_pivot();
  for (Eigen::Index j = 0; j < part.below.size(); ++j)
    part.below[j] = part.saddle.compliance_in(state.pivots, static_cast<int>(j));
  part.rows.recall(part.below);
}

void MultiplierStep::prepare(StepInProgress& step) const {
  MultiplierPart& part = multiplier_part(step.model, step.ws);
  take_pivots(step.state, part);
  part.rows.take_switches(step.state);
  set_compliance(step, part);
}

bool MultiplierStep::evaluate_iterate(StepInProgress& step) const {
  const auto& [model, settings, scheme, state, ws, report, factors, P] = step;
  model.formulation->compute_rates(step);
  ws.z = state.z + ws.increment;
  const TangentWeights weights = factors ? scheme.weights : TangentWeights{0.0, 0.0, 0.0};
  evaluate_dynamics(model, ws.z.data(), ws.zd.data(), ws.zdd.data(), weights, ws);
  return true;
}

bool MultiplierStep::factor_iterate(StepInProgress& step) const {
  const auto& [model, settings, scheme, state, ws, report, factors, P] = step;
  MultiplierPart& part = part_of(step);
  if (factors) {
    // in constant work symmetric matrices, each factored once: either way the last correction is
    // below the error of the scheme
    part.is_exact = report.iterations > 0 && settings.iterations <= 0;
    if (part.is_exact)
      model.formulation->evaluate_exact(model, ws.zd, ws.zdd, ws.lambda, ws, part.exact);
    else
      std::fill(part.exact.begin(), part.exact.end(), 0.0);
    if (!factor_with_rows(
            step, part, kSmallPivot, [&] { return factor_saddle(step, part); },
            [&] { return part.saddle.smallest_pivot(); }, [&] { part.saddle.forget_pivots(); }))
      return false;
  }
  add_transposed(model.blocks(), ws.closures.Phi_z, ws.lambda, ws.tree.residual);
  return true;
}

double MultiplierStep::correct(StepInProgress& step) const {
  const auto& [model, settings, scheme, state, ws, report, factors, P] = step;
  MultiplierPart& part = part_of(step);
  ws.correction = -scheme.scale * ws.tree.residual;
  part.below = scheme.scale * part.compliance.cwiseProduct(ws.lambda) - ws.closures.Phi;
  part.saddle.solve(ws.correction, part.below);
  ws.increment += ws.correction;
  ws.lambda += part.below / scheme.scale;
  return root_mean_square(ws.correction);
}

bool MultiplierStep::end_step(StepInProgress& step, bool /*again*/) const {
  MultiplierPart& part = part_of(step);
  part.of_state = step.report.status == StepStatus::converged;
  if (part.of_state && part.renewed) step.state.pivots = part.pivots;
  return false;
}

/// The matrix of the projections, W of [H03] (35), (36): without the exact entries, with which
/// rates would be moved along the rows' own turning too. False with report.status.
bool factor_projection(StepInProgress& step, MultiplierPart& part) {
  if (part.exact.empty() || !part.is_exact || step.settings.projections == 0) return true;
  std::fill(part.exact.begin(), part.exact.end(), 0.0);
  return factor_saddle(step, part) || fail_singular(step);
}

bool MultiplierStep::finish(StepInProgress& step) const {
  const auto& [model, settings, scheme, state, ws, report, factors, P] = step;
  MultiplierPart& part = part_of(step);
  model.formulation->compute_rates(step);
  ws.z = state.z + ws.increment;
  evaluate_positions(model, ws.z.data(), ws);
  ws.multipliers = ws.lambda;

  if (model.m() > 0) {
    report.Phi = ws.closures.Phi.cwiseAbs().maxCoeff(&report.worst_row);
    if (!factor_projection(step, part)) return false;
    for (int pass = 0; pass < settings.projections; ++pass) {
      evaluate_velocities(model, ws.zd.data(), ws);
      if (pass == 0) report.Phid = largest_magnitude(ws.closures.Phid);
      ws.correction.setZero();
      part.below = -ws.closures.Phid;
      part.saddle.solve(ws.correction, part.below);
      ws.zd += ws.correction;
    }
    for (int pass = 0; pass < settings.projections; ++pass) {
      evaluate_accelerations(model, ws.zd.data(), ws.zdd.data(), ws);
      ws.correction.setZero();
      part.below = -ws.closures.Phidd;
      part.saddle.solve(ws.correction, part.below);
      ws.zdd += ws.correction;
      ws.multipliers += part.below;
    }
  }
  if (!is_finite(ws.zdd) || !is_finite(ws.multipliers)) {
    report.status = StepStatus::non_finite;
    return false;
  }
  report.settled = is_settled(report, settings);
  if (model.m() > 0 && settings.projections > 0 && model.formulation->levels_move_bodies() &&
      !model.tree.samples_accelerations)
    update_element_states(model, ws);  // the accelerations were projected at the final rates
  else
    evaluate_element_states(model, ws.z.data(), ws.zd.data(), ws.zdd.data(), ws);
  return true;
}

}  // namespace

MultiplierPart::MultiplierPart(const Model& model)
    : ClosurePart(model),
      saddle(model.tree.pattern, model.blocks(), model.m(), shape_of(model, true)),
      below(compliance),
      exact(model.formulation->exact_entries(model).size(), 0.0) {}

MultiplierPart& multiplier_part(const Model& model, Workspace& ws) {
  auto* part = dynamic_cast<MultiplierPart*>(ws.method.get());
  if (part != nullptr) return *part;
  auto made = std::make_unique<MultiplierPart>(model);
  MultiplierPart& result = *made;
  ws.method = std::move(made);
  return result;
}

const StepMethod& multiplier_step() {
  static const MultiplierStep method;
  return method;
}

}  // namespace semirec
