#pragma once

#include <memory>
#include <vector>

#include "recursive/packs/pack.hpp"

namespace semirec {

class ForceElement;
struct TreeModel;
template <AnyPack P>
class ForcesOfCars;

/// Makes what acts as the elements of cars side by side, one of each car, all alike and bound;
/// nullptr where such elements cannot act so. `tree`: of one of the cars (make_one_by_one()).
template <AnyPack P>
using MakeForcesOfCars = std::unique_ptr<const ForcesOfCars<P>> (*)(
    const TreeModel& tree, const std::vector<const ForceElement*>& elements);

/// How elements of one kind act in cars side by side, for each number of lanes.
struct FormsOfCars {
  /// Whether two such elements differ in no more than numbers, and the curves and roads that are
  /// among these: then they may act side by side.
  bool (*are_alike)(const ForceElement& a, const ForceElement& b) = nullptr;
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

/// FormsOfCars::are_alike of elements of a type, which has a function are_alike() of its own.
template <typename Element>
bool are_alike_as(const ForceElement& a, const ForceElement& b) {
  return are_alike(static_cast<const Element&>(a), static_cast<const Element&>(b));
}

}  // namespace semirec
