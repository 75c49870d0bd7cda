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

/// Rows of M of several cars side by side: all of them lie lane by lane, block by block.
struct RowsOfCars {
  template <AnyPack P, typename AnyWorkspace>
  static void add(const LanePlanOf<P>& plan, const LaneGroupOf<P>& group, const PackInertiaOf<P>& M,
                  AnyWorkspace& ws) {
    const PackSixOf<P>* H = ws.lanes->H.data();
    for (int b = group.block_begin; b < group.block_end; ++b) {
      const LaneBlock& block = plan.blocks[at(b)];
      const LaneRun* runs = plan.runs.data();
      if constexpr (kTogether<P>) {
        if (block.count == 3)
          add_rows<3>(block, 0, runs, M, H, ws.tangent);
        else if (block.count == 2)
          add_rows<2>(block, 0, runs, M, H, ws.tangent);
        else
          add_rows<1>(block, 0, runs, M, H, ws.tangent);
      } else {
        for (int row = 0; row < block.count; ++row) add_rows<1>(block, row, runs, M, H, ws.tangent);
      }
    }
  }

 private:
  /// Whether M H of all columns of a block stays in registers: there are 32 of 64 bytes, 16 of 32.
  template <AnyPack P>
  static constexpr bool kTogether = sizeof(P) > 32;

  /// Rows `first`, ... of a block: each column of H that they meet is read once.
  template <int kCount, AnyPack P>
  [[gnu::always_inline]] static inline void add_rows(const LaneBlock& block, int first,
                                                     const LaneRun* runs, const PackInertiaOf<P>& M,
                                                     const PackSixOf<P>* H, P* tangent) {
    PackSixOf<P> MH[kCount];
    const PackSixOf<P>* own = H + block.column;
    for (int m = 0; m < kCount; ++m) MH[m] = M * own[first + m];
    const LaneRun* const end = runs + block.run_end;
    for (const LaneRun* run = runs + block.run_begin; run != end; ++run) {
      P* to[kCount];
      for (int m = 0; m < kCount; ++m) to[m] = tangent + run->slot[at(first + m)];
      if (run->slide == 0 && run->count == 3) {
        for (int m = 0; m < kCount; ++m) {
          to[m][0] += MH[m].l.x;
          to[m][1] += MH[m].l.y;
          to[m][2] += MH[m].l.z;
        }
      } else if (run->slide >= 0) {
        for (int m = 0; m < kCount; ++m) {
          const P* l = reinterpret_cast<const P*>(&MH[m]) + run->slide;
          for (int k = 0; k < run->count; ++k) to[m][k] += l[k];
        }
      } else {
        const PackSixOf<P>* h = H + run->column;
        for (int k = 0; k < run->count; ++k)
          for (int m = 0; m < kCount; ++m) to[m][k] += dot(h[k], MH[m]);
      }
    }
    const int* slot = block.own.data() + first * (first + 1) / 2;
    for (int m = 0; m < kCount; ++m)
      for (int n = 0; n <= first + m; ++n) tangent[*slot++] += dot(own[n], MH[m]);
  }
};

/// The shares H^T F of the residual of a group's columns.
template <AnyPack P, typename AnyWorkspace>
void add_shares(const LanePlanOf<P>& plan, const LaneGroupOf<P>& group, const PackSixOf<P>& F,
                AnyWorkspace& ws) {
  for (int k = group.column_begin; k < group.column_begin + group.column_count; ++k)
    add_by_lane(ws.residual.data(), plan.columns[at(k)], group.count, dot(ws.lanes->H[at(k)], F));
}

/// accumulate(). `rows`: where the rows of M of a group's columns go, group after group from the
/// tips.
template <typename Number, typename Rows, typename AnyWorkspace>
void sweep_accumulation(const LanePlanOf<PackFor<Number>>& plan, Rows&& rows, AnyWorkspace& ws) {
  LaneWorkspaceOf<PackFor<Number>>& lanes = *ws.lanes;
  take_published(plan, ws.F, lanes.F);
  for (std::size_t g = plan.groups.size(); g-- > 0;) {
    const auto& group = plan.groups[g];
    // joints take their share, what they carry goes on to the body inboard
    add_shares(plan, group, lanes.F[g], ws);
    rows.add(plan, group, lanes.M[g], ws);
    add_at_place<Number>(group.parent, lanes.F[g], lanes.F);
    add_at_place<Number>(group.parent, lanes.M[g], lanes.M);
  }
}

/// accumulate_forces().
template <typename Number, AnyPack P, typename AnyWorkspace>
void sweep_forces(const LanePlanOf<P>& plan, AnyWorkspace& ws) {
  std::vector<PackSixOf<P>>& F = ws.lanes->F;
  take_published(plan, ws.F, F);
  for (std::size_t g = plan.groups.size(); g-- > 0;) {
    add_shares(plan, plan.groups[g], F[g], ws);
    add_at_place<Number>(plan.groups[g].parent, F[g], F);
  }
}

}  // namespace semirec
