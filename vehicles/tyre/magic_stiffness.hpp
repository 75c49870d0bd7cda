#pragma once

#include "vehicles/tyre/magic_forces.hpp"

namespace semirec {

// Stiffnesses of the Magic Formula (magic_forces.hpp).

/// (load - LFZO Fz0) / (LFZO Fz0)
template <typename N, AnyPack P>
P magic_load_change(const MagicNumbersOf<N>& p, const P& load) {
  const N nominal = p.c.LFZO * p.Fz0;
  return (load - nominal) * p.k.per_nominal;
}

template <typename N, AnyPack P>
[[gnu::noinline]] P magic_slip_stiffness(const MagicNumbersOf<N>& p, const P& load) {
  const MagicCoefficientsOf<N>& c = p.c;
  const P dfz = magic_load_change(p, load);
  const N dpi = p.pressure_change;
  const P K = load * (c.PKX1 + c.PKX2 * dfz) * exponential(within(c.PKX3 * dfz, -20.0, 20.0)) *
              ((1.0 + c.PPX1 * dpi + c.PPX2 * dpi * dpi) * c.LKX);
  return larger_of(K, 1e-3 * load);
}

/// What camber leaves of the cornering stiffness, beside the load at which it is greatest.
template <typename N, AnyPack P>
P magic_camber_loss(const MagicNumbersOf<N>& p, const P& gamma) {
  const P g = p.version == MagicVersion::mf6 ? gamma : gamma * p.c.LGAY;
  return larger_of(1.0 - p.c.PKY3 * absolute(g), 0.05);
}

template <typename N, AnyPack P>
[[gnu::noinline]] P magic_cornering_stiffness(const MagicNumbersOf<N>& p, const P& load,
                                              const P& gamma) {
  const MagicCoefficientsOf<N>& c = p.c;
  const N dpi = p.pressure_change;
  const N nominal = c.LFZO * p.Fz0;
  const P g = p.version == MagicVersion::mf6 ? gamma : gamma * c.LGAY;
  const P summit = larger_of((c.PKY2 + c.PKY5 * g * g) * (1.0 + c.PPY2 * dpi), 1e-3);
  P rise;
  P fall;
  sine_and_cosine(c.PKY4 * arc_tangent(load / (nominal * summit)), rise, fall);
  return (c.PKY1 * nominal * larger_of(1.0 + c.PPY1 * dpi, 0.05) * c.LKY) *
         magic_camber_loss(p, gamma) * larger_of(rise, 1e-3);
}

/// magic_cornering_stiffness() from that of the upright tyre at the same load.
template <typename N, AnyPack P>
P magic_leaning_stiffness(const MagicNumbersOf<N>& p, const P& load, const P& gamma,
                          const P& Ky_upright) {
  return p.terms.camber_moves_summit ? magic_cornering_stiffness(p, load, gamma)
                                     : Ky_upright * magic_camber_loss(p, gamma);
}

template <typename N, AnyPack P>
P magic_camber_stiffness(const MagicNumbersOf<N>& p, const MagicStateOf<P>& s) {
  const MagicCoefficientsOf<N>& c = p.c;
  if (p.version == MagicVersion::mf6)
    return s.load * (c.PKY6 + c.PKY7 * s.dfz) * ((1.0 + c.PPY5 * p.pressure_change) * c.LKYC);
  return (c.PHY3 * s.Ky_upright + s.load * (c.PVY3 + c.PVY4 * s.dfz)) * c.LKYC;
}

template <typename N, AnyPack P>
P magic_camber_reduction(const MagicNumbersOf<N>& p, const P& dfz) {
  return within(p.c.PECP1 * (1.0 + p.c.PECP2 * dfz), -1.0, 0.99);
}

}  // namespace semirec
