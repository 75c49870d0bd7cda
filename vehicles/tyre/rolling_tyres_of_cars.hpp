#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "recursive/cars/forces_of_cars.hpp"
#include "vehicles/tyre/magic_of_cars.hpp"
#include "vehicles/tyre/rolling_tyre_of_cars.hpp"
#include "vehicles/tyre/rolling_tyres.hpp"

namespace semirec {

/// Whether the tyres of two cars differ in no more than numbers, roads that are both planes or
/// neither, and laws that are alike.
inline bool are_alike(const RollingTyres& a, const RollingTyres& b) {
  if (a.tyres().size() != b.tyres().size() || a.states().first != b.states().first) return false;
  for (std::size_t k = 0; k < a.tyres().size(); ++k) {
    const RollingTyre& of_a = a.tyres()[k];
    const RollingTyre& of_b = b.tyres()[k];
    if (!(rolling_terms_of(of_a) == rolling_terms_of(of_b)) || !(of_a.motion() == of_b.motion()) ||
        of_a.connection() != of_b.connection() ||
        (of_a.road().plane() == nullptr) != (of_b.road().plane() == nullptr) ||
        !are_alike(*of_a.law(), *of_b.law()))
      return false;
  }
  return true;
}

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
      if (wheel.magic->numbers == nullptr) wheel.law = std::make_unique<LawsOneByOne<P>>(laws);
      state += wheel.tyres.front()->state_count();
      all.push_back(std::move(wheel));
    }
    for (std::size_t k = 0; k < all.size(); ++k) {
      if (all[k].taken) continue;
      take(tree, all[k], find_partner(all, k));
    }
  }

  void add_forces(CarsWorkspace<P>& ws, unsigned cars) const override {
    for (const RollingTyreOfCars<PackPair<P>>& pair : pairs_) pair.add_forces(ws, cars);
    for (const RollingTyreOfCars<P>& wheel : wheels_) wheel.add_forces(ws, cars);
  }
  void update_states(CarsWorkspace<P>& ws, unsigned cars) const override {
    for (const RollingTyreOfCars<PackPair<P>>& pair : pairs_) pair.update_states(ws, cars);
    for (const RollingTyreOfCars<P>& wheel : wheels_) wheel.update_states(ws, cars);
  }

 private:
  using Tyres = std::vector<const RollingTyre*>;  ///< of each car
  struct Wheel {
    Tyres tyres;
    int first_state = 0;
    std::unique_ptr<MagicWheelOfCars<P>> magic;
    std::unique_ptr<const LawsInLanes<P>> law;  ///< where it is another
    bool taken = false;
  };

  static bool go_together(const Wheel& a, const Wheel& b) {
    return !b.taken && a.magic->numbers != nullptr && a.magic->numbers == b.magic->numbers &&
           rolling_terms_of(*a.tyres.front()) == rolling_terms_of(*b.tyres.front());
  }
  static bool turn_as_one(const Wheel& a, const Wheel& b) {
    return a.tyres.front()->rim().body == b.tyres.front()->rim().body;
  }
  /// The wheel to be worked out together with wheel k, or null. What presses on one rim is added in
  /// the order of the wheels, whoever is paired: its wheels go with the next one there, or alone.
  static Wheel* find_partner(std::vector<Wheel>& all, std::size_t k) {
    Wheel& own = all[k];
    const auto shares = [&](const Wheel& wheel) {
      return std::count_if(all.begin(), all.end(),
                           [&](const Wheel& other) { return turn_as_one(wheel, other); }) > 1;
    };
    const bool is_shared = shares(own);
    for (std::size_t j = k + 1; j < all.size(); ++j) {
      if (is_shared ? !turn_as_one(own, all[j]) : shares(all[j])) continue;
      if (go_together(own, all[j])) return &all[j];
      if (is_shared) return nullptr;
    }
    return nullptr;
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
};

}  // namespace semirec
