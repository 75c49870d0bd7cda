#include "vehicles/tyre/magic_row.hpp"

#include <algorithm>
#include <cstddef>
#include <numbers>
#include <utility>

#include "vehicles/tyre/magic_forces.hpp"
#include "vehicles/tyre/magic_moments.hpp"
#include "vehicles/tyre/magic_radial.hpp"
#include "vehicles/tyre/touch_down.hpp"

namespace semirec {

namespace {

/// One number of each tyre; lanes without a tyre repeat the last.
template <typename Record>
Pack gather(std::span<const Record> tyres, double Record::*number) {
  const auto lane = [&](std::size_t l) { return tyres[std::min(l, tyres.size() - 1)].*number; };
  return Pack{lane(0), lane(1), lane(2), lane(3)};
}

template <typename Record>
void scatter(const Pack& pack, std::span<Record> tyres, double Record::*number) {
  for (std::size_t l = 0; l < tyres.size(); ++l) tyres[l].*number = pack[l];
}

/// Where x is outside, `argument` is added to `clamped`.
Pack held(const Pack& x, double low, double high, unsigned argument, PackMask& clamped) {
  clamped |= ((x < low) | (x > high)) & static_cast<long>(argument);
  return within(x, low, high);
}

/// As held(); beyond the border the slopes vanish.
SlopedPack held(const SlopedPack& x, double low, double high, unsigned argument,
                PackMask& clamped) {
  const PackMask inside = (x.f >= low) & (x.f <= high);
  return select(inside, x, SlopedPack(held(x.f, low, high, argument, clamped)));
}

MagicState make_state(const MagicParameters& p, const Pack& side, std::span<const TyreSlip> slips,
                      PackMask& clamped) {
  const Pack one = broadcast(1.0);
  const Pack none{};
  MagicState s;
  s.load =
      held(gather(slips, &TyreSlip::load), p.load_min, p.load_max, tyre_clamped::kLoad, clamped);
  const double nominal = p.c.LFZO * p.Fz0;
  s.dfz = (s.load - nominal) * (1.0 / nominal);
  s.kappa = held(SlopedPack(gather(slips, &TyreSlip::kappa), one, none), p.kappa_min, p.kappa_max,
                 tyre_clamped::kKappa, clamped);
  // the slope would overflow where the angle has come to its end anyway
  const Pack tan_alpha = side * within(gather(slips, &TyreSlip::tan_alpha), -1e9, 1e9);
  s.alpha = held(atan(SlopedPack(tan_alpha, none, one)), p.alpha_min, p.alpha_max,
                 tyre_clamped::kAlpha, clamped);
  s.gamma = held(side * gather(slips, &TyreSlip::gamma), p.gamma_min, p.gamma_max,
                 tyre_clamped::kGamma, clamped);

  const Pack pace = within(gather(slips, &TyreSlip::speed) * (1.0 / p.low_speed), -1.0, 1.0);
  s.direction = sin(0.5 * std::numbers::pi * pace);
  s.offsets = s.direction * s.direction;
  const Pack friction = within(gather(slips, &TyreSlip::friction), 0.0, 10.0);
  s.mu_x = p.c.LMUX * friction;
  s.mu_y = p.c.LMUY * friction;
  if (p.lateral) s.Ky_upright = magic_cornering_stiffness(p, s.load, none);

  if (p.turn_slip) {
    const Pack turn = -side * within(gather(slips, &TyreSlip::turn_slip), -100.0, 100.0);
    const Pack camber = (1.0 - magic_camber_reduction(p, s.dfz)) * sin(s.gamma) /
                        magic_effective_radius(p, s.load, none);
    s.spin = (p.R0 * s.direction) * (turn + camber * (s.direction + s.kappa));
  }
  return s;
}

}  // namespace

MagicRow::MagicRow(std::shared_ptr<const MagicParameters> parameters,
                   const std::vector<bool>& mirrored)
    : p_(std::move(parameters)), side_(broadcast(1.0)) {
  for (std::size_t l = 0; l < mirrored.size(); ++l) side_[l] = mirrored[l] ? -1.0 : 1.0;
}

void MagicRow::roll(std::span<const TyreContact> contacts, std::span<TyreRolling> found) const {
  const Pack none{};
  const Pack deflection = gather(contacts, &TyreContact::deflection);
  const Pack omega = gather(contacts, &TyreContact::omega);
  const Pack gamma = gather(contacts, &TyreContact::gamma);
  const Pack rate = gather(contacts, &TyreContact::deflection_rate);
  MagicLoad spring = magic_load(*p_, deflection, rate, omega);
  fade_in_damping(spring.pressed, broadcast(kTouchDownDepth * p_->R0), rate, spring.load,
                  spring.stiffness, spring.damping);
  const PackMask pressed = (spring.pressed > 0.0) & (spring.load > 0.0);
  const Pack load = select(pressed, spring.load, none);
  const Pack stiffness = select(pressed, spring.stiffness, none);
  const Pack damping = select(pressed, spring.damping, none);
  for (std::size_t l = 0; l < found.size(); ++l)
    found[l].load = {load[l], stiffness[l], damping[l]};
  scatter(magic_effective_radius(*p_, load, omega), found, &TyreRolling::radius);
  scatter(magic_relaxation_x(*p_, load), found, &TyreRolling::relaxation_x);
  scatter(magic_relaxation_y(*p_, load, gamma), found, &TyreRolling::relaxation_y);
}

void MagicRow::forces(std::span<const TyreSlip> slips, std::span<TyreForces> found) const {
  const MagicParameters& p = *p_;
  PackMask clamped{};
  const MagicState s = make_state(p, side_, slips, clamped);
  MagicLongitudinal x;
  MagicLateral y;
  if (p.longitudinal) x = magic_longitudinal(p, s);
  if (p.lateral) y = magic_lateral(p, s);
  const MagicCombined both = magic_combined(p, s, x, y);
  Pack Mx{};
  Pack My{};
  Pack Mz{};
  if (p.lateral) {
    Mz = magic_aligning(p, s, x, y, both);
    Mx = magic_overturning(p, s, both.Fy.f);
  }
  if (p.longitudinal)
    My = magic_rolling(p, s, both.Fx.f, gather(slips, &TyreSlip::speed), s.direction + s.kappa.f);

  // below the least load in proportion; to the other side by the mirror
  const Pack share = smaller_of(gather(slips, &TyreSlip::load) * (1.0 / p.load_min), 1.0);
  const Pack across = share * side_;
  scatter(share * both.Fx.f, found, &TyreForces::Fx);
  scatter(across * both.Fy.f, found, &TyreForces::Fy);
  scatter(across * Mx, found, &TyreForces::Mx);
  scatter(share * My, found, &TyreForces::My);
  scatter(across * Mz, found, &TyreForces::Mz);
  scatter(share * both.Fx.f_kappa, found, &TyreForces::Fx_kappa);
  scatter(across * both.Fx.f_alpha, found, &TyreForces::Fx_tan_alpha);
  scatter(across * both.Fy.f_kappa, found, &TyreForces::Fy_kappa);
  scatter(share * both.Fy.f_alpha, found, &TyreForces::Fy_tan_alpha);
  for (std::size_t l = 0; l < found.size(); ++l) {
    found[l].clamped = static_cast<unsigned>(clamped[l]);
    if (slips[l].load <= 0.0) found[l] = {};
  }
}

}  // namespace semirec
