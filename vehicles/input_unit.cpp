#include "vehicles/input_unit.hpp"

namespace semirec {

namespace {

/// Unit of the first channel of this name; joints of one coordinate have no index.
std::string unit_of(const Session& session, const std::string& channel) {
  const int index = session.find_output(channel);
  return index < 0 ? std::string() : session.outputs()[static_cast<std::size_t>(index)].unit;
}

/// Of an input that an element reads itself; empty if none does.
std::string own_unit(const Session& session, int input) {
  const Drive& drive = session.drive();
  const Mechanism& mechanism = drive.model.mechanism;
  for (const Driver& driver : mechanism.drivers) {
    if (driver.input != input) continue;
    const std::string& joint = mechanism.joints[static_cast<std::size_t>(driver.joint)].name;
    const std::string only = unit_of(session, joint + ".z");
    return only.empty() ? unit_of(session, joint + ".z[" + std::to_string(driver.coordinate) + "]")
                        : only;
  }
  for (const Constraint& constraint : mechanism.constraints)
    if (constraint.length_input == input || constraint.slide_input == input) return "m";
  for (const AppliedLoad& load : mechanism.loads)
    if (load.input == input) return load.torque ? "N m" : "N";
  for (const CoordinateForce& force : mechanism.coordinate_forces)
    if (force.applied == input) return unit_of(session, force.name + ".force");
  for (const HubTorque& torque : drive.hub_torques)
    if (torque.input == input) return "N m";
  for (const Aero& aero : drive.aeros)
    if (aero.wind[0] == input || aero.wind[1] == input) return "m/s";
  for (const Brake& brake : drive.brakes)
    if (brake.input == input) return "1";
  for (const Driveline& driveline : drive.drivelines)
    if (driveline.motor.throttle == input || driveline.coupling.pedal == input ||
        driveline.gearbox.selector == input)
      return "1";
  for (const Wheel& wheel : drive.wheels)
    if (mechanism.inputs[static_cast<std::size_t>(input)].name == "excitation_" + wheel.name)
      return "m";
  return {};
}

}  // namespace

std::string find_input_unit(const Session& session, int input) {
  std::string own = own_unit(session, input);
  if (!own.empty()) return own;
  // an input is followed by those of a higher index only
  const auto& inputs = session.drive().model.mechanism.inputs;
  for (std::size_t k = static_cast<std::size_t>(input) + 1; k < inputs.size(); ++k) {
    if (inputs[k].of != input) continue;
    const std::string unit = find_input_unit(session, static_cast<int>(k));
    if (unit.empty()) continue;
    // a ratio in m/rad: a hand wheel
    return unit == "m" && inputs[k].factor != 1.0 ? "rad" : unit;
  }
  return {};
}

}  // namespace semirec
