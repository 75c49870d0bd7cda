#include "vehicles/tyre/road_tyre_of_cars.hpp"
#include "vehicles/tyre/wide_forms.hpp"

namespace semirec {

std::unique_ptr<const ForcesOfCars<WidePack>> make_road_tyres_of_eight(
    const TreeModel& tree, const std::vector<const ForceElement*>& elements) {
  return RoadTyreOfCars<WidePack>::make(tree, elements);
}

}  // namespace semirec
