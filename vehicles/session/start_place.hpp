#pragma once

#include "integrator/state.hpp"
#include "integrator/workspace.hpp"
#include "vehicles/session/drive.hpp"

namespace semirec {

/// The state that the file has, before anything is solved for: where it puts the chassis elsewhere
/// than it is drawn, what is tied to it by joints and springs, floats where it is drawn and does
/// not hold goes along. For Drive::at_origin moved as one over the road, with the chassis' centre
/// of mass above the world's origin and its heading along x. `model`: of the drive, in relative
/// coordinates. Throws ModelError where that is asked for and something else than the road holds
/// the vehicle to its place in the world.
State make_start_state(const Drive& drive, const Model& model, Workspace& ws);

}  // namespace semirec
