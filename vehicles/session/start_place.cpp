#include "vehicles/session/start_place.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "integrator/formulation/evaluate.hpp"
#include "integrator/initial_state.hpp"
#include "integrator/statics/travel.hpp"
#include "topology/indices.hpp"
#include "vehicles/session/standing_pose.hpp"

namespace semirec {

namespace {

/// m, rad: what is nearer stays where it is.
constexpr double kThere = 1e-9;

/// Name of an element between a body and the ground that would feel where the vehicle is; empty
/// where there is none.
std::string find_tie(const Mechanism& mechanism) {
  const auto on_ground = [](const auto& element) {
    return (element.a.body == kGround) != (element.b.body == kGround);
  };
  for (const Joint& joint : mechanism.joints)
    if (joint.type != JointType::free && on_ground(joint)) return joint.name;
  const auto find = [&](const auto& elements) -> std::string {
    const auto found = std::find_if(elements.begin(), elements.end(), on_ground);
    return found == elements.end() ? std::string() : found->name;
  };
  for (const std::string& name :
       {find(mechanism.constraints), find(mechanism.springs), find(mechanism.bushings)})
    if (!name.empty()) return name;
  return {};
}

}  // namespace

State make_start_state(const Drive& drive, const Model& model, Workspace& ws) {
  State state = make_initial_state(model);
  if (!drive.at_origin || drive.chassis == kGround) return state;
  evaluate_state(model, state, ws);
  const double heading = find_heading(model, drive.chassis, ws);
  const Eigen::Vector3d place = ws.tree.origin + centre_of_mass(model, drive.chassis, ws);
  if (std::abs(heading) <= kThere && place.head<2>().norm() <= kThere) return state;
  if (const std::string tie = find_tie(model.mechanism); !tie.empty())
    throw ModelError({}, tie,
                     "holds vehicle '" + model.mechanism.name +
                         "' to its place in the world, expected nothing that does in a manoeuvre, "
                         "which begins at the origin and goes along x");
  turn_about_vertical(model, drive.chassis, -heading, state, ws);
  evaluate_state(model, state, ws);
  std::vector<TreeIndex> floating;
  for (std::size_t t = 0; t < model.tree.bodies.size(); ++t)
    if (model.tree.bodies[t].floats) floating.push_back(static_cast<TreeIndex>(t));
  move_rigidly(model, floating, Eigen::Matrix3d::Identity(), Eigen::Vector3d::Zero(),
               {-place.x(), -place.y(), 0.0}, state, ws);
  return state;
}

}  // namespace semirec
