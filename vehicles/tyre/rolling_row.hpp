#pragma once

#include <array>
#include <memory>
#include <vector>

#include "recursive/forces/force_element.hpp"
#include "vehicles/tyre/laws_in_lanes.hpp"
#include "vehicles/tyre/tyres_in_lanes.hpp"
#include "vehicles/tyre/wheel_place.hpp"

namespace semirec {

/// Tyres of up to four wheels of one car, one a lane: RollingTyre by the equations of
/// patch_slip.hpp and wheel_place.hpp (docs/theory.md 25), as they are for cars side by side.
/// Lanes that are left repeat the first.
class RollingRow {
 public:
  /// Whether a tyre goes with those that are there (at least one): equations, roads that are planes
  /// or are not, and laws that are worked out together, or each by itself.
  static bool go_together(const std::vector<const RollingTyre*>& tyres, const RollingTyre& next);

  /// Of bound tyres that go together; the states of each begin there among the element's.
  RollingRow(const std::vector<const RollingTyre*>& tyres, const std::vector<int>& first_states);

  /// Where the wheels are and how they move over the road, by poses and velocities.
  struct Place : PatchSpeedsOf<Pack> {
    RimMotionOf<Pack> rim;
    WheelPlaceOf<Pack> at;
  };
  /// All of it but what the law says, and what follows from that.
  void meet_road(const ForceInput& in, Place& p) const;
  /// Completes it.
  void roll(Place& p) const;

  void add_forces(const ForceInput& in, ForceSink& out) const;
  void update_states(const ForceInput& in, StateSink& out) const;
  int channel_count() const { return count_ * RollingTyre::kChannels; }
  /// What add_forces() adds, as power and the channels of each tyre; `values` may be null.
  ForcePower report(const ForceInput& in, double* values) const;

 private:
  static constexpr int kMost = kMostInARow;

  struct Asked : Place {
    PatchDeflectionOf<Pack> deflection;
    PatchSlipsOf<Pack> slips;
    TyreForcesOf<Pack> forces;
    PackMask clamped;
  };
  void find_road_motion(const ForceInput& in, RimMotionOf<Pack>& rim) const;
  PatchDeflectionOf<Pack> eliminate(const ForceInput& in, const Place& p) const;
  void ask(const ForceInput& in, Asked& asked) const;
  std::size_t count() const { return static_cast<std::size_t>(count_); }

  int count_;
  std::array<TreeIndex, kMost> rim_{};  ///< [lane]
  Pack3Of<Pack> p_, y_;                 ///< centre and axle in the rim's compiled frame
  std::array<RoadMotion, kMost> motion_{};
  bool moves_ = false;  ///< a road under one of them
  std::array<int, kMost> connection_{}, first_{};
  ContactInLanes<Pack> roads_;
  Pack friction_scale_;
  RollingNumbersOf<Pack> numbers_;
  RollingTerms terms_;
  std::shared_ptr<const TyreRow> laws_;
};

}  // namespace semirec
