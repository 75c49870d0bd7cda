#pragma once

#include <algorithm>

#include "recursive/packs/number_functions.hpp"

namespace semirec {

/// Dry friction that sticks, as a part of its capacity. Faces hold on to one another by a bristle
/// whose deflection z, -1 to 1, is an elastic state; at +-1 they slide:
///   z      = z_begin + h dw/bristle           held within -1 and 1
///   torque = capacity (z + dw/damped_speed)   held within -capacity and capacity
/// dw: sliding speed. The return to the bounds is the whole of the law: nothing is divided by a
/// speed or capacity, what sticks does not creep, whatever the load does below the capacity, and at
/// any step the torque stays bounded and rises with dw.
/// Real: double, or a pack.
template <typename Real>
struct FrictionOf {
  Real bristle = as<Real>(0.01);      ///< rad at which a held face begins to slide
  Real damped_speed = as<Real>(2.0);  ///< rad/s
};
using Friction = FrictionOf<double>;

template <typename Real>
struct FrictionTorqueOf {
  Real part;    ///< of the capacity; acts against dw
  Real slope;   ///< d part / d dw, s/rad, not below 0
  Real secant;  ///< the same between here and rest: what a full Newton step can rely on
  Real z;       ///< bristle at the end of the step
  Real rate;    ///< of the bristle, 1/s
};
using FrictionTorque = FrictionTorqueOf<double>;

/// h: step, s; 0: z stays.
template <typename Real>
FrictionTorqueOf<Real> compute_friction(const FrictionOf<Real>& friction, const Real& z_begin,
                                        const Real& dw, double h) {
  const Real none{};
  const Real trial = z_begin + h * dw / friction.bristle;
  const Real z = within(trial, -1.0, 1.0);
  const Real sum = z + dw / friction.damped_speed;
  const Real part = within(sum, -1.0, 1.0);
  const MaskOf<Real> inside = (sum > -1.0) & (sum < 1.0);
  Real slope = none;
  if (anywhere(inside)) {
    const MaskOf<Real> held = (trial > -1.0) & (trial < 1.0);
    slope = select(inside, 1.0 / friction.damped_speed + select(held, h / friction.bristle, none),
                   none);
  }
  Real secant = slope;
  // saturated across rest: a tangent of zero would throw Newton back and forth between the two ends
  const MaskOf<Real> across = (slope == 0.0) & (dw != 0.0);
  if (anywhere(across))
    secant = select(across, larger_of((part - within(z_begin, -1.0, 1.0)) / dw, 0.0), slope);
  const MaskOf<Real> slides = ((z >= 1.0) & (dw > 0.0)) | ((z <= -1.0) & (dw < 0.0));
  Real rate = none;
  if (anywhere(negated(slides))) rate = select(slides, none, dw / friction.bristle);
  return {part, slope, secant, z, rate};
}

/// Bristle of faces that have been sliding at dw for long: bent as far as it goes, however slowly
/// they slide (a bristle between its bounds has a rate, and nothing is steady). Below kSlowest, in
/// rad/s, it goes through zero.
inline double settled_bristle(double dw) {
  constexpr double kSlowest = 1e-4;
  return std::clamp(dw / kSlowest, -1.0, 1.0);
}

}  // namespace semirec
