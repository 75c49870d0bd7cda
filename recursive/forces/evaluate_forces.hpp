#pragma once

#include <memory>
#include <vector>

#include "recursive/forces/force_element.hpp"

namespace semirec {

/// The force elements of a model, bound.
using ForceElements = std::vector<std::shared_ptr<const ForceElement>>;

/// What an element reads at the motion in the workspace.
inline ForceInput input_of(const ForceElement& element, const TreeModel& model,
                           const TreeWorkspace& ws) {
  return {model, ws, element.states()};
}

/// Sets the inputs that elements compute at the motion in the workspace, and the states of those
/// elements. Needs velocities; what reads inputs afterwards has them. No heap use.
void compute_inputs(const ForceElements& elements, const TreeModel& model, TreeWorkspace& ws);

/// Lets one element add its forces: subtracts wrenches from ws.F, adds to ws.residual and
/// ws.tangent, writes ws.x of its own states. Needs compute_motions().
void add_forces(const ForceElement& element, const TreeModel& model, TreeWorkspace& ws);
/// The same for all elements, in their order; computes inputs first, as measure_contacts(),
/// update_states() and settle_states() do.
void add_forces(const ForceElements& elements, const TreeModel& model, TreeWorkspace& ws);

/// Returns where an element's energy goes and writes the values of its channels, unless null.
ForcePower report_force(const ForceElement& element, const TreeModel& model,
                        const TreeWorkspace& ws, double* values);

/// Number of contacts of all elements.
int count_contacts(const ForceElements& elements);
/// How far they are pressed in at the motion in the workspace, element after element: above 0 where
/// they act, m or rad. `pressed` has count_contacts() values. No heap use.
void measure_contacts(const ForceElements& elements, const TreeModel& model, TreeWorkspace& ws,
                      double* pressed);

/// Writes ws.x and ws.xd of all elements that have states: ForceElement::update_states().
void update_states(const ForceElements& elements, const TreeModel& model, TreeWorkspace& ws);
/// Writes ws.x of all elements whose states have a value at rest: ForceElement::settle_states().
void settle_states(const ForceElements& elements, const TreeModel& model, TreeWorkspace& ws);

}  // namespace semirec
