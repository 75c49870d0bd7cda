#include "vehicles/tyre/magic_row.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "vehicles/tyre/magic_law.hpp"

namespace semirec {

namespace {

/// One number of each tyre; lanes without a tyre repeat the last.
template <typename Record, typename Part>
Pack gather(std::span<const Record> tyres, double Part::*number) {
  const auto lane = [&](std::size_t l) { return tyres[std::min(l, tyres.size() - 1)].*number; };
  return Pack{lane(0), lane(1), lane(2), lane(3)};
}

template <typename Record, typename Part>
void scatter(const Pack& pack, std::span<Record> tyres, double Part::*number) {
  for (std::size_t l = 0; l < tyres.size(); ++l) tyres[l].*number = pack[l];
}

}  // namespace

MagicRow::MagicRow(std::shared_ptr<const MagicNumbers> numbers, const std::vector<bool>& mirrored)
    : p_(std::move(numbers)), side_(broadcast(1.0)) {
  for (std::size_t l = 0; l < mirrored.size(); ++l) side_[l] = mirrored[l] ? -1.0 : 1.0;
}

void MagicRow::roll(std::span<const TyreContact> contacts, std::span<TyreRolling> found) const {
  TyreContactOf<Pack> contact;
  contact.deflection = gather(contacts, &TyreContact::deflection);
  contact.deflection_rate = gather(contacts, &TyreContact::deflection_rate);
  contact.omega = gather(contacts, &TyreContact::omega);
  contact.gamma = gather(contacts, &TyreContact::gamma);
  const TyreRollingOf<Pack> rolling = magic_roll(*p_, contact);
  for (std::size_t l = 0; l < found.size(); ++l)
    found[l].load = {rolling.load.load[l], rolling.load.stiffness[l], rolling.load.damping[l]};
  scatter(rolling.radius, found, &TyreRolling::radius);
  scatter(rolling.relaxation_x, found, &TyreRolling::relaxation_x);
  scatter(rolling.relaxation_y, found, &TyreRolling::relaxation_y);
  scatter(rolling.slip_stiffness, found, &TyreRolling::slip_stiffness);
  scatter(rolling.cornering_stiffness, found, &TyreRolling::cornering_stiffness);
}

void MagicRow::forces(std::span<const TyreSlip> slips, std::span<TyreForces> found) const {
  find_forces(slips, nullptr, found);
}

void MagicRow::forces(std::span<const TyreSlip> slips, std::span<const TyreRolling> rolling,
                      std::span<TyreForces> found) const {
  TyreRollingOf<Pack> known;
  known.slip_stiffness = gather(rolling, &TyreRolling::slip_stiffness);
  known.cornering_stiffness = gather(rolling, &TyreRolling::cornering_stiffness);
  find_forces(slips, &known, found);
}

void MagicRow::find_forces(std::span<const TyreSlip> slips, const TyreRollingOf<Pack>* rolling,
                           std::span<TyreForces> found) const {
  TyreSlipOf<Pack> slip;
  slip.load = gather(slips, &TyreSlip::load);
  slip.kappa = gather(slips, &TyreSlip::kappa);
  slip.tan_alpha = gather(slips, &TyreSlip::tan_alpha);
  slip.gamma = gather(slips, &TyreSlip::gamma);
  slip.turn_slip = gather(slips, &TyreSlip::turn_slip);
  slip.speed = gather(slips, &TyreSlip::speed);
  slip.friction = gather(slips, &TyreSlip::friction);
  PackMask clamped{};
  const TyreForcesOf<Pack> F = magic_tyre_forces(*p_, side_, slip, rolling, clamped);
  scatter(F.Fx, found, &TyreForces::Fx);
  scatter(F.Fy, found, &TyreForces::Fy);
  scatter(F.Mx, found, &TyreForces::Mx);
  scatter(F.My, found, &TyreForces::My);
  scatter(F.Mz, found, &TyreForces::Mz);
  scatter(F.Fx_kappa, found, &TyreForces::Fx_kappa);
  scatter(F.Fx_tan_alpha, found, &TyreForces::Fx_tan_alpha);
  scatter(F.Fy_kappa, found, &TyreForces::Fy_kappa);
  scatter(F.Fy_tan_alpha, found, &TyreForces::Fy_tan_alpha);
  for (std::size_t l = 0; l < found.size(); ++l) {
    found[l].clamped = static_cast<unsigned>(clamped[l]);
    if (slips[l].load <= 0.0) found[l] = {};
  }
}

}  // namespace semirec
