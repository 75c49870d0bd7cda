#pragma once

#include <memory>
#include <span>
#include <vector>

#include "vehicles/tyre/tyre_law.hpp"

namespace semirec {

/// The most tyres in a row.
inline constexpr int kMostInARow = 4;

/// How a tyre is pressed onto the road and turns.
struct TyreContact {
  double deflection = 0.0;       ///< m, positive pressed in, against the unloaded radius
  double deflection_rate = 0.0;  ///< m/s
  double omega = 0.0;            ///< spin, rad/s
  double gamma = 0.0;            ///< inclination, rad
};

/// What follows from that.
struct TyreRolling {
  TyreLoad load;              ///< zero without contact and where the tyre would have to pull
  double radius = 0.0;        ///< R_e, m
  double relaxation_x = 0.0;  ///< m
  double relaxation_y = 0.0;
};

/// Up to kMostInARow tyres that are asked in one call: some laws work out several tyres in the time
/// of one. Each gets what its TyreLaw would say.
class TyreRow {
 public:
  virtual ~TyreRow() = default;
  virtual void roll(std::span<const TyreContact> contacts, std::span<TyreRolling> found) const = 0;
  virtual void forces(std::span<const TyreSlip> slips, std::span<TyreForces> found) const = 0;
};

/// A row of these laws, one after another or, where the first knows all the others, together.
std::unique_ptr<const TyreRow> make_tyre_row(
    const std::vector<std::shared_ptr<const TyreLaw>>& laws);

}  // namespace semirec
