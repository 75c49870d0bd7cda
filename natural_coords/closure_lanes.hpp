#pragma once

#include <array>
#include <vector>

#include "recursive/lanes/lane_plan.hpp"
#include "recursive/row_block.hpp"

namespace semirec {

struct Closure;
struct TreeModel;

/// One side of up to four like closures: the bodies' places in the sweep and the frames on them.
template <AnyPack P>
struct LaneSideOf {
  LanePlace body;
  PackMatrix3Of<P> A;
  Pack3Of<P> p;
};

/// A column of Phi_z of up to four like closures.
struct LaneColumn {
  int column = -1;  ///< of LanePlan::columns, where the lanes are those of the sweep
  std::array<int, kLanes> coordinate{};
  double sign = 1.0;
};

/// Up to four closures with the same equations that are evaluated together. Drivers stand alone.
template <AnyPack P>
struct ClosureGroupOf {
  int count = 0;
  std::array<int, kLanes> closure{};  ///< unused lanes repeat lane 0
  std::array<int, kLanes> row{};      ///< first row in Phi
  LaneSideOf<P> a, b;
  LanePlace ancestor;
  PackMatrix3Of<P> plane;  ///< in_plane: axes in the ancestor's compiled frame
  std::vector<LaneColumn> columns;
  P length{};
  bool has_inputs = false;  ///< some lane is driven
  bool has_axes = false;    ///< some equation is written with the axes of a side
  Pack3Of<P> slide_axis;    ///< in the compiled frame of a
  int jacobian = 0;
  int switch_index = -1;  ///< a closure that events switch stands alone
};

using LaneSide = LaneSideOf<Pack>;
using ClosureGroup = ClosureGroupOf<Pack>;

/// Like closures side by side, and where their rows lie in Phi_z: interleaved, so that one pack
/// holds the same entry of all four. Sets jacobian, stride and lanes of the blocks.
std::vector<ClosureGroup> make_closure_groups(const TreeModel& tree,
                                              const std::vector<Closure>& closures,
                                              std::vector<RowBlock>& blocks);

}  // namespace semirec
