#include "vehicles/session/start_place.hpp"

#include <cmath>

#include "integrator/formulation/evaluate.hpp"
#include "integrator/initial_state.hpp"
#include "integrator/statics/travel.hpp"
#include "integrator/statics/written_values.hpp"
#include "topology/indices.hpp"
#include "vehicles/session/standing_pose.hpp"

namespace semirec {

namespace {

/// m, rad: what is nearer stays where it is.
constexpr double kThere = 1e-9;

/// Whether the file writes a position on the way from the ground to the chassis.
bool is_placed(const Model& model, BodyIndex chassis) {
  for (TreeIndex t = model.tree.tree.tree_index(chassis); t > 0;
       t = model.tree.bodies[at(t)].parent) {
    const Joint& joint = model.mechanism.joints[at(model.tree.tree.branches[at(t)].joint)];
    if (!joint.position.empty() && !is_design_position(model, joint)) return true;
  }
  return false;
}

}  // namespace

State make_start_state(const Drive& drive, const Model& model, Workspace& ws) {
  State state = make_initial_state(model);
  if (drive.chassis == kGround) return state;
  if (!drive.at_origin) {
    if (is_placed(model, drive.chassis))
      gather_unit(model, find_combination(model, drive.chassis), drive.chassis, state, ws,
                  /*held=*/false);
    return state;
  }
  evaluate_state(model, state, ws);
  const double heading = find_heading(model, drive.chassis, ws);
  const Eigen::Vector3d centre = centre_of_mass(model, drive.chassis, ws);
  const Eigen::Vector3d place = ws.tree.origin + centre;
  if (std::abs(heading) <= kThere && place.head<2>().norm() <= kThere) return state;
  const Combination unit = find_combination(model, drive.chassis);
  if (unit.tethered)
    throw ModelError("vehicle '" + model.mechanism.name +
                     "': is held to its place in the world by something else than its tyres, "
                     "expected nothing that does in a manoeuvre, which begins at the origin and "
                     "goes along x");
  gather_unit(model, unit, drive.chassis, state, ws, /*held=*/true);
  evaluate_state(model, state, ws);
  const Eigen::Matrix3d turn =
      Eigen::AngleAxisd(-heading, Eigen::Vector3d::UnitZ()).toRotationMatrix();
  carry_along(model, unit.floating, turn, centre_of_mass(model, drive.chassis, ws),
              {-place.x(), -place.y(), 0.0}, state, ws);
  return state;
}

}  // namespace semirec
