#include "vehicles/parts/sensor_of_cars.hpp"
#include "vehicles/parts/wide_forms.hpp"

namespace semirec {

std::unique_ptr<const ForcesOfCars<WidePack>> make_sensors_of_eight(
    const TreeModel& tree, const std::vector<const ForceElement*>& elements) {
  return SensorOfCars<WidePack>::make(tree, elements);
}

}  // namespace semirec
