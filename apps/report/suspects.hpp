#pragma once

#include <vector>

#include "apps/report/report.hpp"
#include "vehicles/description/vehicle.hpp"

namespace semirec::report {

/// Points of a description that look like a slip of the pen, each with what is odd about it:
///   - a rod, or a spring between points, whose ends lie within 0.1 mm of each other;
///   - the end of an element, or a joint, whose partner by name (`_fl`/`_fr`, `_rl`/`_rr`,
///     `_l`/`_r`, `left`/`right`) does not lie where the plane y = 0 mirrors it, by more than 1 mm,
///     while at least three of four such pairs of the description do.
std::vector<Suspect> find_suspects(const Vehicle& vehicle);

}  // namespace semirec::report
