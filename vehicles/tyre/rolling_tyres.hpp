#pragma once

#include <memory>
#include <string>
#include <vector>

#include "recursive/forces/evaluate_forces.hpp"
#include "recursive/forces/input_range.hpp"
#include "vehicles/tyre/rolling_tyre.hpp"

namespace semirec {

class RollingRow;

/// The tyres of wheels that spin, as one force element: neighbours that go together are worked out
/// as a RollingRow.
///
/// States (deflections, and a twist where a wheel has one) and channels are those of RollingTyre,
/// wheel after wheel. The element bears the names of its wheels.
class RollingTyres final : public ForceElement, public TyreHolder, public InputUser {
 public:
  /// At least one tyre.
  explicit RollingTyres(std::vector<RollingTyre> tyres);
  void bind(const Mechanism& mechanism, TreeModel& model) override;
  void add_forces(const ForceInput& in, ForceSink& out) const override;
  ForcePower report(const ForceInput& in, double* values) const override;
  std::vector<Channel> channels() const override;
  bool add_reported_bodies(std::vector<TreeIndex>& bodies) const override;
  /// One a wheel: the road.
  int contact_count() const override { return static_cast<int>(tyres_.size()); }
  void measure_contacts(const ForceInput& in, double* pressed) const override;
  int state_count() const override;
  /// `<wheel>.x[0]`, `<wheel>.x[1]` and, of the twist, `<wheel>.x[2]`.
  std::string state_name(int k) const override;
  void update_states(const ForceInput& in, StateSink& out) const override;
  void settle_states(const ForceInput& in, StateSink& out) const override;
  std::vector<const StandingTyre*> standing_tyres() const override;
  const FormsOfCars* forms_of_cars() const override;
  /// The frictions of planes under wheels, not below 0.
  std::vector<InputRange> input_ranges() const override;
  const std::vector<RollingTyre>& tyres() const { return tyres_; }

 private:
  std::vector<RollingTyre> tyres_;
  std::vector<int> first_states_;  ///< of each tyre, and the number of all
  std::vector<std::shared_ptr<const RollingRow>> rows_;
};

/// The tyre of a wheel that spins; null where no element of the model holds one.
const RollingTyre* find_rolling_tyre(const ForceElements& elements, const std::string& wheel);

}  // namespace semirec
