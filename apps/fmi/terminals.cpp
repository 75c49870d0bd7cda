#include "apps/fmi/terminals.hpp"

#include <algorithm>
#include <initializer_list>
#include <set>

#include "apps/fmi/variable_name.hpp"
#include "apps/fmi/xml_text.hpp"
#include "vehicles/tyre/road_motion.hpp"

namespace semirec::fmi {

namespace {

/// Adds to terminals what the model description has.
class Finder {
 public:
  explicit Finder(const std::vector<Variable>& variables) {
    for (const Variable& variable : variables) known_.insert(variable.name);
  }

  /// The member of this channel or input, where there is such.
  void add(Terminal& terminal, const std::string& channel, const std::string& member) const {
    if (channel.empty()) return;
    const std::string name = structured_name(channel);
    if (known_.contains(name)) terminal.members.push_back({name, free_name(terminal, member)});
  }

  /// `owner`.x as x, and so on.
  void add_all(Terminal& terminal, const std::string& owner,
               std::initializer_list<const char*> endings) const {
    for (const char* ending : endings) add(terminal, owner + '.' + ending, ending);
  }

 private:
  /// Members of a terminal have names of their own: the second brake of a wheel is brake_torque_2.
  static std::string free_name(const Terminal& terminal, const std::string& member) {
    const auto is_taken = [&](const std::string& name) {
      return std::any_of(terminal.members.begin(), terminal.members.end(),
                         [&](const auto& other) { return other.name == name; });
    };
    std::string name = member;
    for (int k = 2; is_taken(name); ++k) name = member + '_' + std::to_string(k);
    return name;
  }

  std::set<std::string> known_;
};

Terminal hub_of(const Vehicle& vehicle, std::size_t wheel, const Finder& find) {
  const std::string& name = vehicle.wheels[wheel].name;
  Terminal hub{"hub", "Hub of " + name + ": torques on it and its speed", {}, {}};
  const auto is_of = [&](const auto& element) {
    return static_cast<std::size_t>(element.wheel) == wheel;
  };
  for (const HubTorque& torque : vehicle.hub_torques) {
    if (!is_of(torque)) continue;
    if (torque.input != kNoInput)
      find.add(hub, vehicle.mechanism.inputs[static_cast<std::size_t>(torque.input)].name,
               "torque");
    find.add(hub, torque.name + ".torque", "torque_at_work");
  }
  for (const Driveline& driveline : vehicle.drivelines)
    find.add(hub, driveline.name + '.' + name, "drive_torque");
  for (const Brake& brake : vehicle.brakes)
    if (is_of(brake)) find.add(hub, brake.name + ".torque", "brake_torque");
  find.add(hub, name + ".omega", "speed");
  return hub;
}

Terminal wheel_of(const Vehicle& vehicle, std::size_t wheel, const Finder& find) {
  const std::string& name = vehicle.wheels[wheel].name;
  Terminal whole{name, "Wheel " + name, {}, {}};
  whole.parts.push_back(hub_of(vehicle, wheel, find));
  Terminal contact{"contact", "Contact patch of " + name + ": forces, slips, road", {}, {}};
  find.add_all(contact, name,
               {"x", "y", "z", "road", "Fx", "Fy", "Fz", "Mx", "My", "Mz", "Wx", "Wy", "Wz",
                "alpha", "kappa", "gamma"});
  find.add(contact, "excitation_" + name, "road_motion");
  for (const RoadInput& input : kRoadInputs)
    find.add(contact, road_input_name(input.member, name), std::string("road_") + input.member);
  whole.parts.push_back(contact);
  return whole;
}

/// Drops terminals without members. True: something is left.
bool prune(Terminal& terminal) {
  std::erase_if(terminal.parts, [](Terminal& part) { return !prune(part); });
  return !terminal.members.empty() || !terminal.parts.empty();
}

void put(const Terminal& terminal, const std::string& indent, std::string& xml) {
  xml += indent + "<Terminal" + attribute("name", terminal.name) +
         attribute("matchingRule", "bus") + attribute("description", terminal.description) + ">\n";
  for (const Terminal::Member& member : terminal.members)
    xml += indent + "  <TerminalMemberVariable" + attribute("variableName", member.variable) +
           attribute("memberName", member.name) + attribute("variableKind", "signal") + "/>\n";
  for (const Terminal& part : terminal.parts) put(part, indent + "  ", xml);
  xml += indent + "</Terminal>\n";
}

}  // namespace

std::vector<Terminal> find_terminals(const Vehicle& vehicle,
                                     const std::vector<Variable>& variables) {
  const Finder find(variables);
  const Controls& controls = vehicle.controls;
  std::vector<Terminal> terminals;
  Terminal steering{"steering", "What the steering wheel gives", {}, {}};
  find.add(steering, controls.steering, "steering");
  terminals.push_back(steering);
  Terminal pedals{"pedals", "Pedals and gear lever", {}, {}};
  find.add(pedals, controls.throttle, "throttle");
  find.add(pedals, controls.brake, "brake");
  find.add(pedals, controls.gear, "gear");
  terminals.push_back(pedals);
  if (vehicle.chassis != kGround) {
    const std::string& name =
        vehicle.mechanism.bodies[static_cast<std::size_t>(vehicle.chassis)].name;
    Terminal chassis{"chassis", "Motion of " + name, {}, {}};
    find.add_all(chassis, name,
                 {"x", "y", "z", "roll", "pitch", "yaw", "vx", "vy", "vz", "wx", "wy", "wz", "ax",
                  "ay", "az"});
    terminals.push_back(chassis);
  }
  for (std::size_t k = 0; k < vehicle.wheels.size(); ++k)
    terminals.push_back(wheel_of(vehicle, k, find));
  std::erase_if(terminals, [](Terminal& terminal) { return !prune(terminal); });
  // names are unique among those beside one another: a wheel may be called `steering`
  std::set<std::string> taken;
  for (Terminal& terminal : terminals)
    while (!taken.insert(terminal.name).second) terminal.name += '_';
  return terminals;
}

std::string terminals_and_icons_xml(const std::vector<Terminal>& terminals, bool icon) {
  std::string xml =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiTerminalsAndIcons fmiVersion=\"3.0\">\n";
  if (icon) {
    const std::string place = " x1=\"-80\" y1=\"-60\" x2=\"80\" y2=\"60\"";
    xml += "  <GraphicalRepresentation>\n    <CoordinateSystem" + place +
           " suggestedScalingFactorTo_mm=\"0.2\"/>\n    <Icon" + place +
           "/>\n  </GraphicalRepresentation>\n";
  }
  if (!terminals.empty()) {
    xml += "  <Terminals>\n";
    for (const Terminal& terminal : terminals) put(terminal, "    ", xml);
    xml += "  </Terminals>\n";
  }
  return xml + "</fmiTerminalsAndIcons>\n";
}

}  // namespace semirec::fmi
