#include "vehicles/tyre/laws_in_lanes.hpp"

#include "vehicles/tyre/touch_down.hpp"

namespace semirec {

TyreRolling roll_tyre(const TyreLaw& law, const TyreContact& contact) {
  TyreRolling r;
  r.load = law.load(contact.deflection, contact.deflection_rate, contact.omega);
  const double pressed =
      contact.deflection + (law.free_radius(contact.omega) - law.unloaded_radius());
  fade_in_damping(pressed, kTouchDownDepth * law.unloaded_radius(), contact.deflection_rate,
                  r.load.load, r.load.stiffness, r.load.damping);
  if (pressed <= 0.0 || r.load.load <= 0.0) r.load = {};
  r.radius = law.effective_radius(r.load.load, contact.omega);
  r.relaxation_x = law.relaxation_x(r.load.load, contact.gamma);
  r.relaxation_y = law.relaxation_y(r.load.load, contact.gamma);
  return r;
}

std::unique_ptr<const TyreRow> TyreLaw::make_row(
    const std::vector<std::shared_ptr<const TyreLaw>>& /*laws*/) const {
  return nullptr;
}

std::unique_ptr<const TyreRow> make_tyre_row(
    const std::vector<std::shared_ptr<const TyreLaw>>& laws) {
  if (std::unique_ptr<const TyreRow> row = laws.front()->make_row(laws)) return row;
  return std::make_unique<LawsOneByOne<Pack>>(laws);
}

}  // namespace semirec
