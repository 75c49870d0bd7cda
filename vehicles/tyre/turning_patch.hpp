#pragma once

#include "recursive/packs/number_functions.hpp"

namespace semirec {

/// Torque about the road's normal of a contact patch that is turned on the spot.
///
/// A disc of radius a under even pressure that slides about its middle has the friction torque
///   most = integral of mu p r dA = (2/3) mu F a
/// Until it slides the tyre is twisted: one state, the twist s (rad), is bent by the turn rate
/// against the road, lost by sliding as it nears kTwist, and by way as the patch rolls off:
///   sd = turn - (|turn|/kTwist + (|Vx| + |Vs|)/a) s,    torque = -fade most s/kTwist
/// Turned slowly at rest, s = kTwist (1 - exp(-angle/kTwist)); what stands keeps its twist. The
/// torque fades with the speed of the patch and is zero from kRolls on: there the law's own moment
/// and turn slip hold. Real: double, or a pack.
template <typename Real>
struct TurningPatchOf {
  static constexpr double kTwist = 0.035;  ///< rad, most over the stiffness against turning
  static constexpr double kRolls = 2.0;    ///< m/s, as the damping of a tyre at rest

  Real stiffness{};  ///< fade most/kTwist, N m/rad
  Real drag{};       ///< turn rate that the road imposes, rad/s
  Real leak{};       ///< 1/s
};

using TurningPatch = TurningPatchOf<double>;

/// friction: mu; load: N; radius and deflection of the tyre, m; turn: rad/s; rolling, sliding:
/// |Vx|, |Vs|, m/s. The half length of the patch is a = sqrt(radius deflection): half the chord
/// that the road cuts off is sqrt(2 radius deflection), and the belt lies flat on about 0.7 of it.
template <typename Real>
TurningPatchOf<Real> make_turning_patch(const Real& friction, const Real& load, const Real& radius,
                                        const Real& deflection, const Real& turn,
                                        const Real& rolling, const Real& sliding) {
  constexpr double kLeastLength = 0.01;  // of the radius: nothing is divided by a vanishing patch
  using Patch = TurningPatchOf<Real>;
  const Real least = kLeastLength * radius;
  const Real a = square_root(larger_of(radius * deflection, least * least));
  const Real speed = (rolling * rolling + sliding * sliding) / (Patch::kRolls * Patch::kRolls);
  const Real slow = larger_of(1.0 - speed, 0.0);
  Patch patch;
  patch.stiffness = slow * slow * (2.0 / 3.0) * friction * load * a / Patch::kTwist;
  patch.drag = turn;
  patch.leak = absolute(turn) / Patch::kTwist + (rolling + sliding) / a;
  return patch;
}

}  // namespace semirec
