#pragma once

#include <vector>

#include "natural_coords/closure.hpp"
#include "natural_coords/closure_lanes.hpp"
#include "recursive/cars/car_plan.hpp"

namespace semirec {

/// The closures of a car that is to be swept beside others, one by one as its bodies (`tree`, from
/// make_one_by_one()). Build time.
ClosureModel make_one_by_one(const TreeModel& tree, const ClosureModel& closures);

/// Why the closures of two cars cannot be evaluated side by side, as the end of a sentence that
/// begins with "it has"; nullptr where they can. Places and lengths may differ.
const char* difference_of(const ClosureModel& a, const ClosureModel& b);

/// The closures of cars side by side, laid out as `first` (of make_one_by_one()), from what
/// make_closure_groups() makes of each in the same tree, one car a lane; where there are fewer than
/// lanes the first fills the rest. Build time.
template <AnyPack P>
std::vector<ClosureGroupOf<P>> put_side_by_side(
    const ClosureModel& first, const std::vector<std::vector<ClosureGroup>>& cars) {
  std::vector<ClosureGroupOf<P>> groups;
  for (std::size_t g = 0; g < first.groups->size(); ++g) {
    const ClosureGroup& like = (*first.groups)[g];
    ClosureGroupOf<P> group;
    group.count = 1;
    group.closure = like.closure;
    group.row = like.row;
    group.a.body = like.a.body;
    group.b.body = like.b.body;
    group.ancestor = like.ancestor;
    group.columns = like.columns;
    group.has_inputs = like.has_inputs;
    group.has_axes = like.has_axes;
    group.jacobian = like.jacobian;
    for (int l = 0; l < kLanesOf<P>; ++l) {
      const auto car = static_cast<std::size_t>(l) < cars.size() ? static_cast<std::size_t>(l) : 0;
      const ClosureGroup& own = cars[car][g];
      put_lane(group.a.A, l, own.a.A);
      put_lane(group.a.p, l, own.a.p);
      put_lane(group.b.A, l, own.b.A);
      put_lane(group.b.p, l, own.b.p);
      put_lane(group.plane, l, own.plane);
      put_lane(group.length, l, own.length);
      put_lane(group.slide_axis, l, own.slide_axis);
    }
    groups.push_back(std::move(group));
  }
  return groups;
}

/// ClosureWorkspace of cars side by side. Closures that events switch are not among them.
template <AnyPack P>
struct CarsClosures {
  explicit CarsClosures(const ClosureModel& model)
      : Phi(static_cast<std::size_t>(model.m)),
        Phid(Phi),
        Phidd(Phi),
        Phi_z(static_cast<std::size_t>(model.jacobian_size)),
        places(model.groups->size()) {}

  std::vector<ClosureSwitch> switches;  ///< none
  std::vector<P> Phi, Phid, Phidd;      ///< m
  std::vector<P> Phi_z;                 ///< blocks of the closures

  std::vector<ClosurePlacesOf<P>> places;  ///< of the evaluation alone
};

}  // namespace semirec
