#include "vehicles/tyre/rolling_tyres_of_cars.hpp"
#include "vehicles/tyre/wide_forms.hpp"

namespace semirec {

std::unique_ptr<const ForcesOfCars<WidePack>> make_rolling_tyres_of_eight(
    const TreeModel& tree, const std::vector<const ForceElement*>& elements) {
  return RollingTyresOfCars<WidePack>::make(tree, elements);
}

}  // namespace semirec
