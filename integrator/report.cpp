#include "integrator/report.hpp"

#include <algorithm>

namespace semirec {

namespace {

/// Round-off of a coordinate of 1 m or rad with some room, m.
constexpr double kSmallestTolerance = 1e-14;

}  // namespace

const char* name_of(StepStatus status) {
  switch (status) {
    case StepStatus::converged:
      return "converged";
    case StepStatus::iteration_limit:
      return "iteration limit";
    case StepStatus::tangent_not_positive_definite:
      return "tangent not positive definite";
    case StepStatus::non_finite:
      return "not finite";
    case StepStatus::independent_set_degenerate:
      return "the independent coordinates have become dependent";
    case StepStatus::event_impossible:
      return "an event cannot happen";
    case StepStatus::loops_open:
      return "no dependent coordinates close the loops";
    case StepStatus::saddle_singular:
      return "equations of motion and closures together are singular";
    case StepStatus::closing_unfit:
      return "closing, scheme and formulation do not fit";
    case StepStatus::closures_lost:
      return "the closures hold nothing together any more";
  }
  return "";
}

const char* name_of(Closing closing) {
  switch (closing) {
    case Closing::penalty:
      return "penalty";
    case Closing::multipliers:
      return "multipliers";
    case Closing::independent:
      return "independent";
  }
  return "";
}

std::optional<Closing> find_closing(std::string_view name) {
  for (const Closing closing : kClosings)
    if (name == name_of(closing)) return closing;
  return std::nullopt;
}

double content_correction(const StepSettings& settings, const Scheme& scheme) {
  const double h = settings.h;
  double wish = settings.acceleration_tolerance * scheme.scale;
  if (settings.order_tolerance > 0.0) wish = std::min(wish, settings.order_tolerance * h * h * h);
  return std::min(settings.tolerance, std::max(wish, kSmallestTolerance));
}

}  // namespace semirec
