#include "vehicles/tyre/fiala_tyre.hpp"

#include <algorithm>
#include <cmath>

#include "vehicles/tyre/sloped.hpp"

namespace semirec {

FialaTyre::FialaTyre(const FialaTyreParameters& parameters)
    : SimpleTyre(parameters.radial), p_(parameters) {
  check_tyre_number("slip_stiffness", p_.slip_stiffness, 1.0, 1e9);
  check_tyre_number("cornering_stiffness", p_.cornering_stiffness, 1.0, 1e9);
  check_tyre_number("camber_stiffness", p_.camber_stiffness, 0.0, 1e9);
  check_tyre_number("friction", p_.friction, 0.01, 10.0);
  check_tyre_number("friction_fall", p_.friction_fall, 0.0, 1.0);
  check_tyre_number("contact_half_length", p_.contact_half_length, 0.0, 1.0);
}

TyreForces FialaTyre::forces(const TyreSlip& slip) const {
  TyreForces f;
  const double share = std::clamp(slip.load / nominal_load(), 0.0, 100.0);
  const double load = share * nominal_load();
  const double mu = p_.friction * std::clamp(1.0 - p_.friction_fall * (share - 1.0), 0.2, 2.0) *
                    std::clamp(slip.friction, 0.0, 10.0);
  f.My = rolling_torque(slip);
  const double limit = mu * load;
  if (limit <= 0.0) return f;

  constexpr double kMost = 1e6;
  const Sloped kappa(std::clamp(slip.kappa, -kMost, kMost), 1.0, 0.0);
  const Sloped tan_alpha(std::clamp(slip.tan_alpha, -kMost, kMost), 0.0, 1.0);
  const double gamma = std::clamp(slip.gamma, -1.6, 1.6);
  const Sloped x = p_.slip_stiffness * kappa;
  const Sloped y = p_.cornering_stiffness * tan_alpha + p_.camber_stiffness * gamma;
  // rolling speed over that of travel
  const Sloped pace = 1.0 + direction(slip.speed) * kappa;

  // bristles that no longer hold anywhere slide as a whole
  const double square = x.f * x.f + y.f * y.f;
  const double reach = 3.0 * limit * std::max(pace.f, 0.0);
  Sloped Fx;
  Sloped Fy;
  double trail = 0.0;
  if (square < 1e-12 * limit * limit || square == 0.0) {
    Fx = x / pace;
    Fy = -y / pace;
    trail = p_.contact_half_length / 3.0;
  } else if (square >= reach * reach) {
    const Sloped size = sqrt(x * x + y * y);
    Fx = limit * x / size;
    Fy = -limit * y / size;
  } else {
    const Sloped size = sqrt(x * x + y * y);
    const Sloped a = size / (3.0 * limit * pace);
    const Sloped secant = (1.0 - a + a * a / 3.0) / pace;
    Fx = secant * x;
    Fy = -secant * y;
    const double rest = 1.0 - a.f;
    trail = p_.contact_half_length * rest * rest * rest / (3.0 - 3.0 * a.f + a.f * a.f);
  }
  f.Fx = Fx.f;
  f.Fx_kappa = Fx.f_kappa;
  f.Fx_tan_alpha = Fx.f_alpha;
  f.Fy = Fy.f;
  f.Fy_kappa = Fy.f_kappa;
  f.Fy_tan_alpha = Fy.f_alpha;
  // camber thrust has no trail
  const double by_slip = y.f == 0.0 ? 0.0 : Fy.f / y.f * (p_.cornering_stiffness * tan_alpha.f);
  f.Mz = -trail * direction(slip.speed) * by_slip;
  return f;
}

void FialaTyre::put_into(Fingerprint& fingerprint) const {
  const auto& [radial, slip_stiffness, cornering_stiffness, camber_stiffness, friction,
               friction_fall, contact_half_length] = p_;
  fingerprint("fiala", radial, slip_stiffness, cornering_stiffness, camber_stiffness, friction,
              friction_fall, contact_half_length);
}

}  // namespace semirec
