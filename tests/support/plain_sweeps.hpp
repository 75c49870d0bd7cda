#pragma once

#include <vector>

#include "integrator/state.hpp"
#include "recursive/spatial.hpp"
#include "recursive/tree_model.hpp"

namespace semirec::test {

/// The recursion of [H03] body by body, without lanes: a copy to read with the paper in hand, and
/// the oracle of the sweeps in recursive/. Positions count from the reference point O, directions
/// are in world axes, six-vectors are [linear; angular] at O.
struct PlainSweeps {
  std::vector<Eigen::Matrix3d> A_WC;  ///< [body] rotation of the compiled frame
  std::vector<Eigen::Vector3d> p;     ///< [body] its origin from O, m
  std::vector<Vector6> H;             ///< [coordinate] unit-velocity column at O, Eq. (9)
  std::vector<Vector6> Z, Zd;         ///< [body] velocity; T (H zdd + Hd zd)
  std::vector<Matrix6> M_acc;         ///< [body] inertia about O with all outboard bodies, Eq. (17)
  std::vector<Vector6> F_acc;         ///< [body] Mbar Zd - Qbar with all outboard bodies, Eq. (19)
  Eigen::MatrixXd M;                  ///< n x n  mass matrix, Eq. (14)
  Eigen::VectorXd residual;           ///< n  M zdd - Q of inertia and weight, Eq. (15)
};

/// Sweeps base to tip and tip to base at a state in relative coordinates. Allocates.
PlainSweeps sweep_plainly(const TreeModel& model, const State& state);

}  // namespace semirec::test
