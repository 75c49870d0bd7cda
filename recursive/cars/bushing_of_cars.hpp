#pragma once

#include <array>
#include <memory>
#include <vector>

#include "recursive/cars/forces_of_cars.hpp"
#include "recursive/cars/line_force_of_cars.hpp"
#include "recursive/cars/rotation_of_cars.hpp"
#include "recursive/cars/six_axis_of_cars.hpp"
#include "recursive/cars/states_of_cars.hpp"
#include "recursive/forces/standard_forces.hpp"

namespace semirec {

inline bool are_alike(const BushingForce& a, const BushingForce& b) {
  return a.connection() == b.connection() && a.data().relaxes() == b.data().relaxes() &&
         a.states().first == b.states().first;
}

/// BushingForce of cars side by side.
template <AnyPack P>
class BushingOfCars final : public ForcesOfCars<P> {
 public:
  /// MakeForcesOfCars.
  static std::unique_ptr<const ForcesOfCars<P>> make(
      const TreeModel& tree, const std::vector<const ForceElement*>& elements) {
    std::vector<const BushingForce*> bushings;
    for (const ForceElement* element : elements)
      bushings.push_back(static_cast<const BushingForce*>(element));
    return std::make_unique<BushingOfCars<P>>(tree, bushings);
  }

  BushingOfCars(const TreeModel& tree, const std::vector<const BushingForce*>& bushings)
      : between_(tree, bushings.front()->connection()),
        relaxes_(bushings.front()->data().relaxes()),
        first_state_(bushings.front()->states().first) {
    std::vector<const Attachment*> a;
    std::vector<const Attachment*> b;
    for (const BushingForce* own : bushings) {
      a.push_back(&own->a());
      b.push_back(&own->b());
    }
    a_ = FrameOfCars<P>(tree, a);
    b_ = FrameOfCars<P>(tree, b);
    const auto six = [&](auto Bushing::*values) {
      const auto part = [&](int first) {
        return vector_of_cars<P>(bushings, [&](const BushingForce& own) -> Eigen::Vector3d {
          return (own.data().*values).template segment<3>(first);
        });
      };
      return PackSixOf<P>{part(0), part(3)};
    };
    stiffness_ = six(&Bushing::stiffness);
    damping_ = six(&Bushing::damping);
    relaxing_ = six(&Bushing::relaxing_stiffness);
    time_ = number_of_cars<P>(bushings,
                              [](const BushingForce& own) { return own.data().relaxation_time; });
  }

  void add_forces(CarsWorkspace<P>& ws, unsigned /*cars*/) const override {
    const Measure m = measure(ws);
    const PackSixOf<P> Z = between_.relative_velocity(ws);
    const PackSixOf<P> rate{transposed_times(m.axes, Z.l + cross(Z.a, m.point)),
                            transposed_times(m.axes, Z.a)};
    PackSixOf<P> stiffness = stiffness_;
    PackSixOf<P> load = times(stiffness, m.deflection) + times(damping_, rate);
    if (relaxes_) {
      const StatesOfCars<P> states(ws, first_state_);
      const PackSixOf<P> crept = creep(states, m.deflection);
      put(crept, [&](int k, const P& x) { states.set_x(k, x); });
      load += times(relaxing_, m.deflection - crept);
      const P left = 1.0 / (1.0 + states.gain() / time_);
      stiffness += left * relaxing_;  // 1 - de/dd
    }
    if (ws.weights.lead != 0.0) load += spread<P>(ws.weights.lead) * times(stiffness, rate);
    const P none{};
    const Pack3Of<P> force = Pack3Of<P>{none, none, none} - m.axes * load.l;
    between_.add_wrench_pair(ws, {force, cross(m.point, force) - m.axes * load.a});

    const PackSixOf<P> g =
        spread<P>(ws.weights.stiffness) * stiffness + spread<P>(ws.weights.damping) * damping_;
    between_.add_six_axis_tangent(
        ws, six_axis_about_origin(about_axes(m.axes, g.l), about_axes(m.axes, g.a), m.point));
  }

  void update_states(CarsWorkspace<P>& ws, unsigned /*cars*/) const override {
    if (!relaxes_) return;
    const StatesOfCars<P> states(ws, first_state_);
    const PackSixOf<P> deflection = measure(ws).deflection;
    const PackSixOf<P> crept = creep(states, deflection);
    put(crept, [&](int k, const P& x) { states.set_x(k, x); });
    put(deflection - crept, [&](int k, const P& behind) { states.set_xd(k, behind / time_); });
  }

 private:
  struct Measure {
    PackMatrix3Of<P> axes;  ///< of marker a
    Pack3Of<P> point;
    PackSixOf<P> deflection;  ///< along and about them
  };
  Measure measure(const CarsWorkspace<P>& ws) const {
    Measure m{a_.axes(ws), b_.position(ws), zero_packs<PackSixOf<P>>()};
    const PackMatrix3Of<P> b = b_.axes(ws);
    const PackMatrix3Of<P> turned{transposed_times(m.axes, b.x), transposed_times(m.axes, b.y),
                                  transposed_times(m.axes, b.z)};
    m.deflection = {transposed_times(m.axes, m.point - a_.position(ws)), rotation_log_of(turned)};
    return m;
  }
  /// e = e_hat + gain (ed_hat + (d - e)/T), solved for e.
  PackSixOf<P> creep(const StatesOfCars<P>& states, const PackSixOf<P>& d) const {
    const double gain = states.gain();
    const P part = gain / time_;
    const auto crept = [&](int k, const P& deflection) {
      return (states.x_hat(k) + gain * states.xd_hat(k) + part * deflection) / (1.0 + part);
    };
    return {{crept(0, d.l.x), crept(1, d.l.y), crept(2, d.l.z)},
            {crept(3, d.a.x), crept(4, d.a.y), crept(5, d.a.z)}};
  }
  template <typename Function>
  static void put(const PackSixOf<P>& v, const Function& function) {
    function(0, v.l.x);
    function(1, v.l.y);
    function(2, v.l.z);
    function(3, v.a.x);
    function(4, v.a.y);
    function(5, v.a.z);
  }
  static Pack3Of<P> times(const Pack3Of<P>& a, const Pack3Of<P>& b) {
    return {a.x * b.x, a.y * b.y, a.z * b.z};
  }
  static PackSixOf<P> times(const PackSixOf<P>& a, const PackSixOf<P>& b) {
    return {times(a.l, b.l), times(a.a, b.a)};
  }

  FrameOfCars<P> a_, b_;
  LineForceOfCars<P> between_;
  bool relaxes_;
  int first_state_;
  PackSixOf<P> stiffness_, damping_, relaxing_;
  P time_;
};

}  // namespace semirec
