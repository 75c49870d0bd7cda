#pragma once

#include "recursive/packs/number_functions.hpp"
#include "vehicles/tyre/tyre_numbers.hpp"

namespace semirec {

/// Size |(kappa, tan_alpha)| of the slips at which a tyre begins to slide as a whole, and from
/// which on it does: a locked wheel has 1 and more whichever way it slides.
inline constexpr double kSlidingBegins = 0.5, kSlidingIsAll = 1.0;

/// Turns the forces of a tyre that slides as a whole against its sliding, F = -|F| Vs/|Vs|, with
/// their slopes; keeps their size. Between the two sizes of slip above the force is blended, with a
/// slope of zero at both; below the first nothing changes. Real: double, or a pack.
template <typename Real>
void turn_against_sliding(const TyreSlipOf<Real>& slip, TyreForcesOf<Real>& F) {
  const Real square = slip.kappa * slip.kappa + slip.tan_alpha * slip.tan_alpha;
  // what is no number is not let pass
  const MaskOf<Real> slides = negated(square <= kSlidingBegins * kSlidingBegins);
  if (!anywhere(slides)) return;
  const Real size = square_root(F.Fx * F.Fx + F.Fy * F.Fy);
  const MaskOf<Real> turned = slides & (size != 0.0);
  if (!anywhere(turned)) return;
  const Real s = square_root(square);
  const Real by_s = 1.0 / s;
  // -Vs/|Vs|: |Vx| (kappa, -tan_alpha) is the velocity of the road under the patch
  const Real e_x = slip.kappa * by_s;
  const Real e_y = -slip.tan_alpha * by_s;
  constexpr double kPerWidth = 1.0 / (kSlidingIsAll - kSlidingBegins);
  const Real u = select(s < kSlidingIsAll, (s - kSlidingBegins) * kPerWidth, as<Real>(1.0));
  const Real b = u * u * (3.0 - 2.0 * u);
  const Real b_s = 6.0 * u * (1.0 - u) * kPerWidth;

  const Real away_x = size * e_x - F.Fx;
  const Real away_y = size * e_y - F.Fy;
  const Real size_kappa = (F.Fx * F.Fx_kappa + F.Fy * F.Fy_kappa) / size;
  const Real size_alpha = (F.Fx * F.Fx_tan_alpha + F.Fy * F.Fy_tan_alpha) / size;
  const Real turn = size * by_s;  // times the slopes of e over the slips, without 1/s
  const Real mixed = e_x * e_y;
  const auto add = [&](Real& to, const Real& change) { to = select(turned, to + change, to); };
  add(F.Fx_kappa,
      b_s * e_x * away_x + b * (size_kappa * e_x + turn * (1.0 - e_x * e_x) - F.Fx_kappa));
  add(F.Fy_kappa, b_s * e_x * away_y + b * (size_kappa * e_y - turn * mixed - F.Fy_kappa));
  add(F.Fx_tan_alpha, -b_s * e_y * away_x + b * (size_alpha * e_x + turn * mixed - F.Fx_tan_alpha));
  add(F.Fy_tan_alpha,
      -b_s * e_y * away_y + b * (size_alpha * e_y - turn * (1.0 - e_y * e_y) - F.Fy_tan_alpha));
  add(F.Fx, b * away_x);
  add(F.Fy, b * away_y);
}

}  // namespace semirec
