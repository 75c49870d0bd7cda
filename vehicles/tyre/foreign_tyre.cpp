#include "vehicles/tyre/foreign_tyre.hpp"

#include <cmath>
#include <utility>

#include "topology/mechanism.hpp"

namespace semirec {

ForeignTyre::ForeignTyre(const RadialTyre& radial, std::string name, ForeignTyreFunction function,
                         void* user)
    : SimpleTyre(radial), name_(std::move(name)), function_(function), user_(user) {
  if (function_ == nullptr)
    throw ModelError({}, "foreign tyre", "has no function, expected a function in C");
}

bool ForeignTyre::ask(const TyreSlip& slip, ForeignTyreForces& forces) const {
  const ForeignTyreState state{slip.load,      slip.kappa, slip.tan_alpha, slip.gamma,
                               slip.turn_slip, slip.speed, slip.friction};
  forces = {};
  if (function_(&state, &forces, user_) != 0) return false;
  return std::isfinite(forces.Fx) && std::isfinite(forces.Fy) && std::isfinite(forces.Mx) &&
         std::isfinite(forces.My) && std::isfinite(forces.Mz);
}

TyreForces ForeignTyre::forces(const TyreSlip& slip) const {
  TyreForces f;
  if (slip.load <= 0.0) return f;
  ForeignTyreForces now{};
  if (!ask(slip, now)) {
    f.clamped = tyre_clamped::kNoAnswer;
    return f;
  }
  f.Fx = now.Fx;
  f.Fy = now.Fy;
  f.Mx = now.Mx;
  f.My = now.My + rolling_torque(slip);
  f.Mz = now.Mz;
  const auto slope = [&](double TyreSlip::*argument, double& Fx, double& Fy) {
    const double step = 1e-5 * (1.0 + std::abs(slip.*argument));
    TyreSlip low = slip;
    TyreSlip high = slip;
    low.*argument -= step;
    high.*argument += step;
    ForeignTyreForces below{};
    ForeignTyreForces above{};
    if (!ask(low, below) || !ask(high, above)) return;
    Fx = (above.Fx - below.Fx) / (2.0 * step);
    Fy = (above.Fy - below.Fy) / (2.0 * step);
  };
  slope(&TyreSlip::kappa, f.Fx_kappa, f.Fy_kappa);
  slope(&TyreSlip::tan_alpha, f.Fx_tan_alpha, f.Fy_tan_alpha);
  return f;
}

void ForeignTyre::put_into(Fingerprint& fingerprint) const {
  fingerprint("foreign", radial(), name_);
}

}  // namespace semirec
