#pragma once

#include "integrator/model.hpp"
#include "recursive/tree_workspace.hpp"
#include "vehicles/description/units.hpp"

namespace semirec {

/// Heading of a body: angle of its x axis of the design position, seen from above, from the world's
/// x axis, rad. Needs the positions of `ws`.
double compute_heading(const Model& model, BodyIndex body, const TreeWorkspace& ws);

/// Articulation angle of a unit: heading of its leader's frame (of the first unit's without one)
/// less that of its own frame, within -pi and pi, rad; positive in a turn to the left.
/// Needs the positions of `ws`.
double compute_articulation(const Model& model, const std::vector<Unit>& units, std::size_t unit,
                            const TreeWorkspace& ws);

}  // namespace semirec
