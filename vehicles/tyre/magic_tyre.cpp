#include "vehicles/tyre/magic_tyre.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "vehicles/tyre/magic_moments.hpp"
#include "vehicles/tyre/magic_radial.hpp"

namespace semirec {

namespace {

double held(double x, double low, double high, unsigned argument, unsigned& clamped) {
  if (x >= low && x <= high) return x;
  clamped |= argument;
  return x < low ? low : high;
}

/// As held(); beyond the border the slopes vanish.
Sloped held(const Sloped& x, double low, double high, unsigned argument, unsigned& clamped) {
  if (x.f >= low && x.f <= high) return x;
  clamped |= argument;
  return x.f < low ? low : high;
}

MagicState make_state(const MagicParameters& p, const TyreSlip& slip, unsigned& clamped) {
  const double side = p.mirrored ? -1.0 : 1.0;
  MagicState s;
  s.load = held(slip.load, p.load_min, p.load_max, tyre_clamped::kLoad, clamped);
  const double nominal = p.c.LFZO * p.Fz0;
  s.dfz = (s.load - nominal) / nominal;
  s.kappa =
      held(Sloped(slip.kappa, 1.0, 0.0), p.kappa_min, p.kappa_max, tyre_clamped::kKappa, clamped);
  // the slope would overflow where the angle has come to its end anyway
  const double tan_alpha = side * std::clamp(slip.tan_alpha, -1e9, 1e9);
  s.alpha = held(atan(Sloped(tan_alpha, 0.0, 1.0)), p.alpha_min, p.alpha_max, tyre_clamped::kAlpha,
                 clamped);
  s.gamma = held(side * slip.gamma, p.gamma_min, p.gamma_max, tyre_clamped::kGamma, clamped);

  const double pace = std::clamp(slip.speed / p.low_speed, -1.0, 1.0);
  s.direction = std::sin(0.5 * std::numbers::pi * pace);
  s.offsets = s.direction * s.direction;
  const double friction = std::clamp(slip.friction, 0.0, 10.0);
  s.mu_x = p.c.LMUX * friction;
  s.mu_y = p.c.LMUY * friction;

  if (p.turn_slip) {
    const double turn = -side * std::clamp(slip.turn_slip, -100.0, 100.0);
    const double camber = (1.0 - magic_camber_reduction(p, s.dfz)) * std::sin(s.gamma) /
                          magic_effective_radius(p, s.load, 0.0);
    s.spin = p.R0 * s.direction * (turn + camber * (s.direction + s.kappa));
  }
  return s;
}

void scale(TyreForces& f, double factor) {
  for (double* value : {&f.Fx, &f.Fy, &f.Mx, &f.My, &f.Mz, &f.Fx_kappa, &f.Fx_tan_alpha,
                        &f.Fy_kappa, &f.Fy_tan_alpha})
    *value *= factor;
}

void mirror(TyreForces& f) {
  for (double* value : {&f.Fy, &f.Mx, &f.Mz, &f.Fy_kappa, &f.Fx_tan_alpha}) *value = -*value;
}

}  // namespace

TyreLoad MagicTyre::load(double deflection, double deflection_rate, double omega) const {
  return magic_load(p_, deflection, deflection_rate, omega);
}

double MagicTyre::effective_radius(double load, double omega) const {
  return magic_effective_radius(p_, load, omega);
}

double MagicTyre::relaxation_x(double load, double /*gamma*/) const {
  return magic_relaxation_x(p_, load);
}

double MagicTyre::relaxation_y(double load, double gamma) const {
  return magic_relaxation_y(p_, load, gamma);
}

TyreForces MagicTyre::forces(const TyreSlip& slip) const {
  TyreForces f;
  if (slip.load <= 0.0) return f;
  const MagicState s = make_state(p_, slip, f.clamped);
  MagicLongitudinal x;
  MagicLateral y;
  if (p_.longitudinal) x = magic_longitudinal(p_, s);
  if (p_.lateral) y = magic_lateral(p_, s, s.gamma, s.spin);
  const MagicCombined both = magic_combined(p_, s, x, y);

  f.Fx = both.Fx.f;
  f.Fx_kappa = both.Fx.f_kappa;
  f.Fx_tan_alpha = both.Fx.f_alpha;
  f.Fy = both.Fy.f;
  f.Fy_kappa = both.Fy.f_kappa;
  f.Fy_tan_alpha = both.Fy.f_alpha;
  if (p_.lateral) {
    f.Mz = magic_aligning(p_, s, x, y, both);
    f.Mx = magic_overturning(p_, s, f.Fy);
  }
  if (p_.longitudinal) f.My = magic_rolling(p_, s, f.Fx, slip.speed, s.direction + s.kappa.f);

  scale(f, std::min(slip.load / p_.load_min, 1.0));
  if (p_.mirrored) mirror(f);
  return f;
}

}  // namespace semirec
