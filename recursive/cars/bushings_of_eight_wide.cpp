#include "recursive/cars/bushing_of_cars.hpp"
#include "recursive/cars/wide_forms.hpp"

namespace semirec {

std::unique_ptr<const ForcesOfCars<WidePack>> make_bushings_of_eight(
    const TreeModel& tree, const std::vector<const ForceElement*>& elements) {
  return BushingOfCars<WidePack>::make(tree, elements);
}

}  // namespace semirec
