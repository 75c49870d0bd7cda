#pragma once

#include <memory>
#include <span>
#include <vector>

#include "vehicles/tyre/tyre_law.hpp"

namespace semirec {

/// The most tyres in a row.
inline constexpr int kMostInARow = 4;

using TyreContact = TyreContactOf<double>;
using TyreRolling = TyreRollingOf<double>;

/// Up to kMostInARow tyres that are asked in one call: some laws work out several tyres in the time
/// of one. Each gets what its TyreLaw would say.
class TyreRow {
 public:
  virtual ~TyreRow() = default;
  virtual void roll(std::span<const TyreContact> contacts, std::span<TyreRolling> found) const = 0;
  virtual void forces(std::span<const TyreSlip> slips, std::span<TyreForces> found) const = 0;
  /// The same; `rolling`: what roll() has found of these tyres, at the loads of `slips`.
  virtual void forces(std::span<const TyreSlip> slips, std::span<const TyreRolling> /*rolling*/,
                      std::span<TyreForces> found) const {
    forces(slips, found);
  }
};

/// A row of these laws, one after another or, where the first knows all the others, together.
std::unique_ptr<const TyreRow> make_tyre_row(
    const std::vector<std::shared_ptr<const TyreLaw>>& laws);

}  // namespace semirec
