#pragma once

#include <limits>

#include "recursive/cars/six_axis_of_cars.hpp"
#include "recursive/tree_workspace.hpp"
#include "vehicles/tyre/contact_in_lanes.hpp"
#include "vehicles/tyre/patch_slip.hpp"
#include "vehicles/tyre/road_motion.hpp"

namespace semirec {

// Where wheels touch the road and what they feel there, one wheel a lane: one wheel of several
// cars, or several of one.

/// Where rims are and how they move.
template <AnyPack P>
struct RimMotionOf {
  Pack3Of<P> centre;            ///< of the wheel, from O
  Pack3Of<P> axle;              ///< unit, to the left, world
  PackSixOf<P> Z;               ///< of the rim
  AddedRoadOf<P> added{};       ///< to the road under the wheel
  bool tilts = false;           ///< whether that has slopes
  P friction = spread<P>(1.0);  ///< times the road's
};

/// Where wheels touch the road and how they move there.
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

/// `origin`: O in the world; `wanted`: lanes that are asked for. A road that is lifted by so much
/// is a wheel that is lower; one that is tilted, too, is turned about the place under its centre.
template <AnyPack P>
void find_wheel_place(const ContactInLanes<P>& roads, const P& friction_scale,
                      const Pack3Of<P>& origin, const RimMotionOf<P>& rim, unsigned wanted,
                      WheelPlaceOf<P>& p) {
  const Pack3Of<P>& axle = rim.axle;
  Pack3Of<P> lowered = origin + rim.centre;
  const P lift = rim.tilts ? rim.added.height_at(lowered.x, lowered.y) : rim.added.z;
  lowered.z -= lift;
  WheelContactOf<P> contact = roads.meet(lowered, axle, wanted);
  if (rim.tilts) roads.tilt(lowered, axle, rim.added.z_x, rim.added.z_y, contact);
  p.n = contact.normal;
  const Pack3Of<P> forward = cross(axle, p.n);
  p.x = (1.0 / square_root(dot(forward, forward))) * forward;
  p.y = cross(p.n, p.x);
  p.ground = contact.ground - origin;
  p.ground.z += lift;
  p.friction = friction_scale * contact.friction * rim.friction;

  p.Z = rim.Z;
  const Pack3Of<P>& w = p.Z.a;
  const Pack3Of<P> velocity = p.Z.l + cross(w, rim.centre);
  p.deflection = contact.deflection;
  p.omega = dot(w, axle);
  p.lean = within(dot(axle, p.n), -1.0, 1.0);
  // of the carrier, without the spin: at the ground, about it
  const Pack3Of<P> turning = w - p.omega * axle;
  const Pack3Of<P> patch = velocity + cross(turning, p.ground - rim.centre);
  // there, where the load acts: a wheel that leans over is pressed in by its leaning, too
  const P lift_rate =
      rim.tilts ? rim.added.rate_at(contact.ground.x, contact.ground.y) : rim.added.rate;
  p.deflection_rate = lift_rate * p.n.z - dot(patch, p.n);
  p.turn = dot(turning, p.n);
  p.Vx = dot(patch, p.x);
  p.Vsy = dot(patch, p.y);
}

/// The forces of a patch about O; NaN where the road has no height: it does not carry in silence,
/// the step ends as not finite.
template <AnyPack P>
PackSixOf<P> patch_wrench(const WheelPlaceOf<P>& p, const PatchPushOf<P>& F) {
  const PackMaskOf<P> lost = negated(absolute(p.deflection) <= std::numeric_limits<double>::max());
  const P load = select(lost, spread<P>(std::numeric_limits<double>::quiet_NaN()), F.load);
  const Pack3Of<P> force = F.Fx * p.x + F.Fy * p.y + load * p.n;
  const Pack3Of<P> moment = F.Mx * p.x + F.My * p.y + F.Mz * p.n;
  return {force, cross(p.ground, force) + moment};
}

/// What weights.lead takes of the wrench.
template <AnyPack P>
PackSixOf<P> patch_lead(const WheelPlaceOf<P>& p, const PatchPushOf<P>& F, double lead) {
  const PackSixOf<P> line{p.n, cross(p.ground, p.n)};
  return -lead * F.stiffness * dot(line, p.Z) * line;
}

/// The tangent of these forces about O.
template <AnyPack P>
PackInertiaOf<P> patch_tangent(const WheelPlaceOf<P>& p, const PatchPushOf<P>& F,
                               const TangentWeights& weights) {
  const P none{};
  PackSymmetric3Of<P> G_l{none, none, none, none, none, none};
  add_square(G_l, weights.stiffness * F.stiffness + weights.damping * F.damping, p.n);
  add_square(G_l, weights.damping * F.c_xx, p.x + F.share * p.y);
  add_square(G_l, weights.damping * F.c_rest, p.y);
  PackSymmetric3Of<P> G_a{none, none, none, none, none, none};
  add_square(G_a, weights.damping * F.c_turn, p.n);
  return six_axis_about_origin(G_l, G_a, p.ground);
}

}  // namespace semirec
