#pragma once

#include <memory>

#include "recursive/packs/pack.hpp"
#include "vehicles/tyre/magic_numbers.hpp"
#include "vehicles/tyre/tyre_row.hpp"

namespace semirec {

/// Magic Formula tyres of the same numbers on either side of the car, one a lane of a vector
/// register.
class MagicRow final : public TyreRow {
 public:
  /// `mirrored`: by tyre, in place of the parameter of this name.
  MagicRow(std::shared_ptr<const MagicNumbers> numbers, const std::vector<bool>& mirrored);

  void roll(std::span<const TyreContact> contacts, std::span<TyreRolling> found) const override;
  void forces(std::span<const TyreSlip> slips, std::span<TyreForces> found) const override;
  void forces(std::span<const TyreSlip> slips, std::span<const TyreRolling> rolling,
              std::span<TyreForces> found) const override;

 private:
  void find_forces(std::span<const TyreSlip> slips, const TyreRollingOf<Pack>* rolling,
                   std::span<TyreForces> found) const;

  std::shared_ptr<const MagicNumbers> p_;
  Pack side_;  ///< -1 where mirrored, else 1
};

}  // namespace semirec
