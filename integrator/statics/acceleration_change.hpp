#pragma once

#include <vector>

#include <Eigen/Core>

#include "integrator/model.hpp"
#include "integrator/state.hpp"
#include "integrator/workspace.hpp"

namespace semirec {

/// What accelerations and multipliers at a state change by when the forces there do, positions,
/// velocities and closures being what they are:
///   M dzdd + Phi_z^T dlambda = Q(other inputs) - Q(inputs of the state),   Phi_z dzdd = 0
/// by the index-1 augmented Lagrangian of find_accelerations(), with one factor for all inputs.
/// All memory is taken by the constructor.
class AccelerationChange {
 public:
  AccelerationChange(const Model& model, const Workspace& ws);
  /// Factors at the state, with its own inputs; `ws` is left to add(), which finds the factor
  /// there. False if M is not positive definite.
  [[nodiscard]] bool begin(const Model& model, const State& state, Workspace& ws);
  /// Adds the change to zdd and multipliers of `changed`, the state of begin() with other inputs.
  /// False where a number is not finite.
  [[nodiscard]] bool add(const Model& model, State& changed, Workspace& ws);

 private:
  Eigen::VectorXd residual_, alpha_;  ///< at the state: -Q; beta
  std::vector<double> Phi_z_;         ///< at the state
  Eigen::VectorXd force_;             ///< n  dQ
  Eigen::VectorXd change_;            ///< n  dzdd
  Eigen::VectorXd lambda_;            ///< m  dlambda
  Eigen::VectorXd error_;             ///< m  Phi_z dzdd
};

}  // namespace semirec
