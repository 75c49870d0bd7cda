#pragma once

#include <memory>
#include <string>
#include <vector>

#include "integrator/formulation/operation_count.hpp"
#include "integrator/report.hpp"
#include "integrator/scheme/scheme.hpp"
#include "natural_coords/closure.hpp"
#include "penalty/factors/linear_solver.hpp"

namespace semirec {

struct Model;
struct State;
struct Workspace;

/// What a formulation keeps in a Workspace for itself: its scratch, and the factor of its tangent.
class FormulationWorkspace : public LinearSolver {};

/// What a row of Phi belongs to.
struct RowOwner {
  std::string name;       ///< joint, constraint, driver or body
  int switch_index = -1;  ///< in State::switches; -1: events do not switch it
};

/// A step in progress, as step() hands it to the formulation.
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

/// A formulation of the equations of motion, compiled for one model: which coordinates they are
/// written in, how residual and tangent come about, how the loops are closed. The functions of
/// evaluate.hpp, formulation_state.hpp and step() call it; nobody else asks which one it is. It is
/// constant and shared between threads; what changes lies in Workspace::formulation. Unless said
/// otherwise a function uses no heap, takes no lock and throws nothing.
class FormulationModel {
 public:
  virtual ~FormulationModel() = default;

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
  /// Bodies, Phi, Phid and Phidd.
  virtual void evaluate_kinematics(const Model& model, const double* z, const double* zd,
                                   const double* zdd, Workspace& ws) const = 0;
  /// Phi, Phi_z as it was; then Phid, then Phid and Phidd at these positions.
  virtual void evaluate_positions(const Model& model, const double* z, Workspace& ws) const = 0;
  virtual void evaluate_velocities(const Model& model, const double* zd, Workspace& ws) const = 0;
  virtual void evaluate_accelerations(const Model& model, const double* zd, const double* zdd,
                                      Workspace& ws) const = 0;
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

  // the step, in the order of step(). Here: the index-3 augmented Lagrangian with projections
  /// Before each attempt; `again`: the second.
  virtual void begin_step(StepInProgress& step, bool again) const;
  virtual int max_iterations(const StepSettings& settings) const { return settings.max_iterations; }
  /// Rates by the scheme, residual, tangent, Phi and Phi_z at z + ws.increment. False with
  /// report.status.
  [[nodiscard]] virtual bool evaluate_iterate(StepInProgress& step) const;
  /// Rates and accelerations at the end of the step, ws.zd and ws.zdd, from ws.increment: by the
  /// scheme.
  virtual void compute_rates(StepInProgress& step) const;
  /// Adds the closures' part to residual and tangent and factors. False with report.status.
  [[nodiscard]] virtual bool factor_iterate(StepInProgress& step) const;
  /// Solves, adds the correction to ws.increment and returns its root mean square.
  virtual double correct(StepInProgress& step) const;
  /// Whether an iteration that misses the sharper tolerances alone may count as converged.
  virtual bool is_trusted(StepInProgress& step) const;
  /// Positions, rates, element states and multipliers of the end, in ws. False with report.status.
  [[nodiscard]] virtual bool finish(StepInProgress& step) const;
  /// After each attempt; true: the first is to be repeated.
  virtual bool end_step(StepInProgress& step, bool again) const;

 protected:
  /// False, and why: the residual is not finite, or the tangent not positive definite.
  static bool refuse_tangent(StepInProgress& step);
};

}  // namespace semirec
