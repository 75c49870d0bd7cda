#include "vehicles/tyre/sliding_friction.hpp"

#include <cmath>

namespace semirec {

void turn_against_sliding(const TyreSlip& slip, TyreForces& F) {
  const double square = slip.kappa * slip.kappa + slip.tan_alpha * slip.tan_alpha;
  if (square <= kSlidingBegins * kSlidingBegins) return;
  const double size = std::sqrt(F.Fx * F.Fx + F.Fy * F.Fy);
  if (size == 0.0) return;
  const double s = std::sqrt(square);
  const double by_s = 1.0 / s;
  // -Vs/|Vs|: |Vx| (kappa, -tan_alpha) is the velocity of the road under the patch
  const double e_x = slip.kappa * by_s;
  const double e_y = -slip.tan_alpha * by_s;
  constexpr double kPerWidth = 1.0 / (kSlidingIsAll - kSlidingBegins);
  const double u = s < kSlidingIsAll ? (s - kSlidingBegins) * kPerWidth : 1.0;
  const double b = u * u * (3.0 - 2.0 * u);
  const double b_s = 6.0 * u * (1.0 - u) * kPerWidth;

  const double away_x = size * e_x - F.Fx;
  const double away_y = size * e_y - F.Fy;
  const double size_kappa = (F.Fx * F.Fx_kappa + F.Fy * F.Fy_kappa) / size;
  const double size_alpha = (F.Fx * F.Fx_tan_alpha + F.Fy * F.Fy_tan_alpha) / size;
  const double turn = size * by_s;  // times the slopes of e over the slips, without 1/s
  const double mixed = e_x * e_y;
  F.Fx_kappa += b_s * e_x * away_x + b * (size_kappa * e_x + turn * (1.0 - e_x * e_x) - F.Fx_kappa);
  F.Fy_kappa += b_s * e_x * away_y + b * (size_kappa * e_y - turn * mixed - F.Fy_kappa);
  F.Fx_tan_alpha += -b_s * e_y * away_x + b * (size_alpha * e_x + turn * mixed - F.Fx_tan_alpha);
  F.Fy_tan_alpha +=
      -b_s * e_y * away_y + b * (size_alpha * e_y - turn * (1.0 - e_y * e_y) - F.Fy_tan_alpha);
  F.Fx += b * away_x;
  F.Fy += b * away_y;
}

}  // namespace semirec
