#include "topology/input_readings.hpp"

#include "topology/joint_type.hpp"

namespace semirec {

std::vector<InputReading> find_input_readings(const Mechanism& mechanism) {
  std::vector<InputReading> readings;
  const auto add = [&](InputIndex input, const char* unit) {
    if (input != kNoInput) readings.push_back({input, unit});
  };
  const auto turns = [&](JointIndex joint, int coordinate) {
    return coordinate_turns(mechanism.joints[at(joint)].type, coordinate);
  };
  for (const PrescribedMotion& motion : mechanism.motions)
    add(motion.input, turns(motion.joint, motion.coordinate) ? "rad" : "m");
  for (const Constraint& constraint : mechanism.constraints) {
    add(constraint.length_input, "m");
    add(constraint.slide_input, "m");
  }
  for (const AppliedLoad& load : mechanism.loads) add(load.input, load.torque ? "N m" : "N");
  for (const SpringDamper& spring : mechanism.springs) {
    add(spring.applied, "N");
    add(spring.spring_factor, "1");
    add(spring.damper_factor, "1");
  }
  for (const CoordinateForce& force : mechanism.coordinate_forces)
    add(force.applied, turns(force.joint, force.coordinate) ? "N m" : "N");
  return readings;
}

}  // namespace semirec
