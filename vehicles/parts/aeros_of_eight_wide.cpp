#include "vehicles/parts/aero_of_cars.hpp"
#include "vehicles/parts/wide_forms.hpp"

namespace semirec {

std::unique_ptr<const ForcesOfCars<WidePack>> make_aeros_of_eight(
    const TreeModel& tree, const std::vector<const ForceElement*>& elements) {
  return AeroOfCars<WidePack>::make(tree, elements);
}

}  // namespace semirec
