#include "vehicles/tyre/magic_tyre.hpp"

#include <array>
#include <bit>

#include "recursive/packs/pack_functions.hpp"
#include "vehicles/tyre/magic_radial.hpp"

namespace semirec {

MagicTyre::MagicTyre(const MagicParameters& parameters)
    : p_(std::make_shared<const MagicNumbers>(make_magic_numbers(parameters))),
      alone_(p_, {parameters.mirrored}) {}

TyreLoad MagicTyre::load(double deflection, double deflection_rate, double omega) const {
  const MagicLoadOf<Pack> found =
      magic_load(*p_, broadcast(deflection), broadcast(deflection_rate), broadcast(omega));
  return {found.load[0], found.stiffness[0], found.damping[0]};
}

double MagicTyre::effective_radius(double load, double omega) const {
  return magic_effective_radius(*p_, broadcast(load), broadcast(omega))[0];
}

double MagicTyre::relaxation_x(double load, double /*gamma*/) const {
  const Pack inside = magic_inside(*p_, broadcast(load));
  return magic_relaxation_x(*p_, inside, magic_slip_stiffness(*p_, inside))[0];
}

double MagicTyre::relaxation_y(double load, double gamma) const {
  const Pack inside = magic_inside(*p_, broadcast(load));
  return magic_relaxation_y(*p_, inside, broadcast(gamma),
                            magic_cornering_stiffness(*p_, inside, Pack{}))[0];
}

double MagicTyre::free_radius(double omega) const {
  return p_->R0 + magic_growth(*p_, broadcast(omega))[0];
}

TyreForces MagicTyre::forces(const TyreSlip& slip) const { return alone_.forces_of_one(slip); }

std::unique_ptr<const TyreRow> MagicTyre::make_row(
    const std::vector<std::shared_ptr<const TyreLaw>>& laws) const {
  std::vector<bool> mirrored;
  for (const std::shared_ptr<const TyreLaw>& law : laws) {
    const auto* tyre = dynamic_cast<const MagicTyre*>(law.get());
    if (tyre == nullptr) return nullptr;
    MagicParameters p = tyre->parameters();
    mirrored.push_back(p.mirrored);
    p.mirrored = p_->mirrored;
    if (p != static_cast<const MagicParameters&>(*p_)) return nullptr;
  }
  return std::make_unique<MagicRow>(p_, mirrored);
}

static void put_into(Fingerprint& fingerprint, const MagicCoefficients& whole) {
  // plain numbers without gaps between them, so none can be forgotten
  using Numbers = std::array<double, sizeof(MagicCoefficients) / sizeof(double)>;
  fingerprint(std::bit_cast<Numbers>(whole));
}

static void put_into(Fingerprint& fingerprint, const LoadPoint& whole) {
  const auto& [deflection, load] = whole;
  fingerprint(deflection, load);
}

void MagicTyre::put_into(Fingerprint& fingerprint) const {
  const auto& [version, c, R0, Fz0, vertical_stiffness, vertical_damping, longitudinal_stiffness,
               lateral_stiffness, load_curve, pressure_change, V0, low_speed, kappa_min, kappa_max,
               alpha_min, alpha_max, gamma_min, gamma_max, load_min, load_max, longitudinal,
               lateral, combined, weighted, turn_slip, mirrored] =
      static_cast<const MagicParameters&>(*p_);
  fingerprint("magic formula", version, c, R0, Fz0, vertical_stiffness, vertical_damping,
              longitudinal_stiffness, lateral_stiffness, load_curve, pressure_change, V0, low_speed,
              kappa_min, kappa_max, alpha_min, alpha_max, gamma_min, gamma_max, load_min, load_max,
              longitudinal, lateral, combined, weighted, turn_slip, mirrored);
}

}  // namespace semirec
