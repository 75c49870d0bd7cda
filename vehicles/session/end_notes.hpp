#pragma once

#include <string>
#include <vector>

#include "vehicles/session/drive.hpp"

namespace semirec {

/// From this angle on between its z and the vertical a car or a trailer has rolled over, rad.
inline constexpr double kRolledOver = 1.2;

/// What the motion says at the end of a drive, a line each: that the car or a trailer has rolled
/// over, that its wheels have left the part of the road that is uneven across, which events lie
/// behind it; where the energies do not add up, that a bushing has turned beyond what has an energy
/// (theory 15). `road`: null, a flat one.
std::vector<std::string> find_end_notes(const Drive& drive, const RoadSurface* road,
                                        const RunReport& report, const State& end, Workspace& ws);

}  // namespace semirec
