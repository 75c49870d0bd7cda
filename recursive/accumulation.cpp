#include "recursive/accumulation.hpp"

#include "recursive/lanes/lane_access.hpp"
#include "recursive/lanes/lane_workspace.hpp"
#include "topology/indices.hpp"

namespace semirec {

namespace {

/// A J A^T.
PackSymmetric3 turned(const PackMatrix3& A, const PackSymmetric3& J) {
  // rows of A
  const Pack3 x{A.x.x, A.y.x, A.z.x};
  const Pack3 y{A.x.y, A.y.y, A.z.y};
  const Pack3 z{A.x.z, A.y.z, A.z.z};
  const Pack3 Jx = J * x;
  const Pack3 Jy = J * y;
  const Pack3 Jz = J * z;
  return {dot(Jx, x), dot(Jy, y), dot(Jz, z), dot(Jx, y), dot(Jx, z), dot(Jy, z)};
}

}  // namespace

void compute_body_forces(const TreeModel& model, TreeWorkspace& ws) {
  LaneWorkspace& lanes = *ws.lanes;
  const Pack3 gravity{broadcast(model.gravity.x()), broadcast(model.gravity.y()),
                      broadcast(model.gravity.z())};
  const Pack weight = broadcast(ws.weights.mass);
  for (std::size_t i = 0; i < model.lanes->groups.size(); ++i) {
    const LaneGroup& group = model.lanes->groups[i];
    const PackMatrix3& A = lanes.A[i];
    const Pack3 g = lanes.p[i] + A * group.com;
    const PackSymmetric3 J = turned(A, group.inertia);
    const Pack3& w = lanes.Z[i].a;
    const Pack3& wd = lanes.Zd[i].a;

    // acceleration of the centre of mass: Zd is the spatial derivative (convention A)
    const Pack3 v_G = lanes.Z[i].l + cross(w, g);
    const Pack3 a_G = lanes.Zd[i].l + cross(wd, g) + cross(w, v_G);
    const Pack3 force = group.mass * (a_G - gravity);
    const PackSix F{force, J * wd + cross(w, J * w) + cross(g, force)};
    lanes.F[i] = F;
    publish(lanes.F[i], group.body, group.count, ws.F);

    // Mbar about O
    PackInertia& M = lanes.M[i];
    const Pack zero{};
    const Pack m = weight * group.mass;
    const Pack3 mg = m * g;
    M.ll = {m, m, m, zero, zero, zero};
    M.la = {{zero, -mg.z, mg.y}, {mg.z, zero, -mg.x}, {-mg.y, mg.x, zero}};
    M.aa = {weight * J.xx + mg.y * g.y + mg.z * g.z,
            weight * J.yy + mg.x * g.x + mg.z * g.z,
            weight * J.zz + mg.x * g.x + mg.y * g.y,
            weight * J.xy - mg.x * g.y,
            weight * J.xz - mg.x * g.z,
            weight * J.yz - mg.y * g.z};
  }
}

void publish_inertias(const TreeModel& model, TreeWorkspace& ws) {
  for (std::size_t i = 0; i < model.lanes->groups.size(); ++i) {
    const LaneGroup& group = model.lanes->groups[i];
    const PackInertia& M = ws.lanes->M[i];
    for (int l = 0; l < group.count; ++l) {
      const PackMatrix3& la = M.la;
      RigidInertia& own = ws.Mbar[at(group.body[at(l)])];
      own.m = M.ll.xx[l];
      own.mg = {la.z.y[l], la.x.z[l], la.y.x[l]};
      own.Jxx = M.aa.xx[l];
      own.Jyy = M.aa.yy[l];
      own.Jzz = M.aa.zz[l];
      own.Jxy = M.aa.xy[l];
      own.Jxz = M.aa.xz[l];
      own.Jyz = M.aa.yz[l];
    }
  }
}

namespace {

/// F of every body, tips handing theirs down.
void gather_forces(const TreeModel& model, TreeWorkspace& ws) {
  const LanePlan& plan = *model.lanes;
  std::vector<PackSix>& F = ws.lanes->F;
  for (std::size_t g = 0; g < plan.groups.size(); ++g)
    F[g] = collect<PackSix>(plan.groups[g].body, plan.groups[g].count, ws.F);
  for (std::size_t g = plan.groups.size(); g-- > 0;) add_at_place(plan.groups[g].parent, F[g], F);
}

/// A joint column's share H^T F of the residual.
void add_share(const TreeModel& model, const LaneGroup& group, int column, const PackSix& F,
               TreeWorkspace& ws) {
  const Pack share = dot(ws.lanes->H[at(column)], F);
  for (int l = 0; l < group.count; ++l)
    ws.residual[model.lanes->columns[at(column)][at(l)]] += share[l];
}

/// Rows of M of a group's columns where each lane goes its own way.
void add_rows_by_lane(const TreeModel& model, const LaneGroup& group, int column,
                      const PackSix& MH_lanes, TreeWorkspace& ws) {
  const Pack* packs = reinterpret_cast<const Pack*>(&MH_lanes);
  for (int l = 0; l < group.count; ++l) {
    Vector6 MH;
    for (std::size_t k = 0; k < 6; ++k) MH[static_cast<Eigen::Index>(k)] = packs[k][l];
    const auto row = at(model.lanes->columns[at(column)][at(l)]);
    for (int e = model.mass_row_begin[row]; e < model.mass_row_begin[row + 1]; ++e)
      ws.tangent[at(model.mass_slot[at(e)])] += ws.H[at(model.mass_column[at(e)])].dot(MH);
  }
}

}  // namespace

void accumulate(const TreeModel& model, TreeWorkspace& ws) {
  const LanePlan& plan = *model.lanes;
  LaneWorkspace& lanes = *ws.lanes;
  const std::size_t count = plan.groups.size();
  gather_forces(model, ws);
  for (std::size_t g = count; g-- > 0;) add_at_place(plan.groups[g].parent, lanes.M[g], lanes.M);
  // joints take their share
  double* tangent = ws.tangent.data();
  const std::array<int, kLanes>* slots = model.lanes->slots.data();
  for (std::size_t g = 0; g < count; ++g) {
    const LaneGroup& group = plan.groups[g];
    const int begin = group.column_begin;
    for (int k = begin; k < begin + group.column_count; ++k) {
      const PackSix& H = lanes.H[at(k)];
      add_share(model, group, k, lanes.F[g], ws);
      const PackSix MH = lanes.M[g] * H;
      if (group.count == 1 || group.scattered) {
        add_rows_by_lane(model, group, k, MH, ws);
        continue;
      }
      const auto add = [&](const Pack& value) {
        if ((*slots)[1] < 0) {
          double* to = tangent + (*slots)[0];
          store_loose(to, load_loose(to) + value);
        } else {
          for (int l = 0; l < group.count; ++l) tangent[(*slots)[at(l)]] += value[l];
        }
        ++slots;
      };
      for (int j = begin; j <= k; ++j) add(dot(lanes.H[at(j)], MH));
      for (const int j : group.lanewise_columns) add(dot(lanes.H[at(j)], MH));
      for (const int coordinate : group.shared_coordinates) {
        const Vector6& h = ws.H[at(coordinate)];
        add(h[0] * MH.l.x + h[1] * MH.l.y + h[2] * MH.l.z + h[3] * MH.a.x + h[4] * MH.a.y +
            h[5] * MH.a.z);
      }
    }
  }
}

void accumulate_forces(const TreeModel& model, TreeWorkspace& ws) {
  gather_forces(model, ws);
  for (std::size_t g = 0; g < model.lanes->groups.size(); ++g) {
    const LaneGroup& group = model.lanes->groups[g];
    for (int k = group.column_begin; k < group.column_begin + group.column_count; ++k)
      add_share(model, group, k, ws.lanes->F[g], ws);
  }
}

}  // namespace semirec
