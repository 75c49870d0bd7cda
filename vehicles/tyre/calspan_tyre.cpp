#include "vehicles/tyre/calspan_tyre.hpp"

#include <algorithm>
#include <cmath>

#include "vehicles/tyre/calspan.hpp"

namespace semirec {

TyreForces CalspanTyre::forces(const TyreSlip& slip) const {
  TyreForces f;
  f.My = rolling_torque(slip);
  if (slip.load <= 0.0) return f;
  // the polynomial divides by load and friction: the last newton fades in proportion
  const double load = std::clamp(slip.load, 1.0, 100.0 * nominal_load());
  const double fade = std::min(slip.load, 1.0);
  CalspanCoefficients c = c_;
  c.SN *= std::clamp(slip.friction, 0.0, 10.0);
  if ((c.B1 * load + c.B3 + c.B4 * load * load) * c.SN <= 1e-9) return f;
  const double tan_alpha = std::clamp(slip.tan_alpha, -1e9, 1e9);
  const double gamma = std::clamp(slip.gamma, -1.6, 1.6);
  const LateralForce lateral = calspan_lateral(c, load, std::atan(tan_alpha), gamma);
  f.Fy = fade * lateral.force;
  f.Mz = fade * lateral.torque * direction(slip.speed);
  f.Fy_tan_alpha = -fade * lateral.stiffness / (1.0 + tan_alpha * tan_alpha);
  return f;
}

void CalspanTyre::put_into(Fingerprint& fingerprint) const { fingerprint("calspan", radial(), c_); }

}  // namespace semirec
