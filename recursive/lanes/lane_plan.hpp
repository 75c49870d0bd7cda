#pragma once

#include <array>
#include <vector>

#include "recursive/joint_motion.hpp"
#include "recursive/packs/pack.hpp"
#include "recursive/symmetric_pattern.hpp"
#include "topology/spanning_tree.hpp"

namespace semirec {

/// One motion of the joints of a group of bodies, alike in kind and axis.
template <AnyPack P>
struct LaneMotionOf {
  JointMotion::Kind kind = JointMotion::Kind::turn;
  int axis = 2;
  int column = 0;  ///< first of LanePlan::columns
  P sign = spread<P>(1.0);
  int triads = -1;  ///< index in LanePlan::triads
};

/// Where up to four bodies lie in the sweep.
struct LanePlace {
  enum class Kind {
    ground,
    shared,    ///< one body for all lanes
    lanewise,  ///< each lane's body lies in the same lane of one group
    scattered
  };
  Kind kind = Kind::ground;
  int count = 0;
  int group = -1;  ///< shared, lanewise
  int lane = 0;    ///< shared
  std::array<int, kLanes> groups{}, lanes{};
};

/// Up to four bodies of the tree that are swept together: their joints are chains of the same
/// motions. Data by lane; unused lanes have no mass.
template <AnyPack P>
struct LaneGroupOf {
  int count = 0;
  std::array<TreeIndex, kLanes> body{};
  LanePlace parent;
  int motion_begin = 0, motion_end = 0;    ///< in LanePlan::motions
  int column_begin = 0, column_count = 0;  ///< in LanePlan::columns
  int slot_begin = 0;                      ///< in LanePlan::slots
  int block_begin = 0, block_end = 0;      ///< in LanePlan::blocks
  P rests = spread<P>(1.0);                ///< 0 where the joint counts from the moving origin
  PackMatrix3Of<P> X_A;                    ///< inboard joint frame in the parent's compiled frame
  Pack3Of<P> X_p;
  P mass{};
  Pack3Of<P> com;
  PackSymmetric3Of<P> inertia;  ///< about the centre of mass, axes of the compiled frame
  // columns of H inboard of the group's own, for the rows of M: those that lie lane by lane, and
  // the coordinates that all lanes share; `scattered`: neither, each lane by itself
  std::vector<int> lanewise_columns;
  struct SharedColumn {
    int coordinate = 0;
    int unit_slide = -1;  ///< as LanePlan::unit_slide
  };
  std::vector<SharedColumn> shared_columns;
  bool scattered = false;
};

/// Columns of one group, one after another, whose rows of M are worked out together.
struct LaneBlock {
  static constexpr int kMost = 3;
  int column = 0;  ///< the first one
  int count = 0;
  int run_begin = 0, run_end = 0;  ///< in LanePlan::runs: the columns inboard of all of them
  std::array<int, kMost*(kMost + 1) / 2> own{};  ///< entries of their own: (0,0), (1,0), (1,1), ...
};

/// Columns of H one after another whose entries of the rows of a block stand one after another,
/// too.
struct LaneRun {
  int column = 0;                            ///< the first one
  std::array<int, LaneBlock::kMost> slot{};  ///< its entry of each row
  int count = 0;
  int slide =
      -1;  ///< where the columns are unit slides along x, y, z in this order: the first axis
};

/// Which bodies share a sweep. Found once from the tree: bodies with like joints whose parents are
/// one body, or lie lane by lane in one group. The four corners of a car become the four lanes.
template <AnyPack P>
struct LanePlanOf {
  /// Each group is one body, and all columns inboard of it are lanewise: the plan of which several
  /// cars side by side are made.
  bool one_by_one = false;
  std::vector<LaneGroupOf<P>> groups;  ///< parents before children
  std::vector<LaneMotionOf<P>> motions;
  /// [column] coordinate of each lane; unused lanes repeat that of lane 0.
  std::vector<std::array<int, kLanes>> columns;
  /// [column] 0, 1 or 2 where the column is the unit slide along that world axis at all times; else
  /// -1.
  std::vector<int> unit_slide;
  std::vector<std::array<int, kLanes>> triads;  ///< [triad of a group] the triad of each lane
  std::vector<int> group_of_body, lane_of_body;
  std::vector<int> all_groups;  ///< 0, 1, ...: what a whole sweep passes
  // entries of the tangent, written by add_slots()
  /// By lane: for each column k of each group with several lanes its own columns up to k, then
  /// LaneGroup::lanewise_columns, then shared_columns. Where the values of the lanes lie side by
  /// side, the second is -1.
  std::vector<std::array<int, kLanes>> slots;
  /// One by one instead: the rows of each group, block after block.
  std::vector<LaneBlock> blocks;
  std::vector<LaneRun> runs;
};

using LaneMotion = LaneMotionOf<Pack>;
using LaneGroup = LaneGroupOf<Pack>;
using LanePlan = LanePlanOf<Pack>;

/// Where bodies lie; `bodies`: four, those from `count` on repeat the first.
LanePlace find_place(const LanePlan& plan, const std::array<TreeIndex, kLanes>& bodies, int count);

/// The groups that a sweep must pass to reach these bodies, in its order. Ground needs none.
std::vector<int> groups_to_reach(const LanePlan& plan, const std::vector<TreeIndex>& bodies);

struct TreeModel;
/// Needs the bodies and motions of the model; slots come with the pattern.
LanePlan make_lane_plan(const TreeModel& model, bool one_by_one = false);
/// Looks up the slots of a plan's rows in the tangent's pattern.
void add_slots(LanePlan& plan, const SymmetricPattern& pattern);

}  // namespace semirec
