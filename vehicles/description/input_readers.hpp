#pragma once

#include <string>
#include <vector>

#include "topology/input_readings.hpp"
#include "vehicles/description/vehicle.hpp"

namespace semirec {

/// All inputs that elements of a car take, with their units: those of its mechanism, then hub
/// torques, wind, brakes and drivelines. `Car`: a Vehicle, or a Drive. Build time.
template <class Car>
std::vector<InputReading> find_input_readings(const Mechanism& mechanism, const Car& car) {
  std::vector<InputReading> readings = find_input_readings(mechanism);
  const auto add = [&](InputIndex input, const char* unit) {
    if (input != kNoInput) readings.push_back({input, unit});
  };
  for (const HubTorque& torque : car.hub_torques) add(torque.input, "N m");
  for (const Aero& aero : car.aeros)
    for (const InputIndex wind : aero.wind) add(wind, "m/s");
  for (const Brake& brake : car.brakes) add(brake.input, "1");
  for (const Driveline& driveline : car.drivelines) {
    add(driveline.motor.throttle, "1");
    add(driveline.coupling.pedal, "1");
    add(driveline.gearbox.selector, "1");
  }
  return readings;
}

/// Whether an element or an equation of the vehicle takes the input, or one that follows it by a
/// factor other than zero. kNoInput: false. Build time.
bool is_read(const Vehicle& vehicle, InputIndex input);
/// The same of an input by its name; false for one that does not exist.
bool is_read(const Vehicle& vehicle, const std::string& name);

}  // namespace semirec
