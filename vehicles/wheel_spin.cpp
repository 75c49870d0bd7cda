#include "vehicles/wheel_spin.hpp"

#include <algorithm>
#include <cmath>

#include "topology/indices.hpp"

namespace semirec {

std::vector<WheelSpin> find_wheel_spins(const Model& model, const std::vector<Wheel>& wheels,
                                        const Workspace& ws) {
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
    const auto in_design = [&](const Marker& marker, int axis) {
      return model.mechanism.bodies[at(marker.body)].X_WB.A * marker.X_BF.A.col(axis);
    };
    if (std::abs(in_design(own, 2).dot(in_design(wheel.centre, 1))) <= 0.999) continue;
    const int z = model.tree.bodies[at(t)].z;
    // twins on one rim turn together
    if (std::any_of(spins.begin(), spins.end(), [&](const WheelSpin& spin) { return spin.z == z; }))
      continue;
    const Eigen::Vector3d axle = ws.tree.A_WC[at(model.tree.tree.tree_index(wheel.centre.body))] *
                                 model.tree.attach(wheel.centre).X_CF.A.col(1);
    const double way = ws.tree.H[at(z)].tail<3>().dot(axle) > 0.0 ? 1.0 : -1.0;
    spins.push_back({w, z, way / wheel.radius});
  }
  return spins;
}

}  // namespace semirec
