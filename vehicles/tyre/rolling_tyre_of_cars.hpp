#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "recursive/cars/states_of_cars.hpp"
#include "vehicles/tyre/laws_in_lanes.hpp"
#include "vehicles/tyre/rolling_wheel_of_cars.hpp"
#include "vehicles/tyre/sliding_friction.hpp"
#include "vehicles/tyre/tyres_in_lanes.hpp"

namespace semirec {

/// RollingTyre of one wheel of cars side by side, or of two wheels at once where Real is a pair. A
/// wheel that is alone in a pair is worked out twice: no bit of its answer hangs on what other cars
/// leave to be paired.
template <AnyPack Real>
class RollingTyreOfCars {
 public:
  using P = OnePackOf<Real>;
  static constexpr int kPacks = kPacksIn<Real>;
  using Tyres = std::vector<const RollingTyre*>;  ///< of each car

  /// `tyres`, `first_states`: of each wheel, at least one.
  RollingTyreOfCars(const TreeModel& tree, const std::vector<Tyres>& tyres,
                    const std::vector<int>& first_states,
                    std::unique_ptr<const LawsInLanes<Real>> law)
      : law_(std::move(law)), terms_(rolling_terms_of(*tyres.front().front())) {
    for (std::size_t k = 0; k < tyres.size(); ++k) {
      wheels_.emplace_back(tree, tyres[k]);
      first_.push_back(first_states[k]);
    }
    for (int k = 0; k < kPacks; ++k) put_numbers(k, tyres[wheel_of(k)]);
  }

  void add_forces(CarsWorkspace<P>& ws, unsigned cars) const {
    Patch p;
    locate(ws, cars, p);
    const PatchDeflectionOf<Real> d = eliminate(ws, p);
    const PatchSlipsOf<Real> s = compute_slips(numbers_, p, d);
    const TyreSlipOf<Real> told = to_law(terms_, p, s);
    MaskOf<Real> clamped{};
    TyreForcesOf<Real> F = law_->forces(told, &p.rolling, clamped);
    if (terms_.slides_as_one) turn_against_sliding(told, F);
    if (terms_.turns) F.Mz -= p.turned.stiffness * d.twist;
    const bool with_tangent = ws.weights.stiffness != 0.0 || ws.weights.damping != 0.0;
    const PatchPushOf<Real> push = find_push(p, d, s, F, with_tangent);
    for (std::size_t k = 0; k < wheels_.size(); ++k)
      wheels_[k].push(ws, p.place[k], push_in(push, static_cast<int>(k)));
  }

  void update_states(CarsWorkspace<P>& ws, unsigned cars) const {
    Patch p;
    locate(ws, cars, p);
    const PatchDeflectionOf<Real> d = eliminate(ws, p);
    set_rates(ws, 0, -p.drag_x - p.leak_x * d.u);
    set_rates(ws, 1, p.drag_y - p.leak_y * d.v);
    if (terms_.turns) set_rates(ws, 2, p.turned.drag - p.turned.leak * d.twist);
  }

 private:
  struct Patch : PatchSpeedsOf<Real> {
    std::array<WheelPlaceOf<P>, kPacks> place;
  };

  /// Whose numbers a pack holds.
  std::size_t wheel_of(int pack) const { return std::min(at(pack), wheels_.size() - 1); }

  void put_numbers(int k, const Tyres& tyres) {
    const RollingNumbersOf<P> own = rolling_numbers_of<P>(tyres);
    pack_in(numbers_.radius, k) = own.radius;
    pack_in(numbers_.turning_friction, k) = own.turning_friction;
    pack_in(numbers_.c_x, k) = own.c_x;
    pack_in(numbers_.c_y, k) = own.c_y;
    pack_in(numbers_.d_x, k) = own.d_x;
    pack_in(numbers_.d_y, k) = own.d_y;
    pack_in(numbers_.per_least_load, k) = own.per_least_load;
  }

  void locate(const CarsWorkspace<P>& ws, unsigned cars, Patch& p) const {
    Real lean;
    for (int k = 0; k < kPacks; ++k) {
      WheelPlaceOf<P>& place = p.place[at(k)];
      wheels_[wheel_of(k)].locate(ws, cars, place);
      pack_in(p.contact.deflection, k) = place.deflection;
      pack_in(p.contact.deflection_rate, k) = place.deflection_rate;
      pack_in(p.contact.omega, k) = place.omega;
      pack_in(lean, k) = place.lean;
      pack_in(p.turn, k) = place.turn;
      pack_in(p.friction, k) = place.friction;
      pack_in(p.Vx, k) = place.Vx;
      pack_in(p.Vsy, k) = place.Vsy;
    }
    p.contact.gamma = arc_sine(lean);
    p.rolling = law_->roll(p.contact);
    find_slip_speeds(numbers_, terms_, p);
  }

  /// The states at the end of the step, set.
  PatchDeflectionOf<Real> eliminate(CarsWorkspace<P>& ws, const Patch& p) const {
    const auto gather = [&](const auto& of_wheel) {
      Real value;
      for (int k = 0; k < kPacks; ++k)
        pack_in(value, k) = of_wheel(StatesOfCars<P>(ws, first_[wheel_of(k)]));
      return value;
    };
    PatchDeflectionOf<Real> d = eliminate_deflection<Real>(
        terms_, p, StatesOfCars<P>(ws, 0).gain(),
        [&](int k) { return gather([k](const auto& states) { return states.x_hat(k); }); },
        [&](int k) { return gather([k](const auto& states) { return states.xd_hat(k); }); });
    for (int k = 0; k < kPacks; ++k) {
      const StatesOfCars<P> states(ws, first_[wheel_of(k)]);
      states.set_x(0, pack_in(d.u, k));
      states.set_x(1, pack_in(d.v, k));
      if (terms_.turns) states.set_x(2, pack_in(d.twist, k));
    }
    return d;
  }
  void set_rates(CarsWorkspace<P>& ws, int state, const Real& xd) const {
    for (int k = 0; k < kPacks; ++k)
      StatesOfCars<P>(ws, first_[wheel_of(k)]).set_xd(state, pack_in(xd, k));
  }

  static PatchPushOf<P> push_in(const PatchPushOf<Real>& push, int k) {
    PatchPushOf<P> one;
    one.Fx = pack_in(push.Fx, k);
    one.Fy = pack_in(push.Fy, k);
    one.load = pack_in(push.load, k);
    one.Mx = pack_in(push.Mx, k);
    one.My = pack_in(push.My, k);
    one.Mz = pack_in(push.Mz, k);
    one.stiffness = pack_in(push.stiffness, k);
    one.damping = pack_in(push.damping, k);
    one.c_xx = pack_in(push.c_xx, k);
    one.share = pack_in(push.share, k);
    one.c_rest = pack_in(push.c_rest, k);
    one.c_turn = pack_in(push.c_turn, k);
    return one;
  }

  std::vector<RollingWheelOfCars<P>> wheels_;
  std::unique_ptr<const LawsInLanes<Real>> law_;
  RollingNumbersOf<Real> numbers_;
  RollingTerms terms_;
  std::vector<int> first_;  ///< of each wheel's states
};

}  // namespace semirec
