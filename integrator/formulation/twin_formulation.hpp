#pragma once

#include "integrator/formulation/formulation_model.hpp"
#include "integrator/formulation/matrix_workspace.hpp"
#include "integrator/formulation/tangent_pattern.hpp"

namespace semirec {

/// The workspace part of such a formulation.
class TwinWorkspace : public MatrixWorkspace {
 public:
  using MatrixWorkspace::MatrixWorkspace;
  std::vector<double> weight;  ///< [slot] the tangent while factor_weight() has changed it
};

/// What formulations share that have the coordinates of all bodies and measure the relative ones:
/// assembly, equilibrium and reactions work on a twin in relative coordinates, which has the same
/// force elements; the model's `tree` serves the formulation's own coordinates.
class TwinFormulation : public FormulationModel {
 public:
  explicit TwinFormulation(std::shared_ptr<const Model> twin) : twin_(std::move(twin)) {}

  bool factor(const Model& model, const Eigen::VectorXd& alpha, double scale,
              Workspace& ws) const override;
  /// With a floor where coordinates have no inertia, for the scale of the penalty only; the tangent
  /// is put back.
  bool factor_weight(const Model& model, Workspace& ws) const override;
  const Model& relative(const Model& /*model*/) const override { return *twin_; }
  void to_relative(const Model& model, const State& state, State& relative) const override;
  void from_relative(const Model& model, const State& relative, State& state) const override;
  /// Turns of the joints, read off the bodies of the last iterate.
  void keep(const Model& model, Workspace& ws, State& state) const override;
  bool levels_move_bodies() const override { return false; }

 protected:
  /// Adds to the tangent what keeps it regular where there is no inertia.
  virtual void add_floor(const Model& model, Workspace& ws) const = 0;
  /// Own coordinates, rates and accelerations, read off the bodies of the twin's workspace.
  virtual void read_coordinates(const State& relative, const Workspace& ws, State& state) const = 0;

 private:
  std::shared_ptr<const Model> twin_;
};

/// A copy of the model as it is compiled so far, with the hybrid formulation; the model then has
/// its tree and its closures. Build time.
std::shared_ptr<const Model> make_twin(Model& model, TangentChoice tangent);

}  // namespace semirec
