#pragma once

#include <vector>

#include "recursive/lanes/lane_plan.hpp"

namespace semirec {

/// The sweeps' own arrays, lane by lane. Of one car, the per-body arrays of TreeWorkspace are
/// copies for the rest of the engine.
template <AnyPack P>
struct LaneWorkspaceOf {
  explicit LaneWorkspaceOf(const LanePlanOf<P>& plan)
      : A(plan.groups.size()),
        p(plan.groups.size()),
        Z(plan.groups.size()),
        Zd(plan.groups.size()),
        M(plan.groups.size()),
        F(plan.groups.size()),
        H(plan.columns.size()) {}

  std::vector<PackMatrix3Of<P>> A;  ///< [group]
  std::vector<Pack3Of<P>> p;        ///< [group]
  std::vector<PackSixOf<P>> Z, Zd;  ///< [group]
  /// [group] weighted own, then with all outboard bodies, Eq. (17)
  std::vector<PackInertiaOf<P>> M;
  std::vector<PackSixOf<P>> F;  ///< [group] own, then with all outboard bodies, Eq. (19)
  std::vector<PackSixOf<P>> H;  ///< [column]
};

using LaneWorkspace = LaneWorkspaceOf<Pack>;

}  // namespace semirec
