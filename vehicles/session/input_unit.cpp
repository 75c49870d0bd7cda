#include "vehicles/session/input_unit.hpp"

#include "vehicles/description/input_readers.hpp"

namespace semirec {

namespace {

/// Of an input that an element reads itself; empty if none does.
std::string own_unit(const Drive& drive, int input) {
  const Mechanism& mechanism = drive.model.mechanism;
  for (const InputReading& reading : find_input_readings(mechanism, drive))
    if (reading.input == input) return reading.unit;
  for (const Wheel& wheel : drive.wheels)
    if (mechanism.inputs[static_cast<std::size_t>(input)].name == "excitation_" + wheel.name)
      return "m";
  return {};
}

}  // namespace

std::string find_input_unit(const Drive& drive, int input) {
  for (const Equation& equation : drive.equations)
    if (equation.input == input && !equation.unit.empty()) return equation.unit;
  std::string own = own_unit(drive, input);
  if (!own.empty()) return own;
  // an input is followed by those of a higher index only
  const auto& inputs = drive.model.mechanism.inputs;
  for (std::size_t k = static_cast<std::size_t>(input) + 1; k < inputs.size(); ++k) {
    if (inputs[k].of != input) continue;
    const std::string unit = find_input_unit(drive, static_cast<int>(k));
    if (unit.empty()) continue;
    // a ratio in m/rad: a steering wheel
    return unit == "m" && inputs[k].factor != 1.0 ? "rad" : unit;
  }
  return {};
}

std::string find_input_unit(const Session& session, int input) {
  return find_input_unit(session.drive(), input);
}

}  // namespace semirec
