#pragma once

#include <algorithm>
#include <limits>

#include "integrator/report.hpp"

namespace semirec {

/// What the settings ask of the iterations of a step.
struct IterationPlan {
  /// `most`: what converged mode allows the method; `iterates`: StepMethod::iterates().
  IterationPlan(const StepSettings& settings, const Scheme& scheme, int most, bool iterates)
      : constant_work(settings.iterations > 0 || !iterates),
        limit(!iterates       ? 1
              : constant_work ? settings.iterations
                              : most),
        factorizations(constant_work && settings.factorizations > 0
                           ? std::min(settings.factorizations, limit)
                           : limit),
        correction(content_correction(settings, scheme)),
        by_rate(!constant_work && settings.error_tolerance > 0.0),
        left(kShareLeft * settings.error_tolerance) {}

  bool constant_work;  ///< exactly `limit` iterations, accepted as they are
  int limit;
  int factorizations;  ///< iterations from the first that factor the tangent anew
  double correction;   ///< converged mode is content with this rms of the last correction
  bool by_rate;        ///< ... or stops by the rate of convergence, with a factor that is kept
  double left;         ///< rms that the iteration may then leave

 private:
  static constexpr double kShareLeft = 1e-3;  // c of [HHT] (45)
};

/// What the last correction leaves of zdd is no jerk: first guesses go on with what is so many
/// times as large.
inline constexpr double kNoiseOfJerk = 3.0;

/// How fast the corrections of an iteration shrink, [HHT] (41)-(45).
struct ConvergenceRate {
  double last = 0.0;   ///< the last correction
  double rate = 0.0;   ///< its ratio to the one before; 0: there is none
  int solves = 0;      ///< with the factor at hand, in this step
  bool fresh = false;  ///< which was made in this step

  void add(double correction) {
    rate = last > 0.0 ? correction / last : 0.0;
    last = correction;
    ++solves;
  }
  /// The tangent has been factored anew.
  void renew() {
    solves = 0;
    fresh = true;
  }
  /// What the iteration is expected to leave after the last correction.
  double left() const {
    if (rate == 0.0) return kFirst * last;
    return rate < 1.0 ? rate / (1.0 - rate) * last : std::numeric_limits<double>::infinity();
  }
  /// More is to come than the last correction was. Those of round-off shrink by chance.
  bool is_creeping() const { return rate > kCreeping && last > kRoundOff; }
  /// The tangent has aged: its factor is not worth another solve. One of this step gets a solve
  /// more, since what the tangent leaves out makes the first ones slow, too.
  bool is_slow() const { return rate > kSlow && solves >= (fresh ? 3 : 2); }

 private:
  static constexpr double kFirst =
      10.0;  // one correction tells no rate: it must be small by itself
  static constexpr double kSlow = 0.1;
  static constexpr double kCreeping = 0.5;
  static constexpr double kRoundOff = 1e-12;  // m or rad
};

}  // namespace semirec
