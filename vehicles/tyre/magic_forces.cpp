#include "vehicles/tyre/magic_forces.hpp"

#include <algorithm>
#include <cmath>

namespace semirec {

namespace {

/// Beside C D, so that a tyre without friction has a finite B, N.
constexpr double kSmallForce = 1e-6;

Pack sign(const Pack& x) { return with_sign(broadcast(1.0), x); }

Pack relative_change(const MagicParameters& p, const Pack& load) {
  const double nominal = p.c.LFZO * p.Fz0;
  return (load - nominal) * (1.0 / nominal);
}

SlopedPack not_below(const SlopedPack& x, double least) { return select(x.f > least, x, least); }

/// F / x where both vanish together; `limit` is the slope there.
SlopedPack secant(const SlopedPack& F, const SlopedPack& x, const Pack& limit) {
  return select(absolute(x.f) < 1e-7, limit, F / x);
}

/// cos(...(x + shift)) / cos(...(shift)), not below zero. `shifts`: whether there is a shift at
/// all.
SlopedPack weight(const SlopedPack& x, bool shifts, const Pack& shift, const SlopedPack& B,
                  double C, const Pack& E) {
  const SlopedPack now = magic_cosine(x + shift, B, C, E);
  if (!shifts) return not_below(now, 0.0);  // cos(0) below
  return not_below(now / not_below(magic_cosine(SlopedPack(shift), B, C, E), 0.05), 0.0);
}

struct SpinLoss {
  SlopedPack zeta2 = 1.0, zeta3 = 1.0;
};

/// [P12] (4.77) to (4.79)
SpinLoss spin_loss(const MagicParameters& p, const MagicState& s) {
  SpinLoss loss;
  if (!p.turn_slip) return loss;
  const MagicCoefficients& c = p.c;
  // |spin| and its root, with slopes at zero
  constexpr double kTiny = 1e-12;
  const SlopedPack size = sqrt(s.spin * s.spin + kTiny * kTiny);
  const SlopedPack root = sqrt(size) - std::sqrt(kTiny);
  const SlopedPack tan_alpha = sin(s.alpha) / cos(s.alpha);
  const SlopedPack B = (c.PDYP1 * (1.0 + c.PDYP2 * s.dfz)) * cos_atan(c.PDYP3 * tan_alpha);
  loss.zeta2 = cos_atan(B * (size + c.PDYP4 * root));
  loss.zeta3 = not_below(cos_atan(c.PKYP1 * s.spin * s.spin), 1e-3);
  return loss;
}

/// Shift of the slip angle by spin.                                      [P12] (4.80) to (4.89)
SlopedPack spin_shift(const MagicParameters& p, const MagicState& s, const SlopedPack& zeta3) {
  const MagicCoefficients& c = p.c;
  Pack D = c.PHYP2 + c.PHYP3 * s.dfz;
  D = select(absolute(D) < 1e-6, broadcast(1e-6), D);
  const SlopedPack K = s.Ky_upright * zeta3;
  const Pack K_spin = magic_camber_stiffness(p, s) / (1.0 - magic_camber_reduction(p, s.dfz));
  const SlopedPack B = SlopedPack(K_spin) / (c.PHYP1 * D * K);
  return magic_sine(s.spin, B, c.PHYP1, D, broadcast(c.PHYP4));
}

bool shifts_by_spin(const MagicParameters& p) {
  return p.turn_slip && std::abs(p.c.PHYP1) > 1e-3 && p.c.PHYP2 != 0.0;
}

}  // namespace

Pack magic_slip_stiffness(const MagicParameters& p, const Pack& load) {
  const MagicCoefficients& c = p.c;
  const Pack dfz = relative_change(p, load);
  const double dpi = p.pressure_change;
  const Pack K = load * (c.PKX1 + c.PKX2 * dfz) * exponential(within(c.PKX3 * dfz, -20.0, 20.0)) *
                 ((1.0 + c.PPX1 * dpi + c.PPX2 * dpi * dpi) * c.LKX);
  return larger_of(K, 1e-3 * load);
}

Pack magic_cornering_stiffness(const MagicParameters& p, const Pack& load, const Pack& gamma) {
  const MagicCoefficients& c = p.c;
  const double dpi = p.pressure_change;
  const double nominal = c.LFZO * p.Fz0;
  const Pack g = p.version == MagicVersion::mf6 ? gamma : gamma * c.LGAY;
  const Pack summit = larger_of((c.PKY2 + c.PKY5 * g * g) * (1.0 + c.PPY2 * dpi), 1e-3);
  Pack rise;
  Pack fall;
  sine_and_cosine(c.PKY4 * arc_tangent(load / (nominal * summit)), rise, fall);
  return (c.PKY1 * nominal * std::max(1.0 + c.PPY1 * dpi, 0.05) * c.LKY) *
         larger_of(1.0 - c.PKY3 * absolute(g), 0.05) * larger_of(rise, 1e-3);
}

Pack magic_camber_stiffness(const MagicParameters& p, const MagicState& s) {
  const MagicCoefficients& c = p.c;
  if (p.version == MagicVersion::mf6)
    return s.load * (c.PKY6 + c.PKY7 * s.dfz) * ((1.0 + c.PPY5 * p.pressure_change) * c.LKYC);
  return (c.PHY3 * s.Ky_upright + s.load * (c.PVY3 + c.PVY4 * s.dfz)) * c.LKYC;
}

Pack magic_camber_reduction(const MagicParameters& p, const Pack& dfz) {
  return within(p.c.PECP1 * (1.0 + p.c.PECP2 * dfz), -1.0, 0.99);
}

MagicLongitudinal magic_longitudinal(const MagicParameters& p, const MagicState& s) {
  const MagicCoefficients& c = p.c;
  const double dpi = p.pressure_change;
  const Pack g = p.version == MagicVersion::mf6 ? s.gamma : s.gamma * c.LGAX;
  MagicLongitudinal x;
  SlopedPack zeta1 = 1.0;
  if (p.turn_slip)
    zeta1 = cos_atan((c.PDXP1 * (1.0 + c.PDXP2 * s.dfz)) * cos_atan(c.PDXP3 * s.kappa) * s.spin);

  const Pack mu = larger_of((c.PDX1 + c.PDX2 * s.dfz) * (1.0 + c.PPX3 * dpi + c.PPX4 * dpi * dpi) *
                                (1.0 - c.PDX3 * g * g) * s.mu_x,
                            0.0);
  const double C = c.PCX1 * c.LCX;
  x.Kx = magic_slip_stiffness(p, s.load);
  x.peak = (mu * s.load) * zeta1;
  x.kappa_x = s.kappa + (c.PHX1 + c.PHX2 * s.dfz) * c.LHX * s.offsets;
  x.SVx = (s.load * (c.PVX1 + c.PVX2 * s.dfz) * c.LVX * s.mu_x * s.offsets) * zeta1;
  const Pack E = (c.PEX1 + c.PEX2 * s.dfz + c.PEX3 * s.dfz * s.dfz) *
                 (1.0 - c.PEX4 * sign(x.kappa_x.f)) * c.LEX;
  const SlopedPack B = SlopedPack(x.Kx) / (C * x.peak + kSmallForce);
  x.Fx0 = magic_sine(x.kappa_x, B, C, x.peak, E) + x.SVx;
  return x;
}

namespace {

/// Friction, N over N.
Pack lateral_friction(const MagicParameters& p, const MagicState& s, const Pack& g) {
  const MagicCoefficients& c = p.c;
  const double dpi = p.pressure_change;
  return larger_of((c.PDY1 + c.PDY2 * s.dfz) * (1.0 + c.PPY3 * dpi + c.PPY4 * dpi * dpi) *
                       (1.0 - c.PDY3 * g * g) * s.mu_y,
                   0.0);
}

Pack lateral_curvature(const MagicParameters& p, const MagicState& s, const Pack& g,
                       const Pack& alpha_y) {
  const MagicCoefficients& c = p.c;
  return (c.PEY1 + c.PEY2 * s.dfz) *
         (1.0 + c.PEY5 * g * g - (c.PEY3 + c.PEY4 * g) * sign(alpha_y)) * c.LEY;
}

}  // namespace

Pack magic_upright_force(const MagicParameters& p, const MagicState& s) {
  const MagicCoefficients& c = p.c;
  const Pack upright{};
  const Pack alpha_y = s.alpha.f + s.offsets * (c.PHY1 + c.PHY2 * s.dfz) * c.LHY;
  const Pack SVy = s.offsets * s.load * (c.PVY1 + c.PVY2 * s.dfz) * c.LVY * s.mu_y;
  const Pack D = lateral_friction(p, s, upright) * s.load;
  const double C = c.PCY1 * c.LCY;
  const Pack B = s.Ky_upright / (C * D + kSmallForce);
  const Pack E = lateral_curvature(p, s, upright, alpha_y);
  return magic_sine(alpha_y, B, C, D, E) + SVy;
}

MagicLateral magic_lateral(const MagicParameters& p, const MagicState& s) {
  const MagicCoefficients& c = p.c;
  const bool mf6 = p.version == MagicVersion::mf6;
  const Pack g = mf6 ? s.gamma : s.gamma * c.LGAY;
  const SpinLoss loss = spin_loss(p, s);
  MagicLateral y;
  y.zeta2 = loss.zeta2;

  // stiffness
  y.Ky = magic_cornering_stiffness(p, s.load, s.gamma) * loss.zeta3;
  const SlopedPack SVyg = (s.load * (c.PVY3 + c.PVY4 * s.dfz) * g * c.LKYC * s.mu_y) * loss.zeta2;

  // shifts
  y.SHy = (c.PHY1 + c.PHY2 * s.dfz) * c.LHY;
  if (shifts_by_spin(p))
    y.SHy = y.SHy + spin_shift(p, s, loss.zeta3) - SVyg / y.Ky;
  else if (mf6)
    y.SHy = y.SHy + (magic_camber_stiffness(p, s) * g - SVyg) / y.Ky;
  else
    y.SHy = y.SHy + c.PHY3 * g * c.LKYC;
  y.SVy = (s.load * (c.PVY1 + c.PVY2 * s.dfz) * c.LVY * s.mu_y) * loss.zeta2 + SVyg;
  y.SHy = s.offsets * y.SHy;
  y.SVy = s.offsets * y.SVy;
  y.alpha_y = s.alpha + y.SHy;

  // curve
  y.mu = lateral_friction(p, s, g);
  y.peak = (y.mu * s.load) * loss.zeta2;
  const double C = c.PCY1 * c.LCY;
  const Pack E = lateral_curvature(p, s, g, y.alpha_y.f);
  const SlopedPack B = y.Ky / (C * y.peak + kSmallForce);
  y.BC = C * B;
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
    const SlopedPack sine = sin(y.alpha_y);
    const SlopedPack k_x = secant(x.Fx0 - x.SVx, x.kappa_x, x.Kx);
    const SlopedPack k_y = secant(y.Fy0 - y.SVy, sine, y.Ky.f);
    const SlopedPack off_x = sine * k_x / (y.peak + kSmallForce);
    const SlopedPack off_y = x.kappa_x * k_y / (x.peak + kSmallForce);
    const SlopedPack weight_y = 1.0 / sqrt(1.0 + off_y * off_y);
    both.Fx = x.Fx0 / sqrt(1.0 + off_x * off_x);
    both.Fy = y.Fy0 * weight_y;
    both.weight_y = weight_y.f;
    return both;
  }
  const Pack g2 = s.gamma * s.gamma;
  const SlopedPack B_x =
      (larger_of(c.RBX1 + c.RBX3 * g2, 0.0) * c.LXAL) * cos_atan(c.RBX2 * s.kappa);
  both.Fx = x.Fx0 *
            weight(s.alpha, c.RHX1 != 0.0, broadcast(c.RHX1), B_x, c.RCX1, c.REX1 + c.REX2 * s.dfz);

  const SlopedPack B_y =
      (larger_of(c.RBY1 + c.RBY4 * g2, 0.0) * c.LYKA) * cos_atan(c.RBY2 * (s.alpha - c.RBY3));
  const SlopedPack G_y = weight(s.kappa, c.RHY1 != 0.0 || c.RHY2 != 0.0, c.RHY1 + c.RHY2 * s.dfz,
                                B_y, c.RCY1, c.REY1 + c.REY2 * s.dfz);
  const SlopedPack D =
      (y.mu * s.load * (c.RVY1 + c.RVY2 * s.dfz + c.RVY3 * s.gamma) * s.offsets * c.LVYKA) *
      cos_atan(c.RVY4 * s.alpha) * y.zeta2;
  const SlopedPack SVyk = D * sin(c.RVY5 * atan(c.RVY6 * s.kappa));
  both.Fy = y.Fy0 * G_y + SVyk;
  both.weight_y = G_y.f;
  both.SVyk = SVyk.f;
  return both;
}

}  // namespace semirec
