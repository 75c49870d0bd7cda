#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "recursive/cars/forces_of_cars.hpp"
#include "vehicles/tyre/magic_of_cars.hpp"
#include "vehicles/tyre/rolling_tyre_of_cars.hpp"
#include "vehicles/tyre/rolling_tyres.hpp"

namespace semirec {

/// RollingTyres of cars side by side: wheels of Magic Formula tyres in pairs, others one by one.
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
        if (!are_alike(first.tyres()[k], car->tyres()[k])) return nullptr;
    }
    return std::make_unique<RollingTyresOfCars<P>>(tree, cars);
  }

  RollingTyresOfCars(const TreeModel& tree, const std::vector<const RollingTyres*>& cars) {
    std::vector<Wheel> all;
    int state = cars.front()->states().first;
    for (std::size_t k = 0; k < cars.front()->tyres().size(); ++k) {
      Wheel wheel;
      std::vector<std::shared_ptr<const TyreLaw>> laws;
      for (const RollingTyres* car : cars) {
        wheel.tyres.push_back(&car->tyres()[k]);
        laws.push_back(wheel.tyres.back()->law());
      }
      wheel.first_state = state;
      wheel.magic = std::make_unique<MagicWheelOfCars<P>>(laws, numbers_);
      are_of_one_kind_ = are_of_one_kind_ && !wheel.magic->mixed;
      if (wheel.magic->numbers == nullptr) wheel.law = std::make_unique<LawsCarByCar<P>>(laws);
      state += wheel.tyres.front()->state_count();
      all.push_back(std::move(wheel));
    }
    for (std::size_t k = 0; k < all.size(); ++k) {
      if (all[k].taken) continue;
      Wheel* beside = nullptr;
      for (std::size_t j = k + 1; j < all.size() && beside == nullptr; ++j)
        if (go_together(all[k], all[j])) beside = &all[j];
      take(tree, all[k], beside);
    }
    const auto of_one_kind = [](const auto& tyre) { return tyre.are_of_one_kind(); };
    are_of_one_kind_ = are_of_one_kind_ && std::all_of(pairs_.begin(), pairs_.end(), of_one_kind) &&
                       std::all_of(wheels_.begin(), wheels_.end(), of_one_kind);
  }

  bool are_of_one_kind() const override { return are_of_one_kind_; }

  void add_forces(CarsWorkspace<P>& ws, unsigned cars) const override {
    for (const RollingTyreOfCars<PackPair<P>>& pair : pairs_) pair.add_forces(ws, cars);
    for (const RollingTyreOfCars<P>& wheel : wheels_) wheel.add_forces(ws, cars);
  }
  void update_states(CarsWorkspace<P>& ws, unsigned cars) const override {
    for (const RollingTyreOfCars<PackPair<P>>& pair : pairs_) pair.update_states(ws, cars);
    for (const RollingTyreOfCars<P>& wheel : wheels_) wheel.update_states(ws, cars);
  }

 private:
  /// Whether tyres of cars differ in no more than numbers, roads and laws.
  static bool are_alike(const RollingTyre& a, const RollingTyre& b) {
    return rolling_terms_of(a) == rolling_terms_of(b) && a.motion() == b.motion() &&
           a.connection() == b.connection();
  }

  using Tyres = std::vector<const RollingTyre*>;  ///< of each car
  struct Wheel {
    Tyres tyres;
    int first_state = 0;
    std::unique_ptr<MagicWheelOfCars<P>> magic;
    std::unique_ptr<const LawOfCars<P>> law;  ///< where it is another
    bool taken = false;
  };

  static bool go_together(const Wheel& a, const Wheel& b) {
    return !b.taken && a.magic->numbers != nullptr && a.magic->numbers == b.magic->numbers &&
           rolling_terms_of(*a.tyres.front()) == rolling_terms_of(*b.tyres.front());
  }
  /// `beside`: another wheel of the same numbers, or null.
  void take(const TreeModel& tree, Wheel& wheel, Wheel* beside) {
    std::vector<Tyres> tyres{wheel.tyres};
    std::vector<int> states{wheel.first_state};
    if (wheel.law != nullptr) {
      wheels_.emplace_back(tree, tyres, states, std::move(wheel.law));
      return;
    }
    PackPair<P> sides(wheel.magic->side);
    if (beside != nullptr) {
      beside->taken = true;
      tyres.push_back(beside->tyres);
      states.push_back(beside->first_state);
      sides.second = beside->magic->side;
    }
    pairs_.emplace_back(tree, tyres, states,
                        std::make_unique<MagicOfCars<P>>(*wheel.magic->numbers, sides));
  }

  std::vector<std::unique_ptr<const MagicNumbersOf<P>>> numbers_;  ///< of the wheels' laws
  std::vector<RollingTyreOfCars<PackPair<P>>> pairs_;              ///< of the Magic Formula
  std::vector<RollingTyreOfCars<P>> wheels_;
  bool are_of_one_kind_ = true;
};

}  // namespace semirec
