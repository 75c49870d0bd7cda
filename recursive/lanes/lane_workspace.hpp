#pragma once

#include <vector>

#include "recursive/lanes/lane_plan.hpp"

namespace semirec {

/// The sweeps' own arrays, lane by lane; the per-body arrays of TreeWorkspace are copies for the
/// rest of the engine.
struct LaneWorkspace {
  explicit LaneWorkspace(const LanePlan& plan)
      : A(plan.groups.size()),
        p(plan.groups.size()),
        Z(plan.groups.size()),
        Zd(plan.groups.size()),
        M(plan.groups.size()),
        F(plan.groups.size()),
        H(plan.columns.size()) {}

  std::vector<PackMatrix3> A;  ///< [group]
  std::vector<Pack3> p;        ///< [group]
  std::vector<PackSix> Z, Zd;  ///< [group]
  std::vector<PackInertia> M;  ///< [group] weighted own, then with all outboard bodies, Eq. (17)
  std::vector<PackSix> F;      ///< [group] own, then with all outboard bodies, Eq. (19)
  std::vector<PackSix> H;      ///< [column]
};

}  // namespace semirec
