#include "vehicles/description/input_readers.hpp"

#include <algorithm>

#include "topology/indices.hpp"

namespace semirec {

bool is_read(const Vehicle& vehicle, InputIndex input) {
  if (input == kNoInput) return false;
  const std::vector<Input>& inputs = vehicle.mechanism.inputs;
  const std::vector<InputReading> readings = find_input_readings(vehicle.mechanism, vehicle);
  if (std::any_of(readings.begin(), readings.end(),
                  [&](const InputReading& reading) { return reading.input == input; }) ||
      std::any_of(vehicle.equations.begin(), vehicle.equations.end(),
                  [&](const Equation& equation) { return equation.reads(inputs[at(input)].name); }))
    return true;
  for (std::size_t k = 0; k < inputs.size(); ++k)
    if (inputs[k].of == input && inputs[k].factor != 0.0 &&
        is_read(vehicle, static_cast<InputIndex>(k)))
      return true;
  return false;
}

bool is_read(const Vehicle& vehicle, const std::string& name) {
  for (std::size_t k = 0; k < vehicle.mechanism.inputs.size(); ++k)
    if (vehicle.mechanism.inputs[k].name == name)
      return is_read(vehicle, static_cast<InputIndex>(k));
  return false;
}

}  // namespace semirec
