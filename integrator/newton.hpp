#pragma once

#include "integrator/formulation/step_method.hpp"
#include "integrator/iteration_plan.hpp"

namespace semirec {

/// Newton's iterations of a step: which of them factor the tangent, and when they end. In steps of
/// a length of their own ([HHT] section 4.3) a factor serves as long as the corrections shrink
/// fast enough, over several steps.
class NewtonIterations {
 public:
  NewtonIterations(const StepInProgress& step, const StepMethod& method);

  /// Whether there is another iteration to do.
  bool go_on(const StepInProgress& step) const {
    return step.report.iterations < plan_.limit && !converged_;
  }
  /// Before an iteration: sets step.factors and step.P.
  void choose_factor(StepInProgress& step) const;
  /// After the iteration's factorization, if there was one.
  void keep_factor(StepInProgress& step);
  /// After the iteration's correction; false with report.status where it is not finite.
  [[nodiscard]] bool judge(StepInProgress& step);
  /// After the last one: false with report.status, and the worst closure, where the step has not
  /// converged.
  [[nodiscard]] bool accept(StepInProgress& step) const;

 private:
  const StepMethod& method_;
  IterationPlan plan_;
  bool keeps_;  ///< factors over several steps
  ConvergenceRate convergence_;
  bool converged_ = false;
};

}  // namespace semirec
