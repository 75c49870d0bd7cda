#pragma once

#include <algorithm>
#include <cmath>

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
/// and turn slip hold.
struct TurningPatch {
  static constexpr double kTwist = 0.035;  ///< rad, most over the stiffness against turning
  static constexpr double kRolls = 2.0;    ///< m/s, as the damping of a tyre at rest

  double stiffness = 0.0;  ///< fade most/kTwist, N m/rad
  double drag = 0.0;       ///< turn rate that the road imposes, rad/s
  double leak = 0.0;       ///< 1/s
};

/// friction: mu; load: N; radius and deflection of the tyre, m; turn: rad/s; rolling, sliding:
/// |Vx|, |Vs|, m/s. The half length of the patch is a = sqrt(radius deflection): half the chord
/// that the road cuts off is sqrt(2 radius deflection), and the belt lies flat on about 0.7 of it.
inline TurningPatch make_turning_patch(double friction, double load, double radius,
                                       double deflection, double turn, double rolling,
                                       double sliding) {
  constexpr double kLeastLength = 0.01;  // of the radius: nothing is divided by a vanishing patch
  const double least = kLeastLength * radius;
  const double a = std::sqrt(std::max(radius * deflection, least * least));
  const double speed =
      (rolling * rolling + sliding * sliding) / (TurningPatch::kRolls * TurningPatch::kRolls);
  const double slow = std::max(0.0, 1.0 - speed);
  TurningPatch patch;
  patch.stiffness = slow * slow * (2.0 / 3.0) * friction * load * a / TurningPatch::kTwist;
  patch.drag = turn;
  patch.leak = std::abs(turn) / TurningPatch::kTwist + (rolling + sliding) / a;
  return patch;
}

}  // namespace semirec
