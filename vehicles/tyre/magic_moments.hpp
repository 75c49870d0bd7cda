#pragma once

#include <cmath>
#include <numbers>

#include "vehicles/tyre/magic_pure_slip.hpp"

namespace semirec {

/// Size of the slip angle that has the effect of both slips.
template <AnyPack P>
P magic_equivalent_slip(const P& alpha, const P& kappa_part) {
  // beyond a right angle the tangent would come back
  constexpr double kUpright = 1.5707;
  P sine;
  P cosine;
  sine_and_cosine(within(alpha, -kUpright, kUpright), sine, cosine);
  const P t = sine / cosine;
  return atan(square_root(t * t + kappa_part * kappa_part));
}

template <AnyPack P>
struct MagicSpinTorqueOf {
  bool on = false;
  P Dr{};  ///< N m
  P zeta6 = as<P>(1.0), zeta7 = as<P>(1.0);
};

/// [P12] (4.92) to (4.104)
template <typename N, AnyPack P>
MagicSpinTorqueOf<P> magic_spin_torque(const MagicNumbersOf<N>& p, const MagicStateOf<P>& s,
                                       const MagicLateralOf<P>& y, const P& weight_y,
                                       const P& camber) {
  MagicSpinTorqueOf<P> torque;
  if (!p.turn_slip) return torque;
  const MagicCoefficientsOf<N>& c = p.c;
  const P& spin = s.spin.f;
  torque.zeta6 = cos_atan(c.QBRP1 * spin);
  if (!p.terms.spin_torque) return torque;
  torque.on = true;
  const P most = larger_of(
      c.QCRP1 * y.mu * p.R0 * s.load * square_root(s.load * p.k.per_nominal) * c.LMP, 1e-6);
  const N C = c.QDRP1;
  const P D = most * p.k.per_sine_of_QDRP1;
  const P K = s.load * p.R0 * camber * c.LKZC;
  const P B = K / (C * D * (1.0 - magic_camber_reduction(p, s.dfz)));
  torque.Dr = magic_sine(spin, B, C, D, as<P>(c.QDRP2));
  // the small torque keeps the quotient continuous where there is no spin
  const P across = most * (2.0 / std::numbers::pi) * atan(c.QCRP2 * absolute(spin)) * weight_y;
  const P quotient = across / (absolute(torque.Dr) + 1e-3 * most);
  torque.zeta7 = (2.0 / std::numbers::pi) *
                 lane_by_lane(within(quotient, -1.0, 1.0), [](double x) { return std::acos(x); });
  return torque;
}

/// Aligning torque about the road normal, N m.
///   Mz = direction (-t Fy' + Mzr) + s Fx
/// with the trail t, the residual torque Mzr by camber, spin and asymmetry, and the lateral offset
/// s of the contact. Fy' is the force of side slip: in 5.2 that of the tyre as it stands without
/// the part made by kappa, in 6.x that of the upright tyre.                   [P12] (4.E31) to
/// (4.E49), (4.E71) to (4.E78), spin (4.91) to (4.104). The whole turns over with the direction of
/// travel, because the contact trails behind.
template <typename N, AnyPack P>
[[gnu::noinline]] P magic_aligning(const MagicNumbersOf<N>& p, const MagicStateOf<P>& s,
                                   const MagicLongitudinalOf<P>& x, const MagicLateralOf<P>& y,
                                   const MagicCombinedOf<P>& both) {
  const MagicCoefficientsOf<N>& c = p.c;
  const bool mf6 = p.version == MagicVersion::mf6;
  const N dpi = p.pressure_change;
  const P g = mf6 ? s.gamma : s.gamma * c.LGAZ;
  const P& alpha = s.alpha.f;
  const P per_friction = c.LKY / larger_of(s.mu_y, 1e-3);
  const P by_Ky = 1.0 / y.Ky.f;
  const P kappa_part = p.combined ? x.Kx * by_Ky * s.kappa.f : P{};
  const P cos_alpha = cos(alpha);

  // trail
  const P zeta5 = p.turn_slip ? cos_atan(c.QDTP1 * s.spin.f) : as<P>(1.0);
  const P SHt = (c.QHZ1 + c.QHZ2 * s.dfz + (c.QHZ3 + c.QHZ4 * s.dfz) * g) * s.offsets;
  const P alpha_t = alpha + SHt;
  // its sign says nothing: the curve is a cosine
  const P B_t = absolute((c.QBZ1 + c.QBZ2 * s.dfz + c.QBZ3 * s.dfz * s.dfz) *
                         (1.0 + c.QBZ4 * g + c.QBZ5 * absolute(g)) * per_friction);
  const P D_t = s.load * (p.k.R0_per_nominal * (1.0 - c.PPZ1 * dpi) * c.LTR) *
                (c.QDZ1 + c.QDZ2 * s.dfz) * (1.0 + c.QDZ3 * g + c.QDZ4 * g * g) * zeta5;
  const P E_t =
      (c.QEZ1 + c.QEZ2 * s.dfz + c.QEZ3 * s.dfz * s.dfz) *
      (1.0 + (c.QEZ4 + c.QEZ5 * g) * (2.0 / std::numbers::pi) * atan(B_t * c.QCZ1 * alpha_t));
  const P trail =
      D_t * cos_alpha * magic_cosine(magic_equivalent_slip(alpha_t, kappa_part), B_t, c.QCZ1, E_t);

  // residual torque
  const P camber = c.QDZ8 + c.QDZ9 * s.dfz + (c.QDZ10 + c.QDZ11 * s.dfz) * absolute(s.gamma);
  const MagicSpinTorqueOf<P> spin = magic_spin_torque(p, s, y, both.weight_y, camber);
  const P alpha_r = alpha + y.SHy.f + y.SVy.f * by_Ky;
  const P by_camber = ((c.QDZ8 + c.QDZ9 * s.dfz) * (1.0 + c.PPZ2 * dpi) +
                       (c.QDZ10 + c.QDZ11 * s.dfz) * absolute(g)) *
                      g * c.LKZC * s.offsets;
  const P D_r = s.load * p.R0 * s.mu_y *
                    ((c.QDZ6 + c.QDZ7 * s.dfz) * c.LRES * y.zeta2.f * s.offsets +
                     (spin.on ? P{} : by_camber)) +
                spin.Dr;
  const P B_r = (c.QBZ9 * per_friction + c.QBZ10 * y.BC.f) * spin.zeta6;
  const P Br_alpha = B_r * magic_equivalent_slip(alpha_r, kappa_part);
  const P fade = spin.on ? cos(spin.zeta7 * atan(Br_alpha)) : cos_atan(Br_alpha);
  const P residual = D_r * fade * cos_alpha;

  // force of side slip and lateral offset
  P side = both.Fy.f - both.SVyk;
  if (mf6) side = both.upright_weight * magic_upright_force(p, s);
  P offset{};
  if (p.combined)
    offset =
        p.R0 * c.LS * (c.SSZ1 + p.k.SSZ2_per_Fz0 * both.Fy.f + (c.SSZ3 + c.SSZ4 * s.dfz) * s.gamma);
  return s.direction * (residual - trail * side) + offset * both.Fx.f;
}

/// Overturning torque about the forward axis, N m.                       [P12] (4.E69), [BSV10]
template <typename N, AnyPack P>
[[gnu::noinline]] P magic_overturning(const MagicNumbersOf<N>& p, const MagicStateOf<P>& s,
                                      const P& Fy) {
  const MagicCoefficientsOf<N>& c = p.c;
  const P g = s.gamma * s.offsets;
  const P load = s.load * p.k.per_Fz0;
  const P side = Fy * p.k.per_Fz0;
  P share = c.QSX1 * c.LVMX - c.QSX2 * g * (1.0 + c.PPMX1 * p.pressure_change) -
            c.QSX12 * g * absolute(g) + c.QSX3 * side;
  // few files have these terms
  if (p.terms.overturns_by_load)
    share += c.QSX4 * cos(c.QSX5 * atan(c.QSX6 * load * c.QSX6 * load)) *
             sin(c.QSX7 * g + c.QSX8 * atan(c.QSX9 * side));
  if (p.terms.overturns_by_camber) share += c.QSX10 * atan(c.QSX11 * load) * g;
  return p.R0 * c.LMX * (s.load * share + Fy * (c.QSX13 + c.QSX14 * absolute(g)));
}

/// Rolling resistance about the left axis, N m; negative when it rolls forward.  [P12] (4.E70)
/// It fades to zero with the rotation, omega R_e / |Vx|, and both with the speed below VXLOW.
template <typename N, AnyPack P>
[[gnu::noinline]] P magic_rolling(const MagicNumbersOf<N>& p, const MagicStateOf<P>& s, const P& Fx,
                                  const P& speed) {
  const MagicCoefficientsOf<N>& c = p.c;
  const P load = s.load * p.k.per_Fz0;
  const P v = smaller_of(absolute(speed) * p.k.per_V0, 10.0);
  const P g2 = s.gamma * s.gamma;
  const P share = c.QSY1 + p.k.QSY2_per_Fz0 * Fx + c.QSY3 * v + c.QSY4 * v * v * v * v +
                  (c.QSY5 + c.QSY6 * load) * g2;
  const P base = p.version == MagicVersion::mf6 ? as<P>(p.Fz0) : s.load;
  const P turning = s.direction + absolute(s.direction) * s.kappa.f;
  const P rotation = sin(0.5 * std::numbers::pi * within(2.0 * turning, -1.0, 1.0));
  const P by_load = p.terms.rolls_by_load ? load : exponential(c.QSY7 * logarithm(load));
  return -rotation * base * share * by_load * (p.R0 * p.k.rolling_by_pressure * c.LMY);
}

}  // namespace semirec
