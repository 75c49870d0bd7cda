#pragma once

#include <cmath>
#include <vector>

#include "recursive/lanes/lane_access.hpp"
#include "recursive/lanes/lane_workspace.hpp"
#include "topology/indices.hpp"

namespace semirec {

// The sweeps of kinematics.hpp, of one car or of several side by side (lane_access.hpp).

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
inline constexpr double kSeriesLimit = 0.04;

/// exp = I + f1 tilde(theta) + f2 tilde(theta)^2 with f1 = sin t / t, f2 = (1 - cos t) / t^2.
inline void find_exp_factors(double t2, double& f1, double& f2) {
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
template <AnyPack P>
Pack3Of<P> axis_of(const PackMatrix3Of<P>& A, int axis) {
  return axis == 2 ? A.z : (axis == 0 ? A.x : A.y);
}

/// A rot(axis, angle): the two columns across the axis turn.
template <AnyPack P>
void turn_about(PackMatrix3Of<P>& A, int axis, const P& angle) {
  P s;
  P c;
  sine_and_cosine(angle, s, c);
  const auto turn = [&](Pack3Of<P>& u, Pack3Of<P>& v) {
    const Pack3Of<P> old = u;
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

/// rotation_exp() in lanes; none of them depends on what the others turn by.
template <AnyPack P>
PackMatrix3Of<P> rotation_exp(const Pack3Of<P>& v) {
  const P t2 = dot(v, v);
  P f1 = sine_factor(t2);
  P f2 = cosine_factor(t2);
  for (int l = 0; l < kLanesOf<P>; ++l)
    if (!(t2[l] < kSeriesLimit)) find_exp_factors(t2[l], lanes_of(f1)[l], lanes_of(f2)[l]);
  const P xy = f2 * v.x * v.y;
  const P xz = f2 * v.x * v.z;
  const P yz = f2 * v.y * v.z;
  const P xx = f2 * v.x * v.x;
  const P yy = f2 * v.y * v.y;
  const P zz = f2 * v.z * v.z;
  const Pack3Of<P> f = f1 * v;
  return {{1.0 - (yy + zz), xy + f.z, xz - f.y},
          {xy - f.z, 1.0 - (xx + zz), yz + f.x},
          {xz + f.y, yz - f.x, 1.0 - (xx + yy)}};
}

/// Poses and columns of one group: what compute_positions() does with it.
template <typename Number, typename AnyWorkspace>
[[gnu::always_inline]] inline void place_group(const LanePlanOf<PackFor<Number>>& plan,
                                               std::size_t g, const Number* z,
                                               const Pack3Of<PackFor<Number>>& ground,
                                               AnyWorkspace& ws) {
  using P = PackFor<Number>;
  LaneWorkspaceOf<P>& lanes = *ws.lanes;
  const LaneGroupOf<P>& group = plan.groups[g];
  PackMatrix3Of<P> A;
  Pack3Of<P> x;
  if (group.parent.kind == LanePlace::Kind::ground) {
    A = each(group.X_A, [](const P& pack) { return pack; });
    x = group.rests * (group.X_p + ground);
  } else {
    const PackMatrix3Of<P> A_WP = at_place<Number>(group.parent, lanes.A);
    A = A_WP * group.X_A;
    x = at_place<Number>(group.parent, lanes.p) + A_WP * group.X_p;
  }
  for (int k = group.motion_begin; k < group.motion_end; ++k) {
    const LaneMotionOf<P>& motion = plan.motions[at(k)];
    const auto c = at(motion.column);
    switch (motion.kind) {
      case JointMotion::Kind::turn: {
        const Pack3Of<P> u = motion.sign * axis_of(A, motion.axis);
        lanes.H[c] = {cross(x, u), u};
        turn_about(A, motion.axis, motion.sign * gather(z, plan.columns[c]));
        break;
      }
      case JointMotion::Kind::slide: {
        const Pack3Of<P> u = motion.sign * axis_of(A, motion.axis);
        lanes.H[c] = {u, zero_packs<Pack3Of<P>>()};
        x += gather(z, plan.columns[c]) * u;
        break;
      }
      case JointMotion::Kind::triad: {
        lanes.H[c] = {cross(x, A.x), A.x};
        lanes.H[c + 1] = {cross(x, A.y), A.y};
        lanes.H[c + 2] = {cross(x, A.z), A.z};
        const Pack3Of<P> theta{gather(z, plan.columns[c]), gather(z, plan.columns[c + 1]),
                               gather(z, plan.columns[c + 2])};
        const auto A0 =
            collect<PackMatrix3Of<P>>(plan.triads[at(motion.triads)], group.count, ws.A0);
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

/// compute_positions(). Whole or in part it is one piece of code, so that both have the same bits.
/// `ground`: the world's origin from O.
template <typename Number, typename AnyWorkspace>
void sweep_positions(const LanePlanOf<PackFor<Number>>& plan, const Number* z,
                     const std::vector<int>& groups, const Pack3Of<PackFor<Number>>& ground,
                     AnyWorkspace& ws) {
  for (const int g : groups) place_group(plan, at(g), z, ground, ws);
}

/// Velocities of one group, with accelerations or without: what compute_motions() does with it.
template <bool kWithAccelerations, typename Number, typename AnyWorkspace>
[[gnu::always_inline]] inline void move_group(const LanePlanOf<PackFor<Number>>& plan,
                                              std::size_t g, const Number* zd, const Number* zdd,
                                              AnyWorkspace& ws) {
  using P = PackFor<Number>;
  LaneWorkspaceOf<P>& lanes = *ws.lanes;
  const LaneGroupOf<P>& group = plan.groups[g];
  PackSixOf<P> Z = at_place<Number>(group.parent, lanes.Z);
  PackSixOf<P> Zd;
  if constexpr (kWithAccelerations) Zd = at_place<Number>(group.parent, lanes.Zd);
  for (int k = group.motion_begin; k < group.motion_end; ++k) {
    const LaneMotionOf<P>& motion = plan.motions[at(k)];
    const auto c = at(motion.column);
    const PackSixOf<P>* H = &lanes.H[c];
    const bool triad = motion.kind == JointMotion::Kind::triad;
    // the three columns of a triad turn together: one motion with the velocity before all of them
    PackSixOf<P> step = gather(zd, plan.columns[c]) * H[0];
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

/// compute_motions(), or compute_velocities() where accelerations are left out.
template <bool kWithAccelerations, typename Number, typename AnyWorkspace>
void sweep_motions(const LanePlanOf<PackFor<Number>>& plan, const Number* zd, const Number* zdd,
                   const std::vector<int>& groups, AnyWorkspace& ws) {
  for (const int g : groups) move_group<kWithAccelerations>(plan, at(g), zd, zdd, ws);
}

}  // namespace semirec
