#pragma once

#include <string>
#include <vector>

#include "vehicles/session/drive.hpp"

namespace semirec {

/// What the place and attitude of a car say at the end of a drive, a line each: that it has rolled
/// over, that its wheels have left the part of the road that is uneven across. `road`: null, a flat
/// one. Needs nothing of the workspace.
std::vector<std::string> find_end_notes(const Drive& drive, const RoadSurface* road,
                                        const State& end, Workspace& ws);

}  // namespace semirec
