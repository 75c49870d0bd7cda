#include "vehicles/session/input_unit.hpp"

namespace semirec {

namespace {

/// Whether the coordinate of the joint of this name turns.
bool turns(const Mechanism& mechanism, JointIndex joint, int coordinate) {
  return coordinate_turns(mechanism.joints[static_cast<std::size_t>(joint)].type, coordinate);
}

/// Of an input that an element reads itself; empty if none does.
std::string own_unit(const Drive& drive, int input) {
  const Mechanism& mechanism = drive.model.mechanism;
  for (const PrescribedMotion& motion : mechanism.motions)
    if (motion.input == input)
      return turns(mechanism, motion.joint, motion.coordinate) ? "rad" : "m";
  for (const Constraint& constraint : mechanism.constraints)
    if (constraint.length_input == input || constraint.slide_input == input) return "m";
  for (const AppliedLoad& load : mechanism.loads)
    if (load.input == input) return load.torque ? "N m" : "N";
  for (const SpringDamper& spring : mechanism.springs) {
    if (spring.applied == input) return "N";
    if (spring.spring_factor == input || spring.damper_factor == input) return "1";
  }
  for (const CoordinateForce& force : mechanism.coordinate_forces)
    if (force.applied == input)
      return turns(mechanism, force.joint, force.coordinate) ? "N m" : "N";
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
