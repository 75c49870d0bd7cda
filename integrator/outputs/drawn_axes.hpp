#pragma once

#include <Eigen/Core>

#include "integrator/model.hpp"
#include "recursive/tree_workspace.hpp"
#include "topology/indices.hpp"

namespace semirec {

/// Axes of a body as columns, in world axes at the poses of the workspace: those that lie along the
/// world's in the design position, whatever axes the inertia is written in. Of a chassis forward,
/// to the left, up.
inline Eigen::Matrix3d find_drawn_axes(const Model& model, BodyIndex body,
                                       const TreeWorkspace& ws) {
  const std::size_t t = at(model.tree.tree.tree_index(body));
  return ws.A_WC[t] * model.tree.bodies[t].X_CB.A *
         model.mechanism.bodies[at(body)].X_WB.A.transpose();
}

}  // namespace semirec
