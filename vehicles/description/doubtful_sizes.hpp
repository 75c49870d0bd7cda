#pragma once

#include <string>
#include <vector>

#include "vehicles/description/vehicle.hpp"

namespace semirec {

/// What a unit mistaken for another leaves in a vehicle of two wheels or more, measured against the
/// largest distance between its wheels, a line each: wheels more than 100 m apart; a place on a
/// body further from the wheels than thirty such distances; a moment of inertia that a hundred
/// times the vehicle's mass would not have at that distance; a wheel drawn higher or lower than the
/// others by half its radius. All are taken as written.
std::vector<std::string> find_doubtful_sizes(const Vehicle& vehicle);

}  // namespace semirec
