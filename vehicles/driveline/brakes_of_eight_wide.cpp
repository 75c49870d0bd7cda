#include "vehicles/driveline/brake_of_cars.hpp"
#include "vehicles/driveline/wide_forms.hpp"

namespace semirec {

std::unique_ptr<const ForcesOfCars<WidePack>> make_brakes_of_eight(
    const TreeModel& tree, const std::vector<const ForceElement*>& elements) {
  return BrakeOfCars<WidePack>::make(tree, elements);
}

}  // namespace semirec
