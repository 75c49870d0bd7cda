#pragma once

#include <memory>
#include <string>
#include <vector>

#include "integrator/formulation/operation_count.hpp"
#include "integrator/formulation/step_method.hpp"
#include "natural_coords/closure.hpp"
#include "penalty/factors/block_matrix.hpp"
#include "penalty/factors/linear_solver.hpp"

namespace semirec {

/// What a formulation keeps in a Workspace for itself: its scratch, and the factor of its tangent.
class FormulationWorkspace : public LinearSolver {};

/// What a row of Phi belongs to.
struct RowOwner {
  std::string name;       ///< joint, constraint, prescribed motion or body
  int switch_index = -1;  ///< in State::switches; -1: events do not switch it
};

/// A formulation of the equations of motion, compiled for one model: which coordinates they are
/// written in, how residual and tangent come about, how the loops are closed. The functions of
/// evaluate.hpp, formulation_state.hpp and step() call it; nobody else asks which one it is. It is
/// constant and shared between threads; what changes lies in Workspace::formulation. Unless said
/// otherwise a function uses no heap, takes no lock and throws nothing.
class FormulationModel : public StepMethod {
 public:
  // what it is
  virtual const char* name() const = 0;
  virtual int n(const Model& model) const = 0;  ///< coordinates
  virtual int m(const Model& model) const = 0;  ///< rows of Phi
  virtual const std::vector<RowBlock>& blocks(const Model& model) const = 0;
  virtual RowOwner owner_of(const Model& model, int row) const = 0;  ///< allocates
  /// Multiplications of an iteration. Allocates.
  virtual OperationCount count_operations(const Model& model) const = 0;
  /// Whether its steps choose coordinates, so that StepReport::reselections says something.
  virtual bool selects_coordinates() const { return false; }
  /// Whether its steps are those of cars side by side (Batch).
  virtual bool steps_side_by_side() const { return false; }
  /// Whether StepSettings::classic_euler_parameters means something.
  virtual bool has_euler_parameters() const { return false; }

  // memory, taken when a Workspace is made
  virtual ClosureWorkspace make_closures(const Model& model) const = 0;
  virtual std::unique_ptr<FormulationWorkspace> make_workspace(const Model& model) const = 0;

  // evaluation; what is constant during a step first: switches, after the inputs
  virtual void begin(const Model& model, const State& state, Workspace& ws) const = 0;
  /// Puts into the tangent beforehand what the penalty of ws.alpha adds with this scale in every
  /// iteration alike, and says so in ws.prepaid. After begin().
  virtual void prepare_penalty(const Model& model, double scale, Workspace& ws) const;
  /// Residual, tangent by ws.tree.weights, Phi and Phi_z.
  virtual void evaluate_dynamics(const Model& model, const double* z, const double* zd,
                                 const double* zdd, Workspace& ws) const = 0;
  /// Bodies, Phi, Phi_z, Phid and Phidd; zdd may be null: all but accelerations and Phidd.
  virtual void evaluate_kinematics(const Model& model, const double* z, const double* zd,
                                   const double* zdd, Workspace& ws) const = 0;
  /// Phi, Phi_z as it was; then Phid, then Phid and Phidd at these positions.
  virtual void evaluate_positions(const Model& model, const double* z, Workspace& ws) const = 0;
  virtual void evaluate_velocities(const Model& model, const double* zd, Workspace& ws) const = 0;
  virtual void evaluate_accelerations(const Model& model, const double* zd, const double* zdd,
                                      Workspace& ws) const = 0;
  /// Phid and Phidd of what evaluate_dynamics() was given just before, zd and zdd.
  virtual void evaluate_closure_motions(const Model& model, const double* zd, const double* zdd,
                                        Workspace& ws) const {
    evaluate_accelerations(model, zd, zdd, ws);
  }
  /// Positions and velocities of the bodies alone.
  virtual void evaluate_bodies(const Model& model, const double* z, const double* zd,
                               Workspace& ws) const = 0;
  /// Whether evaluate_positions(), _velocities() and _accelerations() move the bodies, too.
  virtual bool levels_move_bodies() const { return true; }

  /// What a user should know of a scheme in these coordinates, one line; usually nothing.
  /// Allocates.
  virtual std::string note_of(const Scheme& scheme) const;

  // linear equations; ws.formulation solves with the factor
  /// Factors the tangent to which add_penalty() has added alpha and scale; 0: without penalty.
  /// False when it is not positive definite.
  [[nodiscard]] virtual bool factor(const Model& model, const Eigen::VectorXd& alpha, double scale,
                                    Workspace& ws) const = 0;
  /// Factors the tangent as a metric for the effective masses. May allocate.
  [[nodiscard]] virtual bool factor_weight(const Model& model, Workspace& ws) const;

  // states
  /// The same mechanism in relative coordinates, the model itself where it has them.
  virtual const Model& relative(const Model& model) const { return model; }
  /// Carry positions, rates and accelerations over; allocate where the coordinates differ.
  virtual void to_relative(const Model& model, const State& state, State& relative) const;
  virtual void from_relative(const Model& model, const State& relative, State& state) const;
  /// Writes what a state has beside z, zd, zdd at the end of a step.
  virtual void keep(const Model& model, Workspace& ws, State& state) const;
  /// rebase().
  virtual void rebase(const Model& model, State& state) const = 0;

  // multipliers as unknowns
  /// Why the multipliers of this formulation cannot be unknowns; nullptr where they can.
  virtual const char* multipliers_fault() const { return nullptr; }
  /// What makes M singular in every mechanism; nullptr where nothing does.
  virtual const char* mass_fault() const { return nullptr; }
  /// Entries of the exact derivative of the residual beyond the tangent: (M zdd)_z, that of the
  /// velocity terms, (Phi_z^T lambda)_z. None: these are left out, and Newton converges linearly by
  /// their part of the tangent. Allocates.
  virtual std::vector<MatrixEntry> exact_entries(const Model& /*model*/) const { return {}; }
  /// Their values at the iterate evaluated last, weighted as the tangent (ws.tree.weights).
  virtual void evaluate_exact(const Model& /*model*/, const Eigen::VectorXd& /*zd*/,
                              const Eigen::VectorXd& /*zdd*/, const Eigen::VectorXd& /*lambda*/,
                              Workspace& /*ws*/, std::vector<double>& /*values*/) const {}

  /// (Phi_z^T mu)_z alone in the exact entries, at the iterate evaluated last.
  virtual void evaluate_closure_curvature(const Model& /*model*/, const Eigen::VectorXd& /*mu*/,
                                          Workspace& /*ws*/,
                                          std::vector<double>& /*values*/) const {}
  /// Phid_z in the layout of Phi_z after evaluate_velocities(). Left as it is, zero, where the
  /// formulation has no exact entries.
  virtual void evaluate_closure_rates_tangent(const Model& /*model*/, const Workspace& /*ws*/,
                                              std::vector<double>& /*Phid_z*/) const {}

  // the step: here the index-3 augmented Lagrangian with projections
  void begin_step(StepInProgress& step, bool again) const override;
  /// Penalties of the rows, and what they add to the tangent in every iteration alike.
  void prepare(StepInProgress& step) const override;
  int max_iterations(const StepSettings& settings) const override {
    return settings.max_iterations;
  }
  [[nodiscard]] bool evaluate_iterate(StepInProgress& step) const override;
  [[nodiscard]] bool factor_iterate(StepInProgress& step) const override;
  double correct(StepInProgress& step) const override;
  bool is_trusted(StepInProgress& step) const override;
  [[nodiscard]] bool finish(StepInProgress& step) const override;
  bool end_step(StepInProgress& step, bool again) const override;
  /// Rates and accelerations at the end of the step, ws.zd and ws.zdd, from ws.increment: by the
  /// scheme.
  virtual void compute_rates(StepInProgress& step) const;
  /// Whether these are the scheme's formulas for all coordinates (Scheme::compute_rates()).
  virtual bool takes_rates_of_scheme() const { return true; }

 protected:
  /// False, and why: the residual is not finite, or the tangent not positive definite.
  static bool refuse_tangent(StepInProgress& step);
};

}  // namespace semirec
