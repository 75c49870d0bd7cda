#pragma once

#include "vehicles/description/scenario.hpp"
#include "vehicles/description/vehicle.hpp"

namespace semirec {

/// A vehicle and what is done with it; the vehicle has the scenario's overrides.
struct DriveDescription {
  Vehicle vehicle;
  Scenario scenario;
};

}  // namespace semirec
