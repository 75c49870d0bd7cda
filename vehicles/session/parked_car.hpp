#pragma once

#include <string>

#include "vehicles/session/drive.hpp"

namespace semirec {

/// What was found of a car with its brakes on.
struct ParkedCar {
  bool braked = false;  ///< a brake is applied; without one nothing is looked for
  EquilibriumReport equilibrium;
};

/// The equilibrium of a car that its brakes hold on a slope. Unknown besides the positions are what
/// sticks: the bristles of brakes and the deflections of tyres that roll, the smallest that carry
/// the car; its place, its heading and the articulation of its trailers stay. `state` is a car that
/// stands on the road, in balance but for `unheld` accelerations (n) along it, in relative
/// coordinates; the search takes these away at once or, where that fails, in steps. Not found, and
/// the state as before: no brake is applied, brakes and tyres cannot hold the car, or the search
/// failed. Off-line work: allocates.
ParkedCar find_parked_car(const Drive& drive, const Model& model, const Eigen::VectorXd& unheld,
                          State& state, Workspace& ws);

/// Why a car with its brakes on is not at rest, for a report of find_parked_car() without success.
std::string describe_unparked(const EquilibriumReport& report);

}  // namespace semirec
