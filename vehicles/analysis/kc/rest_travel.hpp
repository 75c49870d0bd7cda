#pragma once

#include <vector>

#include "vehicles/description/vehicle.hpp"

namespace semirec {

/// How far each wheel's centre has risen, in axes of the body `frame`, from where it is drawn to
/// where the car rests on a level road, [wheel], m. Throws ModelError: no chassis that can travel;
/// AnalysisError: no static equilibrium.
std::vector<double> find_rest_travel(const Vehicle& vehicle, BodyIndex frame);

}  // namespace semirec
