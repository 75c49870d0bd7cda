#pragma once

#include <limits>
#include <string>

#include "integrator/model.hpp"
#include "integrator/report.hpp"
#include "integrator/scheme/scheme.hpp"
#include "integrator/state.hpp"

namespace semirec {

/// Steps of a length that keeps their local error at a tolerance, [HHT] section 4.
struct ErrorControl {
  double tolerance = 0.0;   ///< of positions and first-order states, m or rad; 0: equal steps
  bool printed = false;     ///< estimate with the constant that the paper prints
  double smallest = 1e-10;  ///< below this length of the step the run gives up, s
  /// No step is longer, s: what lies between the ends of one step is not seen.
  double longest = std::numeric_limits<double>::infinity();
};

/// What the control of a run did, as SUNDIALS prints it.
struct ControlReport {
  long steps = 0;              ///< accepted
  long error_rejections = 0;   ///< steps undone because their error was too large
  long newton_rejections = 0;  ///< and because their iteration did not converge
  long renewed_none = 0;       ///< factors made because none was kept (start, event)
  long renewed_length = 0;     ///< because the length of the step had changed
  long renewed_slow = 0;       ///< because the iteration had become slow
  long renewed_rows = 0;       ///< because the projections need the rows of the step
  double last = 0.0;           ///< length of the last step, s
  double smallest = 0.0, largest = 0.0;
  double error = 0.0;  ///< largest estimate of an accepted step over the tolerance
  std::string worst;   ///< component with the largest share of the last estimate
};

/// Judges steps and proposes the length of the next one. Made for one run.
class StepController {
 public:
  StepController(const ErrorControl& control, const State& state, double first);

  /// Length of the coming step, s.
  double length() const { return h_; }

  /// Whether the step from `before` to `after` is good; proposes the length of the next one, or of
  /// the next try.
  bool judge(const Scheme& scheme, const State& before, const State& after);
  /// The step's iteration did not converge: a quarter of the length.
  void refuse();
  /// After an event or a jump: the errors of the past say nothing any more.
  void start_anew();

  bool is_exhausted() const { return h_ < control_.smallest; }
  const ControlReport& report() const { return report_; }
  ControlReport& report() { return report_; }
  /// Coordinate or state with the largest share of the last estimate: coordinates first.
  Eigen::Index worst() const { return worst_; }

 private:
  ErrorControl control_;
  Eigen::VectorXd Y_, error_;  // weights max(1, max |z|), local errors over them
  Eigen::VectorXd X_, slope_;  // the same of the states; their last second differences
  double slope_h_ = 0.0;       // step of slope_; 0: none
  double h_;
  bool rejected_ = false;
  Eigen::Index worst_ = 0;
  ControlReport report_;
};

/// What index `worst` of a controller stands for: a coordinate's joint or a force element's state.
std::string name_of_component(const Model& model, Eigen::Index index);

/// State within an accepted step of increment d, at time t between both ends: positions by the
/// cubic that has the rates of both ends, rates by the one that has the accelerations,
/// accelerations and multipliers in a straight line. States without a rate at both ends, which are
/// sampled or decided at the end of a step, are those of its begin. Its closures are open by the
/// error of the interpolation.
State interpolate(const State& before, const State& after, const Eigen::VectorXd& d, double t);

}  // namespace semirec
