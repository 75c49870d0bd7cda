#include "recursive/kinematics.hpp"

#include <algorithm>

#include "recursive/lanes/kinematic_sweeps.hpp"

namespace semirec {

Eigen::Matrix3d rotation_exp(const Eigen::Vector3d& theta) {
  double f1 = 1.0;
  double f2 = 0.5;
  find_exp_factors(theta.squaredNorm(), f1, f2);
  const double x = theta.x();
  const double y = theta.y();
  const double z = theta.z();
  Eigen::Matrix3d A;
  A << 1.0 - f2 * (y * y + z * z), f2 * x * y - f1 * z, f2 * x * z + f1 * y,  //
      f2 * x * y + f1 * z, 1.0 - f2 * (x * x + z * z), f2 * y * z - f1 * x,   //
      f2 * x * z - f1 * y, f2 * y * z + f1 * x, 1.0 - f2 * (x * x + y * y);
  return A;
}

Eigen::Vector3d rotation_log(const Eigen::Matrix3d& A) {
  const Eigen::AngleAxisd turn(A);
  return turn.angle() * turn.axis();
}

namespace {

void place_groups(const TreeModel& model, const double* z, const std::vector<int>& groups,
                  TreeWorkspace& ws) {
  ++ws.placings;
  std::copy_n(z, model.n, ws.z.begin());
  ws.p[0] = -ws.origin;
  sweep_positions(*model.lanes, z, groups,
                  Pack3{broadcast(ws.p[0].x()), broadcast(ws.p[0].y()), broadcast(ws.p[0].z())},
                  ws);
}

}  // namespace

SweepPart find_sweep_part(const TreeModel& model, const std::vector<TreeIndex>& bodies) {
  const LanePlan& plan = *model.lanes;
  SweepPart part;
  part.groups = groups_to_reach(plan, bodies);
  for (const int index : part.groups) {
    const LaneGroup& group = plan.groups[at(index)];
    for (int k = group.motion_begin; k < group.motion_end; ++k) {
      const LaneMotion& motion = plan.motions[at(k)];
      if (motion.kind != JointMotion::Kind::triad) continue;
      const auto& triads = plan.triads[at(motion.triads)];
      part.triads.insert(part.triads.end(), triads.begin(), triads.begin() + group.count);
    }
  }
  return part;
}

void compute_positions(const TreeModel& model, const double* z, TreeWorkspace& ws) {
  place_groups(model, z, model.lanes->all_groups, ws);
}

void compute_positions(const TreeModel& model, const double* z, const SweepPart& part,
                       TreeWorkspace& ws) {
  place_groups(model, z, part.groups, ws);
}

void compute_motions(const TreeModel& model, const double* zd, const double* zdd,
                     TreeWorkspace& ws) {
  std::copy_n(zd, model.n, ws.zd.begin());
  std::copy_n(zdd, model.n, ws.zdd.begin());
  sweep_motions<true>(*model.lanes, zd, zdd, model.lanes->all_groups, ws);
}

void compute_motions(const TreeModel& model, const double* zd, const double* zdd,
                     const SweepPart& part, TreeWorkspace& ws) {
  std::copy_n(zd, model.n, ws.zd.begin());
  std::copy_n(zdd, model.n, ws.zdd.begin());
  sweep_motions<true>(*model.lanes, zd, zdd, part.groups, ws);
}

void compute_velocities(const TreeModel& model, const double* zd, TreeWorkspace& ws) {
  std::copy_n(zd, model.n, ws.zd.begin());
  sweep_motions<false, double>(*model.lanes, zd, nullptr, model.lanes->all_groups, ws);
}

}  // namespace semirec
