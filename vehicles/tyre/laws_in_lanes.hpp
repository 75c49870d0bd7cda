#pragma once

#include <memory>
#include <vector>

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
    TyreRollingOf<P> found;
    for_each_lane(
        [&](int l, const TyreLaw* law, TyreRolling& one) {
          if (law != nullptr)
            one = roll_tyre(*law, {contact.deflection[l], contact.deflection_rate[l],
                                   contact.omega[l], contact.gamma[l]});
          found.load.load[l] = one.load.load;
          found.load.stiffness[l] = one.load.stiffness;
          found.load.damping[l] = one.load.damping;
          found.radius[l] = one.radius;
          found.relaxation_x[l] = one.relaxation_x;
          found.relaxation_y[l] = one.relaxation_y;
          found.slip_stiffness[l] = one.slip_stiffness;
          found.cornering_stiffness[l] = one.cornering_stiffness;
        },
        TyreRolling{});
    return found;
  }

  TyreForcesOf<P> forces(const TyreSlipOf<P>& slip, const TyreRollingOf<P>* /*rolling*/,
                         PackMaskOf<P>& clamped) const override {
    TyreForcesOf<P> F;
    for_each_lane(
        [&](int l, const TyreLaw* law, TyreForces& one) {
          if (law != nullptr)
            one = law->forces({slip.load[l], slip.kappa[l], slip.tan_alpha[l], slip.gamma[l],
                               slip.turn_slip[l], slip.speed[l], slip.friction[l]});
          F.Fx[l] = one.Fx;
          F.Fy[l] = one.Fy;
          F.Mx[l] = one.Mx;
          F.My[l] = one.My;
          F.Mz[l] = one.Mz;
          F.Fx_kappa[l] = one.Fx_kappa;
          F.Fx_tan_alpha[l] = one.Fx_tan_alpha;
          F.Fy_kappa[l] = one.Fy_kappa;
          F.Fy_tan_alpha[l] = one.Fy_tan_alpha;
          clamped[l] |= static_cast<long>(one.clamped);
        },
        TyreForces{});
    return F;
  }

 private:
  /// Calls task(lane, law, answer), the lanes that are left with null and the first one's answer.
  template <typename Task, typename Answer>
  void for_each_lane(const Task& task, Answer first) const {
    task(0, laws_.front().get(), first);
    for (int l = 1; l < kLanesOf<P>; ++l) {
      Answer own = first;
      const auto k = static_cast<std::size_t>(l);
      task(l, k < laws_.size() ? laws_[k].get() : nullptr, own);
    }
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
