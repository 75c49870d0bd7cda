#include "recursive/cars/rotational_spring_of_cars.hpp"
#include "recursive/cars/wide_forms.hpp"

namespace semirec {

std::unique_ptr<const ForcesOfCars<WidePack>> make_rotational_springs_of_eight(
    const TreeModel& tree, const std::vector<const ForceElement*>& elements) {
  return RotationalSpringOfCars<WidePack>::make(tree, elements);
}

}  // namespace semirec
