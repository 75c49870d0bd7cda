#pragma once

#include "vehicles/session/drive.hpp"

namespace semirec {

/// The equilibrium of a car that its brakes hold on a slope. Unknown besides the positions are what
/// sticks: the bristles of brakes and the deflections of tyres that roll, the smallest that carry
/// the car; its place and heading stay. `state` is a car that stands on the road, in balance but
/// for an acceleration along it, in relative coordinates. Not found, and the state as before: no
/// brake is applied, or brakes and tyres cannot hold the car. Off-line work: allocates.
EquilibriumReport find_parked_car(const Drive& drive, const Model& model, State& state,
                                  Workspace& ws);

}  // namespace semirec
