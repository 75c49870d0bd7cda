#pragma once

#include <cmath>

#include "vehicles/tyre/magic_stiffness.hpp"

namespace semirec {

// Forces of one slip at a time (magic_forces.hpp).

/// Beside C D, so that a tyre without friction has a finite B, N.
inline constexpr double kSmallForce = 1e-6;

template <AnyPack P>
P magic_sign(const P& x) {
  return with_sign(as<P>(1.0), x);
}

template <AnyPack P>
SlopedOf<P> magic_not_below(const SlopedOf<P>& x, double least) {
  return select(x.f > least, x, SlopedOf<P>(least));
}

template <AnyPack P>
struct MagicSpinLossOf {
  SlopedOf<P> zeta2 = 1.0, zeta3 = 1.0;
};

/// [P12] (4.77) to (4.79)
template <typename N, AnyPack P>
[[gnu::always_inline]] inline MagicSpinLossOf<P> magic_spin_loss(const MagicNumbersOf<N>& p,
                                                                 const MagicStateOf<P>& s) {
  MagicSpinLossOf<P> loss;
  if (!p.turn_slip) return loss;
  const MagicCoefficientsOf<N>& c = p.c;
  // |spin| and its root, with slopes at zero
  constexpr double kTiny = 1e-12;
  const SlopedOf<P> size = sqrt(s.spin * s.spin + kTiny * kTiny);
  const SlopedOf<P> root = sqrt(size) - std::sqrt(kTiny);
  const SlopedOf<P> tan_alpha = sin(s.alpha) / cos(s.alpha);
  const SlopedOf<P> B = (c.PDYP1 * (1.0 + c.PDYP2 * s.dfz)) * cos_atan(c.PDYP3 * tan_alpha);
  loss.zeta2 = cos_atan(B * (size + c.PDYP4 * root));
  loss.zeta3 = magic_not_below(cos_atan(c.PKYP1 * s.spin * s.spin), 1e-3);
  return loss;
}

/// Shift of the slip angle by spin.                                      [P12] (4.80) to (4.89)
template <typename N, AnyPack P>
SlopedOf<P> magic_spin_shift(const MagicNumbersOf<N>& p, const MagicStateOf<P>& s,
                             const SlopedOf<P>& zeta3) {
  const MagicCoefficientsOf<N>& c = p.c;
  P D = c.PHYP2 + c.PHYP3 * s.dfz;
  D = select(absolute(D) < 1e-6, as<P>(1e-6), D);
  const SlopedOf<P> K = s.Ky_upright * zeta3;
  const P K_spin = magic_camber_stiffness(p, s) / (1.0 - magic_camber_reduction(p, s.dfz));
  const SlopedOf<P> B = SlopedOf<P>(K_spin) / (c.PHYP1 * D * K);
  return magic_sine(s.spin, B, c.PHYP1, D, as<P>(c.PHYP4));
}

template <typename N, AnyPack P>
[[gnu::noinline]] MagicLongitudinalOf<P> magic_longitudinal(const MagicNumbersOf<N>& p,
                                                            const MagicStateOf<P>& s) {
  const MagicCoefficientsOf<N>& c = p.c;
  const N dpi = p.pressure_change;
  const P g = p.version == MagicVersion::mf6 ? s.gamma : s.gamma * c.LGAX;
  MagicLongitudinalOf<P> x;
  SlopedOf<P> zeta1 = 1.0;
  if (p.turn_slip)
    zeta1 = cos_atan((c.PDXP1 * (1.0 + c.PDXP2 * s.dfz)) * cos_atan(c.PDXP3 * s.kappa) * s.spin);

  const P mu = larger_of((c.PDX1 + c.PDX2 * s.dfz) * (1.0 + c.PPX3 * dpi + c.PPX4 * dpi * dpi) *
                             (1.0 - c.PDX3 * g * g) * s.mu_x,
                         0.0);
  const N C = c.PCX1 * c.LCX;
  x.Kx = s.Kx;
  x.peak = (mu * s.load) * zeta1;
  x.kappa_x = s.kappa + (c.PHX1 + c.PHX2 * s.dfz) * c.LHX * s.offsets;
  x.SVx = (s.load * (c.PVX1 + c.PVX2 * s.dfz) * c.LVX * s.mu_x * s.offsets) * zeta1;
  const P E = (c.PEX1 + c.PEX2 * s.dfz + c.PEX3 * s.dfz * s.dfz) *
              (1.0 - c.PEX4 * magic_sign(x.kappa_x.f)) * c.LEX;
  const SlopedOf<P> B = SlopedOf<P>(x.Kx) / (C * x.peak + kSmallForce);
  x.Fx0 = magic_sine(x.kappa_x, B, C, x.peak, E) + x.SVx;
  return x;
}

/// Friction, N over N.
template <typename N, AnyPack P>
P magic_lateral_friction(const MagicNumbersOf<N>& p, const MagicStateOf<P>& s, const P& g) {
  const MagicCoefficientsOf<N>& c = p.c;
  const N dpi = p.pressure_change;
  return larger_of((c.PDY1 + c.PDY2 * s.dfz) * (1.0 + c.PPY3 * dpi + c.PPY4 * dpi * dpi) *
                       (1.0 - c.PDY3 * g * g) * s.mu_y,
                   0.0);
}

template <typename N, AnyPack P>
P magic_lateral_curvature(const MagicNumbersOf<N>& p, const MagicStateOf<P>& s, const P& g,
                          const P& alpha_y) {
  const MagicCoefficientsOf<N>& c = p.c;
  return (c.PEY1 + c.PEY2 * s.dfz) *
         (1.0 + c.PEY5 * g * g - (c.PEY3 + c.PEY4 * g) * magic_sign(alpha_y)) * c.LEY;
}

template <typename N, AnyPack P>
[[gnu::noinline]] P magic_upright_force(const MagicNumbersOf<N>& p, const MagicStateOf<P>& s) {
  const MagicCoefficientsOf<N>& c = p.c;
  const P upright{};
  const P alpha_y = s.alpha.f + s.offsets * (c.PHY1 + c.PHY2 * s.dfz) * c.LHY;
  const P SVy = s.offsets * s.load * (c.PVY1 + c.PVY2 * s.dfz) * c.LVY * s.mu_y;
  const P D = magic_lateral_friction(p, s, upright) * s.load;
  const N C = c.PCY1 * c.LCY;
  const P B = s.Ky_upright / (C * D + kSmallForce);
  const P E = magic_lateral_curvature(p, s, upright, alpha_y);
  return magic_sine(alpha_y, B, C, D, E) + SVy;
}

template <typename N, AnyPack P>
[[gnu::noinline]] MagicLateralOf<P> magic_lateral(const MagicNumbersOf<N>& p,
                                                  const MagicStateOf<P>& s) {
  const MagicCoefficientsOf<N>& c = p.c;
  const bool mf6 = p.version == MagicVersion::mf6;
  const P g = mf6 ? s.gamma : s.gamma * c.LGAY;
  const MagicSpinLossOf<P> loss = magic_spin_loss(p, s);
  MagicLateralOf<P> y;
  y.zeta2 = loss.zeta2;

  // stiffness
  y.Ky = magic_leaning_stiffness(p, s.load, s.gamma, s.Ky_upright) * loss.zeta3;
  const SlopedOf<P> SVyg = (s.load * (c.PVY3 + c.PVY4 * s.dfz) * g * c.LKYC * s.mu_y) * loss.zeta2;

  // shifts
  y.SHy = (c.PHY1 + c.PHY2 * s.dfz) * c.LHY;
  if (p.terms.spin_shifts)
    y.SHy = y.SHy + magic_spin_shift(p, s, loss.zeta3) - SVyg / y.Ky;
  else if (mf6)
    y.SHy = y.SHy + (magic_camber_stiffness(p, s) * g - SVyg) / y.Ky;
  else
    y.SHy = y.SHy + c.PHY3 * g * c.LKYC;
  y.SVy = (s.load * (c.PVY1 + c.PVY2 * s.dfz) * c.LVY * s.mu_y) * loss.zeta2 + SVyg;
  y.SHy = s.offsets * y.SHy;
  y.SVy = s.offsets * y.SVy;
  y.alpha_y = s.alpha + y.SHy;

  // curve
  y.mu = magic_lateral_friction(p, s, g);
  y.peak = (y.mu * s.load) * loss.zeta2;
  const N C = c.PCY1 * c.LCY;
  const P E = magic_lateral_curvature(p, s, g, y.alpha_y.f);
  const SlopedOf<P> B = y.Ky / (C * y.peak + kSmallForce);
  y.BC = C * B;
  y.Fy0 = magic_sine(y.alpha_y, B, C, y.peak, E) + y.SVy;
  return y;
}

}  // namespace semirec
