#include "vehicles/description/vehicle.hpp"

namespace semirec {

Vehicle::Vehicle() = default;
Vehicle::Vehicle(const Vehicle&) = default;
Vehicle::Vehicle(Vehicle&&) noexcept = default;
Vehicle& Vehicle::operator=(const Vehicle&) = default;
Vehicle& Vehicle::operator=(Vehicle&&) noexcept = default;
Vehicle::~Vehicle() = default;

}  // namespace semirec
