#include "apps/realtime/input_unit.hpp"

namespace semirec::realtime {

namespace {

bool slides(const Joint& joint, int coordinate) {
  switch (joint.type) {
    case JointType::prismatic:
      return true;
    case JointType::cylindrical:
      return coordinate == 0;
    case JointType::planar:
      return coordinate < 2;
    case JointType::free:
      return coordinate < 3;
    case JointType::fixed:
    case JointType::revolute:
    case JointType::universal:
    case JointType::spherical:
      break;
  }
  return false;
}

}  // namespace

std::string input_unit(const Mechanism& mechanism, InputIndex input) {
  const auto joint = [&](JointIndex k) -> const Joint& {
    return mechanism.joints[static_cast<std::size_t>(k)];
  };
  for (const Constraint& constraint : mechanism.constraints)
    if (constraint.length_input == input || constraint.slide_input == input) return "m";
  for (const Driver& driver : mechanism.drivers)
    if (driver.input == input) return slides(joint(driver.joint), driver.coordinate) ? "m" : "rad";
  for (const AppliedLoad& load : mechanism.loads)
    if (load.input == input) return load.torque ? "N m" : "N";
  for (const CoordinateForce& force : mechanism.coordinate_forces)
    if (force.applied == input) return slides(joint(force.joint), force.coordinate) ? "N" : "N m";
  // roads under wheels are known by their name only
  const std::string& name = mechanism.inputs[static_cast<std::size_t>(input)].name;
  return name.rfind("excitation_", 0) == 0 ? "m" : "";
}

}  // namespace semirec::realtime
