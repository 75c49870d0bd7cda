#pragma once

#include "vehicles/session/drive.hpp"

namespace semirec {

/// Sets a state in motion: in relative coordinates, what floats at the speed of the drive along the
/// road as the chassis heads (find_road_axes()), of the steady motion where one is found. Each
/// wheel rolls freely on its effective radius. After a start from equilibrium the steady motion of
/// the whole is looked for, directly and then from lower speeds upwards; where there is none,
/// `said` has a note. A spin that the file writes stays what is written. What wheels turn, such as
/// half shafts in joints, turns with them. `said` names wheels that stand still although they could
/// turn. Off-line work: allocates.
void start_rolling(const Drive& drive, const Model& model, State& state, Workspace& ws,
                   StartReport& said);

}  // namespace semirec
