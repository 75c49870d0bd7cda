#pragma once

#include <array>
#include <memory>
#include <vector>

#include "recursive/cars/forces_of_cars.hpp"
#include "recursive/cars/line_force_of_cars.hpp"
#include "recursive/cars/six_axis_of_cars.hpp"
#include "vehicles/parts/aero.hpp"

namespace semirec {

inline bool are_alike(const AeroForce& a, const AeroForce& b) {
  return a.connection() == b.connection() && a.data().wind == b.data().wind;
}

/// AeroForce of cars side by side.
template <AnyPack P>
class AeroOfCars final : public ForcesOfCars<P> {
 public:
  /// MakeForcesOfCars.
  static std::unique_ptr<const ForcesOfCars<P>> make(
      const TreeModel& tree, const std::vector<const ForceElement*>& elements) {
    std::vector<const AeroForce*> cars;
    for (const ForceElement* element : elements)
      cars.push_back(static_cast<const AeroForce*>(element));
    return std::make_unique<AeroOfCars<P>>(tree, cars);
  }

  AeroOfCars(const TreeModel& tree, const std::vector<const AeroForce*>& cars)
      : tangent_(tree, cars.front()->connection()), wind_(cars.front()->data().wind) {
    std::vector<const Attachment*> points;
    for (const AeroForce* car : cars) points.push_back(&car->point());
    point_ = FrameOfCars<P>(tree, points);
    for (std::size_t k = 0; k < 2; ++k) {
      std::vector<const Attachment*> places;
      for (const AeroForce* car : cars) places.push_back(&car->lift_point()[k]);
      lift_point_[k] = PlaceOfCars<P>(tree, places);
      lift_[k] = number_of_cars<P>(cars, [k](const AeroForce& own) { return own.data().lift[k]; });
    }
    half_area_ = number_of_cars<P>(
        cars, [](const AeroForce& own) { return 0.5 * own.data().density * own.data().area; });
    drag_ = number_of_cars<P>(cars, [](const AeroForce& own) { return own.data().drag; });
    side_ = number_of_cars<P>(cars, [](const AeroForce& own) { return own.data().side; });
  }

  void add_forces(CarsWorkspace<P>& ws, unsigned /*cars*/) const override {
    const P none{};
    const PackMatrix3Of<P> axes = point_.axes(ws);
    const Pack3Of<P> point = point_.position(ws);
    const PackSixOf<P> Z = point_.velocity(ws);
    Pack3Of<P> v = Z.l + cross(Z.a, point);
    if (wind_[0] != kNoInput) v.x -= ws.inputs[at(wind_[0])].f;
    if (wind_[1] != kNoInput) v.y -= ws.inputs[at(wind_[1])].f;
    const P V = square_root(dot(v, v));
    const P q = half_area_ * V;
    const Pack3Of<P> force = -q * (drag_ * v + side_ * dot(v, axes.y) * axes.y);
    PackSixOf<P> wrench{force, cross(point, force)};
    for (std::size_t k = 0; k < 2; ++k)
      wrench +=
          (q * V * lift_[k]) * PackSixOf<P>{axes.z, cross(lift_point_[k].position(ws), axes.z)};
    add_wrench(ws, point_.group, wrench);

    // -dF/dv of drag and side at the pressure point; the lift's slope is not symmetric
    const P damped = ws.weights.damping * q;
    const P along = damped * drag_;
    PackSymmetric3Of<P> G{along, along, along, none, none, none};
    add_square(G, select(V > none, along / (V * V), none), v);
    add_square(G, damped * side_, axes.y);
    tangent_.add_six_axis_tangent(
        ws,
        six_axis_about_origin(G, PackSymmetric3Of<P>{none, none, none, none, none, none}, point));
  }
  void update_states(CarsWorkspace<P>& /*ws*/, unsigned /*cars*/) const override {}

 private:
  FrameOfCars<P> point_;
  std::array<PlaceOfCars<P>, 2> lift_point_;
  LineForceOfCars<P> tangent_;
  std::array<InputIndex, 2> wind_;
  std::array<P, 2> lift_;
  P half_area_;  ///< times the density, kg/m
  P drag_, side_;
};

}  // namespace semirec
