#include "integrator/step.hpp"

#include <cmath>

#include "integrator/formulation/evaluate.hpp"
#include "integrator/formulation/formulation_state.hpp"
#include "integrator/iteration_plan.hpp"
#include "integrator/method/methods.hpp"
#include "topology/largest_magnitude.hpp"

namespace semirec {

namespace {

bool is_closed(const StepInProgress& step) {
  return largest_magnitude(step.ws.closures.Phi) <= step.settings.tolerance;
}

bool is_within(const StepInProgress& step, double correction) {
  return step.report.correction <= correction && is_closed(step);
}

/// Whether the factor that is kept does not serve any longer; the report says why.
bool must_factor(StepInProgress& step, const ConvergenceRate& convergence) {
  constexpr double kLikeScale = 0.3;  // of h^2: steps by 15 % longer or shorter
  using Renewed = decltype(step.report.renewed);
  const double ratio = step.ws.kept_scale > 0.0 ? step.scheme.scale / step.ws.kept_scale : 0.0;
  Renewed why = Renewed::no;
  if (ratio == 0.0)
    why = Renewed::none_kept;
  else if (std::abs(ratio - 1.0) > kLikeScale)
    why = Renewed::step_length;
  else if (convergence.is_slow())
    why = Renewed::slow;
  if (step.report.renewed == Renewed::no) step.report.renewed = why;
  return why != Renewed::no;
}

/// The factor that has just been made, and the Phi_z inside it, may serve the next steps.
void keep_factor(StepInProgress& step) {
  step.ws.P = step.ws.closures.Phi_z;
  step.P = &step.ws.P;
  step.ws.kept_scale = step.scheme.scale;
}

bool fail(StepInProgress& step, StepStatus status) {
  step.report.status = status;
  return false;
}

/// Predicts, iterates and projects: ws then holds the end of the step. False with report.status.
bool advance(StepInProgress& step) {
  const auto& [model, settings, scheme, state, ws, report, factors, P] = step;
  const StepMethod& method = method_of(model, settings);
  if (method.iterates()) {  // at the end of the step
    begin_evaluation(model, state, state.t + settings.h, ws, settings.ends_on_breakpoint);
    scheme.begin(state, ws.tree.rule);
  }
  method.prepare(step);
  ws.lambda = state.lambda;

  // predict
  scheme.predict(state, ws.increment);

  // Newton: rates (21)-(24), residual and tangent with the closures (26), (27), correction (25),
  // (2)
  const IterationPlan plan(settings, scheme, method.max_iterations(settings), method.iterates());
  const bool keeps = plan.by_rate && settings.closing == Closing::penalty;
  ConvergenceRate convergence;
  bool converged = false;
  while (report.iterations < plan.limit && !converged) {
    step.factors = keeps ? must_factor(step, convergence) : report.iterations < plan.factorizations;
    if (keeps) step.P = step.factors ? &ws.closures.Phi_z : &ws.P;
    if (!method.evaluate_iterate(step) || !method.factor_iterate(step)) return false;
    if (keeps && step.factors) {
      keep_factor(step);
      convergence.renew();
    }
    report.correction = method.correct(step);
    ++report.iterations;
    if (!std::isfinite(report.correction)) return fail(step, StepStatus::non_finite);
    convergence.add(report.correction);
    converged = !plan.constant_work &&
                (is_within(step, plan.correction) ||
                 (plan.by_rate && convergence.left() <= plan.left && is_closed(step)));
  }
  // where loops are flat the multipliers of the directions that nothing holds creep, at any step:
  // closures and corrections within the tolerance then do
  if (!converged && !plan.constant_work &&
      !(is_within(step, settings.tolerance) && method.is_trusted(step))) {
    report.Phi = model.m() > 0 ? ws.closures.Phi.cwiseAbs().maxCoeff(&report.worst_row) : 0.0;
    return fail(step, StepStatus::iteration_limit);
  }

  // final positions, then the rates and accelerations that the closures allow (35), (36)
  return method.finish(step);
}

/// The history that the next step reads. No heap use where the state's has its size.
void remember(const Scheme& scheme, Workspace& ws, State& state) {
  scheme.remember(state, ws.increment, ws.tree.xd, ws.history);
  const Eigen::Index size = scheme.history_size(state.z.size(), state.x.size());
  if (size > 0) state.history = ws.history.head(size);
  state.history_step = size > 0 ? scheme.h : 0.0;
}

void accept(StepInProgress& step) {
  State& state = step.state;
  Workspace& ws = step.ws;
  remember(step.scheme, ws, state);
  state.t += step.settings.h;
  state.z = ws.z;
  state.zd = ws.zd;
  state.zdd = ws.zdd;
  state.x = ws.tree.x;
  state.xd = ws.tree.xd;
  state.lambda = ws.lambda;
  state.multipliers = ws.multipliers;
  step.model.formulation->keep(step.model, ws, state);
  rebase(step.model, state);
}

}  // namespace

StepReport step(const Model& model, const StepSettings& settings, State& state, Workspace& ws) {
  const Scheme scheme = settings.scheme.make(settings.h, state);
  StepReport report;
  const StepMethod& method = method_of(model, settings);
  for (const bool again : {false, true}) {
    report = {};
    StepInProgress step{model, settings, scheme, state, ws, report, true, &ws.closures.Phi_z};
    method.begin_step(step, again);
    if (advance(step)) accept(step);
    if (!method.end_step(step, again)) break;
  }
  return report;
}

}  // namespace semirec
