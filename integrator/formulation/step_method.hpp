#pragma once

#include <cmath>
#include <vector>

#include <Eigen/Core>

#include "integrator/report.hpp"
#include "integrator/scheme/scheme.hpp"

namespace semirec {

struct Model;
struct State;
struct Workspace;

/// A step in progress, as step() hands it to its method.
struct StepInProgress {
  const Model& model;
  const StepSettings& settings;
  const Scheme& scheme;
  State& state;  ///< at the step's begin; only what is accepted changes it
  Workspace& ws;
  StepReport& report;
  bool factors = true;                     ///< this iteration factors the tangent anew
  const std::vector<double>* P = nullptr;  ///< the Phi_z that is inside the factor
};

/// How the equations of a step are closed and solved: what step() calls, in this order. The
/// formulations bring the penalty path; the multipliers as unknowns are a method over the
/// formulations' evaluations. A method is constant and shared between threads; a function uses no
/// heap, takes no lock and throws nothing unless it says so.
class StepMethod {
 public:
  virtual ~StepMethod() = default;

  /// Before each attempt; `again`: the second.
  virtual void begin_step(StepInProgress& step, bool again) const = 0;
  /// After begin_evaluation(): what is the same in all iterations.
  virtual void prepare(StepInProgress& step) const = 0;
  virtual int max_iterations(const StepSettings& settings) const = 0;
  /// Whether a step iterates until it has converged; else it is one pass, accepted as it is, whose
  /// method calls begin_evaluation() itself.
  virtual bool iterates() const { return true; }
  /// Rates by the scheme, residual, tangent, Phi and Phi_z at z + ws.increment. False with
  /// report.status.
  [[nodiscard]] virtual bool evaluate_iterate(StepInProgress& step) const = 0;
  /// Adds the closures' part to residual and tangent and factors. False with report.status.
  [[nodiscard]] virtual bool factor_iterate(StepInProgress& step) const = 0;
  /// Solves, adds the correction to ws.increment and returns its root mean square.
  virtual double correct(StepInProgress& step) const = 0;
  /// Whether an iteration that misses the sharper tolerances alone may count as converged.
  virtual bool is_trusted(StepInProgress& step) const = 0;
  /// Positions, rates, element states and multipliers of the end, in ws. False with report.status.
  [[nodiscard]] virtual bool finish(StepInProgress& step) const = 0;
  /// After each attempt; true: the first is to be repeated.
  virtual bool end_step(StepInProgress& step, bool again) const = 0;

 protected:
  StepMethod() = default;
  StepMethod(const StepMethod&) = default;
  StepMethod(StepMethod&&) = default;
  StepMethod& operator=(const StepMethod&) = default;
  StepMethod& operator=(StepMethod&&) = default;
};

/// Root mean square of a vector's entries; zero where it has none.
template <typename = void>  // decision 0047
inline double root_mean_square(const Eigen::VectorXd& v) {
  return v.size() > 0 ? std::sqrt(v.squaredNorm() / static_cast<double>(v.size())) : 0.0;
}

/// What a method keeps in a Workspace for itself.
class MethodWorkspace {
 public:
  virtual ~MethodWorkspace() = default;
  /// Size of State::pivots.
  virtual Eigen::Index pivot_values() const { return 0; }

 protected:
  MethodWorkspace() = default;
  MethodWorkspace(const MethodWorkspace&) = default;
  MethodWorkspace(MethodWorkspace&&) = default;
  MethodWorkspace& operator=(const MethodWorkspace&) = default;
  MethodWorkspace& operator=(MethodWorkspace&&) = default;
};

}  // namespace semirec
