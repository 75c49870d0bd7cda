#pragma once

#include "integrator/formulation/formulation_model.hpp"
#include "integrator/formulation/tangent_pattern.hpp"
#include "penalty/loop_group.hpp"

namespace semirec {

/// What formulations in relative coordinates share: the sweeps of the tree, closures at the cuts,
/// and the tangent by recursive accumulation, [H03] section 3.
class RelativeCoordinates : public FormulationModel {
 public:
  int n(const Model& model) const override;
  int m(const Model& model) const override;
  const std::vector<RowBlock>& blocks(const Model& model) const override;
  RowOwner owner_of(const Model& model, int row) const override;
  OperationCount count_operations(const Model& model) const override;

  ClosureWorkspace make_closures(const Model& model) const override;
  std::unique_ptr<FormulationWorkspace> make_workspace(const Model& model) const override;

  void begin(const Model& model, const State& state, Workspace& ws) const override;
  void evaluate_dynamics(const Model& model, const double* z, const double* zd, const double* zdd,
                         Workspace& ws) const override;
  void evaluate_kinematics(const Model& model, const double* z, const double* zd, const double* zdd,
                           Workspace& ws) const override;
  void evaluate_positions(const Model& model, const double* z, Workspace& ws) const override;
  void evaluate_velocities(const Model& model, const double* zd, Workspace& ws) const override;
  void evaluate_accelerations(const Model& model, const double* zd, const double* zdd,
                              Workspace& ws) const override;
  void evaluate_closure_motions(const Model& model, const double* zd, const double* zdd,
                                Workspace& ws) const override;
  void evaluate_bodies(const Model& model, const double* z, const double* zd,
                       Workspace& ws) const override;

  bool factor(const Model& model, const Eigen::VectorXd& alpha, double scale,
              Workspace& ws) const override;
  /// And takes out of the multipliers what no motion answers to, where closures depend on others
  /// (drop_unseen()).
  bool finish(StepInProgress& step) const override;
  void rebase(const Model& model, State& state) const override;
};

/// RelativeWorkspace::loops of the model. Build time.
std::vector<LoopGroup> make_dependent_loops(const Model& model);

/// Lays out the tangent of relative coordinates and the slots of the closures in it.
void lay_out_tangent(Model& model, TangentChoice tangent);

}  // namespace semirec
