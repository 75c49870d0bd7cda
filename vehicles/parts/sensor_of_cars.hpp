#pragma once

#include <memory>
#include <vector>

#include "recursive/cars/forces_of_cars.hpp"
#include "vehicles/parts/sensor.hpp"

namespace semirec {

inline bool are_alike(const SensorReport& /*a*/, const SensorReport& /*b*/) { return true; }

/// SensorReport of cars side by side: it acts on nothing.
template <AnyPack P>
class SensorOfCars final : public ForcesOfCars<P> {
 public:
  /// MakeForcesOfCars.
  static std::unique_ptr<const ForcesOfCars<P>> make(
      const TreeModel& /*tree*/, const std::vector<const ForceElement*>& /*elements*/) {
    return std::make_unique<SensorOfCars<P>>();
  }
  void add_forces(CarsWorkspace<P>& /*ws*/, unsigned /*cars*/) const override {}
  void update_states(CarsWorkspace<P>& /*ws*/, unsigned /*cars*/) const override {}
};

}  // namespace semirec
