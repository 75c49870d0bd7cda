#pragma once

#include <memory>
#include <vector>

#include "recursive/packs/pack.hpp"

namespace semirec {

class ForceElement;
struct TreeModel;
template <AnyPack P>
class ForcesOfCars;

/// Makes what acts as the elements of cars side by side, one of each car, all of one kind and
/// bound; nullptr where these differ in more than numbers. `tree`: of one of the cars
/// (make_one_by_one()).
template <AnyPack P>
using MakeForcesOfCars = std::unique_ptr<const ForcesOfCars<P>> (*)(
    const TreeModel& tree, const std::vector<const ForceElement*>& elements);

/// How elements of one kind act in cars side by side, for each number of lanes.
struct FormsOfCars {
  MakeForcesOfCars<Pack> four = nullptr;
  MakeForcesOfCars<WidePack> eight = nullptr;

  template <AnyPack P>
  MakeForcesOfCars<P> of() const {
    if constexpr (kLanesOf<P> == 4)
      return four;
    else
      return eight;
  }
};

}  // namespace semirec
