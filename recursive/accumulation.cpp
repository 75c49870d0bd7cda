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

/// Adds lanes to their entries of the tangent (LanePlan::slots).
void add_to_slots(std::vector<double>& tangent, const std::array<int, kLanes>& slots, int count,
                  const Pack& value) {
  if (slots[1] < 0) {
    double* to = tangent.data() + slots[0];
    store_loose(to, load_loose(to) + value);
  } else {
    add_by_lane(tangent.data(), slots, count, value);
  }
}

/// Rows of M of one car, group by group.
class RowsOfBranches {
 public:
  explicit RowsOfBranches(const TreeModel& model) : model_(model) {}

  void add(const LanePlan& plan, const LaneGroup& group, const PackInertia& M,
           TreeWorkspace& ws) const {
    const std::array<int, kLanes>* slots = plan.slots.data() + group.slot_begin;
    for (int k = group.column_begin; k < group.column_begin + group.column_count; ++k)
      slots = add_row(plan, group, k, M * ws.lanes->H[at(k)], slots, ws);
  }

 private:
  /// Gives the slots that come after those of this row.
  const std::array<int, kLanes>* add_row(const LanePlan& plan, const LaneGroup& group, int column,
                                         const PackSix& MH, const std::array<int, kLanes>* slots,
                                         TreeWorkspace& ws) const {
    if (group.count == 1 || group.scattered) {
      add_lane_by_lane(plan, group, column, MH, ws);
      return slots;
    }
    const auto put = [&](const Pack& value) {
      add_to_slots(ws.tangent, *slots++, group.count, value);
    };
    for (int j = group.column_begin; j <= column; ++j) put(dot(ws.lanes->H[at(j)], MH));
    for (const int j : group.lanewise_columns) put(dot(ws.lanes->H[at(j)], MH));
    for (const auto& shared : group.shared_columns) {
      if (shared.unit_slide >= 0) {
        put(component_of(MH.l, shared.unit_slide));
        continue;
      }
      const Vector6& h = ws.H[at(shared.coordinate)];
      put(h[0] * MH.l.x + h[1] * MH.l.y + h[2] * MH.l.z + h[3] * MH.a.x + h[4] * MH.a.y +
          h[5] * MH.a.z);
    }
    return slots;
  }

  /// Where each lane goes its own way.
  void add_lane_by_lane(const LanePlan& plan, const LaneGroup& group, int column,
                        const PackSix& MH_lanes, TreeWorkspace& ws) const {
    const Pack* packs = reinterpret_cast<const Pack*>(&MH_lanes);
    for (int l = 0; l < group.count; ++l) {
      Vector6 MH;
      for (std::size_t k = 0; k < 6; ++k) MH[static_cast<Eigen::Index>(k)] = packs[k][l];
      const auto row = at(plan.columns[at(column)][at(l)]);
      for (int e = model_.mass_row_begin[row]; e < model_.mass_row_begin[row + 1]; ++e)
        ws.tangent[at(model_.mass_slot[at(e)])] += ws.H[at(model_.mass_column[at(e)])].dot(MH);
    }
  }

  const TreeModel& model_;
};

}  // namespace

void accumulate(const TreeModel& model, TreeWorkspace& ws) {
  sweep_accumulation<double>(*model.lanes, RowsOfBranches(model), ws);
}

void accumulate_forces(const TreeModel& model, TreeWorkspace& ws) {
  sweep_forces<double>(*model.lanes, ws);
}

}  // namespace semirec
