#pragma once

#include <memory>
#include <vector>

#include "recursive/cars/forces_of_cars.hpp"
#include "vehicles/tyre/magic_of_cars.hpp"
#include "vehicles/tyre/rolling_tyre_of_cars.hpp"
#include "vehicles/tyre/rolling_tyres.hpp"

namespace semirec {

/// RollingTyres of cars side by side, wheel after wheel.
template <AnyPack P>
class RollingTyresOfCars final : public ForcesOfCars<P> {
 public:
  /// MakeForcesOfCars.
  static std::unique_ptr<const ForcesOfCars<P>> make(
      const TreeModel& tree, const std::vector<const ForceElement*>& elements) {
    std::vector<const RollingTyres*> cars;
    for (const ForceElement* element : elements)
      cars.push_back(static_cast<const RollingTyres*>(element));
    const RollingTyres& first = *cars.front();
    for (const RollingTyres* car : cars) {
      if (car->tyres().size() != first.tyres().size() ||
          car->states().first != first.states().first)
        return nullptr;
      for (std::size_t k = 0; k < first.tyres().size(); ++k)
        if (!RollingTyreOfCars<P>::are_alike(first.tyres()[k], car->tyres()[k])) return nullptr;
    }
    return std::make_unique<RollingTyresOfCars<P>>(tree, cars);
  }

  RollingTyresOfCars(const TreeModel& tree, const std::vector<const RollingTyres*>& cars) {
    int state = cars.front()->states().first;
    for (std::size_t k = 0; k < cars.front()->tyres().size(); ++k) {
      std::vector<const RollingTyre*> tyres;
      std::vector<std::shared_ptr<const TyreLaw>> laws;
      for (const RollingTyres* car : cars) {
        tyres.push_back(&car->tyres()[k]);
        laws.push_back(tyres.back()->law());
      }
      std::unique_ptr<const LawOfCars<P>> law = MagicOfCars<P>::make(laws, numbers_);
      if (law == nullptr) law = std::make_unique<LawsCarByCar<P>>(laws);
      wheels_.emplace_back(tree, tyres, std::move(law), state);
      state += tyres.front()->state_count();
    }
  }

  void add_forces(CarsWorkspace<P>& ws, unsigned cars) const override {
    for (const RollingTyreOfCars<P>& wheel : wheels_) wheel.add_forces(ws, cars);
  }
  void update_states(CarsWorkspace<P>& ws, unsigned cars) const override {
    for (const RollingTyreOfCars<P>& wheel : wheels_) wheel.update_states(ws, cars);
  }

 private:
  std::vector<std::unique_ptr<const MagicNumbersOf<P>>> numbers_;  ///< of the wheels' laws
  std::vector<RollingTyreOfCars<P>> wheels_;
};

}  // namespace semirec
