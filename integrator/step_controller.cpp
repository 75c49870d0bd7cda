#include "integrator/step_controller.hpp"

#include <algorithm>
#include <cmath>

#include "integrator/formulation/formulation_state.hpp"
#include "integrator/scheme/alpha_methods.hpp"
#include "topology/indices.hpp"

namespace semirec {

namespace {

// [HHT] (47): safety, and how much the length may change at once
constexpr double kSafety = 0.9;
constexpr double kLeastRatio = 0.2;
constexpr double kMostRatio = 2.0;  // BDF2 is stable up to 1 + sqrt(2)
// a step is not made longer for less: the factor of the tangent serves on
constexpr double kWorthwhile = 1.15;

// of the smallest length: first steps no longer are not judged by one difference, a bound that may
// ask for much shorter ones; the next step judges by two
constexpr double kShortFirst = 1e3;

/// Cubic from 0 to `way` over h with the rates a and b at its ends, at the share s.
double cubic(double way, double a, double b, double h, double s) {
  const double s2 = s * s;
  const double s3 = s2 * s;
  return way * (3.0 * s2 - 2.0 * s3) + h * (a * (s - 2.0 * s2 + s3) + b * (s3 - s2));
}

}  // namespace

StepController::StepController(const ErrorControl& control, const State& state, double first)
    : control_(control),
      Y_(Eigen::VectorXd::Ones(state.z.size())),
      error_(Eigen::VectorXd::Zero(state.z.size() + state.x.size())),
      X_(Eigen::VectorXd::Ones(state.x.size())),
      slope_(Eigen::VectorXd::Zero(state.x.size())),
      h_(std::min(first, control.longest)) {}

bool StepController::judge(const Scheme& scheme, const State& before, const State& after) {
  const Eigen::Index n = after.z.size();
  const Eigen::Index states = after.x.size();
  const double h = scheme.h;
  // a step that is refused leaves the weights as they are
  const auto Y = Y_.cwiseMax(after.z.cwiseAbs());
  const auto X = X_.cwiseMax(after.x.cwiseAbs());
  // [HHT] (46): e = C h^2 (a_{n+1} - a_n); of Euler's step, by which two-step formulas begin, C h^2
  // a
  const bool two_steps = scheme.past.columns == 2;
  const bool euler = two_steps && !scheme.past.reads;
  const double constant = control_.printed ? scheme.printed_error : scheme.error;
  auto e = error_.head(n);
  if (euler) {
    e = after.zdd;
  } else if (scheme.past.columns == 1) {
    e = after.history.head(n) - before.zdd;
    if (scheme.past.reads) e -= scheme.past.share * (before.history.head(n) - before.zdd);
  } else {
    e = after.zdd - before.zdd;
  }
  e = constant * h * h * e.cwiseAbs().cwiseQuotient(Y);
  // states: C h^3 times the third derivative, from two differences of the rates; where there is one
  // only, h^2/2 times the second, which bounds it
  const bool one_difference = euler || slope_h_ == 0.0;
  auto ex = error_.tail(states);
  ex = (after.xd - before.xd).cwiseAbs();
  if (one_difference)
    ex = (h > kShortFirst * control_.smallest ? 0.5 * h : 0.0) * ex.cwiseQuotient(X);
  else
    ex = scheme.state_error * h * h * h *
         ((after.xd - before.xd) / h - slope_).cwiseAbs().cwiseQuotient(X) / (0.5 * (h + slope_h_));

  const double rms_z = n > 0 ? e.norm() / std::sqrt(static_cast<double>(n)) : 0.0;
  const double rms_x = states > 0 ? ex.norm() / std::sqrt(static_cast<double>(states)) : 0.0;
  // one that is no number stays
  const double share = (rms_z <= rms_x || std::isnan(rms_x) ? rms_x : rms_z) / control_.tolerance;
  if (error_.size() > 0) error_.maxCoeff(&worst_);
  const bool good = share <= 1.0;  // not where it is no number
  const bool of_h2 = rms_x > rms_z ? one_difference : euler;
  const double most = scheme.past.columns == 1 ? kAlphaGrowth : kMostRatio;
  double ratio =
      share > 0.0 ? kSafety * (of_h2 ? std::sqrt(1.0 / share) : std::cbrt(1.0 / share)) : most;
  ratio = std::isfinite(ratio) ? std::clamp(ratio, kLeastRatio, most) : kLeastRatio;
  if (!good) {
    ++report_.error_rejections;
    h_ = std::min(ratio, kSafety) * h;
    rejected_ = true;
    return false;
  }
  Y_ = Y;
  X_ = X;
  ++report_.steps;
  report_.error = std::max(report_.error, share);
  report_.last = h;
  report_.smallest = report_.steps == 1 ? h : std::min(report_.smallest, h);
  report_.largest = std::max(report_.largest, h);
  if (states > 0) {
    slope_ = (after.xd - before.xd) / h;
    slope_h_ = h;
  }
  // the step after a rejected one is no longer than it; small gains are not taken
  if (ratio < 1.0 || (ratio > kWorthwhile && !rejected_))
    h_ = std::max(ratio * h, ratio < 1.0 ? 0.0 : h_);
  h_ = std::min(h_, control_.longest);
  rejected_ = false;
  return true;
}

void StepController::refuse() {
  ++report_.newton_rejections;
  h_ *= 0.25;
  rejected_ = true;
}

void StepController::start_anew() { slope_h_ = 0.0; }

std::string name_of_component(const Model& model, Eigen::Index index) {
  const Model& relative = relative_model(model);
  if (&relative != &model && index < model.n()) return "coordinate " + std::to_string(index);
  if (index >= model.n()) return "state " + std::to_string(index - model.n());
  for (std::size_t t = 1; t < model.tree.bodies.size(); ++t) {
    const TreeBody& body = model.tree.bodies[t];
    if (index < body.z || index >= body.z + body.degrees_of_freedom) continue;
    return "joint '" + model.mechanism.joints[at(model.tree.tree.branches[t].joint)].name + "'";
  }
  return "coordinate " + std::to_string(index);
}

State interpolate(const State& before, const State& after, const Eigen::VectorXd& d, double t) {
  const double h = after.t - before.t;
  const double s = (t - before.t) / h;
  State state = before;
  state.t = t;
  for (Eigen::Index k = 0; k < d.size(); ++k) {
    state.z[k] += cubic(d[k], before.zd[k], after.zd[k], h, s);
    state.zd[k] += cubic(after.zd[k] - before.zd[k], before.zdd[k], after.zdd[k], h, s);
  }
  state.zdd += s * (after.zdd - before.zdd);
  state.multipliers += s * (after.multipliers - before.multipliers);
  for (Eigen::Index k = 0; k < state.x.size(); ++k)
    if (before.xd[k] != 0.0 || after.xd[k] != 0.0)
      state.x[k] += cubic(after.x[k] - before.x[k], before.xd[k], after.xd[k], h, s);
  state.xd += s * (after.xd - before.xd);
  return state;
}

}  // namespace semirec
