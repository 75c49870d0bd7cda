#include "recursive/forces/counted_angle.hpp"

#include <cmath>
#include <numbers>

#include "topology/indices.hpp"

namespace semirec {

namespace {

/// Axes of a compiled body at zero coordinates, in those of an outer body on its way to the ground.
Eigen::Matrix3d axes_at_zero(const TreeModel& model, TreeIndex body, TreeIndex ancestor) {
  Eigen::Matrix3d A = Eigen::Matrix3d::Identity();
  for (TreeIndex t = body; t != ancestor; t = model.bodies[at(t)].parent)
    A = model.bodies[at(t)].X_PJ.A * A;
  return A;
}

/// Adds the turns between a body and an ancestor; false: one of them is about another axis than n.
bool add_turns(const TreeModel& model, TreeIndex body, TreeIndex ancestor, const Eigen::Vector3d& n,
               double side, CountedAngle& counted) {
  constexpr double kParallel = 1e-6;  // rad
  Eigen::Matrix3d A = axes_at_zero(model, body, ancestor);
  for (TreeIndex t = body; t != ancestor; t = model.bodies[at(t)].parent) {
    const TreeBody& link = model.bodies[at(t)];
    for (int i = link.motion_begin; i < link.motion_end; ++i) {
      const JointMotion& motion = model.motions[at(i)];
      if (motion.kind == MotionKind::slide) continue;
      if (motion.kind != MotionKind::turn) return false;
      const Eigen::Vector3d axis = A.col(motion.axis);
      if (!(axis.cross(n).norm() < kParallel)) return false;
      counted.coordinates.push_back(motion.z);
      counted.sign.push_back(side * motion.sign * (axis.dot(n) > 0.0 ? 1.0 : -1.0));
    }
    A *= link.X_PJ.A.transpose();  // those of the parent
  }
  return true;
}

}  // namespace

std::optional<CountedAngle> find_counted_angle(TreeModel& model, const Attachment& a,
                                               const Attachment& b) {
  const LoopPath path = find_loop_path(model.tree, a.body, b.body);
  const Eigen::Matrix3d A_a = axes_at_zero(model, a.body, path.ancestor) * a.X_CF.A;
  const Eigen::Matrix3d A_b = axes_at_zero(model, b.body, path.ancestor) * b.X_CF.A;
  CountedAngle counted;
  counted.zero = std::atan2(A_b.col(0).dot(A_a.col(1)), A_b.col(0).dot(A_a.col(0)));
  const Eigen::Vector3d n = A_a.col(2);
  if (!add_turns(model, b.body, path.ancestor, n, 1.0, counted) ||
      !add_turns(model, a.body, path.ancestor, n, -1.0, counted))
    return std::nullopt;
  for (const int k : counted.coordinates) model.used_coordinates.push_back(k);
  return counted;
}

double add_whole_turns(const CountedAngle& counted, const ForceInput& in, double angle) {
  constexpr double kTurn = 2.0 * std::numbers::pi;
  double count = counted.zero;
  for (std::size_t k = 0; k < counted.coordinates.size(); ++k)
    count += counted.sign[k] * in.coordinate(counted.coordinates[k]);
  return angle + kTurn * std::round((count - angle) / kTurn);
}

}  // namespace semirec
