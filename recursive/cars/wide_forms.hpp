#pragma once

#include "recursive/cars/forms_of_cars.hpp"

namespace semirec {

// Forms of eight cars side by side, in files compiled for AVX-512 (cmake/WideKernels.cmake).

std::unique_ptr<const ForcesOfCars<WidePack>> make_springs_of_eight(
    const TreeModel& tree, const std::vector<const ForceElement*>& elements);
std::unique_ptr<const ForcesOfCars<WidePack>> make_rotational_springs_of_eight(
    const TreeModel& tree, const std::vector<const ForceElement*>& elements);
std::unique_ptr<const ForcesOfCars<WidePack>> make_bushings_of_eight(
    const TreeModel& tree, const std::vector<const ForceElement*>& elements);

}  // namespace semirec
