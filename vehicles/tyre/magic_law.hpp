#pragma once

#include <numbers>

#include "vehicles/tyre/magic_combined_slip.hpp"
#include "vehicles/tyre/magic_moments.hpp"
#include "vehicles/tyre/magic_radial.hpp"
#include "vehicles/tyre/touch_down.hpp"
#include "vehicles/tyre/tyre_numbers.hpp"

namespace semirec {

// The Magic Formula of tyres side by side, one a lane: of the wheels of one car, whose numbers are
// the same (N = double), or of one wheel of several cars, each with its own (N = P).

/// Where x is outside, `argument` is added to `clamped`.
template <AnyPack P, typename Border>
P magic_held(const P& x, const Border& low, const Border& high, unsigned argument,
             PackMaskOf<P>& clamped) {
  clamped |= ((x < low) | (x > high)) & static_cast<long>(argument);
  return within(x, low, high);
}

/// As above; beyond the border the slopes vanish.
template <AnyPack P, typename Border>
SlopedOf<P> magic_held(const SlopedOf<P>& x, const Border& low, const Border& high,
                       unsigned argument, PackMaskOf<P>& clamped) {
  const PackMaskOf<P> inside = (x.f >= low) & (x.f <= high);
  return select(inside, x, SlopedOf<P>(magic_held(x.f, low, high, argument, clamped)));
}

/// `side`: -1 where the tyre is mirrored, else 1. `rolling`: what magic_roll() has found at this
/// load, or null.
template <typename N, AnyPack P>
[[gnu::noinline]] MagicStateOf<P> make_magic_state(const MagicNumbersOf<N>& p, const P& side,
                                                   const TyreSlipOf<P>& slip,
                                                   const TyreRollingOf<P>* rolling,
                                                   PackMaskOf<P>& clamped) {
  const P one = as<P>(1.0);
  const P none{};
  MagicStateOf<P> s;
  s.load = magic_held(slip.load, p.load_min, p.load_max, tyre_clamped::kLoad, clamped);
  const N nominal = p.c.LFZO * p.Fz0;
  s.dfz = (s.load - nominal) * p.k.per_nominal;
  s.kappa = magic_held(SlopedOf<P>(slip.kappa, one, none), p.kappa_min, p.kappa_max,
                       tyre_clamped::kKappa, clamped);
  // the slope would overflow where the angle has come to its end anyway
  const P tan_alpha = side * within(slip.tan_alpha, -1e9, 1e9);
  s.alpha = magic_held(atan(SlopedOf<P>(tan_alpha, none, one)), p.alpha_min, p.alpha_max,
                       tyre_clamped::kAlpha, clamped);
  s.gamma = magic_held(side * slip.gamma, p.gamma_min, p.gamma_max, tyre_clamped::kGamma, clamped);

  const P pace = within(slip.speed * p.k.per_low_speed, -1.0, 1.0);
  s.direction = sin(0.5 * std::numbers::pi * pace);
  s.offsets = s.direction * s.direction;
  const P friction = within(slip.friction, 0.0, 10.0);
  s.mu_x = p.c.LMUX * friction;
  s.mu_y = p.c.LMUY * friction;
  const bool rolls = rolling != nullptr;
  if (p.longitudinal)
    s.Kx = rolls && p.terms.carcass_x ? rolling->slip_stiffness : magic_slip_stiffness(p, s.load);
  if (p.lateral)
    s.Ky_upright = rolls && p.terms.carcass_y ? rolling->cornering_stiffness
                                              : magic_cornering_stiffness(p, s.load, none);

  if (p.turn_slip) {
    const P turn = -side * within(slip.turn_slip, -100.0, 100.0);
    const P camber = (1.0 - magic_camber_reduction(p, s.dfz)) * sin(s.gamma) /
                     magic_effective_radius(p, s.load, none);
    s.spin =
        (p.R0 * s.direction) * (turn + camber * (s.direction + absolute(s.direction) * s.kappa));
  }
  return s;
}

/// What TyreRow::roll() says.
template <typename N, AnyPack P>
TyreRollingOf<P> magic_roll(const MagicNumbersOf<N>& p, const TyreContactOf<P>& contact) {
  const P none{};
  MagicLoadOf<P> spring = magic_load(p, contact.deflection, contact.deflection_rate, contact.omega);
  fade_in_damping(spring.pressed, as<P>(kTouchDownDepth * p.R0), contact.deflection_rate,
                  spring.load, spring.stiffness, spring.damping);
  const PackMaskOf<P> pressed = (spring.pressed > 0.0) & (spring.load > 0.0);
  const P load = select(pressed, spring.load, none);
  const P F = magic_inside(p, load);
  const P Kx = p.terms.carcass_x ? magic_slip_stiffness(p, F) : none;
  const P Ky = p.terms.carcass_y ? magic_cornering_stiffness(p, F, none) : none;
  return {.load = {.load = load,
                   .stiffness = select(pressed, spring.stiffness, none),
                   .damping = select(pressed, spring.damping, none)},
          .radius = magic_effective_radius(p, load, contact.omega),
          .relaxation_x = magic_relaxation_x(p, F, Kx),
          .relaxation_y = magic_relaxation_y(p, F, contact.gamma, Ky),
          .slip_stiffness = Kx,
          .cornering_stiffness = Ky};
}

/// What TyreRow::forces() says where there is a load.
template <typename N, AnyPack P>
TyreForcesOf<P> magic_tyre_forces(const MagicNumbersOf<N>& p, const P& side,
                                  const TyreSlipOf<P>& slip, const TyreRollingOf<P>* rolling,
                                  PackMaskOf<P>& clamped) {
  const MagicStateOf<P> s = make_magic_state(p, side, slip, rolling, clamped);
  const MagicLongitudinalOf<P> x =
      p.longitudinal ? magic_longitudinal(p, s) : MagicLongitudinalOf<P>{};
  const MagicLateralOf<P> y = p.lateral ? magic_lateral(p, s) : MagicLateralOf<P>{};
  const MagicCombinedOf<P> both = magic_combined(p, s, x, y);
  P Mx{};
  P My{};
  P Mz{};
  if (p.lateral) {
    Mz = magic_aligning(p, s, x, y, both);
    Mx = magic_overturning(p, s, both.Fy.f);
  }
  if (p.longitudinal) My = magic_rolling(p, s, both.Fx.f, slip.speed);

  // below the least load in proportion; to the other side by the mirror
  const P share = smaller_of(slip.load * p.k.per_load_min, 1.0);
  const P across = share * side;
  return {.Fx = share * both.Fx.f,
          .Fy = across * both.Fy.f,
          .Mx = across * Mx,
          .My = share * My,
          .Mz = across * Mz,
          .Fx_kappa = share * both.Fx.f_kappa,
          .Fx_tan_alpha = across * both.Fx.f_alpha,
          .Fy_kappa = across * both.Fy.f_kappa,
          .Fy_tan_alpha = share * both.Fy.f_alpha};
}

}  // namespace semirec
