#pragma once

#include <vector>

#include "integrator/formulation/step_method.hpp"
#include "integrator/method/closure_rows.hpp"
#include "integrator/model.hpp"
#include "integrator/workspace.hpp"
#include "penalty/factors/block_matrix.hpp"
#include "penalty/saddle.hpp"

namespace semirec {

class StabilisedStep;

/// Values of a tangent: in the model's pattern, and of the formulation's exact entries beyond it.
struct TangentValues {
  std::vector<double> symmetric, exact;
};

/// Scratch of a stabilised method: its matrix over `levels` vectors of n unknowns, followed by two
/// of m multipliers; rows in the same order.
class StabilisedPart final : public ClosurePart {
 public:
  StabilisedPart(const Model& model, const StabilisedStep& method);
  Eigen::Index pivot_values() const override {
    return static_cast<Eigen::Index>(matrix.values().size()) + last.values().size();
  }

  const StabilisedStep* method;
  int n, m, levels;
  std::vector<MatrixEntry> exact_entries;
  BlockMatrix matrix;
  std::vector<int> blocks;  ///< of the matrix, numbered by the method
  Saddle last;              ///< of accelerations and multipliers at the end of the step
  Eigen::VectorXd unknowns, right;

  // at the iterate, or where the method has evaluated them
  TangentValues M, C, K;          ///< by weights of 1
  Eigen::VectorXd forces;         ///< n  M zdd - Q
  std::vector<double> curvature;  ///< exact entries of (Phi_z^T mu)_z, mu the second multipliers
  std::vector<double> Phid_z;     ///< in the layout of Phi_z

  // of the step's start, for methods that need it
  std::vector<double> M_n, Phi_z_n;
  Eigen::VectorXd F_n;  ///< n

  Eigen::VectorXd acceleration;  ///< n  the method's own at the end of the step
  Eigen::VectorXd history;       ///< 2 n  new front of State::history
  Eigen::VectorXd zero;          ///< n
  Eigen::VectorXd below;         ///< m  scratch

  /// Vector k of the unknowns or of the right side; multipliers k = 0, 1.
  auto level(Eigen::VectorXd& v, int k) const { return v.segment(k * n, n); }
  auto multiplier(Eigen::VectorXd& v, int k) const { return v.segment(levels * n + k * m, m); }
  int row_of_multiplier(int k) const { return levels * n + k * m; }
};

/// A step that meets the closures' positions and velocities both, with a second set of multipliers
/// that vanish with the step: the frame of the stabilised methods of [SIX]. A method says what its
/// unknowns are and what they leave over; the frame solves that by Newton's method, meets with the
/// same factor what Newton leaves of the velocities' closures, and finds accelerations and
/// multipliers for output anew from positions z and velocities zd:
///   [ M Phi_z^T; Phi_z 0 ] [zdd; lambda] = [Q; - Phid_z zd - Phid_t]
/// With no projections the method's own are handed out. Where the formulation has exact entries
/// the matrix is the derivative of what the unknowns leave over, exact but for what force elements
/// leave out of theirs; else what depends on the
/// closures' second derivatives and on (M zdd)_z is left out of it.
class StabilisedStep : public StepMethod {
 public:
  void begin_step(StepInProgress& step, bool again) const final;
  void prepare(StepInProgress& step) const final;
  int max_iterations(const StepSettings& settings) const final { return settings.max_iterations; }
  bool evaluate_iterate(StepInProgress& step) const final;
  bool factor_iterate(StepInProgress& step) const final;
  double correct(StepInProgress& step) const final;
  bool is_trusted(StepInProgress& /*step*/) const final { return true; }
  bool finish(StepInProgress& step) const final;
  bool end_step(StepInProgress& step, bool again) const final;

  /// Vectors of n unknowns.
  virtual int levels() const { return 2; }
  /// Places the blocks of the matrix; the corners of the multipliers are placed by the frame.
  virtual void lay_out(const Model& model, StabilisedPart& part) const = 0;

 protected:
  /// What is needed of the step's start. May evaluate. False with report.status.
  [[nodiscard]] virtual bool start(StepInProgress& /*step*/, StabilisedPart& /*part*/) const {
    return true;
  }
  /// First guess of the unknowns.
  virtual void guess(const StepInProgress& step, StabilisedPart& part) const = 0;
  /// ws.increment and ws.zd from the unknowns; ws.zdd and ws.lambda at which the equations of
  /// motion are evaluated.
  virtual void place(const StepInProgress& step, StabilisedPart& part) const = 0;
  /// Whether matrix or residual take M at the iterate.
  virtual bool takes_mass() const { return true; }
  /// Adds to part.right, with opposite sign, what the unknowns leave over but for the closures.
  virtual void leave_over(const StepInProgress& step, StabilisedPart& part) const = 0;
  /// Rows of the closures, likewise: those of positions and of velocities.
  virtual void leave_open(const StepInProgress& step, StabilisedPart& part) const = 0;
  /// Adds the values of the matrix.
  virtual void assemble(const StepInProgress& step, StabilisedPart& part) const = 0;
  /// part.acceleration, ws.multipliers and part.history at the end of the step. part.forces is - Q
  /// there.
  virtual void end(const StepInProgress& step, StabilisedPart& part) const = 0;
  /// Whether part.history takes the place of what the scheme remembers.
  virtual bool keeps_own_history() const { return true; }

 private:
  bool factor_matrix(const StepInProgress& step, StabilisedPart& part) const;
  bool find_accelerations_anew(StepInProgress& step, StabilisedPart& part) const;
};

/// The part of a method in a workspace; made, with heap use, where the workspace has none of it.
StabilisedPart& stabilised_part(const Model& model, const StabilisedStep& method, Workspace& ws);

// the methods, each in the file of its name
const StabilisedStep& nstiff_si2_step();
const StabilisedStep& hht_si2_step();
const StabilisedStep& hht_add_step();

}  // namespace semirec
