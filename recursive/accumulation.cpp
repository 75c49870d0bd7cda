#include "recursive/accumulation.hpp"

#include "recursive/lanes/accumulation_sweeps.hpp"

namespace semirec {

void compute_body_forces(const TreeModel& model, TreeWorkspace& ws) {
  sweep_body_forces(*model.lanes, model.gravity, ws);
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

/// Rows of M of one car's groups beyond what lies lane by lane.
struct RowsOfBranches {
  const TreeModel& model;

  /// Rows of a group's column where each lane goes its own way; else false.
  bool add_by_itself(const LaneGroup& group, int column, const PackSix& MH_lanes,
                     TreeWorkspace& ws) const {
    if (group.count > 1 && !group.scattered) return false;
    const Pack* packs = reinterpret_cast<const Pack*>(&MH_lanes);
    for (int l = 0; l < group.count; ++l) {
      Vector6 MH;
      for (std::size_t k = 0; k < 6; ++k) MH[static_cast<Eigen::Index>(k)] = packs[k][l];
      const auto row = at(model.lanes->columns[at(column)][at(l)]);
      for (int e = model.mass_row_begin[row]; e < model.mass_row_begin[row + 1]; ++e)
        ws.tangent[at(model.mass_slot[at(e)])] += ws.H[at(model.mass_column[at(e)])].dot(MH);
    }
    return true;
  }

  template <typename Add>
  void add_shared(const LaneGroup& group, const PackSix& MH, const TreeWorkspace& ws,
                  const Add& add) const {
    for (const auto& column : group.shared_columns) {
      if (column.unit_slide >= 0) {
        add(component_of(MH.l, column.unit_slide));
        continue;
      }
      const Vector6& h = ws.H[at(column.coordinate)];
      add(h[0] * MH.l.x + h[1] * MH.l.y + h[2] * MH.l.z + h[3] * MH.a.x + h[4] * MH.a.y +
          h[5] * MH.a.z);
    }
  }
};

}  // namespace

void accumulate(const TreeModel& model, TreeWorkspace& ws) {
  sweep_accumulation(*model.lanes, RowsOfBranches{model}, ws.tangent.data(), ws);
}

void accumulate_forces(const TreeModel& model, TreeWorkspace& ws) {
  sweep_forces<double>(*model.lanes, ws);
}

}  // namespace semirec
