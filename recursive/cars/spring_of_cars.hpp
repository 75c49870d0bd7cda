#pragma once

#include <memory>
#include <vector>

#include "recursive/cars/curve_of_cars.hpp"
#include "recursive/cars/forces_of_cars.hpp"
#include "recursive/cars/line_force_of_cars.hpp"
#include "recursive/forces/standard_forces.hpp"

namespace semirec {

inline bool are_alike(const SpringDamperForce& a, const SpringDamperForce& b) {
  return a.line().connection == b.line().connection && a.line().along_axis == b.line().along_axis &&
         a.data().spring_factor == b.data().spring_factor &&
         a.data().damper_factor == b.data().damper_factor && a.data().applied == b.data().applied;
}

/// SpringDamperForce of cars side by side.
template <AnyPack P>
class SpringOfCars final : public ForcesOfCars<P> {
 public:
  /// MakeForcesOfCars.
  static std::unique_ptr<const ForcesOfCars<P>> make(
      const TreeModel& tree, const std::vector<const ForceElement*>& elements) {
    std::vector<const SpringDamperForce*> springs;
    for (const ForceElement* element : elements)
      springs.push_back(static_cast<const SpringDamperForce*>(element));
    if (!LineForceOfCars<P>::fits(tree, springs.front()->line().connection)) return nullptr;
    return std::make_unique<SpringOfCars<P>>(tree, springs);
  }

  SpringOfCars(const TreeModel& tree, const std::vector<const SpringDamperForce*>& springs)
      : line_(tree, springs.front()->line().connection),
        along_axis_(springs.front()->line().along_axis),
        spring_factor_(springs.front()->data().spring_factor),
        damper_factor_(springs.front()->data().damper_factor),
        applied_(springs.front()->data().applied) {
    std::vector<const Attachment*> a;
    std::vector<const Attachment*> b;
    std::vector<const Curve*> spring;
    std::vector<const Curve*> damper;
    for (const SpringDamperForce* own : springs) {
      a.push_back(&own->line().a);
      b.push_back(&own->line().b);
      spring.push_back(&own->data().spring);
      damper.push_back(&own->data().damper);
    }
    a_ = PlaceOfCars<P>(tree, a);
    b_ = PlaceOfCars<P>(tree, b);
    spring_ = CurveOfCars<P>(spring);
    damper_ = CurveOfCars<P>(damper);
    for (int l = 0; l < kLanesOf<P>; ++l) {
      const Eigen::Vector3d& axis = springs[at(l) < springs.size() ? at(l) : 0]->line().axis;
      axis_.x[l] = axis.x();
      axis_.y[l] = axis.y();
      axis_.z[l] = axis.z();
    }
  }

  void add_forces(CarsWorkspace<P>& ws, unsigned /*cars*/) const override {
    const Pack3Of<P> r_a = a_.position(ws);
    const Pack3Of<P> r_b = b_.position(ws);
    const Pack3Of<P> d = r_b - r_a;
    Pack3Of<P> u;
    P length;
    if (along_axis_) {
      u = a_.direction(ws, axis_);
      length = dot(u, d);
    } else {
      length = square_root(dot(d, d));
      // points that coincide have no line
      u = select(length > P{}, 1.0 / length, P{}) * d;
    }
    const PackSixOf<P> Z = b_.velocity(ws) - a_.velocity(ws);
    const P rate = dot(u, Z.l + cross(Z.a, r_b));
    const LaneInputOf<P> spring = spring_.evaluate(length);
    const LaneInputOf<P> damper = damper_.evaluate(rate);
    const P of_spring = input(ws, spring_factor_, 1.0);
    const P of_damper = input(ws, damper_factor_, 1.0);
    line_.add(ws, {u, cross(r_b, u)},
              of_spring * spring.f + of_damper * damper.f + input(ws, applied_, 0.0),
              of_spring * spring.fd, of_damper * damper.fd);
  }
  void update_states(CarsWorkspace<P>& /*ws*/, unsigned /*cars*/) const override {}

 private:
  static P input(const CarsWorkspace<P>& ws, InputIndex k, double fallback) {
    return k == kNoInput ? spread<P>(fallback) : ws.inputs[at(k)].f;
  }

  PlaceOfCars<P> a_, b_;
  LineForceOfCars<P> line_;
  bool along_axis_;
  Pack3Of<P> axis_;
  CurveOfCars<P> spring_, damper_;
  InputIndex spring_factor_, damper_factor_, applied_;
};

}  // namespace semirec
