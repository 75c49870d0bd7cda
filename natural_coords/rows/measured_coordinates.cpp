#include "natural_coords/rows/measured_coordinates.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "recursive/forces/force_sink.hpp"
#include "topology/indices.hpp"

namespace semirec {

MeasuredCoordinate find_measured_coordinate(const Mechanism& mechanism, const TreeModel& tree,
                                            int k) {
  TreeIndex t = 1;
  while (k >= tree.bodies[at(t)].z + tree.bodies[at(t)].degrees_of_freedom) ++t;
  const TreeBody& body = tree.bodies[at(t)];
  const TreeBranch& branch = tree.tree.branches[at(t)];
  const Joint& joint = mechanism.joints[at(branch.joint)];
  MeasuredCoordinate z;
  for (int i = body.motion_begin; i < body.motion_end; ++i) {
    const JointMotion& motion = tree.motions[at(i)];
    const int width = motion.kind == JointMotion::Kind::triad ? 3 : 1;
    if (motion.kind == MotionKind::turn && motion.z < k) z.axis_on_b = true;
    if (k < motion.z || k >= motion.z + width) continue;
    z.kind = motion.kind;
    z.axis = width == 3 ? k - motion.z : motion.axis;
  }
  z.axis_on_b = z.axis_on_b && z.kind == MotionKind::turn;
  // triads and free joints count the outboard side, all others b
  const bool by_tree = joint.type == JointType::free || z.kind == JointMotion::Kind::triad;
  const bool swap = by_tree && branch.reversed;
  const Attachment a = tree.attach(swap ? joint.b : joint.a);
  const Attachment b = tree.attach(swap ? joint.a : joint.b);
  z.body_a = a.body;
  z.a = a.X_CF;
  z.body_b = b.body;
  z.b = b.X_CF;
  return z;
}

std::vector<int> measure_all_coordinates(const Mechanism& mechanism, TreeModel& tree) {
  for (int k = 0; k < tree.n; ++k)
    tree.measured.push_back(find_measured_coordinate(mechanism, tree, k));
  const auto body_index = [&](TreeIndex t) {
    return t == 0 ? kGround : tree.tree.branches[at(t)].body;
  };
  std::vector<int> forced = tree.used_coordinates;
  for (const int k : forced) {
    MeasuredCoordinate& z = tree.measured[at(k)];
    z.connection = tree.connect(body_index(z.body_a), body_index(z.body_b));
  }
  std::sort(forced.begin(), forced.end());
  forced.erase(std::unique(forced.begin(), forced.end()), forced.end());
  return forced;
}

double measure_coordinate(const MeasuredCoordinate& z, const TreeWorkspace& ws) {
  const Eigen::Matrix3d A_a = ws.A_WC[at(z.body_a)] * z.a.A;
  if (z.kind == JointMotion::Kind::triad) return 0.0;
  if (z.kind == JointMotion::Kind::slide) {
    const Eigen::Vector3d d = ws.position_of({z.body_b, z.b}) - ws.position_of({z.body_a, z.a});
    return d.dot(A_a.col(z.axis));
  }
  const Eigen::Matrix3d A_b = ws.A_WC[at(z.body_b)] * z.b.A;
  if (z.axis_on_b) return std::atan2(A_b.col(1).dot(A_a.col(2)), A_b.col(2).dot(A_a.col(2)));
  return std::atan2(A_b.col(0).dot(A_a.col(1)), A_b.col(0).dot(A_a.col(0)));
}

namespace {

void measure_one(const TreeModel& tree, std::size_t k, const Eigen::VectorXd& near,
                 TreeWorkspace& ws) {
  const MeasuredCoordinate& measured = tree.measured[k];
  double value = measure_coordinate(measured, ws);
  if (measured.kind == JointMotion::Kind::turn) {
    // the turn nearest to the last one counted
    constexpr double kTurn = 2.0 * std::numbers::pi;
    const double last = near.size() > 0 ? near[static_cast<Eigen::Index>(k)] : value;
    value += kTurn * std::round((last - value) / kTurn);
  } else {
    value -= ws.z_offset[k];
  }
  ws.z[k] = value;
  ws.zd[k] =
      coordinate_line(measured, ws).dot(ws.Z[at(measured.body_b)] - ws.Z[at(measured.body_a)]);
}

}  // namespace

void measure_coordinates(const TreeModel& tree, const Eigen::VectorXd& near, TreeWorkspace& ws) {
  for (std::size_t k = 0; k < tree.measured.size(); ++k) measure_one(tree, k, near, ws);
}

void measure_coordinates(const TreeModel& tree, const Eigen::VectorXd& near,
                         const std::vector<int>& some, TreeWorkspace& ws) {
  for (const int k : some) measure_one(tree, at(k), near, ws);
}

}  // namespace semirec
