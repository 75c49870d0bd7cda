#pragma once

#include <vector>

#include "recursive/cars/car_workspace.hpp"
#include "topology/indices.hpp"

namespace semirec {

/// A number of each car's own; lanes without a car take that of the first.
template <AnyPack P, typename Elements, typename Number>
P number_of_cars(const Elements& elements, const Number& number) {
  P pack;
  for (int l = 0; l < kLanesOf<P>; ++l)
    pack[l] = number(*elements[at(l) < elements.size() ? at(l) : 0]);
  return pack;
}
/// Likewise a vector.
template <AnyPack P, typename Elements, typename Vector>
Pack3Of<P> vector_of_cars(const Elements& elements, const Vector& vector) {
  const auto part = [&](int k) {
    return number_of_cars<P>(elements, [&](const auto& own) -> double { return vector(own)[k]; });
  };
  return {part(0), part(1), part(2)};
}

/// Point or frame on a body of cars side by side: Attachment with each car's own numbers.
template <AnyPack P>
struct PlaceOfCars {
  int group = -1;  ///< of LanePlan::groups; -1: the ground
  Pack3Of<P> p;    ///< in the compiled frame

  PlaceOfCars() = default;
  /// `places`: one for each car; lanes without a car take the first.
  PlaceOfCars(const TreeModel& tree, const std::vector<const Attachment*>& places)
      : group(tree.lanes->group_of_body[at(places.front()->body)]) {
    for (int l = 0; l < kLanesOf<P>; ++l) {
      const Attachment& own = *places[at(l) < places.size() ? at(l) : 0];
      p.x[l] = own.X_CF.p.x();
      p.y[l] = own.X_CF.p.y();
      p.z[l] = own.X_CF.p.z();
    }
  }

  /// From O, world axes.
  Pack3Of<P> position(const CarsWorkspace<P>& ws) const {
    if (group < 0) return ws.ground + p;
    return ws.lanes->p[at(group)] + ws.lanes->A[at(group)] * p;
  }
  /// World direction of a vector of the compiled frame.
  Pack3Of<P> direction(const CarsWorkspace<P>& ws, const Pack3Of<P>& v) const {
    if (group < 0) return v;
    return ws.lanes->A[at(group)] * v;
  }
  PackSixOf<P> velocity(const CarsWorkspace<P>& ws) const {
    if (group < 0) return zero_packs<PackSixOf<P>>();
    return each(ws.lanes->Z[at(group)], [](const P& pack) { return pack; });
  }
};

/// A place and its axes.
template <AnyPack P>
struct FrameOfCars : PlaceOfCars<P> {
  PackMatrix3Of<P> A;  ///< axes in the compiled frame

  FrameOfCars() = default;
  FrameOfCars(const TreeModel& tree, const std::vector<const Attachment*>& frames)
      : PlaceOfCars<P>(tree, frames) {
    const auto column = [&](int k) {
      return vector_of_cars<P>(
          frames, [&](const Attachment& own) -> Eigen::Vector3d { return own.X_CF.A.col(k); });
    };
    A = {column(0), column(1), column(2)};
  }

  /// In world axes, by columns.
  PackMatrix3Of<P> axes(const CarsWorkspace<P>& ws) const {
    if (this->group < 0) return A;
    return ws.lanes->A[at(this->group)] * A;
  }
};

}  // namespace semirec
