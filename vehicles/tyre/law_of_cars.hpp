#pragma once

#include <memory>
#include <vector>

#include "recursive/packs/pack_functions.hpp"
#include "vehicles/tyre/tyre_row.hpp"

namespace semirec {

/// The laws of one wheel of cars side by side, or of two (P a pair): TyreRow with one car a lane.
template <AnyPack P>
class LawOfCars {
 public:
  virtual ~LawOfCars() = default;
  virtual TyreRollingOf<P> roll(const TyreContactOf<P>& contact) const = 0;
  /// `rolling`: what roll() has found of them, at the load of `slip`. Where there is no load the
  /// answer is of no use.
  virtual TyreForcesOf<P> forces(const TyreSlipOf<P>& slip,
                                 const TyreRollingOf<P>& rolling) const = 0;

 protected:
  LawOfCars() = default;
  LawOfCars(const LawOfCars&) = default;
  LawOfCars(LawOfCars&&) noexcept = default;
  LawOfCars& operator=(const LawOfCars&) = default;
  LawOfCars& operator=(LawOfCars&&) noexcept = default;
};

/// Any laws, asked one after the other.
template <OnePack P>
class LawsCarByCar final : public LawOfCars<P> {
 public:
  /// `laws`: one for each car; lanes without a car take the first.
  explicit LawsCarByCar(const std::vector<std::shared_ptr<const TyreLaw>>& laws) {
    for (std::size_t l = 0; l < kLanesOf<P>; ++l)
      rows_.push_back(make_tyre_row({laws[l < laws.size() ? l : 0]}));
  }

  TyreRollingOf<P> roll(const TyreContactOf<P>& contact) const override {
    TyreRollingOf<P> found;
    for (int l = 0; l < kLanesOf<P>; ++l) {
      const TyreContact own{contact.deflection[l], contact.deflection_rate[l], contact.omega[l],
                            contact.gamma[l]};
      TyreRolling one;
      rows_[static_cast<std::size_t>(l)]->roll({&own, 1}, {&one, 1});
      found.load.load[l] = one.load.load;
      found.load.stiffness[l] = one.load.stiffness;
      found.load.damping[l] = one.load.damping;
      found.radius[l] = one.radius;
      found.relaxation_x[l] = one.relaxation_x;
      found.relaxation_y[l] = one.relaxation_y;
      found.slip_stiffness[l] = one.slip_stiffness;
      found.cornering_stiffness[l] = one.cornering_stiffness;
    }
    return found;
  }

  TyreForcesOf<P> forces(const TyreSlipOf<P>& slip,
                         const TyreRollingOf<P>& rolling) const override {
    TyreForcesOf<P> F;
    for (int l = 0; l < kLanesOf<P>; ++l) {
      const TyreSlip own{slip.load[l],      slip.kappa[l], slip.tan_alpha[l], slip.gamma[l],
                         slip.turn_slip[l], slip.speed[l], slip.friction[l]};
      TyreRolling rolls;
      rolls.slip_stiffness = rolling.slip_stiffness[l];
      rolls.cornering_stiffness = rolling.cornering_stiffness[l];
      TyreForces one;
      rows_[static_cast<std::size_t>(l)]->forces({&own, 1}, {&rolls, 1}, {&one, 1});
      F.Fx[l] = one.Fx;
      F.Fy[l] = one.Fy;
      F.Mx[l] = one.Mx;
      F.My[l] = one.My;
      F.Mz[l] = one.Mz;
      F.Fx_kappa[l] = one.Fx_kappa;
      F.Fx_tan_alpha[l] = one.Fx_tan_alpha;
      F.Fy_kappa[l] = one.Fy_kappa;
      F.Fy_tan_alpha[l] = one.Fy_tan_alpha;
    }
    return F;
  }

 private:
  std::vector<std::unique_ptr<const TyreRow>> rows_;
};

}  // namespace semirec
