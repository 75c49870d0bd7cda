#pragma once

#include <algorithm>

#include "integrator/report.hpp"

namespace semirec {

/// What the settings ask of the iterations of a step.
struct IterationPlan {
  /// `most`: what converged mode allows the formulation.
  IterationPlan(const StepSettings& settings, const Scheme& scheme, int most)
      : constant_work(settings.iterations > 0),
        limit(constant_work ? settings.iterations : most),
        factorizations(constant_work && settings.factorizations > 0
                           ? std::min(settings.factorizations, limit)
                           : limit),
        correction(content_correction(settings, scheme)) {}

  bool constant_work;  ///< exactly `limit` iterations, accepted as they are
  int limit;
  int factorizations;  ///< iterations from the first that factor the tangent anew
  double correction;   ///< converged mode is content with this rms of the last correction
};

}  // namespace semirec
