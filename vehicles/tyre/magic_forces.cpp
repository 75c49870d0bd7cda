#include "vehicles/tyre/magic_forces.hpp"

#include <algorithm>
#include <cmath>

namespace semirec {

namespace {

/// Beside C D, so that a tyre without friction has a finite B, N.
constexpr double kSmallForce = 1e-6;

double sign(double x) { return x < 0.0 ? -1.0 : 1.0; }

double relative_change(const MagicParameters& p, double load) {
  const double nominal = p.c.LFZO * p.Fz0;
  return (load - nominal) / nominal;
}

/// F / x where both vanish together; `limit` is the slope there.
Sloped secant(const Sloped& F, const Sloped& x, double limit) {
  return std::abs(x.f) < 1e-7 ? Sloped(limit) : F / x;
}

/// cos(...(x + shift)) / cos(...(shift)), not below zero.
Sloped weight(const Sloped& x, double shift, const Sloped& B, double C, double E) {
  const Sloped now = magic_cosine(x + shift, B, C, E);
  // the cosine of zero
  if (shift == 0.0) return now.f > 0.0 ? now : Sloped(0.0);
  Sloped base = magic_cosine(shift, B, C, E);
  if (base.f < 0.05) base = 0.05;
  const Sloped ratio = now / base;
  return ratio.f > 0.0 ? ratio : Sloped(0.0);
}

struct SpinLoss {
  Sloped zeta2 = 1.0, zeta3 = 1.0;
};

/// [P12] (4.77) to (4.79)
SpinLoss spin_loss(const MagicParameters& p, const MagicState& s, const Sloped& spin) {
  SpinLoss loss;
  if (!p.turn_slip) return loss;
  const MagicCoefficients& c = p.c;
  // |spin| and its root, with slopes at zero
  constexpr double kTiny = 1e-12;
  const Sloped size = sqrt(spin * spin + kTiny * kTiny);
  const Sloped root = sqrt(size) - std::sqrt(kTiny);
  const Sloped tan_alpha = sin(s.alpha) / cos(s.alpha);
  const Sloped B = c.PDYP1 * (1.0 + c.PDYP2 * s.dfz) * cos_atan(c.PDYP3 * tan_alpha);
  loss.zeta2 = cos_atan(B * (size + c.PDYP4 * root));
  loss.zeta3 = cos_atan(c.PKYP1 * spin * spin);
  if (loss.zeta3.f < 1e-3) loss.zeta3 = 1e-3;
  return loss;
}

/// Shift of the slip angle by spin.                                      [P12] (4.80) to (4.89)
Sloped spin_shift(const MagicParameters& p, const MagicState& s, const Sloped& spin,
                  const Sloped& zeta3) {
  const MagicCoefficients& c = p.c;
  double D = c.PHYP2 + c.PHYP3 * s.dfz;
  if (std::abs(D) < 1e-6) D = 1e-6;
  const Sloped K = magic_cornering_stiffness(p, s.load, 0.0) * zeta3;
  const double K_spin =
      magic_camber_stiffness(p, s.load) / (1.0 - magic_camber_reduction(p, s.dfz));
  const Sloped B = K_spin / (c.PHYP1 * D * K);
  return magic_sine(spin, B, c.PHYP1, D, c.PHYP4);
}

bool shifts_by_spin(const MagicParameters& p) {
  return p.turn_slip && std::abs(p.c.PHYP1) > 1e-3 && p.c.PHYP2 != 0.0;
}

}  // namespace

Sloped magic_sine(const Sloped& x, const Sloped& B, double C, const Sloped& D, double E) {
  const Sloped Bx = B * x;
  return D * sin(C * atan(Bx - std::min(E, 1.0) * (Bx - atan(Bx))));
}

Sloped magic_cosine(const Sloped& x, const Sloped& B, double C, double E) {
  const Sloped Bx = B * x;
  return cos(C * atan(Bx - std::min(E, 1.0) * (Bx - atan(Bx))));
}

double magic_slip_stiffness(const MagicParameters& p, double load) {
  const MagicCoefficients& c = p.c;
  const double dfz = relative_change(p, load);
  const double dpi = p.pressure_change;
  const double K = load * (c.PKX1 + c.PKX2 * dfz) *
                   std::exp(std::clamp(c.PKX3 * dfz, -20.0, 20.0)) *
                   (1.0 + c.PPX1 * dpi + c.PPX2 * dpi * dpi) * c.LKX;
  return std::max(K, 1e-3 * load);
}

double magic_cornering_stiffness(const MagicParameters& p, double load, double gamma) {
  const MagicCoefficients& c = p.c;
  const double dpi = p.pressure_change;
  const double nominal = c.LFZO * p.Fz0;
  const double g = p.version == MagicVersion::mf6 ? gamma : gamma * c.LGAY;
  const double summit = std::max((c.PKY2 + c.PKY5 * g * g) * (1.0 + c.PPY2 * dpi), 1e-3);
  const double rise = std::max(std::sin(c.PKY4 * std::atan(load / nominal / summit)), 1e-3);
  const double K = c.PKY1 * nominal * std::max(1.0 + c.PPY1 * dpi, 0.05) *
                   std::max(1.0 - c.PKY3 * std::abs(g), 0.05) * rise * c.LKY;
  return K;
}

double magic_camber_stiffness(const MagicParameters& p, double load) {
  const MagicCoefficients& c = p.c;
  const double dfz = relative_change(p, load);
  if (p.version == MagicVersion::mf6)
    return load * (c.PKY6 + c.PKY7 * dfz) * (1.0 + c.PPY5 * p.pressure_change) * c.LKYC;
  return (c.PHY3 * magic_cornering_stiffness(p, load, 0.0) + load * (c.PVY3 + c.PVY4 * dfz)) *
         c.LKYC;
}

double magic_camber_reduction(const MagicParameters& p, double dfz) {
  return std::clamp(p.c.PECP1 * (1.0 + p.c.PECP2 * dfz), -1.0, 0.99);
}

MagicLongitudinal magic_longitudinal(const MagicParameters& p, const MagicState& s) {
  const MagicCoefficients& c = p.c;
  const double dpi = p.pressure_change;
  const double g = p.version == MagicVersion::mf6 ? s.gamma : s.gamma * c.LGAX;
  MagicLongitudinal x;
  Sloped zeta1 = 1.0;
  if (p.turn_slip)
    zeta1 = cos_atan(c.PDXP1 * (1.0 + c.PDXP2 * s.dfz) * cos_atan(c.PDXP3 * s.kappa) * s.spin);

  const double mu = std::max((c.PDX1 + c.PDX2 * s.dfz) * (1.0 + c.PPX3 * dpi + c.PPX4 * dpi * dpi) *
                                 (1.0 - c.PDX3 * g * g) * s.mu_x,
                             0.0);
  const double C = c.PCX1 * c.LCX;
  x.Kx = magic_slip_stiffness(p, s.load);
  x.peak = mu * s.load * zeta1;
  x.kappa_x = s.kappa + (c.PHX1 + c.PHX2 * s.dfz) * c.LHX * s.offsets;
  x.SVx = s.load * (c.PVX1 + c.PVX2 * s.dfz) * c.LVX * s.mu_x * s.offsets * zeta1;
  const double E = (c.PEX1 + c.PEX2 * s.dfz + c.PEX3 * s.dfz * s.dfz) *
                   (1.0 - c.PEX4 * sign(x.kappa_x.f)) * c.LEX;
  const Sloped B = x.Kx / (C * x.peak + kSmallForce);
  x.Fx0 = magic_sine(x.kappa_x, B, C, x.peak, E) + x.SVx;
  return x;
}

MagicLateral magic_lateral(const MagicParameters& p, const MagicState& s, double gamma,
                           const Sloped& spin) {
  const MagicCoefficients& c = p.c;
  const bool mf6 = p.version == MagicVersion::mf6;
  const double dpi = p.pressure_change;
  const double g = mf6 ? gamma : gamma * c.LGAY;
  const SpinLoss loss = spin_loss(p, s, spin);
  MagicLateral y;
  y.zeta2 = loss.zeta2;

  // stiffness
  y.Ky = magic_cornering_stiffness(p, s.load, gamma) * loss.zeta3;
  const Sloped SVyg = s.load * (c.PVY3 + c.PVY4 * s.dfz) * g * c.LKYC * s.mu_y * loss.zeta2;

  // shifts
  y.SHy = (c.PHY1 + c.PHY2 * s.dfz) * c.LHY;
  if (shifts_by_spin(p))
    y.SHy = y.SHy + spin_shift(p, s, spin, loss.zeta3) - SVyg / y.Ky;
  else if (mf6)
    y.SHy = y.SHy + (magic_camber_stiffness(p, s.load) * g - SVyg) / y.Ky;
  else
    y.SHy = y.SHy + c.PHY3 * g * c.LKYC;
  y.SVy = s.load * (c.PVY1 + c.PVY2 * s.dfz) * c.LVY * s.mu_y * loss.zeta2 + SVyg;
  y.SHy = s.offsets * y.SHy;
  y.SVy = s.offsets * y.SVy;
  y.alpha_y = s.alpha + y.SHy;

  // curve
  y.mu = std::max((c.PDY1 + c.PDY2 * s.dfz) * (1.0 + c.PPY3 * dpi + c.PPY4 * dpi * dpi) *
                      (1.0 - c.PDY3 * g * g) * s.mu_y,
                  0.0);
  y.peak = y.mu * s.load * loss.zeta2;
  const double C = c.PCY1 * c.LCY;
  const double E = (c.PEY1 + c.PEY2 * s.dfz) *
                   (1.0 + c.PEY5 * g * g - (c.PEY3 + c.PEY4 * g) * sign(y.alpha_y.f)) * c.LEY;
  const Sloped B = y.Ky / (C * y.peak + kSmallForce);
  y.BC = B * C;
  y.Fy0 = magic_sine(y.alpha_y, B, C, y.peak, E) + y.SVy;
  return y;
}

MagicCombined magic_combined(const MagicParameters& p, const MagicState& s,
                             const MagicLongitudinal& x, const MagicLateral& y) {
  MagicCombined both;
  both.Fx = x.Fx0;
  both.Fy = y.Fy0;
  if (!p.combined) return both;
  const MagicCoefficients& c = p.c;
  if (!p.weighted) {
    const Sloped sine = sin(y.alpha_y);
    const Sloped k_x = secant(x.Fx0 - x.SVx, x.kappa_x, x.Kx);
    const Sloped k_y = secant(y.Fy0 - y.SVy, sine, y.Ky.f);
    const Sloped off_x = sine * k_x / (y.peak + kSmallForce);
    const Sloped off_y = x.kappa_x * k_y / (x.peak + kSmallForce);
    const Sloped weight_y = 1.0 / sqrt(1.0 + off_y * off_y);
    both.Fx = x.Fx0 / sqrt(1.0 + off_x * off_x);
    both.Fy = y.Fy0 * weight_y;
    both.weight_y = weight_y.f;
    return both;
  }
  const double g2 = s.gamma * s.gamma;
  const Sloped B_x = std::max(c.RBX1 + c.RBX3 * g2, 0.0) * c.LXAL * cos_atan(c.RBX2 * s.kappa);
  both.Fx = x.Fx0 * weight(s.alpha, c.RHX1, B_x, c.RCX1, c.REX1 + c.REX2 * s.dfz);

  const Sloped B_y =
      std::max(c.RBY1 + c.RBY4 * g2, 0.0) * c.LYKA * cos_atan(c.RBY2 * (s.alpha - c.RBY3));
  const Sloped G_y = weight(s.kappa, c.RHY1 + c.RHY2 * s.dfz, B_y, c.RCY1, c.REY1 + c.REY2 * s.dfz);
  const Sloped D = y.mu * s.load * (c.RVY1 + c.RVY2 * s.dfz + c.RVY3 * s.gamma) * s.offsets *
                   c.LVYKA * cos_atan(c.RVY4 * s.alpha) * y.zeta2;
  const Sloped SVyk = D * sin(c.RVY5 * atan(c.RVY6 * s.kappa));
  both.Fy = y.Fy0 * G_y + SVyk;
  both.weight_y = G_y.f;
  both.SVyk = SVyk.f;
  return both;
}

}  // namespace semirec
