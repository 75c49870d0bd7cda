#include "integrator/step.hpp"

#include <cmath>

#include "integrator/accept_step.hpp"
#include "integrator/formulation/evaluate.hpp"
#include "integrator/method/methods.hpp"
#include "integrator/newton.hpp"

namespace semirec {

namespace {

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
  // not of independent coordinates: it would carry them past where they tell the motion
  if (method.iterates() && settings.iterations <= 0 && state.jerk_step > 0.0 &&
      !model.formulation->selects_coordinates())
    ws.increment += scheme.d_jerk * state.trend;

  // Newton: rates (21)-(24), residual and tangent with the closures (26), (27), correction (25),
  // (2)
  NewtonIterations newton(step, method);
  while (newton.go_on(step)) {
    newton.choose_factor(step);
    if (!method.evaluate_iterate(step) || !method.factor_iterate(step)) return false;
    newton.keep_factor(step);
    report.correction = method.correct(step);
    ++report.iterations;
    if (!newton.judge(step)) return false;
  }
  if (!newton.accept(step)) return false;

  // final positions, then the rates and accelerations that the closures allow (35), (36)
  return method.finish(step);
}

/// Sets report.status where an equation of the file has no finite value or rate at the end of the
/// step.
bool computes_finite_inputs(StepInProgress& step) {
  if (!find_non_finite(step.model, step.ws)) return true;
  step.report.status = StepStatus::non_finite;
  return false;
}

/// Sets report.status where the closures are open beyond all sizes.
bool holds_together(StepInProgress& step) {
  if (step.report.Phi <= kLostClosure) return true;
  step.report.status = StepStatus::closures_lost;
  return false;
}

}  // namespace

StepReport step(const Model& model, const StepSettings& settings, State& state, Workspace& ws) {
  StepReport report;
  if (!(settings.h > 0.0) || std::isinf(settings.h)) {
    report.status = StepStatus::non_finite;
    return report;
  }
  const Scheme scheme = settings.scheme.make(settings.h, state);
  const StepMethod& method = method_of(model, settings);
  for (const bool again : {false, true}) {
    report = {};
    ws.moved_on = nullptr;
    StepInProgress step{model, settings, scheme, state, ws, report, true, &ws.closures.Phi_z};
    method.begin_step(step, again);
    if (advance(step) && computes_finite_inputs(step) && holds_together(step)) accept(step);
    if (!method.end_step(step, again)) break;
  }
  return report;
}

}  // namespace semirec
