#pragma once

#include <limits>
#include <vector>

#include "integrator/formulation/step_method.hpp"
#include "integrator/method/closure_rows.hpp"
#include "integrator/model.hpp"
#include "integrator/workspace.hpp"
#include "penalty/independent_solver.hpp"
#include "penalty/saddle.hpp"

namespace semirec {

/// The linearly implicit Euler method, [LIE]: with W = M + h C + h^2 K, Q and Phi_z at the begin of
/// the step,
///   W dv + Phi_z^T (h lambda) = h Q - h^2 K zd_n,   zd = zd_n + dv,   d = h zd           (22)
/// C and K are those of the tangent, states of force elements are eliminated by the implicit Euler
/// rule. How dv meets the closures is the method's. Then settings.projections times the increment
/// is moved onto the closures' positions by one linear solution (30). Nothing is iterated: the step
/// is accepted as it is. Accelerations are dv/h, multipliers those of (22): means over the step.
class LinearlyImplicitStep : public StepMethod {
 public:
  void prepare(StepInProgress& /*step*/) const final {}
  int max_iterations(const StepSettings& /*settings*/) const final { return 1; }
  bool iterates() const final { return false; }
  bool is_trusted(StepInProgress& /*step*/) const final { return true; }

 protected:
  /// What is given at the begin of the step.
  static void begin_begin(const StepInProgress& step);
  /// Residual lead K zd - Q, W, Phi, Phi_z at the begin of the step.
  static void evaluate_begin(const StepInProgress& step);
  /// What is given for a step: that of its end.
  static void begin_end(const StepInProgress& step);
  /// Rates, accelerations and increment from dv.
  static void take_change(const StepInProgress& step, const Eigen::VectorXd& dv);
  /// Element states and what the report says, closures being evaluated at the end; `z`: from the
  /// origin and references of the workspace. False with report.status.
  [[nodiscard]] static bool accept_end(const StepInProgress& step, const Eigen::VectorXd& z);
};

/// Scratch of the dependent form.
class LinearlyImplicitPart final : public ClosurePart {
 public:
  explicit LinearlyImplicitPart(const Model& model);
  Eigen::Index pivot_values() const override {
    return rates.values().size() + positions.values().size();
  }

  Saddle rates;                  ///< of (22)
  Saddle positions;              ///< of (30)
  std::vector<double> W, Phi_z;  ///< at the begin of the step
  Eigen::VectorXd change;        ///< n  h Q - h^2 K zd_n, then dv
  Eigen::VectorXd below;         ///< m
};

/// The end of a step as the next one begins: with the origin and the references of rotations moved
/// on. What is evaluated there serves the next step to the bit.
class NextBegin {
 public:
  explicit NextBegin(const Model& model) : model_(&model) {}

  /// What is given at the begin of a step.
  void begin(const StepInProgress& step) const;
  /// Moves the end ws.z on; the workspace is made ready for its evaluation at z().
  void move_on(const StepInProgress& step);
  /// The workspace has just been evaluated there.
  void note_places(const Workspace& ws);
  /// Whether the workspace still has the places and the closures of a step that begins there with
  /// what is given for it.
  bool has_places(const StepInProgress& step) const;
  const Eigen::VectorXd& z() const { return state_.z; }

 private:
  const Model* model_;
  State state_;  ///< z, A0 and origin alone
  static constexpr double kNever = std::numeric_limits<double>::quiet_NaN();
  double t_ = kNever;  ///< of the inputs
  std::vector<CurveValue> inputs_;
  long placings_ = -1, closure_placings_ = -1;  ///< of the workspace; -1: none noted
};

/// Scratch of the independent form.
class IndependentPart final : public ClosurePart {
 public:
  explicit IndependentPart(const Model& model);

  NextBegin next;

  bool keeps_places = false;  ///< the step begins with Phi_z of the last one's end

  IndependentSolver solver;
  std::vector<char> noted;  ///< [row] has a pivot: of what `rows` knows
  Eigen::VectorXd load;     ///< n  h Q - h^2 K zd_n
  Eigen::VectorXd gap;      ///< m  h c, then -Phi
  Eigen::VectorXd change;   ///< n  dv, then that of the increment
};

/// The parts in a workspace; made, with heap use, where the workspace has none of them.
LinearlyImplicitPart& linearly_implicit_part(const Model& model, Workspace& ws);
IndependentPart& independent_part(const Model& model, Workspace& ws);

/// Dependent coordinates, [LIE] Table 1: dv and h lambda are unknowns, and the closures' velocities
/// are met at the predicted place z_n + h zd_n,
///   [ W Phi_z^T; Phi_z(z_n + h zd_n) 0 ] [dv; h lambda] = [h Q - h^2 K zd_n; - Phi_z zd_n - Phi_t]
/// The projection's metric is M. Rows that depend on others are held as in multiplier_step().
const StepMethod& linearly_implicit_dependent();

/// Independent coordinates, [LIE] Table 2: with [S R] = [Phi_z; B]^-1 and c = - Phid_z zd - Phid_t
///   R^T W R dzd_i = R^T (h Q - h^2 K zd_n - W h S c),   dv = R dzd_i + h S c
/// B takes single coordinates, which complete pivoting of Phi_z at the begin of the step leaves
/// over, loop by loop; rows without a pivot depend on others and are left out. At the end the
/// velocities are those with B (zd_n + dv) that meet the closures there, to round-off. The
/// projection's metric is W, so that a step has one evaluation of forces and one factorization.
const StepMethod& linearly_implicit_independent();

}  // namespace semirec
