#pragma once

#include <vector>

#include "vehicles/analysis/answer.hpp"
#include "vehicles/analysis/bicycle/car_response.hpp"

namespace semirec {

/// A fitted model under the names and in the units of programs that drive with one. None of them
/// knows relaxation lengths: the model is one fitted without. Names: `commonroad.m`,
/// `autoware.vehicle.cf`, `openpilot.tireStiffnessFront`; what each takes them for is said beside.
///
/// CommonRoad, single track model of its vehicle models (vehicle_dynamics_st): the side force of an
/// axle is mu C_S (static load) (slip angle), so C_S = C L/(mu m g b) in front, g = 9.81.
/// Autoware: vehicle_info of its nodes, `dynamics` of the lateral controller (cf and cr are of an
/// axle there; it makes the yaw inertia of the masses), and the parameters of Autoware.Auto.
/// openpilot: CarParams. Its cars have stiffnesses scaled from those of one car (1462 kg, 2.7 m,
/// centre of mass at 0.4 of it, 192150 and 202500 N/rad) by a factor of theirs, of which the one
/// nearest to both axles is given.
std::vector<Quantity> name_for_others(const BicycleModel& model, const CarFigures& figures);

}  // namespace semirec
