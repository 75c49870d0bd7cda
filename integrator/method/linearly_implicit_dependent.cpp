#include <memory>

#include "integrator/formulation/evaluate.hpp"
#include "integrator/formulation/formulation_model.hpp"
#include "integrator/method/linearly_implicit_step.hpp"
#include "topology/indices.hpp"
#include "topology/largest_magnitude.hpp"

namespace semirec {

namespace {

/// Pivots of rows scaled to 1 below it may come from dependent rows.
constexpr double kSmallRatesPivot = 1e-9;

class Dependent final : public LinearlyImplicitStep {
 public:
  void begin_step(StepInProgress& step, bool again) const override;
  bool evaluate_iterate(StepInProgress& step) const override;
  bool factor_iterate(StepInProgress& step) const override;
  double correct(StepInProgress& step) const override;
  bool finish(StepInProgress& step) const override;
  bool end_step(StepInProgress& step, bool again) const override;
};

LinearlyImplicitPart& dependent_part_of(const StepInProgress& step) {
  return static_cast<LinearlyImplicitPart&>(*step.ws.method);
}

/// Pivots and dependent rows are those of the state: State::pivots holds the values of the matrix
/// of the rates and those of the positions', zero where there was none.
void take_rate_pivots(const State& state, LinearlyImplicitPart& part) {
  if (part.has_pivots_of(state)) return;
  part.rows.forget();
  part.rates.forget_pivots();
  part.positions.forget_pivots();
  const Eigen::Index first = part.rates.values().size();
  const Eigen::Index second = part.positions.values().size();
  part.pivots.setZero(first + second);
  if (!part.are_known_to(state)) return;
  part.pivots = state.pivots;
  const Eigen::VectorXd of_rates = part.pivots.head(first);
  if (!part.rates.choose_pivots(of_rates)) return;
  part.pivot = part.rates.smallest_pivot();
  for (Eigen::Index j = 0; j < part.below.size(); ++j)
    part.below[j] = part.rates.compliance_in(of_rates, static_cast<int>(j));
  part.rows.recall(part.below);
  const Eigen::VectorXd of_positions = part.pivots.tail(second);
  if (!of_positions.isZero(0.0) && !part.positions.choose_pivots(of_positions))
    part.positions.forget_pivots();
}

/// Factors (22): columns at the begin of the step, rows at the predicted place.
bool factor_rates(const StepInProgress& step, LinearlyImplicitPart& part) {
  const Pivoting pivoting =
      part.rates.factor(part.W, part.Phi_z, step.ws.closures.Phi_z, part.compliance, {});
  ++step.report.factorizations;
  if (pivoting != Pivoting::renewed) return pivoting == Pivoting::kept;
  ++step.report.pivotings;
  part.pivots.head(part.rates.values().size()) = part.rates.values();
  part.pivot = part.rates.smallest_pivot();
  return true;
}

/// Factors (30) with the M that is the tangent.
bool factor_positions(const StepInProgress& step, LinearlyImplicitPart& part) {
  const Pivoting pivoting =
      part.positions.factor(step.ws.tree.tangent, part.Phi_z, part.compliance);
  ++step.report.factorizations;
  if (pivoting != Pivoting::renewed) return pivoting == Pivoting::kept;
  ++step.report.pivotings;
  part.pivots.tail(part.positions.values().size()) = part.positions.values();
  return true;
}

void Dependent::begin_step(StepInProgress& step, bool /*again*/) const {
  LinearlyImplicitPart& part = linearly_implicit_part(step.model, step.ws);
  take_rate_pivots(step.state, part);
  part.rows.take_switches(step.state);
  set_compliance(step, part);
}

bool Dependent::evaluate_iterate(StepInProgress& step) const {
  const auto& [model, settings, scheme, state, ws, report, factors, P] = step;
  LinearlyImplicitPart& part = dependent_part_of(step);
  begin_begin(step);
  evaluate_begin(step);
  part.change = -scheme.h * ws.tree.residual;
  part.W = ws.tree.tangent;
  part.Phi_z = ws.closures.Phi_z;
  return true;
}

bool Dependent::factor_iterate(StepInProgress& step) const {
  const auto& [model, settings, scheme, state, ws, report, factors, P] = step;
  LinearlyImplicitPart& part = dependent_part_of(step);
  const bool projects = settings.projections > 0 && model.m() > 0;
  if (projects)
    evaluate_dynamics(model, state.z.data(), state.zd.data(), ws.zdd.data(), {1.0, 0.0, 0.0}, ws);
  begin_end(step);
  ws.z = state.z + scheme.h * state.zd;
  evaluate_kinematics(model, ws.z.data(), state.zd.data(), nullptr, ws);
  const auto forget_pivots = [&] {
    part.rates.forget_pivots();
    part.positions.forget_pivots();
  };
  if (!factor_with_rows(
          step, part, kSmallRatesPivot, [&] { return factor_rates(step, part); },
          [&] { return part.rates.smallest_pivot(); }, forget_pivots))
    return false;
  return !projects || factor_positions(step, part) || fail_singular(step);
}

double Dependent::correct(StepInProgress& step) const {
  Workspace& ws = step.ws;
  LinearlyImplicitPart& part = dependent_part_of(step);
  part.below = -ws.closures.Phid;
  part.rates.solve(part.change, part.below);
  ws.multipliers = part.below / step.scheme.h;
  take_change(step, part.change);
  return 0.0;
}

bool Dependent::finish(StepInProgress& step) const {
  const auto& [model, settings, scheme, state, ws, report, factors, P] = step;
  LinearlyImplicitPart& part = dependent_part_of(step);
  const int passes = model.m() > 0 ? settings.projections : 0;
  for (int pass = 0; pass < passes; ++pass) {
    ws.z = state.z + ws.increment;
    evaluate_positions(model, ws.z.data(), ws);
    ws.correction.setZero();
    part.below = -ws.closures.Phi;
    part.positions.solve(ws.correction, part.below);
    ws.increment += ws.correction;
  }
  ws.z = state.z + ws.increment;
  evaluate_positions(model, ws.z.data(), ws);
  evaluate_velocities(model, ws.zd.data(), ws);
  report.Phid = largest_magnitude(ws.closures.Phid);
  return accept_end(step, ws.z);
}

bool Dependent::end_step(StepInProgress& step, bool /*again*/) const {
  LinearlyImplicitPart& part = dependent_part_of(step);
  part.of_state = step.report.status == StepStatus::converged;
  if (part.of_state) step.state.pivots = part.pivots;
  return false;
}

}  // namespace

void LinearlyImplicitStep::begin_begin(const StepInProgress& step) {
  begin_evaluation(step.model, step.state, step.state.t, step.ws);
  step.scheme.begin(step.state, step.ws.tree.rule);
}

void LinearlyImplicitStep::evaluate_begin(const StepInProgress& step) {
  const auto& [model, settings, scheme, state, ws, report, factors, P] = step;
  TangentWeights weights = scheme.weights;
  weights.lead = scheme.h;
  ws.zdd.setZero();
  evaluate_dynamics(model, state.z.data(), state.zd.data(), ws.zdd.data(), weights, ws);
}

void LinearlyImplicitStep::begin_end(const StepInProgress& step) {
  const auto& [model, settings, scheme, state, ws, report, factors, P] = step;
  begin_evaluation(model, state, state.t + scheme.h, ws, settings.ends_on_breakpoint);
  scheme.begin(state, ws.tree.rule);
}

void LinearlyImplicitStep::take_change(const StepInProgress& step, const Eigen::VectorXd& dv) {
  Workspace& ws = step.ws;
  ws.zd = step.state.zd + dv;
  ws.zdd = dv / step.scheme.h;
  ws.increment = step.scheme.h * ws.zd;
  ws.lambda = ws.multipliers;
}

bool LinearlyImplicitStep::accept_end(const StepInProgress& step, const Eigen::VectorXd& z) {
  const auto& [model, settings, scheme, state, ws, report, factors, P] = step;
  if (model.m() > 0) {
    report.Phi = largest_magnitude(ws.closures.Phi);
    report.worst_row = row_of_magnitude(ws.closures.Phi, report.Phi);
  }
  if (!is_finite(ws.z) || !is_finite(ws.zd) || !is_finite(ws.multipliers)) {
    report.status = StepStatus::non_finite;
    return false;
  }
  report.settled = report.Phi <= settings.settled_bound;
  if (!model.formulation->levels_move_bodies() || model.tree.samples_accelerations)
    evaluate_element_states(model, z.data(), ws.zd.data(), ws.zdd.data(), ws);
  else
    update_element_states(model, ws);
  return true;
}

LinearlyImplicitPart::LinearlyImplicitPart(const Model& model)
    : ClosurePart(model),
      rates(model.tree.pattern, model.blocks(), model.m(), shape_of(model, false)),
      positions(model.tree.pattern, model.blocks(), model.m(), shape_of(model, false)),
      W(at(model.tree.pattern.value_count()), 0.0),
      change(Eigen::VectorXd::Zero(model.n())),
      below(compliance) {}

LinearlyImplicitPart& linearly_implicit_part(const Model& model, Workspace& ws) {
  auto* part = dynamic_cast<LinearlyImplicitPart*>(ws.method.get());
  if (part != nullptr) return *part;
  auto made = std::make_unique<LinearlyImplicitPart>(model);
  LinearlyImplicitPart& result = *made;
  ws.method = std::move(made);
  return result;
}

const StepMethod& linearly_implicit_dependent() {
  static const Dependent method;
  return method;
}

}  // namespace semirec
