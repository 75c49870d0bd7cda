#include "topology/mechanism_fingerprint.hpp"

namespace semirec {

void put_into(Fingerprint& fingerprint, const Marker& marker) {
  const auto& [body, X_BF, name, source] = marker;
  fingerprint(body, X_BF);
}

static void put_into(Fingerprint& fingerprint, const Body& whole) {
  const auto& [name, mass, com, inertia, X_WB, source] = whole;
  fingerprint(name, mass, com, inertia, X_WB);
}

static void put_into(Fingerprint& fingerprint, const Joint& whole) {
  const auto& [name, type, a, b, placement, position, velocity, held, attached, source] = whole;
  fingerprint(name, type, a, b, placement, position, velocity, held, attached);
}

static void put_into(Fingerprint& fingerprint, const Constraint& whole) {
  const auto& [name, type, a, b, length, length_input, slide_axis, slide_input, attached, source] =
      whole;
  fingerprint(name, type, a, b, length, length_input, slide_axis, slide_input, attached);
}

static void put_into(Fingerprint& fingerprint, const PrescribedMotion& whole) {
  const auto& [name, joint, coordinate, input, source] = whole;
  fingerprint(name, joint, coordinate, input);
}

static void put_into(Fingerprint& fingerprint, const Input& whole) {
  const auto& [name, curve, source, of, factor, computed] = whole;
  fingerprint(name, curve, of, factor);
  if (computed) fingerprint(computed);  // others keep the fingerprints that they had
}

static void put_into(Fingerprint& fingerprint, const SpringDamper& whole) {
  const auto& [name, a, b, along_axis, axis, spring, damper, spring_factor, damper_factor, applied,
               active, source] = whole;
  fingerprint(name, a, b, along_axis, axis, spring, damper, active);
  for (const InputIndex input : {spring_factor, damper_factor, applied})
    if (input != kNoInput) fingerprint(input);
}

static void put_into(Fingerprint& fingerprint, const RotationalSpringDamper& whole) {
  const auto& [name, a, b, spring, damper, source] = whole;
  fingerprint(name, a, b, spring, damper);
}

static void put_into(Fingerprint& fingerprint, const Bushing& whole) {
  const auto& [name, a, b, stiffness, damping, relaxing_stiffness, relaxation_time, source] = whole;
  fingerprint(name, a, b, stiffness, damping, relaxing_stiffness, relaxation_time);
}

static void put_into(Fingerprint& fingerprint, const AppliedLoad& whole) {
  const auto& [name, at, torque, body_axes, direction, input, source] = whole;
  fingerprint(name, at, torque, body_axes, direction, input);
}

static void put_into(Fingerprint& fingerprint, const CoordinateForce& whole) {
  const auto& [name, joint, coordinate, spring, damper, applied, lower, upper, stop_stiffness,
               stop_damping, source] = whole;
  fingerprint(name, joint, coordinate, spring, damper, applied, lower, upper, stop_stiffness,
              stop_damping);
}

void put_into(Fingerprint& fingerprint, const Mechanism& mechanism) {
  const auto& [name, gravity, bodies, joints, constraints, motions, inputs, springs,
               rotational_springs, bushings, loads, coordinate_forces, markers] = mechanism;
  fingerprint(name, gravity, bodies, joints, constraints, motions, inputs, springs,
              rotational_springs, bushings, loads, coordinate_forces);
  // markers are looked up by name: events may watch them
  fingerprint(markers.size());
  for (const Marker& marker : markers) fingerprint(marker.name, marker);
}

}  // namespace semirec
