#include "vehicles/tyre/linear_tyre.hpp"

#include <algorithm>

namespace semirec {

LinearTyre::LinearTyre(const LinearTyreParameters& parameters)
    : SimpleTyre(parameters.radial), p_(parameters) {
  check_tyre_number("slip_stiffness", p_.slip_stiffness, 0.0, 1e9);
  check_tyre_number("cornering_stiffness", p_.cornering_stiffness, 0.0, 1e9);
  check_tyre_number("camber_stiffness", p_.camber_stiffness, 0.0, 1e9);
  check_tyre_number("trail", p_.trail, -1.0, 1.0);
}

TyreForces LinearTyre::forces(const TyreSlip& slip) const {
  // far beyond anything linear; keeps products finite
  constexpr double kMost = 1e6;
  TyreForces f;
  const double share = std::clamp(slip.load / nominal_load(), 0.0, 100.0);
  const double kappa = std::clamp(slip.kappa, -kMost, kMost);
  const double tan_alpha = std::clamp(slip.tan_alpha, -kMost, kMost);
  const double gamma = std::clamp(slip.gamma, -1.6, 1.6);
  if (kappa != slip.kappa) f.clamped |= tyre_clamped::kKappa;
  if (tan_alpha != slip.tan_alpha) f.clamped |= tyre_clamped::kAlpha;
  if (gamma != slip.gamma) f.clamped |= tyre_clamped::kGamma;
  f.Fx_kappa = kappa == slip.kappa ? p_.slip_stiffness * share : 0.0;
  f.Fy_tan_alpha = tan_alpha == slip.tan_alpha ? -p_.cornering_stiffness * share : 0.0;
  f.Fx = p_.slip_stiffness * share * kappa;
  const double by_slip = -p_.cornering_stiffness * share * tan_alpha;
  f.Fy = by_slip - p_.camber_stiffness * share * gamma;
  f.Mz = -p_.trail * direction(slip.speed) * by_slip;
  f.My = rolling_torque(slip);
  return f;
}

void LinearTyre::put_into(Fingerprint& fingerprint) const {
  const auto& [radial, slip_stiffness, cornering_stiffness, camber_stiffness, trail] = p_;
  fingerprint("linear", radial, slip_stiffness, cornering_stiffness, camber_stiffness, trail);
}

}  // namespace semirec
