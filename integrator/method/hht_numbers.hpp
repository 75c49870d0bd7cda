#pragma once

#include "integrator/formulation/step_method.hpp"

namespace semirec {

/// What the formulas of the HHT method need of a step: gamma = 1/2 - alpha,
/// beta = (1 - alpha)^2/4 ([SIX] (8)).
struct HhtNumbers {
  double alpha, gamma, beta, h;
  explicit HhtNumbers(const StepInProgress& step)
      : alpha(step.settings.scheme.parameters[0]),
        gamma(0.5 - alpha),
        beta(0.25 * (1.0 - alpha) * (1.0 - alpha)),
        h(step.scheme.h) {}
};

}  // namespace semirec
