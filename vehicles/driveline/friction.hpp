#pragma once

#include <algorithm>

namespace semirec {

/// Dry friction that sticks, as a part of its capacity. Faces hold on to one another by a bristle
/// whose deflection z, -1 to 1, is an elastic state; at +-1 they slide:
///   z      = z_begin + h dw/bristle           held within -1 and 1
///   torque = capacity (z + dw/damped_speed)   held within -capacity and capacity
/// dw: sliding speed. The return to the bounds is the whole of the law: nothing is divided by a
/// speed or capacity, what sticks does not creep, whatever the load does below the capacity, and at
/// any step the torque stays bounded and rises with dw.
struct Friction {
  double bristle = 0.01;      ///< rad at which a held face begins to slide
  double damped_speed = 2.0;  ///< rad/s
};

struct FrictionTorque {
  double part = 0.0;    ///< of the capacity; acts against dw
  double slope = 0.0;   ///< d part / d dw, s/rad, not below 0
  double secant = 0.0;  ///< the same between here and rest: what a full Newton step can rely on
  double z = 0.0;       ///< bristle at the end of the step
  double rate = 0.0;    ///< of the bristle, 1/s
};

/// h: step, s; 0: z stays.
inline FrictionTorque compute_friction(const Friction& friction, double z_begin, double dw,
                                       double h) {
  FrictionTorque result;
  const double trial = z_begin + h * dw / friction.bristle;
  result.z = std::clamp(trial, -1.0, 1.0);
  const double sum = result.z + dw / friction.damped_speed;
  result.part = std::clamp(sum, -1.0, 1.0);
  if (sum > -1.0 && sum < 1.0)
    result.slope =
        1.0 / friction.damped_speed + (trial > -1.0 && trial < 1.0 ? h / friction.bristle : 0.0);
  result.secant = result.slope;
  // saturated across rest: a tangent of zero would throw Newton back and forth between the two ends
  if (result.slope == 0.0 && dw != 0.0)
    result.secant = std::max(0.0, (result.part - std::clamp(z_begin, -1.0, 1.0)) / dw);
  const bool slides = (result.z >= 1.0 && dw > 0.0) || (result.z <= -1.0 && dw < 0.0);
  result.rate = slides ? 0.0 : dw / friction.bristle;
  return result;
}

/// Bristle of faces that have been sliding at dw for long: bent as far as it goes, however slowly
/// they slide (a bristle between its bounds has a rate, and nothing is steady). Below kSlowest, in
/// rad/s, it goes through zero.
inline double settled_bristle(double dw) {
  constexpr double kSlowest = 1e-4;
  return std::clamp(dw / kSlowest, -1.0, 1.0);
}

}  // namespace semirec
