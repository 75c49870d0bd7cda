#pragma once

#include <memory>
#include <numbers>
#include <optional>
#include <vector>

#include "recursive/cars/curve_of_cars.hpp"
#include "recursive/cars/forces_of_cars.hpp"
#include "recursive/cars/line_force_of_cars.hpp"
#include "recursive/forces/standard_forces.hpp"

namespace semirec {

inline bool are_alike(const RotationalSpringDamperForce& a, const RotationalSpringDamperForce& b) {
  return a.connection() == b.connection() && a.counted().has_value() == b.counted().has_value() &&
         (!a.counted() || a.counted()->counts_as(*b.counted()));
}

/// RotationalSpringDamperForce of cars side by side.
template <AnyPack P>
class RotationalSpringOfCars final : public ForcesOfCars<P> {
 public:
  /// MakeForcesOfCars.
  static std::unique_ptr<const ForcesOfCars<P>> make(
      const TreeModel& tree, const std::vector<const ForceElement*>& elements) {
    std::vector<const RotationalSpringDamperForce*> springs;
    for (const ForceElement* element : elements)
      springs.push_back(static_cast<const RotationalSpringDamperForce*>(element));
    if (!LineForceOfCars<P>::fits(tree, springs.front()->connection())) return nullptr;
    return std::make_unique<RotationalSpringOfCars<P>>(tree, springs);
  }

  RotationalSpringOfCars(const TreeModel& tree,
                         const std::vector<const RotationalSpringDamperForce*>& springs)
      : line_(tree, springs.front()->connection()) {
    std::vector<const Attachment*> a;
    std::vector<const Attachment*> b;
    std::vector<const Curve*> spring;
    std::vector<const Curve*> damper;
    for (const RotationalSpringDamperForce* own : springs) {
      a.push_back(&own->a());
      b.push_back(&own->b());
      spring.push_back(&own->data().spring);
      damper.push_back(&own->data().damper);
    }
    a_ = FrameOfCars<P>(tree, a);
    b_ = FrameOfCars<P>(tree, b);
    spring_ = CurveOfCars<P>(spring);
    damper_ = CurveOfCars<P>(damper);
    if (!springs.front()->counted()) return;
    counted_ = springs.front()->counted();
    zero_ = number_of_cars<P>(
        springs, [](const RotationalSpringDamperForce& own) { return own.counted()->zero; });
  }

  void add_forces(CarsWorkspace<P>& ws, unsigned /*cars*/) const override {
    const PackMatrix3Of<P> axes = a_.axes(ws);
    const Pack3Of<P> x_b = b_.direction(ws, b_.A.x);
    const P angle = with_whole_turns(ws, arc_tangent_2(dot(x_b, axes.y), dot(x_b, axes.x)));
    const P none{};
    const PackSixOf<P> line{{none, none, none}, axes.z};
    const P rate = dot(axes.z, line_.relative_velocity(ws).a);
    const LaneInputOf<P> spring = spring_.evaluate(angle);
    const LaneInputOf<P> damper = damper_.evaluate(rate);
    line_.add(ws, line, spring.f + damper.f, spring.fd, damper.fd);
  }
  void update_states(CarsWorkspace<P>& /*ws*/, unsigned /*cars*/) const override {}

 private:
  /// add_whole_turns().
  P with_whole_turns(const CarsWorkspace<P>& ws, const P& angle) const {
    if (!counted_) return angle;
    constexpr double kTurn = 2.0 * std::numbers::pi;
    P count = zero_;
    for (std::size_t i = 0; i < counted_->coordinates.size(); ++i) {
      const std::size_t k = at(counted_->coordinates[i]);
      count = count + counted_->sign[i] * (ws.z[k] + ws.z_offset[k]);
    }
    const P turns = ((count - angle) * (1.0 / kTurn) + kToWhole) - kToWhole;
    return angle + kTurn * turns;
  }

  std::optional<CountedAngle> counted_;
  P zero_{};  ///< CountedAngle::zero of each car
  FrameOfCars<P> a_, b_;
  LineForceOfCars<P> line_;
  CurveOfCars<P> spring_, damper_;
};

}  // namespace semirec
