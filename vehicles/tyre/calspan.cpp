#include "vehicles/tyre/calspan.hpp"

#include <algorithm>
#include <cmath>

namespace semirec {

LateralForce calspan_lateral(const CalspanCoefficients& c, double F, double alpha, double gamma) {
  if (F <= 0.0) return {};
  const double mu = (c.B1 * F + c.B3 + c.B4 * F * F) * c.SN;
  double slope = 0.0;  // da/dalpha
  double alpha_gamma = 0.0;
  if (F <= c.A2) {
    const double K = c.A1 * F * (F - c.A2) - c.A0 * c.A2;
    alpha_gamma = -c.A2 * c.A3 * (c.A4 - F) * F * gamma / (c.A4 * K);
    slope = K / (c.A2 * mu * F);
  } else {
    alpha_gamma = c.A2 * c.A3 * (c.A4 - c.A2) * gamma / (c.A0 * c.A4);
    slope = -c.A0 / (mu * F);
  }
  const double a = slope * (alpha + alpha_gamma);
  const double size = std::abs(a);
  const bool sliding = size >= 3.0;
  const double g = sliding ? std::copysign(1.0, a) : a - a * size / 3.0 + a * a * a / 27.0;
  const double gd = sliding ? 0.0 : 1.0 - 2.0 * size / 3.0 + a * a / 9.0;
  LateralForce lateral;
  lateral.force = mu * F * g;
  lateral.torque = (c.AF1 * F + c.AF2 * std::abs(lateral.force)) * lateral.force;
  lateral.stiffness = std::max(0.0, -mu * F * gd * slope);
  return lateral;
}

void put_into(Fingerprint& fingerprint, const CalspanCoefficients& whole) {
  const auto& [A0, A1, A2, A3, A4, B1, B3, B4, SN, AF1, AF2] = whole;
  fingerprint(A0, A1, A2, A3, A4, B1, B3, B4, SN, AF1, AF2);
}

}  // namespace semirec
