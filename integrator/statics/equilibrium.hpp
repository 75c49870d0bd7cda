#pragma once

#include <functional>
#include <memory>

#include "integrator/model.hpp"
#include "integrator/report.hpp"
#include "integrator/state.hpp"
#include "integrator/workspace.hpp"

namespace semirec {

/// Result of the search for static equilibrium.
struct EquilibriumReport {
  bool found = false;
  int iterations = 0;
  double residual = 0.0;  ///< max |Phi_z^T lambda - Q|, N or N m
  double Phi = 0.0;       ///< max closure error, m or rad
  Eigen::VectorXd share;  ///< k  of SteadyMotion::accelerations in zdd; find_steady_motion() alone
};

/// Static equilibrium at the state's time, from its position: Newton on
///   [ Phi_z^T lambda - Q(z, 0) ; Phi ] = 0
/// with K = d(Phi_z^T lambda - Q)/dz by central differences, kept while it leads there steeply, and
/// a minimum-norm solution, so that neutral motions (a vehicle's way on flat ground, spinning
/// wheels) stay where they are. When Newton fails, the motion is integrated and stopped at each
/// peak of kinetic energy (kinetic damping), then Newton again. On success the state rests there:
/// rates zero, multipliers those of the equilibrium. Off-line work: allocates, n dense
/// factorizations' worth of time.
EquilibriumReport find_equilibrium(const Model& model, const StepSettings& settings, State& state,
                                   Workspace& ws);

struct SteadyTangent;

/// A motion in which nothing changes but the places of those who travel: a car that rolls straight
/// on at a speed.
struct SteadyMotion {
  Eigen::VectorXd zd;  ///< n  rates; those of `rates` are where their search begins
  /// Changes rates that hang on the poses in `ws`, such as those along the car's own heading; may
  /// be empty.
  std::function<void(const Workspace& ws, Eigen::VectorXd& zd)> aim;
  std::vector<int> rates;  ///< coordinates whose rates are found, such that no force is left in
                           ///< them: wheels that roll
  Eigen::MatrixXd accelerations;  ///< n x k  accelerations of the whole that may be: way, heading
  Eigen::VectorXd share;          ///< k  where their search begins; empty: none of them
  Eigen::VectorXd given;          ///< n  accelerations besides, which are known; empty: none
  std::vector<int> held;          ///< coordinates that stay
  /// With `resting`: states that may have any value at rest (SteadyProblem::sticking).
  std::vector<int> sticking;
  std::vector<double> sticking_sizes;
  /// What drives does nothing and first-order states stay, as in find_equilibrium().
  bool resting = false;
  /// To begin with, of a mechanism that differs in numbers (SteadyProblem::tangent); null: none.
  /// Of a motion that was found, the one that led there.
  std::shared_ptr<const SteadyTangent> tangent;
};

/// Positions, rates and accelerations of a steady motion near the state (an equilibrium at rest),
/// with the first-order states of force elements at rest; by Newton as in find_equilibrium(). What
/// travels stays where it is. Untouched state where none is found.
EquilibriumReport find_steady_motion(const Model& model, SteadyMotion& motion, State& state,
                                     Workspace& ws);

}  // namespace semirec
