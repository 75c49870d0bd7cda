#pragma once

#include "recursive/tree_model.hpp"
#include "recursive/tree_workspace.hpp"

namespace semirec {

/// Each body's own share, before any outboard one: its inertia Mbar about O ([H03] Eq. (4)),
/// weighted by weights.mass, and
///   F = Mbar Zd - Qbar = { m (a_G - gravity); J wd + w x J w + g x m (a_G - gravity) }
/// with a_G the acceleration of the centre of mass: [H03] Eq. (5) with the gyroscopic terms of
/// convention A moved to the left side, weight included.
/// Needs   compute_motions(). Writes ws.lanes.M, ws.F.
/// Units   kg, kg m, kg m^2; N, N m about O.
void compute_body_forces(const TreeModel& model, TreeWorkspace& ws);

/// ws.Mbar of every body, out of the lanes. Needs compute_body_forces() with weights.mass = 1.
void publish_inertias(const TreeModel& model, TreeWorkspace& ws);

/// Gathers inertias and forces from the tips to the base and projects them on the joints.
///
/// All body quantities refer to the reference point O, so passing a subtree to its parent is a sum:
///   M_i  = Mbar_i + sum over children M_c                             [H03] Eq. (17)
///   F_i  = own F + sum over children F_c                              [H03] Eq. (19)
///   M_ij = H_j^T M_i H_i  for j on the path from i to the base        [H03] Eq. (14)
///   (M zdd - Q)_i = H_i^T F_i                                         [H03] Eq. (15)
/// Eqs. (15) and (19) are linear in Zd, so taking Zd with zdd gives the residual M zdd - Q at the
/// price of Q alone; with zdd = 0 it is -Q.
///
/// Needs   compute_body_forces() and the force elements.
/// Writes  ws.lanes.M, ws.lanes.F (accumulated); adds to ws.residual and ws.tangent.
/// Cost    one sweep of the tree plus one of the ancestors of each joint; no heap use.
void accumulate(const TreeModel& model, TreeWorkspace& ws);

/// The forces alone, order n: ws.lanes.F tip to base, and the residual M zdd - Q; ws.F stays what
/// acts on each body. For what needs no tangent.
void accumulate_forces(const TreeModel& model, TreeWorkspace& ws);

}  // namespace semirec
