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

/// Whether an axis through a point is the axle of a wheel at `centre`. An arm that carries the hub
/// turns about an axis across the car, too: far from the centre.
bool is_axle(const Eigen::Vector3d& axis, const Eigen::Vector3d& point, const Frame& centre,
             double radius) {
  const Eigen::Vector3d axle = centre.A.col(1);
  return std::abs(axis.dot(axle)) > kAlongAxle &&
         (point - centre.p).cross(axle).norm() < 0.1 * radius;
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
  for (const Joint& joint : model.mechanism.joints) {
    if (joint.type != JointType::revolute) continue;
    const bool on_a = joint.a.body == wheel.centre.body;
    if (!on_a && joint.b.body != wheel.centre.body) continue;
    const Frame pivot = design_pose(model, joint.a);
    if (!is_axle(pivot.A.col(2), pivot.p, centre, wheel.radius)) continue;
    const BodyIndex turning = on_a ? joint.b.body : joint.a.body;
    if (turning != kGround) return turning;
  }
  return kGround;
}

/// The body on a revolute joint of the tree about the wheel's axle that turns the wheel: the one on
/// which the wheel's own turning is seen, or one to which that is fixed, as rims to a solid axle.
/// -1: none.
TreeIndex find_turning_body(const Model& model, const Wheel& wheel) {
  const SpanningTree& tree = model.tree.tree;
  TreeIndex t = tree.tree_index(wheel.rim != kGround ? wheel.rim : wheel.centre.body);
  const auto joint_of = [&](TreeIndex k) -> const Joint* {
    const int joint = k > 0 ? tree.branches[at(k)].joint : -1;
    return joint < 0 ? nullptr : &model.mechanism.joints[at(joint)];
  };
  bool is_fixed = false;
  for (; joint_of(t) != nullptr && joint_of(t)->type == JointType::fixed;
       t = model.tree.bodies[at(t)].parent)
    is_fixed = true;
  const Joint* const joint = joint_of(t);
  if (joint == nullptr || joint->type != JointType::revolute) return -1;
  const Marker& own = tree.branches[at(t)].reversed ? joint->a : joint->b;
  const Frame pivot = design_pose(model, own);
  const Frame centre = design_pose(model, wheel.centre);
  const bool turns = is_fixed ? is_axle(pivot.A.col(2), pivot.p, centre, wheel.radius)
                              : std::abs(pivot.A.col(2).dot(centre.A.col(1))) > kAlongAxle;
  return turns ? t : -1;
}

}  // namespace

std::vector<WheelSpin> find_wheel_spins(const Model& model, const std::vector<Wheel>& wheels,
                                        const Workspace& ws, double speed) {
  std::vector<WheelSpin> spins;
  for (std::size_t w = 0; w < wheels.size(); ++w) {
    const Wheel& wheel = wheels[w];
    const TreeIndex t = find_turning_body(model, wheel);
    if (t < 0) continue;
    const Joint& joint = model.mechanism.joints[at(model.tree.tree.branches[at(t)].joint)];
    const int z = model.tree.bodies[at(t)].z;
    // twins on one rim turn together, and wheels on one axle
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

std::vector<int> find_carrying_coordinates(const Model& model, const std::vector<Wheel>& wheels,
                                           const std::vector<WheelSpin>& spins) {
  std::vector<int> carrying;
  for (const Wheel& wheel : wheels)
    for (TreeIndex t = model.tree.tree.tree_index(wheel.centre.body); t > 0;
         t = model.tree.bodies[at(t)].parent) {
      const TreeBody& body = model.tree.bodies[at(t)];
      for (int k = body.z; k < body.z + body.degrees_of_freedom; ++k)
        if (std::none_of(spins.begin(), spins.end(),
                         [k](const WheelSpin& spin) { return spin.z == k; }))
          carrying.push_back(k);
    }
  std::sort(carrying.begin(), carrying.end());
  carrying.erase(std::unique(carrying.begin(), carrying.end()), carrying.end());
  return carrying;
}

std::vector<std::string> find_wheels_without_spin(const Model& model,
                                                  const std::vector<Wheel>& wheels,
                                                  const std::vector<WheelSpin>& spins) {
  std::vector<std::string> lines;
  for (std::size_t w = 0; w < wheels.size(); ++w) {
    const Wheel& wheel = wheels[w];
    const TreeIndex t = find_turning_body(model, wheel);
    if (t >= 0 && std::any_of(spins.begin(), spins.end(), [&](const WheelSpin& spin) {
          return spin.z == model.tree.bodies[at(t)].z;
        }))
      continue;
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
