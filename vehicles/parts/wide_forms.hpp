#pragma once

#include "recursive/cars/forms_of_cars.hpp"

namespace semirec {

// Forms of eight cars side by side, in files compiled for AVX-512 (cmake/WideKernels.cmake).

std::unique_ptr<const ForcesOfCars<WidePack>> make_aeros_of_eight(
    const TreeModel& tree, const std::vector<const ForceElement*>& elements);
std::unique_ptr<const ForcesOfCars<WidePack>> make_sensors_of_eight(
    const TreeModel& tree, const std::vector<const ForceElement*>& elements);

}  // namespace semirec
