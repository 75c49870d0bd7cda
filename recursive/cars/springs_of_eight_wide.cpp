#include "recursive/cars/spring_of_cars.hpp"
#include "recursive/cars/wide_forms.hpp"

namespace semirec {

std::unique_ptr<const ForcesOfCars<WidePack>> make_springs_of_eight(
    const TreeModel& tree, const std::vector<const ForceElement*>& elements) {
  return SpringOfCars<WidePack>::make(tree, elements);
}

}  // namespace semirec
