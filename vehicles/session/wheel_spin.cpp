#include "vehicles/session/wheel_spin.hpp"

#include <algorithm>
#include <cmath>

#include "topology/indices.hpp"
#include "vehicles/tyre/rolling_tyres.hpp"

namespace semirec {

namespace {

constexpr double kAlongAxle = 0.999;  // cosine between two axes that are one

Frame design_pose(const Model& model, const Marker& marker) {
  return marker.body == kGround ? marker.X_BF
                                : model.mechanism.bodies[at(marker.body)].X_WB * marker.X_BF;
}

/// Of the tyre that rolls under the wheel; the unloaded one where there is none. m
double find_rolling_radius(const Model& model, const Wheel& wheel, const Workspace& ws,
                           double speed) {
  if (!wheel.law) return wheel.radius;
  const RollingTyre* tyre = find_rolling_tyre(model.forces, wheel.name);
  return tyre != nullptr ? tyre->rolling_radius({model.tree, ws.tree}, speed) : wheel.radius;
}

/// A body that turns against the wheel's carrier about the axle; kGround without one.
BodyIndex find_body_on_axle(const Model& model, const Wheel& wheel) {
  const Frame centre = design_pose(model, wheel.centre);
  const Eigen::Vector3d axle = centre.A.col(1);
  for (const Joint& joint : model.mechanism.joints) {
    if (joint.type != JointType::revolute) continue;
    const bool on_a = joint.a.body == wheel.centre.body;
    if (!on_a && joint.b.body != wheel.centre.body) continue;
    const Frame pivot = design_pose(model, joint.a);
    const Eigen::Vector3d aside = pivot.p - centre.p;
    const bool through_centre = aside.cross(axle).norm() < 0.1 * wheel.radius;
    if (std::abs(pivot.A.col(2).dot(axle)) < kAlongAxle || !through_centre) continue;
    const BodyIndex turning = on_a ? joint.b.body : joint.a.body;
    // an arm that carries the hub turns about an axis across the car, too: far from the centre
    if (turning != kGround) return turning;
  }
  return kGround;
}

}  // namespace

std::vector<WheelSpin> find_wheel_spins(const Model& model, const std::vector<Wheel>& wheels,
                                        const Workspace& ws, double speed) {
  std::vector<WheelSpin> spins;
  for (std::size_t w = 0; w < wheels.size(); ++w) {
    const Wheel& wheel = wheels[w];
    // the body on which a wheel's own turning is seen
    const BodyIndex turning = wheel.rim != kGround ? wheel.rim : wheel.centre.body;
    const TreeIndex t = model.tree.tree.tree_index(turning);
    const TreeBranch& branch = model.tree.tree.branches[at(t)];
    if (branch.joint < 0) continue;
    const Joint& joint = model.mechanism.joints[at(branch.joint)];
    if (joint.type != JointType::revolute) continue;
    const Marker& own = branch.reversed ? joint.a : joint.b;
    const double along =
        design_pose(model, own).A.col(2).dot(design_pose(model, wheel.centre).A.col(1));
    if (std::abs(along) <= kAlongAxle) continue;
    const int z = model.tree.bodies[at(t)].z;
    // twins on one rim turn together
    if (std::any_of(spins.begin(), spins.end(), [&](const WheelSpin& spin) { return spin.z == z; }))
      continue;
    const Eigen::Vector3d axle = ws.tree.A_WC[at(model.tree.tree.tree_index(wheel.centre.body))] *
                                 model.tree.attach(wheel.centre).X_CF.A.col(1);
    const double way = ws.tree.H[at(z)].tail<3>().dot(axle) > 0.0 ? 1.0 : -1.0;
    spins.push_back(
        {w, z, way / find_rolling_radius(model, wheel, ws, speed), !joint.velocity.empty()});
  }
  return spins;
}

std::vector<std::string> find_wheels_without_spin(const Model& model,
                                                  const std::vector<Wheel>& wheels,
                                                  const std::vector<WheelSpin>& spins) {
  std::vector<std::string> lines;
  std::vector<char> turns(wheels.size(), 0);
  for (const WheelSpin& spin : spins) {
    // and the twins that turn with it
    const BodyIndex rim = wheels[spin.wheel].rim;
    for (std::size_t w = 0; w < wheels.size(); ++w)
      if (w == spin.wheel || (rim != kGround && wheels[w].rim == rim)) turns[w] = 1;
  }
  for (std::size_t w = 0; w < wheels.size(); ++w) {
    if (turns[w] != 0) continue;
    const Wheel& wheel = wheels[w];
    const auto name = [&](BodyIndex body) { return model.mechanism.bodies[at(body)].name; };
    if (wheel.rim != kGround) {
      lines.push_back("wheel '" + wheel.name + "' starts without spin: its rim '" +
                      name(wheel.rim) +
                      "' is carried by no revolute joint of the tree about the wheel's axle");
    } else if (const BodyIndex body = find_body_on_axle(model, wheel); body != kGround) {
      lines.push_back("wheel '" + wheel.name + "' starts without spin: body '" + name(body) +
                      "' turns about its axle and is not its rim, expected rim=\"" + name(body) +
                      "\"");
    }
  }
  return lines;
}

}  // namespace semirec
