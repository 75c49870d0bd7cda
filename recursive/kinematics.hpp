#pragma once

#include "recursive/tree_model.hpp"
#include "recursive/tree_workspace.hpp"

namespace semirec {

/// exp(tilde(theta)): rotation by |theta| about theta.
Eigen::Matrix3d rotation_exp(const Eigen::Vector3d& theta);
/// The rotation vector of A, |theta| <= pi.
Eigen::Vector3d rotation_log(const Eigen::Matrix3d& A);

/// Base-to-tip sweep of positions: poses of the bodies and columns H of the joints.
///   turn    H = {x cross u; u},  A <- A rot(axis, z)
///   slide   H = {u; 0},          x <- x + u z
///   triad   H = {tilde(x) A_J; A_J},  A = A_J exp(tilde(theta)) A0
/// Needs   ws.origin, ws.A0. Writes ws.A_WC, ws.p, ws.H.
/// Units   z in m, rad; triads as rotation vector in the inboard joint frame.
void compute_positions(const TreeModel& model, const double* z, TreeWorkspace& ws);

/// What the sweeps pass to reach some bodies.
struct SweepPart {
  std::vector<int> groups;  ///< of bodies that are swept side by side, in the order of the sweep
  std::vector<int> triads;  ///< of these bodies, whose ws.A0 are read
};
/// The part for these bodies: they and all inboard of them. Build time.
SweepPart find_sweep_part(const TreeModel& model, const std::vector<TreeIndex>& bodies);

/// The same for a part alone, with the same bits: what the workspace has of other bodies is left as
/// it was. Coordinates are copied whole.
void compute_positions(const TreeModel& model, const double* z, const SweepPart& part,
                       TreeWorkspace& ws);

/// Base-to-tip sweep of velocities and accelerations at the poses of the last compute_positions():
///   Zd_i = Zd_parent + sum (H zdd + cross_motion(Z before the motion, H zd))
///   Z_i  = Z_parent + sum H zd
/// which is Zd = T (H zdd + Hd zd) of [H03] Eqs. (6)-(9) with spatial derivatives (convention A).
/// Needs   compute_positions(). Writes ws.Z, ws.Zd.
void compute_motions(const TreeModel& model, const double* zd, const double* zdd,
                     TreeWorkspace& ws);
/// The same for a part.
void compute_motions(const TreeModel& model, const double* zd, const double* zdd,
                     const SweepPart& part, TreeWorkspace& ws);

/// The velocities of compute_motions() alone. Writes ws.Z; ws.Zd is left as it was.
void compute_velocities(const TreeModel& model, const double* zd, TreeWorkspace& ws);

}  // namespace semirec
