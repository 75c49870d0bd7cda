#pragma once

#include "recursive/tree_model.hpp"
#include "recursive/tree_workspace.hpp"
#include "topology/indices.hpp"

namespace semirec {

/// World pose X_WB of a body's own frame at the positions that `ws` holds; of the ground the
/// world's.
/// Needs compute_positions().
inline Frame find_body_frame(const TreeModel& model, const TreeWorkspace& ws, BodyIndex body) {
  if (body == kGround) return {};
  const std::size_t t = at(model.tree.tree_index(body));
  const Frame X_WC{ws.A_WC[t], ws.origin + ws.p[t]};
  return X_WC * model.bodies[t].X_CB;
}

}  // namespace semirec
