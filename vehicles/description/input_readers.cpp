#include "vehicles/description/input_readers.hpp"

#include <algorithm>

#include "topology/indices.hpp"

namespace semirec {

bool is_read(const Vehicle& vehicle, InputIndex input) {
  if (input == kNoInput) return false;
  const Mechanism& mechanism = vehicle.mechanism;
  const auto any = [](const auto& elements, const auto& takes) {
    return std::any_of(elements.begin(), elements.end(), takes);
  };
  const std::string& name = mechanism.inputs[at(input)].name;
  const auto uses = [&](const Formula& formula) {
    return std::find(formula.code.names.begin(), formula.code.names.end(), name) !=
           formula.code.names.end();
  };
  if (any(mechanism.constraints,
          [&](const Constraint& constraint) {
            return constraint.length_input == input || constraint.slide_input == input;
          }) ||
      any(mechanism.motions,
          [&](const PrescribedMotion& motion) { return motion.input == input; }) ||
      any(mechanism.springs,
          [&](const SpringDamper& spring) {
            return spring.applied == input || spring.spring_factor == input ||
                   spring.damper_factor == input;
          }) ||
      any(mechanism.loads, [&](const AppliedLoad& load) { return load.input == input; }) ||
      any(mechanism.coordinate_forces,
          [&](const CoordinateForce& force) { return force.applied == input; }) ||
      any(vehicle.brakes, [&](const Brake& brake) { return brake.input == input; }) ||
      any(vehicle.hub_torques, [&](const HubTorque& torque) { return torque.input == input; }) ||
      any(vehicle.equations,
          [&](const Equation& equation) { return uses(equation.formula) || uses(equation.off); }))
    return true;
  for (std::size_t k = 0; k < mechanism.inputs.size(); ++k)
    if (mechanism.inputs[k].of == input && mechanism.inputs[k].factor != 0.0 &&
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
