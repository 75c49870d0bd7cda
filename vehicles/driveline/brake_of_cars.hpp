#pragma once

#include <memory>
#include <vector>

#include "recursive/cars/forces_of_cars.hpp"
#include "recursive/cars/line_force_of_cars.hpp"
#include "recursive/cars/states_of_cars.hpp"
#include "vehicles/driveline/hub_forces.hpp"

namespace semirec {

inline bool are_alike(const BrakeForce& a, const BrakeForce& b) {
  return a.hub().connection == b.hub().connection && a.brake().input == b.brake().input &&
         a.states().first == b.states().first;
}

/// BrakeForce of cars side by side.
template <AnyPack P>
class BrakeOfCars final : public ForcesOfCars<P> {
 public:
  /// MakeForcesOfCars.
  static std::unique_ptr<const ForcesOfCars<P>> make(
      const TreeModel& tree, const std::vector<const ForceElement*>& elements) {
    std::vector<const BrakeForce*> brakes;
    for (const ForceElement* element : elements)
      brakes.push_back(static_cast<const BrakeForce*>(element));
    if (!LineForceOfCars<P>::fits(tree, brakes.front()->hub().connection)) return nullptr;
    return std::make_unique<BrakeOfCars<P>>(tree, brakes);
  }

  BrakeOfCars(const TreeModel& tree, const std::vector<const BrakeForce*>& brakes)
      : hub_(tree, brakes.front()->hub().connection),
        input_(brakes.front()->brake().input),
        first_state_(brakes.front()->states().first) {
    std::vector<const Attachment*> axles;
    for (const BrakeForce* own : brakes) axles.push_back(&own->hub().axle);
    axle_ = FrameOfCars<P>(tree, axles);
    torque_ = number_of_cars<P>(
        brakes, [](const BrakeForce& own) { return own.brake().torque * own.brake().balance; });
    friction_.bristle =
        number_of_cars<P>(brakes, [](const BrakeForce& own) { return own.friction().bristle; });
    friction_.damped_speed = number_of_cars<P>(
        brakes, [](const BrakeForce& own) { return own.friction().damped_speed; });
  }

  void add_forces(CarsWorkspace<P>& ws, unsigned /*cars*/) const override {
    const P none{};
    const Pack3Of<P> axis = axle_.direction(ws, axle_.A.y);
    const StatesOfCars<P> states(ws, first_state_);
    const FrictionTorqueOf<P> rubbing = rub(ws, axis, states);
    states.set_x(0, rubbing.z);
    const P size = torque_ * within(ws.inputs[at(input_)].f, 0.0, 1.0);
    if (!anywhere(size != 0.0)) return;
    hub_.add(ws, {{none, none, none}, axis}, size * rubbing.part, none, size * rubbing.secant);
  }

  void update_states(CarsWorkspace<P>& ws, unsigned /*cars*/) const override {
    const StatesOfCars<P> states(ws, first_state_);
    const FrictionTorqueOf<P> rubbing = rub(ws, axle_.direction(ws, axle_.A.y), states);
    states.set_x(0, rubbing.z);
    states.set_xd(0, rubbing.rate);
  }

 private:
  FrictionTorqueOf<P> rub(const CarsWorkspace<P>& ws, const Pack3Of<P>& axis,
                          const StatesOfCars<P>& states) const {
    const P speed = dot(axis, hub_.relative_velocity(ws).a);
    return compute_friction(friction_, states.x_begin(0), speed, states.step());
  }

  FrameOfCars<P> axle_;
  LineForceOfCars<P> hub_;
  InputIndex input_;
  int first_state_;
  P torque_;  ///< at input 1, N m
  FrictionOf<P> friction_;
};

}  // namespace semirec
