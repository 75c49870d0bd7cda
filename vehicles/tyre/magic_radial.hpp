#pragma once

#include <vector>

#include "vehicles/tyre/magic_stiffness.hpp"
#include "vehicles/tyre/tyre_numbers.hpp"

namespace semirec {

/// TyreLoad of a tyre a lane.
template <AnyPack P>
struct MagicLoadOf {
  P load, stiffness, damping;  ///< N, N/m, N s/m
  P pressed;                   ///< into the road, against the radius at this speed, m
};

/// Faster than any tyre turns, m/s.
inline constexpr double kFastest = 300.0;

template <typename N, AnyPack P>
P magic_rim_speed(const MagicNumbersOf<N>& p, const P& omega) {
  return smaller_of(absolute(omega) * p.R0, kFastest);
}

/// On the measured curve, beyond its ends on its outer lines.
inline TyreLoadOf<double> load_on_curve(const std::vector<LoadPoint>& curve, double deflection) {
  std::size_t i = 1;
  while (i + 1 < curve.size() && deflection > curve[i].deflection) ++i;
  const LoadPoint& a = curve[i - 1];
  const LoadPoint& b = curve[i];
  TyreLoadOf<double> load;
  load.stiffness = (b.load - a.load) / (b.deflection - a.deflection);
  load.load = a.load + load.stiffness * (deflection - a.deflection);
  return load;
}

/// Load within which stiffnesses are asked for.
template <typename N, AnyPack P>
P magic_inside(const MagicNumbersOf<N>& p, const P& load) {
  return within(load, p.load_min, p.load_max);
}

/// Growth of the free radius with speed, m: R0 (QRE0 - 1 + QV1 (omega R0 / V0)^2), at most a fifth
/// of R0 either way.                                                       [BSV10] (1)
template <typename N, AnyPack P>
P magic_growth(const MagicNumbersOf<N>& p, const P& omega) {
  const P v = magic_rim_speed(p, omega) * p.k.per_V0;
  return p.R0 * within(p.c.QRE0 - 1.0 + p.c.QV1 * v * v, -0.2, 0.2);
}

/// Load of a tyre that is pressed in by `deflection` against its unloaded radius (m).
///   F = (1 + QV2 |omega| R0 / V0) (1 + PFZ1 dp) (QFZ1 r + QFZ2 r^2) Fz0 LCZ
///   r = (deflection + growth) / R0
/// plus linear damping; or the measured curve of deflection + growth, continued by its last slope.
/// In the air (r < 0) the line through the origin goes on.                [BSV10] (1) to (5)
template <typename N, AnyPack P>
[[gnu::noinline]] MagicLoadOf<P> magic_load(const MagicNumbersOf<N>& p, const P& deflection,
                                            const P& deflection_rate, const P& omega) {
  const MagicCoefficientsOf<N>& c = p.c;
  MagicLoadOf<P> load;
  load.pressed = deflection + magic_growth(p, omega);
  if (!p.load_curve.empty()) {
    for (int l = 0; l < kLanesOf<P>; ++l) {
      const TyreLoadOf<double> point = load_on_curve(p.load_curve, lanes_of(load.pressed)[l]);
      lanes_of(load.load)[l] = point.load;
      lanes_of(load.stiffness)[l] = point.stiffness;
    }
    load.load *= c.LCZ;
    load.stiffness *= c.LCZ;
  } else {
    const N Q1 = p.k.QFZ1;
    const N Q2 = c.QFZ2;
    const P r = load.pressed * p.k.per_R0;
    const P factor = larger_of(1.0 + p.k.QV2_per_V0 * magic_rim_speed(p, omega), 0.05) *
                     (p.k.pressure * p.Fz0 * c.LCZ);
    // a falling parabola goes on straight from where it stands at half of its summit
    const P inner = within(r, P{}, as<P>(p.k.bend));
    load.load = factor * (Q1 * inner + Q2 * inner * inner + (Q1 + 2.0 * Q2 * inner) * (r - inner));
    load.stiffness = factor * (Q1 + 2.0 * Q2 * inner) * p.k.per_R0;
  }
  load.damping = as<P>(p.vertical_damping);
  load.load += load.damping * deflection_rate;
  return load;
}

/// R_e = R_omega - (Fz0 / Cz) (DREFF atan(BREFF F / Fz0) + FREFF F / Fz0), not below half of the
/// unloaded radius, m.                                                    [BSV10] (7)
template <typename N, AnyPack P>
[[gnu::noinline]] P magic_effective_radius(const MagicNumbersOf<N>& p, const P& load,
                                           const P& omega) {
  const MagicCoefficientsOf<N>& c = p.c;
  const P share = within(load * p.k.per_Fz0, 0.0, 100.0);
  const P radius =
      p.R0 + magic_growth(p, omega) -
      p.k.Fz0_per_stiffness * (c.DREFF * arc_tangent(c.BREFF * share) + c.FREFF * share);
  return within(radius, 0.5 * p.R0, 1.5 * p.R0);
}

/// Distances over which slip builds up, m, not below a tenth of the unloaded radius: a short
/// contact has a length, too.
///   5.2:  x: (F / Fz0) (PTX1 + PTX2 dfz) exp(-PTX3 dfz) R0 LSGKP, Fz0 that of the file
///         y: PTY1 sin(2 atan(F / (PTY2 Fz0'))) (1 - PKY3 |gamma|) R0 LFZO LSGAL, Fz0' = LFZO Fz0
///   6.x:  slip stiffness over the carcass' stiffness, which changes with load and pressure
///         by PCFX*, PCFY*                                                 [BSV10] (17) to (19)
/// `F`: load within the range, N; `Kx`, `Ky_upright`: slip stiffnesses of the upright tyre there,
/// used where the carcass counts.
template <typename N, AnyPack P>
[[gnu::noinline]] P magic_relaxation_x(const MagicNumbersOf<N>& p, const P& F, const P& Kx) {
  const MagicCoefficientsOf<N>& c = p.c;
  const P dfz = magic_load_change(p, F);
  P length = as<P>(0.5 * p.R0);
  if (p.terms.carcass_x) {
    const P stiffness =
        p.longitudinal_stiffness *
        larger_of((1.0 + c.PCFX1 * dfz + c.PCFX2 * dfz * dfz) * (1.0 + c.PCFX3 * p.pressure_change),
                  0.1);
    length = Kx / stiffness;
  } else if (p.terms.fitted_x) {
    length = F * p.k.per_Fz0 * (c.PTX1 + c.PTX2 * dfz) *
             exponential(within(-c.PTX3 * dfz, -20.0, 20.0)) * p.R0 * c.LSGKP;
  }
  return within(length, 0.1 * p.R0, 20.0 * p.R0);
}

template <typename N, AnyPack P>
[[gnu::noinline]] P magic_relaxation_y(const MagicNumbersOf<N>& p, const P& F, const P& gamma,
                                       const P& Ky_upright) {
  const MagicCoefficientsOf<N>& c = p.c;
  const N nominal = c.LFZO * p.Fz0;
  const P dfz = magic_load_change(p, F);
  const P g = within(gamma, p.gamma_min, p.gamma_max);
  P length = as<P>(1.3 * p.R0);
  if (p.terms.carcass_y) {
    const P stiffness =
        p.lateral_stiffness *
        larger_of((1.0 + c.PCFY1 * dfz + c.PCFY2 * dfz * dfz) * (1.0 + c.PCFY3 * p.pressure_change),
                  0.1);
    length = -magic_leaning_stiffness(p, F, g, Ky_upright) / stiffness;
  } else if (p.terms.fitted_y) {
    // sin(2 atan(t)) = 2 t/(1 + t^2)
    const P t = F * (1.0 / (c.PTY2 * nominal));
    length = c.PTY1 * (2.0 * t / (1.0 + t * t)) * (1.0 - c.PKY3 * absolute(g)) *
             (p.R0 * c.LFZO * c.LSGAL);
  }
  return within(length, 0.1 * p.R0, 20.0 * p.R0);
}

}  // namespace semirec
