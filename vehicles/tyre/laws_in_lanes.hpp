#pragma once

#include <array>
#include <memory>
#include <vector>

#include "recursive/packs/from_lanes.hpp"
#include "recursive/packs/pack_functions.hpp"
#include "vehicles/tyre/tyre_law.hpp"

namespace semirec {

using TyreContact = TyreContactOf<double>;
using TyreRolling = TyreRollingOf<double>;

/// Laws of tyres side by side, one a lane: of the wheels of one car, of one wheel of several cars,
/// or of two (P a pair). Each gets what its TyreLaw would say.
template <AnyPack P>
class LawsInLanes {
 public:
  virtual ~LawsInLanes() = default;
  virtual TyreRollingOf<P> roll(const TyreContactOf<P>& contact) const = 0;
  /// `rolling`: what roll() has found of them, at the load of `slip`, or null. Where there is no
  /// load the answer is of no use. What was outside of a law's range (tyre_clamped) is added to
  /// `clamped`.
  virtual TyreForcesOf<P> forces(const TyreSlipOf<P>& slip, const TyreRollingOf<P>* rolling,
                                 PackMaskOf<P>& clamped) const = 0;

 protected:
  LawsInLanes() = default;
  LawsInLanes(const LawsInLanes&) = default;
  LawsInLanes(LawsInLanes&&) noexcept = default;
  LawsInLanes& operator=(const LawsInLanes&) = default;
  LawsInLanes& operator=(LawsInLanes&&) noexcept = default;
};

/// How one tyre is pressed onto the road and turns, by its law.
TyreRolling roll_tyre(const TyreLaw& law, const TyreContact& contact);

/// Any laws, asked one after the other.
template <OnePack P>
class LawsOneByOne final : public LawsInLanes<P> {
 public:
  /// One for each lane; those that are left take what the first one gets.
  explicit LawsOneByOne(std::vector<std::shared_ptr<const TyreLaw>> laws)
      : laws_(std::move(laws)) {}

  TyreRollingOf<P> roll(const TyreContactOf<P>& contact) const override {
    const auto found = of_each<TyreRolling>([&](int l, const TyreLaw& law) {
      return roll_tyre(law, {contact.deflection[l], contact.deflection_rate[l], contact.omega[l],
                             contact.gamma[l]});
    });
    const auto pack = [&](double TyreRolling::*which) {
      return from_lanes<P>([&](int l) { return found[lane(l)].*which; });
    };
    const auto of_load = [&](double TyreLoad::*which) {
      return from_lanes<P>([&](int l) { return found[lane(l)].load.*which; });
    };
    return {.load = {of_load(&TyreLoad::load), of_load(&TyreLoad::stiffness),
                     of_load(&TyreLoad::damping)},
            .radius = pack(&TyreRolling::radius),
            .relaxation_x = pack(&TyreRolling::relaxation_x),
            .relaxation_y = pack(&TyreRolling::relaxation_y),
            .slip_stiffness = pack(&TyreRolling::slip_stiffness),
            .cornering_stiffness = pack(&TyreRolling::cornering_stiffness)};
  }

  TyreForcesOf<P> forces(const TyreSlipOf<P>& slip, const TyreRollingOf<P>* /*rolling*/,
                         PackMaskOf<P>& clamped) const override {
    const auto F = of_each<TyreForces>([&](int l, const TyreLaw& law) {
      return law.forces({slip.load[l], slip.kappa[l], slip.tan_alpha[l], slip.gamma[l],
                         slip.turn_slip[l], slip.speed[l], slip.friction[l]});
    });
    for (int l = 0; l < kLanesOf<P>; ++l) clamped[l] |= static_cast<long>(F[lane(l)].clamped);
    const auto pack = [&](double TyreForces::*which) {
      return from_lanes<P>([&](int l) { return F[lane(l)].*which; });
    };
    return {.Fx = pack(&TyreForces::Fx),
            .Fy = pack(&TyreForces::Fy),
            .Mx = pack(&TyreForces::Mx),
            .My = pack(&TyreForces::My),
            .Mz = pack(&TyreForces::Mz),
            .Fx_kappa = pack(&TyreForces::Fx_kappa),
            .Fx_tan_alpha = pack(&TyreForces::Fx_tan_alpha),
            .Fy_kappa = pack(&TyreForces::Fy_kappa),
            .Fy_tan_alpha = pack(&TyreForces::Fy_tan_alpha)};
  }

 private:
  static std::size_t lane(int l) { return static_cast<std::size_t>(l); }
  /// answer(lane, law) of each; lanes that are left get that of the first.
  template <typename Answer, typename Function>
  std::array<Answer, kLanesOf<P>> of_each(const Function& answer) const {
    std::array<Answer, kLanesOf<P>> all;
    for (int l = 0; l < kLanesOf<P>; ++l)
      all[lane(l)] = lane(l) < laws_.size() ? answer(l, *laws_[lane(l)]) : all.front();
    return all;
  }

  std::vector<std::shared_ptr<const TyreLaw>> laws_;
};

/// The most tyres in a row.
inline constexpr int kMostInARow = kLanesOf<Pack>;

/// A row of these laws, one after another or, where the first knows all the others, together; lanes
/// that are left take the numbers of the first.
std::unique_ptr<const TyreRow> make_tyre_row(
    const std::vector<std::shared_ptr<const TyreLaw>>& laws);

}  // namespace semirec
