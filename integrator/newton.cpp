#include "integrator/newton.hpp"

#include <algorithm>
#include <cmath>

#include "integrator/formulation/formulation_model.hpp"
#include "integrator/model.hpp"
#include "integrator/workspace.hpp"
#include "topology/largest_magnitude.hpp"

namespace semirec {

namespace {

constexpr double kRoundOff = 1e-15;  // of corrections, m or rad: no less is asked for

bool is_closed(const StepInProgress& step) {
  return largest_magnitude(step.ws.closures.Phi) <= step.settings.tolerance;
}

bool is_within(const StepInProgress& step, double correction) {
  return step.report.correction <= correction && is_closed(step);
}

/// Whether the end of the step is projected along the rows inside the factor: what aged ones leak
/// into the free directions, |Phi_z - P| of a correction of the order of h^2, would make the motion
/// one of first order.
bool is_projected(const StepInProgress& step) {
  return step.model.m() > 0 && step.settings.projections > 0 &&
         !step.model.formulation->selects_coordinates();
}

/// Whether the factor that is kept does not serve any longer; the report says why.
bool must_factor(StepInProgress& step, const ConvergenceRate& convergence) {
  constexpr double kLikeScale = 0.3;  // of h^2: steps by 15 % longer or shorter
  using Renewed = StepReport::Renewed;
  const double ratio = step.ws.kept_scale > 0.0 ? step.scheme.scale / step.ws.kept_scale : 0.0;
  Renewed why = Renewed::no;
  if (ratio == 0.0)
    why = Renewed::none_kept;
  else if (std::abs(ratio - 1.0) > kLikeScale)
    why = Renewed::step_length;
  else if (convergence.is_slow())
    why = Renewed::slow;
  else if (step.report.iterations == 0 && is_projected(step))
    why = Renewed::rows;
  if (step.report.renewed == Renewed::no) step.report.renewed = why;
  return why != Renewed::no;
}

}  // namespace

NewtonIterations::NewtonIterations(const StepInProgress& step, const StepMethod& method)
    : method_(method),
      plan_(step.settings, step.scheme, method.max_iterations(step.settings), method.iterates()),
      keeps_(plan_.by_rate && step.settings.closing == Closing::penalty) {}

void NewtonIterations::choose_factor(StepInProgress& step) const {
  step.factors =
      keeps_ ? must_factor(step, convergence_) : step.report.iterations < plan_.factorizations;
  if (keeps_) step.P = step.factors ? &step.ws.closures.Phi_z : &step.ws.P;
}

void NewtonIterations::keep_factor(StepInProgress& step) {
  if (!keeps_ || !step.factors) return;
  // the factor, and the Phi_z inside it, may serve the next steps
  step.ws.P = step.ws.closures.Phi_z;
  step.P = &step.ws.P;
  step.ws.kept_scale = step.scheme.scale;
  convergence_.renew();
}

bool NewtonIterations::judge(StepInProgress& step) {
  StepReport& report = step.report;
  if (!std::isfinite(report.correction)) {
    report.status = StepStatus::non_finite;
    return false;
  }
  convergence_.add(report.correction);
  // a small correction is the last one where convergence is fast; a tangent that holds more than
  // its forces do makes small ones of which many are still to come. With a factor that is kept what
  // it leaves is told by the rate alone, has one sign from step to step, and 2/h of it goes into
  // the rates: there it is to be small against what the steps' own errors, of the order of the
  // tolerance, make of them within a second
  constexpr double kShareOfRates = 0.05;  // 1/s
  const bool kept = keeps_ && !step.factors;
  const double asked = std::min({plan_.left, plan_.correction,
                                 kShareOfRates * step.scheme.h * step.settings.error_tolerance});
  const double left = kept ? std::max(asked, kRoundOff) : plan_.left;
  // coordinates that are about to be chosen anew are judged by their own measure
  const bool is_last = !convergence_.is_creeping() ||
                       step.model.formulation->selects_coordinates() ||
                       convergence_.left() <= plan_.correction;
  converged_ =
      !plan_.constant_work && ((!kept && is_last && is_within(step, plan_.correction)) ||
                               (plan_.by_rate && convergence_.left() <= left && is_closed(step)));
  return true;
}

bool NewtonIterations::accept(StepInProgress& step) const {
  if (converged_ || plan_.constant_work) return true;
  // where loops are flat the multipliers of the directions that nothing holds creep, at any step:
  // closures and corrections within the tolerance then do
  StepReport& report = step.report;
  if (is_within(step, step.settings.tolerance) && method_.is_trusted(step)) {
    report.at_limit = true;
    return true;
  }
  report.Phi =
      step.model.m() > 0 ? step.ws.closures.Phi.cwiseAbs().maxCoeff(&report.worst_row) : 0.0;
  report.status = StepStatus::iteration_limit;
  return false;
}

}  // namespace semirec
