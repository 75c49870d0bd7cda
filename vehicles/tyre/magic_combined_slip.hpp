#pragma once

#include "vehicles/tyre/magic_pure_slip.hpp"

namespace semirec {

// Forces of both slips at once (magic_forces.hpp).

/// F / x where both vanish together; `limit` is the slope there.
template <AnyPack P>
SlopedOf<P> magic_secant(const SlopedOf<P>& F, const SlopedOf<P>& x, const P& limit) {
  return select(absolute(x.f) < 1e-7, SlopedOf<P>(limit), F / x);
}

/// cos(...(x + shift)) / cos(...(shift)), not below zero; even in B. `shifts`: whether there is a
/// shift at all.
template <typename N, AnyPack P>
[[gnu::noinline]] SlopedOf<P> magic_weight(const SlopedOf<P>& x, bool shifts, const P& shift,
                                           const SlopedOf<P>& B, const N& C, const P& E) {
  const SlopedOf<P> now = magic_cosine(x + shift, B, C, E);
  if (!shifts) return magic_not_below(now, 0.0);  // cos(0) below
  return magic_not_below(now / magic_not_below(magic_cosine(SlopedOf<P>(shift), B, C, E), 0.05),
                         0.0);
}

template <typename N, AnyPack P>
[[gnu::noinline]] MagicCombinedOf<P> magic_combined(const MagicNumbersOf<N>& p,
                                                    const MagicStateOf<P>& s,
                                                    const MagicLongitudinalOf<P>& x,
                                                    const MagicLateralOf<P>& y) {
  MagicCombinedOf<P> both;
  both.Fx = x.Fx0;
  both.Fy = y.Fy0;
  if (!p.combined) return both;
  const MagicCoefficientsOf<N>& c = p.c;
  if (!p.weighted) {
    const SlopedOf<P> sine = sin(y.alpha_y);
    const SlopedOf<P> k_x = magic_secant(x.Fx0 - x.SVx, x.kappa_x, x.Kx);
    const SlopedOf<P> k_y = magic_secant(y.Fy0 - y.SVy, sine, y.Ky.f);
    const SlopedOf<P> off_x = sine * k_x / (y.peak + kSmallForce);
    const SlopedOf<P> off_y = x.kappa_x * k_y / (x.peak + kSmallForce);
    const SlopedOf<P> weight_y = 1.0 / sqrt(1.0 + off_y * off_y);
    both.Fx = x.Fx0 / sqrt(1.0 + off_x * off_x);
    both.Fy = y.Fy0 * weight_y;
    both.weight_y = both.upright_weight = weight_y.f;
    return both;
  }
  const P g2 = s.gamma * s.gamma;
  const SlopedOf<P> B_x = ((c.RBX1 + c.RBX3 * g2) * c.LXAL) * cos_atan(c.RBX2 * s.kappa);
  both.Fx = x.Fx0 * magic_weight(s.alpha, p.terms.weight_shifts_x, as<P>(c.RHX1), B_x, c.RCX1,
                                 c.REX1 + c.REX2 * s.dfz);

  const SlopedOf<P> fade_y = cos_atan(c.RBY2 * (s.alpha - c.RBY3));
  const auto weigh_y = [&](const P& lean) {
    return magic_weight(s.kappa, p.terms.weight_shifts_y, c.RHY1 + c.RHY2 * s.dfz,
                        ((c.RBY1 + c.RBY4 * lean) * c.LYKA) * fade_y, c.RCY1,
                        c.REY1 + c.REY2 * s.dfz);
  };
  const SlopedOf<P> G_y = weigh_y(g2);
  const SlopedOf<P> D =
      (y.mu * s.load * (c.RVY1 + c.RVY2 * s.dfz + c.RVY3 * s.gamma) * s.offsets * c.LVYKA) *
      cos_atan(c.RVY4 * s.alpha) * y.zeta2;
  const SlopedOf<P> SVyk = D * sin(c.RVY5 * atan(c.RVY6 * s.kappa));
  both.Fy = y.Fy0 * G_y + SVyk;
  both.weight_y = G_y.f;
  both.upright_weight = p.terms.camber_turns_weight ? weigh_y(P{}).f : G_y.f;
  both.SVyk = SVyk.f;
  return both;
}

}  // namespace semirec
