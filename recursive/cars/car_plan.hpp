#pragma once

#include <vector>

#include "recursive/lanes/lane_plan.hpp"
#include "recursive/tree_model.hpp"

namespace semirec {

/// The tree of a car that is to be swept beside others: body by body, with a tangent stored along
/// its elimination tree. Its force elements act in it as they do in `tree`. Build time.
TreeModel make_one_by_one(const TreeModel& tree);

/// Why two trees cannot be swept side by side, as the end of a sentence that begins with "it has";
/// nullptr where they can. Numbers may differ: masses, inertias, places and directions of joints.
const char* difference_of(const TreeModel& a, const TreeModel& b);

/// Puts number `from` of a car into its lane.
template <AnyPack P>
void put_lane(P& to, int lane, const Pack& from) {
  to[lane] = from[0];
}
template <AnyPack P>
void put_lane(Pack3Of<P>& to, int lane, const Pack3& from) {
  put_lane(to.x, lane, from.x);
  put_lane(to.y, lane, from.y);
  put_lane(to.z, lane, from.z);
}
template <AnyPack P>
void put_lane(PackMatrix3Of<P>& to, int lane, const PackMatrix3& from) {
  put_lane(to.x, lane, from.x);
  put_lane(to.y, lane, from.y);
  put_lane(to.z, lane, from.z);
}
template <AnyPack P>
void put_lane(PackSymmetric3Of<P>& to, int lane, const PackSymmetric3& from) {
  put_lane(to.xx, lane, from.xx);
  put_lane(to.yy, lane, from.yy);
  put_lane(to.zz, lane, from.zz);
  put_lane(to.xy, lane, from.xy);
  put_lane(to.xz, lane, from.xz);
  put_lane(to.yz, lane, from.yz);
}

/// The plan of cars side by side, laid out as `first` (of make_one_by_one()), from what
/// make_lane_plan() makes of each one by one, one a lane; where there are fewer than lanes the
/// first fills the rest. Build time.
template <AnyPack P>
LanePlanOf<P> put_side_by_side(const LanePlan& first, const std::vector<LanePlan>& cars) {
  LanePlanOf<P> plan;
  plan.one_by_one = true;
  plan.columns = first.columns;
  plan.triads = first.triads;
  plan.group_of_body = first.group_of_body;
  plan.lane_of_body = first.lane_of_body;
  plan.all_groups = first.all_groups;
  plan.blocks = first.blocks;
  plan.runs = first.runs;
  // a slide of the first car may be none of another one
  for (LaneRun& run : plan.runs)
    for (const LanePlan& own : cars)
      for (std::size_t c = at(run.column); c < at(run.column + run.count); ++c)
        if (own.unit_slide[c] != first.unit_slide[c]) run.slide = -1;
  for (const LaneMotion& motion : first.motions)
    plan.motions.push_back({.kind = motion.kind,
                            .axis = motion.axis,
                            .column = motion.column,
                            .sign = spread<P>(motion.sign[0]),
                            .triads = motion.triads});
  for (std::size_t g = 0; g < first.groups.size(); ++g) {
    const LaneGroup& like = first.groups[g];
    LaneGroupOf<P> group;
    group.count = 1;
    group.body = like.body;
    group.parent = like.parent;
    group.motion_begin = like.motion_begin;
    group.motion_end = like.motion_end;
    group.column_begin = like.column_begin;
    group.column_count = like.column_count;
    group.block_begin = like.block_begin;
    group.block_end = like.block_end;
    group.rests = spread<P>(like.rests[0]);
    for (int l = 0; l < kLanesOf<P>; ++l) {
      const auto car = static_cast<std::size_t>(l) < cars.size() ? static_cast<std::size_t>(l) : 0;
      const LaneGroup& own = cars[car].groups[g];
      put_lane(group.X_A, l, own.X_A);
      put_lane(group.X_p, l, own.X_p);
      put_lane(group.mass, l, own.mass);
      put_lane(group.com, l, own.com);
      put_lane(group.inertia, l, own.inertia);
    }
    plan.groups.push_back(std::move(group));
  }
  return plan;
}

}  // namespace semirec
