#include "vehicles/analysis/kc/equations_on_rig.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "topology/input_readings.hpp"
#include "vehicles/equations/motion.hpp"

namespace semirec {

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

  const std::vector<InputReading> readings = find_input_readings(mechanism);
  EquationsOnRig chosen;
  for (const Equation& equation : vehicle.equations) {
    const auto lost = missing.find(equation.name);
    if (lost == missing.end()) {
      chosen.kept.push_back(equation);
      if (equation.kind != Equation::Kind::logic) chosen.kept.back().starts_given = false;
    } else if (std::any_of(readings.begin(), readings.end(), [&](const InputReading& reading) {
                 return reading.input == equation.input;
               })) {
      chosen.left_out += (chosen.left_out.empty() ? "'" : ", '") + equation.name + "' (reads '" +
                         lost->second + "')";
    }
  }
  if (!chosen.left_out.empty())
    chosen.left_out =
        "equations are left out, what they drive stays at zero, since the rig has not what they "
        "read: " +
        chosen.left_out;
  return chosen;
}

}  // namespace semirec
