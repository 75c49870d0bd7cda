#pragma once

#include <limits>
#include <vector>

#include "recursive/cars/line_force_of_cars.hpp"
#include "recursive/cars/six_axis_of_cars.hpp"
#include "vehicles/tyre/contact_of_cars.hpp"
#include "vehicles/tyre/patch_slip.hpp"

namespace semirec {

/// Where one wheel of cars side by side touches the road and how it moves there.
template <AnyPack P>
struct WheelPlaceOf {
  Pack3Of<P> ground;         ///< from O
  Pack3Of<P> x, y, n;        ///< W axes in the world
  PackSixOf<P> Z;            ///< of the rim
  P lean;                    ///< sine of the inclination
  P deflection;              ///< against the unloaded radius, m
  P deflection_rate, omega;  ///< m/s, rad/s
  P turn, friction;          ///< rad/s about the normal; of tyre and road
  P Vx, Vsy;                 ///< m/s
};

/// One wheel of cars side by side: its rim, its road and, where it steps on a moving one, its
/// input.
template <AnyPack P>
class RollingWheelOfCars {
 public:
  RollingWheelOfCars(const TreeModel& tree, const std::vector<const RollingTyre*>& tyres)
      : rim_(tree, rims_of(tyres)),
        tangent_(tree, tyres.front()->connection()),
        contact_(tyres),
        friction_scale_(number_of_cars<P>(
            tyres, [](const RollingTyre& own) { return own.numbers().friction_scale; })),
        motion_(tyres.front()->motion()) {}

  void locate(const CarsWorkspace<P>& ws, unsigned cars, WheelPlaceOf<P>& p) const {
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
    p.friction = friction_scale_ * contact.friction;

    p.Z = rim_.velocity(ws);
    const Pack3Of<P>& w = p.Z.a;
    const Pack3Of<P> velocity = p.Z.l + cross(w, centre);
    p.deflection = contact.deflection;
    p.omega = dot(w, axle);
    p.lean = within(dot(axle, p.n), -1.0, 1.0);
    const Pack3Of<P> turning = w - p.omega * axle;
    const Pack3Of<P> patch = velocity + cross(turning, p.ground - centre);
    p.deflection_rate = lift_rate * p.n.z - dot(patch, p.n);
    p.turn = dot(turning, p.n);
    p.Vx = dot(patch, p.x);
    p.Vsy = dot(patch, p.y);
  }

  /// RollingTyre::add_wheel().
  void push(CarsWorkspace<P>& ws, const WheelPlaceOf<P>& p, const PatchPushOf<P>& F) const {
    const P none{};
    // a road without a height does not carry in silence: the step ends as not finite
    const PackMaskOf<P> lost = negated(absolute(p.deflection) <= kLargest);
    const P load = select(lost, spread<P>(std::numeric_limits<double>::quiet_NaN()), F.load);
    const Pack3Of<P> force = F.Fx * p.x + F.Fy * p.y + load * p.n;
    const Pack3Of<P> moment = F.Mx * p.x + F.My * p.y + F.Mz * p.n;
    add_wrench(ws, rim_.group, PackSixOf<P>{force, cross(p.ground, force) + moment});

    const TangentWeights& weights = ws.weights;
    if (weights.stiffness == 0.0 && weights.damping == 0.0) return;
    if (weights.lead != 0.0) {
      const PackSixOf<P> line{p.n, cross(p.ground, p.n)};
      add_wrench(ws, rim_.group, -weights.lead * F.stiffness * dot(line, p.Z) * line);
    }
    PackSymmetric3Of<P> G_l{none, none, none, none, none, none};
    add_square(G_l, weights.stiffness * F.stiffness + weights.damping * F.damping, p.n);
    add_square(G_l, weights.damping * F.c_xx, p.x + F.share * p.y);
    add_square(G_l, weights.damping * F.c_rest, p.y);
    PackSymmetric3Of<P> G_a{none, none, none, none, none, none};
    add_square(G_a, weights.damping * F.c_turn, p.n);
    tangent_.add_six_axis_tangent(ws, six_axis_about_origin(G_l, G_a, p.ground));
  }

 private:
  static std::vector<const Attachment*> rims_of(const std::vector<const RollingTyre*>& tyres) {
    std::vector<const Attachment*> rims;
    for (const RollingTyre* tyre : tyres) rims.push_back(&tyre->rim());
    return rims;
  }

  static constexpr double kLargest = std::numeric_limits<double>::max();

  FrameOfCars<P> rim_;
  LineForceOfCars<P> tangent_;
  ContactOfCars<P> contact_;
  P friction_scale_;
  InputIndex motion_;
};

}  // namespace semirec
