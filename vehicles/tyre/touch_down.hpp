#pragma once

#include <algorithm>
#include <concepts>

#include "recursive/packs/pack_functions.hpp"

namespace semirec {

/// Depth over which the damping of a tyre sets in, over its unloaded radius: 1.6 mm of a car's
/// tyre, where the spring carries a tenth of what stands on it.
inline constexpr double kTouchDownDepth = 0.005;

/// A tyre that comes down more slowly does not touch down: rounding of one at rest, m/s.
inline constexpr double kTouchDownSpeed = 1e-9;

/// Lets the damping of a tyre that may lift off set in with the depth d by which it is pressed in
/// (m) while it is pressed in further, so that its load begins at zero however fast the road comes:
///   F(d, rate) = F_spring(d) + s c rate,  s = x^2 (3 - 2 x),  x = d / depth within 0 and 1
/// where the rate is above kTouchDownSpeed, s = 1 elsewhere: what leaves comes to zero by itself,
/// since it does not pull.
/// Needs   `load` of the spring and of the whole damping, `stiffness` and `damping` its slopes over
///         d and the rate (N, N/m, N s/m), the load linear in the rate.
/// Writes  all three: the load above and its slopes, dF/dd = k + (ds/dd) c rate among them. From
///         the depth on they stay as they are to the bit.
/// Real: double, or a pack.                                                  [MSC]
template <typename Real>
void fade_in_damping(const Real& pressed, const Real& depth, const Real& rate, Real& load,
                     Real& stiffness, Real& damping) {
  Real x;
  if constexpr (std::same_as<Real, double>)
    x = rate > kTouchDownSpeed ? std::clamp(pressed / depth, 0.0, 1.0) : 1.0;
  else
    x = select(rate > spread<Real>(kTouchDownSpeed), within(pressed / depth, 0.0, 1.0),
               spread<Real>(1.0));
  const Real share = x * x * (3.0 - 2.0 * x);
  const Real whole = damping * rate;
  load += (share - 1.0) * whole;
  stiffness += 6.0 * x * (1.0 - x) / depth * whole;
  damping *= share;
}

}  // namespace semirec
