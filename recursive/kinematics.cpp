#include "recursive/kinematics.hpp"

#include <algorithm>
#include <cmath>

#include "recursive/lanes/lane_access.hpp"
#include "recursive/lanes/lane_workspace.hpp"
#include "topology/indices.hpp"

namespace semirec {

namespace {

/// sin t / t and (1 - cos t) / t^2 by series of t^2 < 0.04: the next terms are below 1e-17.
template <typename Number>
Number sine_factor(const Number& t2) {
  return 1.0 + t2 * (-1.0 / 6.0 +
                     t2 * (1.0 / 120.0 +
                           t2 * (-1.0 / 5040.0 + t2 * (1.0 / 362880.0 - t2 * (1.0 / 39916800.0)))));
}
template <typename Number>
Number cosine_factor(const Number& t2) {
  return 0.5 + t2 * (-1.0 / 24.0 +
                     t2 * (1.0 / 720.0 + t2 * (-1.0 / 40320.0 +
                                               t2 * (1.0 / 3628800.0 - t2 * (1.0 / 479001600.0)))));
}
constexpr double kSeriesLimit = 0.04;

/// exp = I + f1 tilde(theta) + f2 tilde(theta)^2 with f1 = sin t / t, f2 = (1 - cos t) / t^2.
void find_exp_factors(double t2, double& f1, double& f2) {
  if (t2 < kSeriesLimit) {
    f1 = sine_factor(t2);
    f2 = cosine_factor(t2);
  } else {
    const double t = std::sqrt(t2);
    f1 = std::sin(t) / t;
    f2 = (1.0 - std::cos(t)) / t2;
  }
}

/// The axis of a motion.
Pack3 axis_of(const PackMatrix3& A, int axis) { return axis == 2 ? A.z : (axis == 0 ? A.x : A.y); }

/// A rot(axis, angle): the two columns across the axis turn.
void turn_about(PackMatrix3& A, int axis, const Pack& angle) {
  Pack s;
  Pack c;
  sine_and_cosine(angle, s, c);
  const auto turn = [&](Pack3& u, Pack3& v) {
    const Pack3 old = u;
    u = c * u + s * v;
    v = c * v - s * old;
  };
  if (axis == 2)
    turn(A.x, A.y);
  else if (axis == 0)
    turn(A.y, A.z);
  else
    turn(A.z, A.x);
}

/// rotation_exp() in lanes.
PackMatrix3 rotation_exp(const Pack3& v) {
  const Pack t2 = dot(v, v);
  Pack f1;
  Pack f2;
  if (t2[0] < kSeriesLimit && t2[1] < kSeriesLimit && t2[2] < kSeriesLimit &&
      t2[3] < kSeriesLimit) {
    f1 = sine_factor(t2);
    f2 = cosine_factor(t2);
  } else {
    for (int l = 0; l < kLanes; ++l) find_exp_factors(t2[l], lanes_of(f1)[l], lanes_of(f2)[l]);
  }
  const Pack xy = f2 * v.x * v.y;
  const Pack xz = f2 * v.x * v.z;
  const Pack yz = f2 * v.y * v.z;
  const Pack xx = f2 * v.x * v.x;
  const Pack yy = f2 * v.y * v.y;
  const Pack zz = f2 * v.z * v.z;
  const Pack3 f = f1 * v;
  return {{1.0 - (yy + zz), xy + f.z, xz - f.y},
          {xy - f.z, 1.0 - (xx + zz), yz + f.x},
          {xz + f.y, yz - f.x, 1.0 - (xx + yy)}};
}

}  // namespace

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

/// Whole or in part it is one piece of code, so that both have the same bits.
void sweep_positions(const TreeModel& model, const double* z, const std::vector<int>& groups,
                     TreeWorkspace& ws) {
  std::copy_n(z, model.n, ws.z.begin());
  ws.p[0] = -ws.origin;
  const LanePlan& plan = *model.lanes;
  LaneWorkspace& lanes = *ws.lanes;
  for (const int index : groups) {
    const auto g = at(index);
    const LaneGroup& group = plan.groups[g];
    PackMatrix3 A;
    Pack3 x;
    if (group.parent.kind == LanePlace::Kind::ground) {
      A = each(group.X_A, [](const Pack& pack) { return pack; });
      x = group.rests * (group.X_p + Pack3{broadcast(ws.p[0].x()), broadcast(ws.p[0].y()),
                                           broadcast(ws.p[0].z())});
    } else {
      const PackMatrix3 A_WP = at_place(group.parent, lanes.A);
      A = A_WP * group.X_A;
      x = at_place(group.parent, lanes.p) + A_WP * group.X_p;
    }
    for (int k = group.motion_begin; k < group.motion_end; ++k) {
      const LaneMotion& motion = plan.motions[at(k)];
      const auto c = at(motion.column);
      switch (motion.kind) {
        case JointMotion::Kind::turn: {
          const Pack3 u = motion.sign * axis_of(A, motion.axis);
          lanes.H[c] = {cross(x, u), u};
          turn_about(A, motion.axis, motion.sign * gather(z, plan.columns[c]));
          break;
        }
        case JointMotion::Kind::slide: {
          const Pack3 u = motion.sign * axis_of(A, motion.axis);
          lanes.H[c] = {u, zero_packs<Pack3>()};
          x += gather(z, plan.columns[c]) * u;
          break;
        }
        case JointMotion::Kind::triad: {
          lanes.H[c] = {cross(x, A.x), A.x};
          lanes.H[c + 1] = {cross(x, A.y), A.y};
          lanes.H[c + 2] = {cross(x, A.z), A.z};
          const Pack3 theta{gather(z, plan.columns[c]), gather(z, plan.columns[c + 1]),
                            gather(z, plan.columns[c + 2])};
          const auto A0 = collect<PackMatrix3>(plan.triads[at(motion.triads)], group.count, ws.A0);
          A = A * (rotation_exp(theta) * A0);
          break;
        }
      }
    }
    lanes.A[g] = A;
    lanes.p[g] = x;
    publish(lanes.A[g], group.body, group.count, ws.A_WC);
    publish(lanes.p[g], group.body, group.count, ws.p);
    for (int k = 0; k < group.column_count; ++k) {
      const auto c = at(group.column_begin + k);
      publish(lanes.H[c], plan.columns[c], group.count, ws.H);
    }
  }
}

/// The sweep of velocities, with accelerations or without.
template <bool kWithAccelerations>
void sweep_motions(const TreeModel& model, const double* zd, const double* zdd,
                   const std::vector<int>& groups, TreeWorkspace& ws) {
  const LanePlan& plan = *model.lanes;
  LaneWorkspace& lanes = *ws.lanes;
  for (const int index : groups) {
    const auto g = at(index);
    const LaneGroup& group = plan.groups[g];
    PackSix Z = at_place(group.parent, lanes.Z);
    PackSix Zd;
    if constexpr (kWithAccelerations) Zd = at_place(group.parent, lanes.Zd);
    for (int k = group.motion_begin; k < group.motion_end; ++k) {
      const LaneMotion& motion = plan.motions[at(k)];
      const auto c = at(motion.column);
      const PackSix* H = &lanes.H[c];
      const bool triad = motion.kind == JointMotion::Kind::triad;
      // the three columns of a triad turn together: one motion with the velocity before all of them
      PackSix step = gather(zd, plan.columns[c]) * H[0];
      if (triad)
        step += gather(zd, plan.columns[c + 1]) * H[1] + gather(zd, plan.columns[c + 2]) * H[2];
      if constexpr (kWithAccelerations) {
        Zd += cross_motion(Z, step) + gather(zdd, plan.columns[c]) * H[0];
        if (triad)
          Zd += gather(zdd, plan.columns[c + 1]) * H[1] + gather(zdd, plan.columns[c + 2]) * H[2];
      }
      Z += step;
    }
    lanes.Z[g] = Z;
    publish(lanes.Z[g], group.body, group.count, ws.Z);
    if constexpr (kWithAccelerations) {
      lanes.Zd[g] = Zd;
      publish(lanes.Zd[g], group.body, group.count, ws.Zd);
    }
  }
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
  sweep_positions(model, z, model.lanes->all_groups, ws);
}

void compute_positions(const TreeModel& model, const double* z, const SweepPart& part,
                       TreeWorkspace& ws) {
  sweep_positions(model, z, part.groups, ws);
}

void compute_motions(const TreeModel& model, const double* zd, const double* zdd,
                     TreeWorkspace& ws) {
  std::copy_n(zd, model.n, ws.zd.begin());
  std::copy_n(zdd, model.n, ws.zdd.begin());
  sweep_motions<true>(model, zd, zdd, model.lanes->all_groups, ws);
}

void compute_motions(const TreeModel& model, const double* zd, const double* zdd,
                     const SweepPart& part, TreeWorkspace& ws) {
  std::copy_n(zd, model.n, ws.zd.begin());
  std::copy_n(zdd, model.n, ws.zdd.begin());
  sweep_motions<true>(model, zd, zdd, part.groups, ws);
}

void compute_velocities(const TreeModel& model, const double* zd, TreeWorkspace& ws) {
  std::copy_n(zd, model.n, ws.zd.begin());
  sweep_motions<false>(model, zd, nullptr, model.lanes->all_groups, ws);
}

}  // namespace semirec
