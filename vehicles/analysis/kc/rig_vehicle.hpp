#pragma once

#include <cstddef>
#include <vector>

#include "vehicles/description/units.hpp"
#include "vehicles/description/vehicle.hpp"

namespace semirec {

/// One unit of a vehicle alone, its frame the chassis: no body of another unit, and nothing that
/// stands on one. With one unit the vehicle itself. `units`: of find_units().
Vehicle take_unit(const Vehicle& vehicle, const std::vector<Unit>& units, std::size_t unit);

/// A vehicle whose twin wheels are one wheel in the middle between them, which carries what they
/// carry together.
struct TwinsMerged {
  Vehicle vehicle;
  std::vector<std::vector<int>> wheels;  ///< [wheel] those of the vehicle before
};
/// Throws ModelError where twins stand on different bodies.
TwinsMerged merge_twins(const Vehicle& vehicle);

}  // namespace semirec
