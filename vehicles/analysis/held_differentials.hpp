#pragma once

#include <string>
#include <vector>

#include "vehicles/session/drive.hpp"

namespace semirec {

/// The vehicle with open differentials in the place of those of limited slip. `names`: receives the
/// drivelines of which one was opened.
Vehicle with_open_differentials(Vehicle vehicle, std::vector<std::string>& names);

/// A line where differentials of limited slip stick in a steady state, so that small deviations
/// from it turn their wheels alike, and larger ones do not; empty where none does.
std::string describe_stuck_differentials(const Drive& drive, const State& state);

}  // namespace semirec
