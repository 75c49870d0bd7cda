#pragma once

#include <string>
#include <vector>

#include "vehicles/description/vehicle.hpp"

namespace semirec {

/// How a car rests on a level road.
struct RestTravel {
  /// [wheel] how far its centre has risen, in axes of the body `frame`, from where it is drawn, m.
  std::vector<double> travel;
  /// What speaks against that rest (SteadyCar::rest_faults()): a suspension that has folded over.
  std::vector<std::string> notes;
};

/// Throws ModelError: no chassis that can travel; AnalysisError: no static equilibrium.
RestTravel find_rest_travel(const Vehicle& vehicle, BodyIndex frame);

}  // namespace semirec
