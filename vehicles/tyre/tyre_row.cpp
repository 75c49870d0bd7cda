#include "vehicles/tyre/tyre_row.hpp"

#include <cstddef>
#include <utility>

#include "vehicles/tyre/touch_down.hpp"

namespace semirec {

namespace {

class SingleTyres final : public TyreRow {
 public:
  explicit SingleTyres(std::vector<std::shared_ptr<const TyreLaw>> laws) : laws_(std::move(laws)) {}

  void roll(std::span<const TyreContact> contacts, std::span<TyreRolling> found) const override {
    for (std::size_t k = 0; k < laws_.size(); ++k) {
      const TyreLaw& law = *laws_[k];
      const TyreContact& c = contacts[k];
      TyreRolling& r = found[k];
      r.load = law.load(c.deflection, c.deflection_rate, c.omega);
      const double pressed = c.deflection + (law.free_radius(c.omega) - law.unloaded_radius());
      fade_in_damping(pressed, kTouchDownDepth * law.unloaded_radius(), c.deflection_rate,
                      r.load.load, r.load.stiffness, r.load.damping);
      if (pressed <= 0.0 || r.load.load <= 0.0) r.load = {};
      r.radius = law.effective_radius(r.load.load, c.omega);
      r.relaxation_x = law.relaxation_x(r.load.load, c.gamma);
      r.relaxation_y = law.relaxation_y(r.load.load, c.gamma);
    }
  }
  void forces(std::span<const TyreSlip> slips, std::span<TyreForces> found) const override {
    for (std::size_t k = 0; k < laws_.size(); ++k) found[k] = laws_[k]->forces(slips[k]);
  }

 private:
  std::vector<std::shared_ptr<const TyreLaw>> laws_;
};

}  // namespace

std::unique_ptr<const TyreRow> TyreLaw::make_row(
    const std::vector<std::shared_ptr<const TyreLaw>>& /*laws*/) const {
  return nullptr;
}

std::unique_ptr<const TyreRow> make_tyre_row(
    const std::vector<std::shared_ptr<const TyreLaw>>& laws) {
  if (std::unique_ptr<const TyreRow> row = laws.front()->make_row(laws)) return row;
  return std::make_unique<SingleTyres>(laws);
}

}  // namespace semirec
