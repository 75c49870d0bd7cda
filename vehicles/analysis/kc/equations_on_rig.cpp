#include "vehicles/analysis/kc/equations_on_rig.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "vehicles/equations/motion.hpp"

namespace semirec {

namespace {

/// Whether an element of the rig takes the input.
bool acts(const Mechanism& mechanism, InputIndex input) {
  const auto any = [](const auto& elements, const auto& takes) {
    return std::any_of(elements.begin(), elements.end(), takes);
  };
  return any(mechanism.springs,
             [&](const SpringDamper& spring) {
               return spring.applied == input || spring.spring_factor == input ||
                      spring.damper_factor == input;
             }) ||
         any(mechanism.loads, [&](const AppliedLoad& load) { return load.input == input; }) ||
         any(mechanism.coordinate_forces,
             [&](const CoordinateForce& force) { return force.applied == input; });
}

}  // namespace

EquationsOnRig choose_equations(const Vehicle& vehicle, const Mechanism& mechanism,
                                const std::vector<std::string>& channels) {
  std::set<std::string> known(channels.begin(), channels.end());
  known.insert("time");
  for (const std::string& name : motion_names({mechanism, vehicle.chassis, vehicle.sensors}))
    known.insert(name);
  for (const Input& input : mechanism.inputs)
    if (!input.computed) known.insert(input.name);
  for (const Equation& equation : vehicle.equations) known.insert(equation.name);

  // an equation that goes takes those along that read it
  std::map<std::string, std::string> missing;
  for (bool more = true; more;) {
    more = false;
    for (const Equation& equation : vehicle.equations) {
      if (missing.count(equation.name) > 0) continue;
      for (const Formula* formula : {&equation.formula, &equation.off})
        for (const std::string& name : formula->code.names) {
          if (known.count(name) > 0 || missing.count(equation.name) > 0) continue;
          const auto from = missing.find(name);
          missing[equation.name] = from != missing.end() ? from->second : name;
          more = true;
        }
      if (missing.count(equation.name) > 0) known.erase(equation.name);
    }
  }

  EquationsOnRig chosen;
  for (const Equation& equation : vehicle.equations) {
    const auto lost = missing.find(equation.name);
    if (lost == missing.end()) {
      chosen.kept.push_back(equation);
      if (equation.kind != Equation::Kind::logic) chosen.kept.back().starts_given = false;
    } else if (acts(mechanism, equation.input)) {
      chosen.left_out += (chosen.left_out.empty() ? "'" : ", '") + equation.name + "' (reads '" +
                         lost->second + "')";
    }
  }
  if (!chosen.left_out.empty())
    chosen.left_out =
        "equations are left out, what they drive gives nothing, since the rig has not what they "
        "read: " +
        chosen.left_out;
  return chosen;
}

}  // namespace semirec
