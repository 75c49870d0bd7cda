#include "vehicles/session/input_unit.hpp"

#include <cmath>

#include "vehicles/description/input_readers.hpp"
#include "vehicles/tyre/road_motion.hpp"

namespace semirec {

namespace {

/// Of an input that an element reads itself; empty if none does.
std::string own_unit(const Drive& drive, int input) {
  const Mechanism& mechanism = drive.model.mechanism;
  for (const InputReading& reading : find_input_readings(mechanism, drive))
    if (reading.input == input) return reading.unit;
  const std::string& name = mechanism.inputs[static_cast<std::size_t>(input)].name;
  for (const Wheel& wheel : drive.wheels) {
    if (name == "excitation_" + wheel.name) return "m";
    for (const RoadInput& of_road : kRoadInputs)
      if (name == road_input_name(of_road.member, wheel.name)) return of_road.unit;
  }
  return {};
}

/// Whether an input is the steering, or follows it.
bool is_steering(const Mechanism& mechanism, InputIndex input, const std::string& steering) {
  for (; input != kNoInput; input = mechanism.inputs[static_cast<std::size_t>(input)].of)
    if (mechanism.inputs[static_cast<std::size_t>(input)].name == steering) return true;
  return false;
}

}  // namespace

std::string work_out_input_unit(const Drive& drive, int input, const std::string& steering) {
  for (const Equation& equation : drive.equations)
    if (equation.input == input && !equation.unit.empty()) return equation.unit;
  std::string own = own_unit(drive, input);
  if (!own.empty()) return own;
  // an input is followed by those of a higher index only
  const auto& inputs = drive.model.mechanism.inputs;
  for (std::size_t k = static_cast<std::size_t>(input) + 1; k < inputs.size(); ++k) {
    if (inputs[k].of != input) continue;
    std::string unit = work_out_input_unit(drive, static_cast<int>(k), steering);
    if (unit.empty()) continue;
    if (unit != "m" || std::abs(inputs[k].factor) == 1.0) return unit;
    // a steering wheel's ratio is in m/rad, that of others is not known
    return is_steering(drive.model.mechanism, input, steering) ? "rad" : "";
  }
  return {};
}

std::string find_input_unit(const Drive& drive, int input) {
  return drive.recorder.input_units[static_cast<std::size_t>(input)];
}

std::string find_input_unit(const Session& session, int input) {
  return find_input_unit(session.drive(), input);
}

}  // namespace semirec
