#pragma once

#include <limits>
#include <memory>
#include <vector>

#include "recursive/cars/line_force_of_cars.hpp"
#include "recursive/cars/six_axis_of_cars.hpp"
#include "recursive/cars/states_of_cars.hpp"
#include "vehicles/tyre/contact_of_cars.hpp"
#include "vehicles/tyre/law_of_cars.hpp"
#include "vehicles/tyre/patch_slip.hpp"
#include "vehicles/tyre/sliding_friction.hpp"

namespace semirec {

/// RollingTyre of one wheel of cars side by side.
template <AnyPack P>
class RollingTyreOfCars {
 public:
  /// Whether tyres of cars differ in no more than numbers, roads and laws.
  static bool are_alike(const RollingTyre& a, const RollingTyre& b) {
    return terms_of(a) == terms_of(b) && a.motion() == b.motion() &&
           a.connection() == b.connection();
  }

  /// `first`: of its states.
  RollingTyreOfCars(const TreeModel& tree, const std::vector<const RollingTyre*>& tyres,
                    std::unique_ptr<const LawOfCars<P>> law, int first)
      : rim_(tree, rims_of(tyres)),
        tangent_(tree, tyres.front()->connection()),
        contact_(tyres),
        law_(std::move(law)),
        terms_(terms_of(*tyres.front())),
        motion_(tyres.front()->motion()),
        first_(first) {
    using Own = RollingTyre::Numbers;
    const auto number = [&](double Own::*which) {
      return number_of_cars<P>(tyres, [&](const RollingTyre& own) { return own.numbers().*which; });
    };
    numbers_ = {number(&Own::radius),
                number(&Own::friction_scale),
                number(&Own::turning_friction),
                number(&Own::c_x),
                number(&Own::c_y),
                number(&Own::d_x),
                number(&Own::d_y),
                number(&Own::per_least_load)};
  }

  void add_forces(CarsWorkspace<P>& ws, unsigned cars) const {
    const Patch p = locate(ws, cars);
    const StatesOfCars<P> states(ws, first_);
    const PatchDeflectionOf<P> d = eliminate(p, states);
    states.set_x(0, d.u);
    states.set_x(1, d.v);
    if (terms_.turns) states.set_x(2, d.twist);
    const PatchSlipsOf<P> s = compute_slips(numbers_, p, d);
    const TyreSlipOf<P> told = to_law(terms_, p, s);
    TyreForcesOf<P> F = law_->forces(told);
    if (terms_.slides_as_one) turn_against_sliding(told, F);
    if (terms_.turns) F.Mz -= p.turned.stiffness * d.twist;
    add_wrench_and_tangent(ws, p, d, s, told.load > 0.0, F);
  }

  void update_states(CarsWorkspace<P>& ws, unsigned cars) const {
    const Patch p = locate(ws, cars);
    const StatesOfCars<P> states(ws, first_);
    const PatchDeflectionOf<P> d = eliminate(p, states);
    states.set_x(0, d.u);
    states.set_x(1, d.v);
    states.set_xd(0, -p.drag_x - p.leak_x * d.u);
    states.set_xd(1, p.drag_y - p.leak_y * d.v);
    if (!terms_.turns) return;
    states.set_x(2, d.twist);
    states.set_xd(2, p.turned.drag - p.turned.leak * d.twist);
  }

 private:
  struct Patch : PatchSpeedsOf<P> {
    Pack3Of<P> ground;   ///< from O
    Pack3Of<P> x, y, n;  ///< W axes in the world
    PackSixOf<P> Z;      ///< of the rim
  };

  static RollingTerms terms_of(const RollingTyre& tyre) {
    return {tyre.state_count() == 3, tyre.law()->fades_camber(), tyre.law()->slides_as_one()};
  }
  static std::vector<const Attachment*> rims_of(const std::vector<const RollingTyre*>& tyres) {
    std::vector<const Attachment*> rims;
    for (const RollingTyre* tyre : tyres) rims.push_back(&tyre->rim());
    return rims;
  }

  Patch locate(const CarsWorkspace<P>& ws, unsigned cars) const {
    Patch p;
    const Pack3Of<P> centre = rim_.position(ws);
    const Pack3Of<P> axle = rim_.direction(ws, rim_.A.y);
    Pack3Of<P> lowered = ws.origin + centre;
    P lift_rate{};
    P lift{};
    if (motion_ != kNoInput) {
      lift = ws.inputs[at(motion_)].f;
      lift_rate = ws.inputs[at(motion_)].fd;
      lowered.z -= lift;
    }
    const WheelContactOf<P> contact = contact_.meet(lowered, axle, cars);
    p.n = contact.normal;
    const Pack3Of<P> forward = cross(axle, p.n);
    p.x = (1.0 / square_root(dot(forward, forward))) * forward;
    p.y = cross(p.n, p.x);
    p.ground = contact.ground - ws.origin;
    p.ground.z += lift;
    p.friction = numbers_.friction_scale * contact.friction;

    p.Z = rim_.velocity(ws);
    const Pack3Of<P>& w = p.Z.a;
    const Pack3Of<P> velocity = p.Z.l + cross(w, centre);
    p.contact.deflection = contact.deflection;
    p.contact.omega = dot(w, axle);
    p.contact.gamma = arc_sine(within(dot(axle, p.n), -1.0, 1.0));
    const Pack3Of<P> turning = w - p.contact.omega * axle;
    const Pack3Of<P> patch = velocity + cross(turning, p.ground - centre);
    p.contact.deflection_rate = lift_rate * p.n.z - dot(patch, p.n);
    p.turn = dot(turning, p.n);
    p.rolling = law_->roll(p.contact);
    p.Vx = dot(patch, p.x);
    p.Vsy = dot(patch, p.y);
    find_slip_speeds(numbers_, terms_, p);
    return p;
  }

  PatchDeflectionOf<P> eliminate(const Patch& p, const StatesOfCars<P>& states) const {
    return eliminate_deflection<P>(
        terms_, p, states.gain(), [&](int k) { return states.x_hat(k); },
        [&](int k) { return states.xd_hat(k); });
  }

  /// RollingTyre::add_wheel(): of the cars whose tyre carries.
  void add_wrench_and_tangent(CarsWorkspace<P>& ws, const Patch& p, const PatchDeflectionOf<P>& d,
                              const PatchSlipsOf<P>& s, const PackMaskOf<P>& carries,
                              const TyreForcesOf<P>& F) const {
    const P none{};
    const auto of_carrying = [&](const P& number) { return select(carries, number, none); };
    // a road without a height does not carry in silence: the step ends as not finite
    const P deflection = p.contact.deflection;
    const PackMaskOf<P> lost = negated(absolute(deflection) <= kLargest);
    const P load = select(lost, spread<P>(std::numeric_limits<double>::quiet_NaN()),
                          of_carrying(p.rolling.load.load));
    const Pack3Of<P> force = of_carrying(F.Fx) * p.x + of_carrying(F.Fy) * p.y + load * p.n;
    const Pack3Of<P> moment =
        of_carrying(F.Mx) * p.x + of_carrying(F.My) * p.y + of_carrying(F.Mz) * p.n;
    add_wrench(ws, rim_.group, PackSixOf<P>{force, cross(p.ground, force) + moment});

    const TangentWeights& weights = ws.weights;
    if (weights.stiffness == 0.0 && weights.damping == 0.0) return;
    // -dF/d(Vsx, Vsy), its symmetric part as two lines, no negative ones
    const P c_xx = larger_of(F.Fx_kappa * s.kappa_x + F.Fx_tan_alpha * s.alpha_x, 0.0);
    const P c_yy = larger_of(-(F.Fy_kappa * s.kappa_y + F.Fy_tan_alpha * s.alpha_y), 0.0);
    const P xy = F.Fx_kappa * s.kappa_y + F.Fx_tan_alpha * s.alpha_y;
    const P yx = F.Fy_kappa * s.kappa_x + F.Fy_tan_alpha * s.alpha_x;
    const P c_xy = 0.5 * (yx - xy);
    const P share = select(c_xx > none, c_xy / c_xx, none);
    const P c_rest = larger_of(c_yy - share * share * c_xx, 0.0);
    const P stiffness = of_carrying(larger_of(p.rolling.load.stiffness, 0.0));
    const P pressing = weights.stiffness * stiffness +
                       weights.damping * of_carrying(larger_of(p.rolling.load.damping, 0.0));
    if (weights.lead != 0.0) {
      const PackSixOf<P> line{p.n, cross(p.ground, p.n)};
      add_wrench(ws, rim_.group, -weights.lead * stiffness * dot(line, p.Z) * line);
    }
    PackSymmetric3Of<P> G_l{none, none, none, none, none, none};
    add_square(G_l, pressing, p.n);
    add_square(G_l, weights.damping * of_carrying(c_xx), p.x + share * p.y);
    add_square(G_l, weights.damping * of_carrying(c_rest), p.y);
    PackSymmetric3Of<P> G_a{none, none, none, none, none, none};
    if (terms_.turns)
      add_square(G_a, weights.damping * of_carrying(p.turned.stiffness * d.twist_s), p.n);
    tangent_.add_six_axis_tangent(ws, six_axis_about_origin(G_l, G_a, p.ground));
  }

  static constexpr double kLargest = std::numeric_limits<double>::max();

  FrameOfCars<P> rim_;
  LineForceOfCars<P> tangent_;
  ContactOfCars<P> contact_;
  std::unique_ptr<const LawOfCars<P>> law_;
  RollingNumbersOf<P> numbers_;
  RollingTerms terms_;
  InputIndex motion_;
  int first_;
};

}  // namespace semirec
