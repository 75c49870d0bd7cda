#pragma once

#include <memory>
#include <vector>

#include "recursive/cars/curve_of_cars.hpp"
#include "recursive/cars/forces_of_cars.hpp"
#include "recursive/cars/line_force_of_cars.hpp"
#include "vehicles/tyre/road_tyre.hpp"
#include "vehicles/tyre/touch_down.hpp"

namespace semirec {

inline bool are_alike(const RoadTyre& a, const RoadTyre& b) {
  return a.pushes_sideways() == b.pushes_sideways() && a.on_surface() == b.on_surface() &&
         a.law() == b.law() && a.motion() == b.motion() && a.connection() == b.connection() &&
         a.wheel().unilateral == b.wheel().unilateral;
}

/// RoadTyre of cars side by side: tyres that only carry, on roads by their profile.
template <AnyPack P>
class RoadTyreOfCars final : public ForcesOfCars<P> {
 public:
  /// MakeForcesOfCars.
  static std::unique_ptr<const ForcesOfCars<P>> make(
      const TreeModel& tree, const std::vector<const ForceElement*>& elements) {
    std::vector<const RoadTyre*> tyres;
    for (const ForceElement* element : elements)
      tyres.push_back(static_cast<const RoadTyre*>(element));
    const RoadTyre& first = *tyres.front();
    if (first.pushes_sideways() || first.on_surface() || first.motion().tilts()) return nullptr;
    return std::make_unique<RoadTyreOfCars<P>>(tree, tyres);
  }

  RoadTyreOfCars(const TreeModel& tree, const std::vector<const RoadTyre*>& tyres)
      : line_(tree, tyres.front()->connection()),
        law_(tyres.front()->law()),
        motion_(tyres.front()->motion()),
        unilateral_(tyres.front()->wheel().unilateral) {
    std::vector<const Attachment*> centres;
    std::vector<const Curve*> roads;
    for (const RoadTyre* tyre : tyres) {
      centres.push_back(&tyre->centre());
      roads.push_back(&tyre->road());
    }
    centre_ = PlaceOfCars<P>(tree, centres);
    road_ = CurveOfCars<P>(roads);
    for (int l = 0; l < kLanesOf<P>; ++l) {
      const RoadTyre& own = *tyres[at(l) < tyres.size() ? at(l) : 0];
      radius_[l] = own.wheel().radius;
      stiffness_[l] = own.wheel().stiffness;
      damping_[l] = own.wheel().damping;
      const Eigen::Vector3d axle = own.centre().X_CF.A.col(1);
      axle_.x[l] = axle.x();
      axle_.y[l] = axle.y();
      axle_.z[l] = axle.z();
    }
  }

  void add_forces(CarsWorkspace<P>& ws, unsigned /*cars*/) const override {
    const P zero{};
    const P one = spread<P>(1.0);
    const Pack3Of<P> centre = centre_.position(ws);
    const Pack3Of<P> world = ws.origin + centre;
    const PackSixOf<P> Z = centre_.velocity(ws);
    const Pack3Of<P> velocity = Z.l + cross(Z.a, centre);
    LaneInputOf<P> ground(zero, zero, zero);
    if (!road_.is_zero()) ground = road_.evaluate(world.x);
    P height = ground.f;
    P lift_rate{};
    if (motion_.moves()) {
      height += ws.inputs[at(motion_.lift)].f;
      lift_rate = ws.inputs[at(motion_.lift)].fd;
    }
    const P gap = world.z - height;
    const P slope = ground.fd;
    P H = one;
    Pack3Of<P> normal(zero, zero, one);
    Pack3Of<P> pressed = centre;
    if (law_ == ContactLaw::normal) {
      H = square_root(1.0 + slope * slope);
      normal = {-slope / H, zero, 1.0 / H};
      // down the wheel's middle plane to the road's tangent plane
      const Pack3Of<P> axle = centre_.direction(ws, axle_);
      const P lean = dot(axle, normal);
      const Pack3Of<P> up = normal - lean * axle;
      pressed = centre - (gap / H / larger_of(1.0 - lean * lean, RoadTyre::kLying)) * up;
    }
    const P deflection = (radius_ - gap) / H;
    const P rate = (lift_rate + slope * velocity.x - velocity.z) / H;
    P load = stiffness_ * deflection + damping_ * rate;
    P load_k = stiffness_;
    P load_c = damping_;
    if (unilateral_) {
      fade_in_damping(deflection, kTouchDownDepth * radius_, rate, load, load_k, load_c);
      const PackMaskOf<P> lifted = (deflection <= zero) | (load <= zero);
      load = select(lifted, zero, load);
      load_k = select(lifted, zero, load_k);
      load_c = select(lifted, zero, load_c);
    }
    add_wrench(ws, centre_.group, load * PackSixOf<P>{normal, cross(pressed, normal)});
    // felt at the centre, acting on the ground: the symmetric part lies half way
    const Pack3Of<P> middle =
        law_ == ContactLaw::normal ? spread<P>(0.5) * (centre + pressed) : centre;
    line_.add(ws, {normal, cross(middle, normal)}, zero, load_k, load_c);
  }
  void update_states(CarsWorkspace<P>& /*ws*/, unsigned /*cars*/) const override {}

 private:
  PlaceOfCars<P> centre_;
  LineForceOfCars<P> line_;
  CurveOfCars<P> road_;
  ContactLaw law_;
  RoadMotion motion_;
  bool unilateral_;
  P radius_{}, stiffness_{}, damping_{};
  Pack3Of<P> axle_;
};

}  // namespace semirec
