#pragma once

#include "recursive/packs/number_functions.hpp"
#include "vehicles/tyre/patch_numbers.hpp"
#include "vehicles/tyre/turning_patch.hpp"
#include "vehicles/tyre/tyre_numbers.hpp"

namespace semirec {

// How slips build up in the contact patches of RollingTyres side by side, and how their states are
// eliminated (docs/theory.md 25). Real: a pack, of the wheels of one car or of one wheel of several
// cars.

/// Numbers of a rolling tyre beside those of its law.
template <typename Real>
struct RollingNumbersOf {
  Real radius{};            ///< unloaded, m
  Real turning_friction{};  ///< TurningPatch
  Real c_x{}, c_y{};        ///< 1 / slip at which the tyre slides
  Real d_x{}, d_y{};        ///< damping at rest, s
  Real per_least_load{};    ///< 1 / load below which the road loses its hold, 1/N
};

/// What is chosen by a tyre's numbers once.
struct RollingTerms {
  bool turns = false;          ///< it has a turning friction, and a third state
  bool fades_camber = false;   ///< TyreLaw
  bool slides_as_one = false;  ///< TyreLaw

  bool operator==(const RollingTerms&) const = default;
};

/// How fast a patch slips over the road.
template <typename Real>
struct PatchSpeedsOf {
  TyreContactOf<Real> contact;
  TyreRollingOf<Real> rolling;
  Real turn, friction;     ///< rad/s about the normal; of tyre and road
  Real Vx, Vsx, Vsy;       ///< m/s
  Real drag_x, drag_y;     ///< what the road drags along of Vsx, Vsy, m/s
  Real leak_x, leak_y, d;  ///< 1/s, 1/s, s
  TurningPatchOf<Real> turned;
};
/// Deflections u, v (m) and twist (rad) of a patch; their slopes over -drag_x, drag_y and the turn
/// rate, s.
template <typename Real>
struct PatchDeflectionOf {
  Real u, v, twist, u_s, v_s, twist_s;
};
/// What the law is asked for: longitudinal slip and tan alpha, 1.
template <typename Real>
struct PatchSlipsOf {
  Real kappa, tan_alpha;
  /// d(kappa, tan alpha)/d(-Vsx, Vsy), by rows, s/m
  Real kappa_x, kappa_y, alpha_x, alpha_y;
};

/// What a patch does to its rim, in W axes; nothing where it carries no load.
template <typename Real>
struct PatchPushOf {
  Real Fx, Fy, load;         ///< N
  Real Mx, My, Mz;           ///< N m
  Real stiffness, damping;   ///< of the load, none below zero, N/m, N s/m
  Real c_xx, share, c_rest;  ///< of Fx, Fy against (Vsx, Vsy): c_xx (x + share y)^2 +
                             ///< c_rest y^2, N s/m
  Real c_turn;               ///< of Mz against the turn rate, N m s
};

namespace patch_slip {
template <typename Real>
Real length(const Real& x, const Real& y) {
  return square_root(x * x + y * y);
}
}  // namespace patch_slip

/// From Vx, Vsy and what the law says of the rolling to all speeds and leaks.
template <typename Real>
void find_slip_speeds(const RollingNumbersOf<Real>& tyre, const RollingTerms& terms,
                      PatchSpeedsOf<Real>& p) {
  p.Vsx = p.Vx - p.contact.omega * p.rolling.radius;
  const Real away = absolute(p.Vx) + patch_slip::length<Real>(tyre.c_x * p.Vsx, tyre.c_y * p.Vsy);
  p.leak_x = away / p.rolling.relaxation_x;
  p.leak_y = away / p.rolling.relaxation_y;
  p.drag_x = p.Vsx;
  p.drag_y = p.Vsy;
  const Real hold = p.rolling.load.load * tyre.per_least_load;
  const MaskOf<Real> light = hold < 1.0;
  if (anywhere(light)) {
    const Real recoil = (1.0 - hold) / patch_slip::kRecoil;
    p.leak_x = select(light, hold * p.leak_x + recoil, p.leak_x);
    p.leak_y = select(light, hold * p.leak_y + recoil, p.leak_y);
    p.drag_x = select(light, hold * p.drag_x, p.drag_x);
    p.drag_y = select(light, hold * p.drag_y, p.drag_y);
  }
  const Real part = p.Vx / patch_slip::kSlow;
  const Real slow = 1.0 - part * part;
  p.d = select(absolute(part) < 1.0, slow * slow, Real{});
  if (!terms.turns) return;
  p.turned = make_turning_patch<Real>(tyre.turning_friction * p.friction, p.rolling.load.load,
                                      tyre.radius, p.contact.deflection, p.turn, absolute(p.Vx),
                                      patch_slip::length<Real>(p.Vsx, p.Vsy));
  if (anywhere(light)) {
    p.turned.leak =
        select(light, hold * p.turned.leak + (1.0 - hold) / patch_slip::kRecoil, p.turned.leak);
    p.turned.drag = select(light, hold * p.turned.drag, p.turned.drag);
  }
}

/// The states at the end of a step by the rule of the scheme. `x_hat`, `xd_hat`: functions of the
/// number of the state.
template <typename Real, typename Past, typename PastRate>
PatchDeflectionOf<Real> eliminate_deflection(const RollingTerms& terms,
                                             const PatchSpeedsOf<Real>& p, double gain,
                                             const Past& x_hat, const PastRate& xd_hat) {
  const Real by_x = 1.0 / (1.0 + gain * p.leak_x);
  const Real by_y = 1.0 / (1.0 + gain * p.leak_y);
  PatchDeflectionOf<Real> d;
  d.twist = d.twist_s = Real{};
  d.u = (x_hat(0) + gain * (xd_hat(0) - p.drag_x)) * by_x;
  d.v = (x_hat(1) + gain * (xd_hat(1) + p.drag_y)) * by_y;
  d.u_s = gain * by_x;
  d.v_s = gain * by_y;
  if (terms.turns) {
    const Real by = 1.0 / (1.0 + gain * p.turned.leak);
    d.twist = (x_hat(2) + gain * (xd_hat(2) + p.turned.drag)) * by;
    d.twist_s = gain * by;
  }
  return d;
}

/// The slips that these deflections make.
template <typename Real>
PatchSlipsOf<Real> compute_slips(const RollingNumbersOf<Real>& tyre, const PatchSpeedsOf<Real>& p,
                                 const PatchDeflectionOf<Real>& d) {
  const Real damp_x = p.d * tyre.d_x;
  const Real damp_y = p.d * tyre.d_y;
  // what damps is the rate of the deflections: none in steady sliding
  const Real k = (d.u - damp_x * (p.drag_x + p.leak_x * d.u)) / p.rolling.relaxation_x;
  const Real t = (d.v + damp_y * (p.drag_y - p.leak_y * d.v)) / p.rolling.relaxation_y;
  const Real q = patch_slip::length<Real>(tyre.c_x * k, tyre.c_y * t);
  const Real f = 1.0 / (1.0 - smaller_of(q, patch_slip::kMostSliding));
  PatchSlipsOf<Real> s;
  s.kappa = f * k;
  s.tan_alpha = f * t;
  s.kappa_x = s.alpha_y = f;
  s.kappa_y = s.alpha_x = Real{};
  const MaskOf<Real> bent = (q < patch_slip::kMostSliding) & (q > 0.0);
  if (anywhere(bent)) {
    const Real g = select(bent, f * f / q, Real{});
    s.kappa_x += g * k * tyre.c_x * tyre.c_x * k;
    s.kappa_y += g * k * tyre.c_y * tyre.c_y * t;
    s.alpha_x += g * t * tyre.c_x * tyre.c_x * k;
    s.alpha_y += g * t * tyre.c_y * tyre.c_y * t;
  }
  const Real rate_s_x = 1.0 - p.leak_x * d.u_s;
  const Real rate_s_y = 1.0 - p.leak_y * d.v_s;
  const Real by_x = (d.u_s + damp_x * rate_s_x) / p.rolling.relaxation_x;
  const Real by_y = (d.v_s + damp_y * rate_s_y) / p.rolling.relaxation_y;
  s.kappa_x *= by_x;
  s.alpha_x *= by_x;
  s.kappa_y *= by_y;
  s.alpha_y *= by_y;
  return s;
}

/// What the law is told.
template <typename Real>
TyreSlipOf<Real> to_law(const RollingTerms& terms, const PatchSpeedsOf<Real>& p,
                        const PatchSlipsOf<Real>& s) {
  TyreSlipOf<Real> slip;
  slip.load = p.rolling.load.load;
  slip.kappa = s.kappa;
  slip.tan_alpha = s.tan_alpha;
  // camber and spin act by rolling: a tyre at rest leans without pushing sideways
  const Real part = absolute(p.Vx) * (1.0 / patch_slip::kCrawl);
  const Real slow = 2.0 - part * part;
  const MaskOf<Real> rolls = part >= 1.0;
  slip.gamma = p.contact.gamma;
  if (!terms.fades_camber)
    slip.gamma = select(rolls, p.contact.gamma, part * part * slow * p.contact.gamma);
  slip.turn_slip = -p.turn * select(rolls, 1.0 / part, part * slow) * (1.0 / patch_slip::kCrawl);
  slip.speed = p.Vx;
  slip.friction = p.friction;
  return slip;
}

/// What the rim feels of these forces; with `with_tangent` their slopes, too.
template <typename Real>
PatchPushOf<Real> find_push(const PatchSpeedsOf<Real>& p, const PatchDeflectionOf<Real>& d,
                            const PatchSlipsOf<Real>& s, const TyreForcesOf<Real>& F,
                            bool with_tangent) {
  const Real none{};
  const TyreLoadOf<Real>& load = p.rolling.load;
  const MaskOf<Real> carries = load.load > none;
  const auto of_carrying = [&](const Real& number) { return select(carries, number, none); };
  PatchPushOf<Real> push;
  push.Fx = of_carrying(F.Fx);
  push.Fy = of_carrying(F.Fy);
  push.load = of_carrying(load.load);
  push.Mx = of_carrying(F.Mx);
  push.My = of_carrying(F.My);
  push.Mz = of_carrying(F.Mz);
  if (!with_tangent) {
    push.stiffness = push.damping = push.c_xx = push.share = push.c_rest = push.c_turn = none;
    return push;
  }
  // -dF/d(Vsx, Vsy), its symmetric part as two lines, no negative ones
  const Real c_xx = larger_of(F.Fx_kappa * s.kappa_x + F.Fx_tan_alpha * s.alpha_x, 0.0);
  const Real c_yy = larger_of(-(F.Fy_kappa * s.kappa_y + F.Fy_tan_alpha * s.alpha_y), 0.0);
  const Real xy = F.Fx_kappa * s.kappa_y + F.Fx_tan_alpha * s.alpha_y;
  const Real yx = F.Fy_kappa * s.kappa_x + F.Fy_tan_alpha * s.alpha_x;
  // no more than that part allows: else the line across would be held by far more than c_yy
  const Real most = square_root(c_xx * c_yy);
  const Real c_xy = within(0.5 * (yx - xy), -most, most);
  push.share = select(c_xx > none, c_xy / c_xx, none);
  push.c_xx = of_carrying(c_xx);
  push.c_rest = of_carrying(larger_of(c_yy - push.share * push.share * c_xx, 0.0));
  push.stiffness = of_carrying(larger_of(load.stiffness, 0.0));
  push.damping = of_carrying(larger_of(load.damping, 0.0));
  push.c_turn = of_carrying(p.turned.stiffness * d.twist_s);
  return push;
}

}  // namespace semirec
