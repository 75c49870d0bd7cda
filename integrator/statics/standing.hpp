#pragma once

#include <memory>
#include <vector>

#include "integrator/model.hpp"
#include "integrator/state.hpp"
#include "integrator/workspace.hpp"

namespace semirec {

/// The matrix that has led to a balance.
struct StandingTangent;

/// A mechanism that is to stand where it is posed.
struct StandingSearch {
  std::vector<int> held;          ///< coordinates that stay: place and heading
  std::vector<int> free_turning;  ///< coordinates that stay and whose forces do not count: wheels
  Eigen::MatrixXd accelerations;  ///< n x k  accelerations of the whole that may be left over
  /// Largest force left over, N or N m; a search that still falls steeply goes on to a hundredth.
  double tolerance = 1e-7;
  /// 1/s^2; 0: Newton. Above: the mechanism is let down in steps, each from rest, of a motion that
  /// is integrated by the implicit rule of Euler; 1/sqrt(damping) is the first step's length, and
  /// steps grow as forces fall. It follows the slope of the energy, so that what is unstable is
  /// left.
  double damping = 0.0;
  /// To begin Newton with, of a mechanism that differs in numbers; null: none. Where it does not
  /// lead to a balance the search begins again with its own.
  std::shared_ptr<const StandingTangent> tangent;
};

/// What was found.
struct StandingBalance {
  bool found = false;
  int iterations = 0;
  double residual = 0.0;   ///< largest force left over in what may move, N or N m; infinite where
                           ///< forces are no numbers
  double Phi = 0.0;        ///< largest closure error, m or rad
  double torque = 0.0;     ///< largest left over in free_turning, N m
  Eigen::VectorXd share;   ///< k  of StandingSearch::accelerations
  Eigen::VectorXd unheld;  ///< n  accelerations that are left over, m/s^2 and rad/s^2
  /// Smallest eigenvalue of the stiffness over the mass in the motions that closures and held
  /// coordinates leave, 1/s^2: below zero the balance is unstable and is left as exp(sqrt(-s) t).
  double stiffness = 0.0;
  /// That led to it, for StandingSearch::tangent; null: none that can lead others.
  std::shared_ptr<const StandingTangent> tangent;
};

/// Balance at rest near the state's position, what drives doing nothing and first-order states as
/// they are:
///   M G k + Phi_z^T lambda - Q(z, 0) = 0,   Phi(z) = 0
/// over z (but for held coordinates), k and lambda; G are the accelerations, as far as closures
/// allow them. The unknowns are the motions s in z = N s that closures and held coordinates leave,
/// so that a Jacobian costs dim(s) evaluations; while it leads to the balance steeply it is kept
/// and corrected by Broyden's rule. On success the state rests there, with its multipliers;
/// otherwise it is where the search ended. Off-line work: allocates.
StandingBalance find_standing(const Model& model, const StandingSearch& search, State& state,
                              Workspace& ws);

}  // namespace semirec
