#pragma once

#include "recursive/lanes/kinematic_sweeps.hpp"
#include "topology/indices.hpp"

namespace semirec {

// The sweeps of accumulation.hpp, of one car or of several side by side (lane_access.hpp).

/// A J A^T.
template <AnyPack P>
PackSymmetric3Of<P> turned(const PackMatrix3Of<P>& A, const PackSymmetric3Of<P>& J) {
  // rows of A
  const Pack3Of<P> x{A.x.x, A.y.x, A.z.x};
  const Pack3Of<P> y{A.x.y, A.y.y, A.z.y};
  const Pack3Of<P> z{A.x.z, A.y.z, A.z.z};
  const Pack3Of<P> Jx = J * x;
  const Pack3Of<P> Jy = J * y;
  const Pack3Of<P> Jz = J * z;
  return {dot(Jx, x), dot(Jy, y), dot(Jz, z), dot(Jx, y), dot(Jx, z), dot(Jy, z)};
}

/// Forces of inertia and gravity of one group, and what it weighs: what compute_body_forces() does
/// with it. `gravity`: acceleration, m/s^2.
template <AnyPack P, typename AnyWorkspace>
[[gnu::always_inline]] inline void weigh_group(const LanePlanOf<P>& plan, std::size_t i,
                                               const Pack3Of<P>& gravity, AnyWorkspace& ws) {
  LaneWorkspaceOf<P>& lanes = *ws.lanes;
  const P weight = spread<P>(ws.weights.mass);
  const LaneGroupOf<P>& group = plan.groups[i];
  const PackMatrix3Of<P>& A = lanes.A[i];
  const Pack3Of<P> g = lanes.p[i] + A * group.com;
  const PackSymmetric3Of<P> J = turned(A, group.inertia);
  const Pack3Of<P>& w = lanes.Z[i].a;
  const Pack3Of<P>& wd = lanes.Zd[i].a;

  // acceleration of the centre of mass: Zd is the spatial derivative (convention A)
  const Pack3Of<P> v_G = lanes.Z[i].l + cross(w, g);
  const Pack3Of<P> a_G = lanes.Zd[i].l + cross(wd, g) + cross(w, v_G);
  const Pack3Of<P> force = group.mass * (a_G - gravity);
  const PackSixOf<P> F{force, J * wd + cross(w, J * w) + cross(g, force)};
  lanes.F[i] = F;
  publish(lanes.F[i], group.body, group.count, ws.F);

  // Mbar about O
  PackInertiaOf<P>& M = lanes.M[i];
  const P zero{};
  const P m = weight * group.mass;
  const Pack3Of<P> mg = m * g;
  M.ll = {m, m, m, zero, zero, zero};
  M.la = {{zero, -mg.z, mg.y}, {mg.z, zero, -mg.x}, {-mg.y, mg.x, zero}};
  M.aa = {weight * J.xx + mg.y * g.y + mg.z * g.z,
          weight * J.yy + mg.x * g.x + mg.z * g.z,
          weight * J.zz + mg.x * g.x + mg.y * g.y,
          weight * J.xy - mg.x * g.y,
          weight * J.xz - mg.x * g.z,
          weight * J.yz - mg.y * g.z};
}

template <AnyPack P>
Pack3Of<P> spread_vector(const Eigen::Vector3d& v) {
  return {spread<P>(v.x()), spread<P>(v.y()), spread<P>(v.z())};
}

/// compute_body_forces().
template <AnyPack P, typename AnyWorkspace>
void sweep_body_forces(const LanePlanOf<P>& plan, const Eigen::Vector3d& gravity,
                       AnyWorkspace& ws) {
  const Pack3Of<P> g = spread_vector<P>(gravity);
  for (std::size_t i = 0; i < plan.groups.size(); ++i) weigh_group(plan, i, g, ws);
}

/// Positions, motions and body forces group by group, each with what it has just found.
template <typename Number, typename AnyWorkspace>
void sweep_to_tips(const LanePlanOf<PackFor<Number>>& plan, const Number* z, const Number* zd,
                   const Number* zdd, const Pack3Of<PackFor<Number>>& ground,
                   const Eigen::Vector3d& gravity, AnyWorkspace& ws) {
  const auto g = spread_vector<PackFor<Number>>(gravity);
  for (std::size_t i = 0; i < plan.groups.size(); ++i) {
    place_group(plan, i, z, ground, ws);
    move_group<true>(plan, i, zd, zdd, ws);
    weigh_group(plan, i, g, ws);
  }
}

/// What force elements have added to the bodies' published F comes back into the lanes.
template <typename Rows>
requires(!std::is_same_v<Rows, NotPublished>) void take_published(const LanePlan& plan,
                                                                  const Rows& rows,
                                                                  std::vector<PackSix>& F) {
  for (std::size_t g = 0; g < plan.groups.size(); ++g)
    F[g] = collect<PackSix>(plan.groups[g].body, plan.groups[g].count, rows);
}
template <AnyPack P>
void take_published(const LanePlanOf<P>& /*plan*/, const NotPublished& /*rows*/,
                    std::vector<PackSixOf<P>>& /*F*/) {}

template <AnyPack P>
const P& component_of(const Pack3Of<P>& v, int axis) {
  return axis == 2 ? v.z : (axis == 0 ? v.x : v.y);
}

/// Rows of M of several cars side by side: all of them lie lane by lane, run by run.
struct RowsOfCars {
  template <AnyPack P, typename AnyWorkspace>
  static void add(const LanePlanOf<P>& plan, const LaneGroupOf<P>& /*group*/, int column,
                  const PackSixOf<P>& MH, AnyWorkspace& ws) {
    const PackSixOf<P>* H = ws.lanes->H.data();
    const P* l = reinterpret_cast<const P*>(&MH);
    const LaneRun* const end = plan.runs.data() + plan.run_begin[at(column) + 1];
    for (const LaneRun* run = plan.runs.data() + plan.run_begin[at(column)]; run != end; ++run) {
      P* to = ws.tangent + run->slot;
      if (run->slide >= 0) {
        for (int k = 0; k < run->count; ++k) to[k] += l[run->slide + k];
        continue;
      }
      const PackSixOf<P>* h = H + run->column;
      for (int k = 0; k < run->count; ++k) to[k] += dot(h[k], MH);
    }
  }
};

/// F of every body, tips handing theirs down.
template <typename Number, AnyPack P, typename AnyWorkspace>
void gather_forces(const LanePlanOf<P>& plan, AnyWorkspace& ws) {
  std::vector<PackSixOf<P>>& F = ws.lanes->F;
  take_published(plan, ws.F, F);
  for (std::size_t g = plan.groups.size(); g-- > 0;)
    add_at_place<Number>(plan.groups[g].parent, F[g], F);
}

/// A joint column's share H^T F of the residual.
template <AnyPack P, typename AnyWorkspace>
void add_share(const LanePlanOf<P>& plan, const LaneGroupOf<P>& group, int column,
               const PackSixOf<P>& F, AnyWorkspace& ws) {
  const P share = dot(ws.lanes->H[at(column)], F);
  add_by_lane(ws.residual.data(), plan.columns[at(column)], group.count, share);
}

/// accumulate(). `rows`: where a column's row of M goes, column after column.
template <typename Number, typename Rows, typename AnyWorkspace>
void sweep_accumulation(const LanePlanOf<PackFor<Number>>& plan, Rows&& rows, AnyWorkspace& ws) {
  using P = PackFor<Number>;
  LaneWorkspaceOf<P>& lanes = *ws.lanes;
  const std::size_t count = plan.groups.size();
  gather_forces<Number>(plan, ws);
  for (std::size_t g = count; g-- > 0;)
    add_at_place<Number>(plan.groups[g].parent, lanes.M[g], lanes.M);
  // joints take their share
  for (std::size_t g = 0; g < count; ++g) {
    const LaneGroupOf<P>& group = plan.groups[g];
    for (int k = group.column_begin; k < group.column_begin + group.column_count; ++k) {
      add_share(plan, group, k, lanes.F[g], ws);
      rows.add(plan, group, k, lanes.M[g] * lanes.H[at(k)], ws);
    }
  }
}

/// accumulate_forces().
template <typename Number, AnyPack P, typename AnyWorkspace>
void sweep_forces(const LanePlanOf<P>& plan, AnyWorkspace& ws) {
  gather_forces<Number>(plan, ws);
  for (std::size_t g = 0; g < plan.groups.size(); ++g) {
    const LaneGroupOf<P>& group = plan.groups[g];
    for (int k = group.column_begin; k < group.column_begin + group.column_count; ++k)
      add_share(plan, group, k, ws.lanes->F[g], ws);
  }
}

}  // namespace semirec
