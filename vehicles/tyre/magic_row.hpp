#pragma once

#include <memory>

#include "vehicles/tyre/laws_in_lanes.hpp"
#include "vehicles/tyre/magic_numbers.hpp"

namespace semirec {

/// Magic Formula tyres of the same numbers on either side of the car, one a lane.
class MagicRow final : public TyreRow {
 public:
  /// `mirrored`: by tyre, in place of the parameter of this name; lanes that are left are as the
  /// first.
  MagicRow(std::shared_ptr<const MagicNumbers> numbers, const std::vector<bool>& mirrored);

  TyreRollingOf<Pack> roll(const TyreContactOf<Pack>& contact) const override;
  TyreForcesOf<Pack> forces(const TyreSlipOf<Pack>& slip, const TyreRollingOf<Pack>* rolling,
                            PackMask& clamped) const override;
  /// Of the first lane's tyre, by itself.
  TyreForces forces_of_one(const TyreSlip& slip) const;

 private:
  std::shared_ptr<const MagicNumbers> p_;
  Pack side_;  ///< -1 where mirrored, else 1
};

}  // namespace semirec
