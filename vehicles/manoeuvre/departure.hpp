#pragma once

#include <string>
#include <vector>

#include "vehicles/analysis/answer.hpp"
#include "vehicles/description/units.hpp"
#include "vehicles/description/vehicle.hpp"
#include "vehicles/manoeuvre/history.hpp"

namespace semirec {

/// The first time (s of the drive) at which the car has spun: a sideslip beyond 0.5 rad while it
/// goes 1 m/s or more. Infinity: it does not.
double find_spin(const History& history);

/// The first time at which the wheels of one side of a unit carry nothing, all of them, while those
/// of the other do; where a side has one wheel, from then on for 0.15 s. Infinity: never.
double find_lifted_side(const Vehicle& vehicle, const Unit& unit, const History& history);

/// Lines about a history that is no longer what a manoeuvre asks about: the car spins; tyres are
/// asked beyond the range of their files.
std::vector<std::string> find_departures(const History& history);

/// Adds these lines to the notes, and one for each unit that stands on the wheels of one side: on
/// roads that do not lift them themselves.
void note_departures(const Vehicle& vehicle, const History& history, Answer& answer);

}  // namespace semirec
