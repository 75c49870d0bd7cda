#include "apps/fmi/variables.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "apps/fmi/variable_name.hpp"
#include "integrator/outputs/recorder.hpp"
#include "recursive/forces/input_range.hpp"
#include "vehicles/session/input_unit.hpp"

namespace semirec::fmi {

namespace {

using Words = std::pair<std::string_view, std::string_view>;
constexpr double kGravity = 9.81;  // m/s^2, for sizes
constexpr std::array kEndings{
    Words{"x", "position along x, world axes"},
    Words{"y", "position along y, world axes"},
    Words{"z", "position along z, world axes"},
    Words{"vx", "velocity along x, world axes"},
    Words{"vy", "velocity along y, world axes"},
    Words{"vz", "velocity along z, world axes"},
    Words{"ax", "acceleration along x, world axes"},
    Words{"ay", "acceleration along y, world axes"},
    Words{"az", "acceleration along z, world axes"},
    Words{"roll", "roll angle, positive with the right side down"},
    Words{"pitch", "pitch angle, positive with the nose down"},
    Words{"yaw", "yaw angle, positive to the left"},
    Words{"yaw_rate", "yaw rate, positive to the left"},
    Words{"sideslip", "angle from the heading to the velocity, positive to the left"},
    Words{"curvature", "curvature of the path, positive to the left"},
    Words{"articulation", "heading of the unit in front less its own, positive to the left"},
    Words{"wx", "angular velocity about x, axes of the body or sensor"},
    Words{"wy", "angular velocity about y, axes of the body or sensor"},
    Words{"wz", "angular velocity about z, axes of the body or sensor"},
    Words{"wdx", "angular acceleration about x, body axes"},
    Words{"wdy", "angular acceleration about y, body axes"},
    Words{"wdz", "angular acceleration about z, body axes"},
    Words{"Fx", "force of the road on the wheel along x, world axes"},
    Words{"Fy", "force of the road on the wheel along y, world axes"},
    Words{"Fz", "force of the road on the wheel along z, world axes"},
    Words{"Wx", "longitudinal force of the road on the tyre, wheel axes"},
    Words{"Wy", "lateral force of the road on the tyre, wheel axes"},
    Words{"Wz", "normal force of the road on the tyre, wheel axes"},
    Words{"Mx", "moment about x"},
    Words{"My", "moment about y"},
    Words{"Mz", "moment about z"},
    Words{"Rx", "reaction along x, world axes"},
    Words{"Ry", "reaction along y, world axes"},
    Words{"Rz", "reaction along z, world axes"},
    Words{"alpha", "slip angle, positive to the left"},
    Words{"gamma", "inclination against the road"},
    Words{"road", "height of the road under the wheel"},
    Words{"kappa", "longitudinal slip, positive driving"},
    Words{"omega", "spin of the wheel, positive rolling forward"},
    Words{"clamped", "0, or what of the tyre law was asked beyond its range"},
    Words{"length", "length"},
    Words{"angle", "angle of b against a"},
    Words{"force", "force, positive in tension or in the direction of its coordinate"},
    Words{"torque", "torque"},
    Words{"load", "size of the applied load"},
    Words{"rate", "rate of the joint's coordinate"},
    Words{"value", "value of the input"},
    Words{"effort", "force or torque that moves the input"},
    Words{"speed", "speed"},
    Words{"motor_speed", "speed of the motor"},
    Words{"motor_torque", "torque of the motor"},
    Words{"gear", "gear that is engaged"},
    Words{"output_speed", "speed of the gearbox's output"},
    Words{"coupling_torque", "torque through the coupling"},
    Words{"dx", "displacement of b along x of marker a"},
    Words{"dy", "displacement of b along y of marker a"},
    Words{"dz", "displacement of b along z of marker a"},
    Words{"fx", "force on b along x of marker a"},
    Words{"fy", "force on b along y of marker a"},
    Words{"fz", "force on b along z of marker a"},
    Words{"vx_body", "velocity along x, axes of the sensor"},
    Words{"vy_body", "velocity along y, axes of the sensor"},
    Words{"vz_body", "velocity along z, axes of the sensor"},
    Words{"ax_body", "acceleration along x, axes of the sensor"},
    Words{"ay_body", "acceleration along y, axes of the sensor"},
    Words{"az_body", "acceleration along z, axes of the sensor"},
    Words{"ax_felt", "acceleration less gravity along x, axes of the sensor"},
    Words{"ay_felt", "acceleration less gravity along y, axes of the sensor"},
    Words{"az_felt", "acceleration less gravity along z, axes of the sensor"},
    Words{"drag", "drag of the air"},
    Words{"side", "side force of the air"},
    Words{"lift_front", "lift of the air at the front axle"},
    Words{"lift_rear", "lift of the air at the rear axle"},
};

/// `chassis` and `vx` of `chassis.vx`; an index or a count of twins at the end is left out.
std::pair<std::string_view, std::string_view> split(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return {name, {}};
  std::string_view ending = name.substr(dot + 1);
  return {name.substr(0, dot), ending.substr(0, ending.find_first_of("[#"))};
}

// what is known of a car and its driver in the car's own horizontal axes
constexpr std::array kEndingsOfCar{
    Words{"vx", "velocity along the heading, horizontal"},
    Words{"vy", "velocity to the left of the heading, horizontal"},
    Words{"ax", "acceleration along the heading, horizontal"},
    Words{"ay", "acceleration to the left of the heading, horizontal"},
};
constexpr std::array kEndingsOfDriver{
    Words{"steering_wheel", "angle of the steering wheel, positive to the left"},
    Words{"steering_wheel_torque", "torque on the steering wheel, positive to the left"},
    Words{"force", "force along the chassis, positive forward"},
    Words{"gear", "gear that is chosen"},
};

/// Words of an ending; empty: none.
template <class Endings>
std::string_view words_of(const Endings& endings, std::string_view ending) {
  for (const auto& [end, words] : endings)
    if (end == ending) return words;
  return {};
}

/// How far the elements that read an input look: pedals and levers.
void find_range(const Model& model, InputIndex input, Variable& variable) {
  const std::optional<InputRange> range = find_input_range(model.forces, input);
  if (!range) return;
  variable.least = range->least;
  // the lever of an automatic goes no further than drive
  if (std::isfinite(range->most))
    variable.most = range->most;
  else if (std::isfinite(range->whole_to))
    variable.most = range->whole_to;
}

bool is_gear_lever(const Drive& drive, InputIndex input) {
  return std::any_of(drive.drivelines.begin(), drive.drivelines.end(),
                     [&](const Driveline& own) { return own.gearbox.selector == input; });
}

/// Whether a channel of a wheel, brake, hub torque or sensor is a motion: no input acts on it while
/// the state stays.
bool is_motion_of_part(const Drive& drive, const std::string& channel) {
  const auto [owner, ending] = split(channel);
  const auto is_one_of = [name = owner](const auto& parts) {
    return std::any_of(parts.begin(), parts.end(),
                       [&](const auto& part) { return part.name == name; });
  };
  if (ending == "x" || ending == "y" || ending == "z" || ending == "omega")
    return is_one_of(drive.wheels) || is_one_of(drive.sensors);
  if (ending == "speed") return is_one_of(drive.brakes) || is_one_of(drive.hub_torques);
  // velocities and rates, not accelerations
  return is_one_of(drive.sensors) && (ending.starts_with('v') || ending.starts_with('w'));
}

std::string describe_input(const Drive& drive, InputIndex input, const Variable& variable) {
  const std::string& name = drive.model.mechanism.inputs[at(input)].name;
  if (variable.unit.empty()) return "Input '" + name + "', which equations read or nothing does";
  if (is_gear_lever(drive, input)) {
    const std::string forward = variable.most > 1.0 ? "1 and above the gear" : "1 drive";
    return "Gear lever: " + std::string(variable.least < 0.0 ? "-1 reverse, " : "") +
           "0 neutral, " + forward;
  }
  return "Input '" + name + "' of the vehicle; it follows the curve of its file until it is set";
}

/// The size of a number of this unit in a car of this weight (N), as a power of ten: forces and
/// what is made of them a tenth of the weight, over a metre and a metre a second.
double nominal_of(const std::string& unit, double weight) {
  const bool of_forces = unit == "N" || unit == "N m" || unit == "J" || unit == "W";
  if (!of_forces || !(weight > 0.0)) return 1.0;
  return std::pow(10.0, std::round(std::log10(0.1 * weight)));
}

}  // namespace

std::string describe_channel(const Channel& channel) {
  const auto [owner, ending] = split(channel.name);
  for (const auto& [end, words] : kEndings) {
    if (ending != end) continue;
    // a joint's coordinate bears the name of a position
    if (ending == "z" && channel.name.back() == ']') return std::string(owner) + ": coordinate";
    if (ending == "z" && channel.unit == "rad") return std::string(owner) + ": coordinate";
    return std::string(owner) + ": " + std::string(words);
  }
  if (ending.empty()) return std::string(owner);
  // of a driveline, by the name of a wheel
  if (channel.unit == "N m") return std::string(owner) + ": torque on " + std::string(ending);
  return std::string(owner) + ": " + std::string(ending);
}

std::vector<std::string> describe_channels(const std::vector<Channel>& channels) {
  std::set<std::string, std::less<>> names;
  for (const Channel& channel : channels) names.insert(channel.name);
  std::vector<std::string> words;
  for (const Channel& channel : channels) {
    const auto [owner, ending] = split(channel.name);
    const auto has = [&, name = std::string(owner)](const char* other) {
      return names.contains(name + other);
    };
    std::string_view special;
    // of a car or a unit as manoeuvres read it; others of that name are called `<name>#2`
    if (has(".sideslip") || has(".articulation") || (!has(".z") && !has(".vz")))
      special = words_of(kEndingsOfCar, ending);
    if (owner == "driver" && has(".steering_wheel")) special = words_of(kEndingsOfDriver, ending);
    if (ending == "z" && !has(".x")) special = "coordinate";
    if (ending == "force" && has(".speed")) special = "force along the heading, positive forward";
    words.push_back(special.empty() ? describe_channel(channel)
                                    : std::string(owner) + ": " + std::string(special));
  }
  return words;
}

double difference_of(const Variable& input, double value) {
  // a range, or what laws of a car bend over: forces a kilonewton, displacements a centimetre
  constexpr double kForces = 1e3, kMotions = 1e-2;
  constexpr double kPart = 1e-4, kPartOfValue = 1e-7;
  double scale = 1.0;
  if (std::isfinite(input.least) && std::isfinite(input.most))
    scale = input.most - input.least;
  else if (input.unit == "N" || input.unit == "N m")
    scale = kForces;
  else if (input.unit == "m" || input.unit == "rad")
    scale = kMotions;
  return std::max(kPart * scale, kPartOfValue * std::abs(value));
}

std::vector<Variable> make_variables(const Session& session,
                                     const std::vector<Parameter>& parameters) {
  std::vector<Variable> variables;
  std::set<std::string> taken;
  // a parameter gives way to what terminals know by name
  std::set<std::string> kept{"time"};
  for (const Input& input : session.inputs()) kept.insert(structured_name(input.name));
  for (const Channel& channel : session.outputs()) kept.insert(structured_name(channel.name));
  const auto add = [&](Variable variable) {
    std::string name = variable.name;
    const auto is_free = [&] {
      return (variable.causality != Causality::parameter || !kept.contains(name)) &&
             taken.insert(name).second;
    };
    for (int k = 2; !is_free(); ++k) name = variable.name + '_' + std::to_string(k);
    variable.name = name;
    variables.push_back(std::move(variable));
  };

  Variable time;
  time.name = "time";
  time.description = "Simulation time";
  time.unit = "s";
  time.causality = Causality::independent;
  add(time);

  for (std::size_t k = 0; k < parameters.size(); ++k) {
    Variable variable;
    variable.name = parameters[k].name;
    variable.description = parameters[k].description;
    variable.unit = parameters[k].unit;
    variable.causality = Causality::parameter;
    variable.tunable = parameters[k].tunable;
    variable.index = k;
    variable.start = parameters[k].start;
    variable.least = parameters[k].least;
    variable.most = parameters[k].most;
    add(variable);
  }

  double weight = 0.0;
  for (const Body& body : session.drive().model.mechanism.bodies) weight += body.mass * kGravity;
  const std::vector<Input>& inputs = session.inputs();
  std::map<InputIndex, std::uint32_t> reference_of;
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    // what an equation computes is an output alone, and so is what follows another input: an
    // importer may write the start of every input, which would hold a rack against its wheel
    if (inputs[k].name.empty() || inputs[k].name == kHeldPlace || inputs[k].computed ||
        inputs[k].of != kNoInput)
      continue;
    Variable variable;
    variable.name = structured_name(inputs[k].name);
    variable.unit = find_input_unit(session, static_cast<int>(k));
    variable.causality = Causality::input;
    variable.index = k;
    variable.start = inputs[k].curve.value(0.0);
    variable.nominal = nominal_of(variable.unit, weight);
    find_range(session.drive().model, static_cast<InputIndex>(k), variable);
    variable.description = describe_input(session.drive(), static_cast<InputIndex>(k), variable);
    reference_of[static_cast<InputIndex>(k)] = static_cast<std::uint32_t>(variables.size());
    add(variable);
  }

  const Model& model = session.drive().model;
  const Recorder recorder(model, session.drive().recorder);
  const std::vector<Channel>& outputs = session.outputs();
  const std::vector<std::string> words = describe_channels(outputs);
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    if (outputs[k].name == "time") continue;
    Variable variable;
    variable.name = structured_name(outputs[k].name);
    variable.description = words[k];
    variable.unit = outputs[k].unit;
    variable.nominal = nominal_of(variable.unit, weight);
    variable.index = k;
    const ChannelSource source = recorder.source_of(model, k);
    if (source != ChannelSource::all || is_motion_of_part(session.drive(), outputs[k].name))
      variable.follows.emplace();
    if (source == ChannelSource::input) {
      // an input that nobody has set follows its curve over the time, which comes first
      variable.follows->push_back(0);
      InputIndex input = recorder.input_of(model, k);
      while (input != kNoInput && inputs[static_cast<std::size_t>(input)].of != kNoInput)
        input = inputs[static_cast<std::size_t>(input)].of;
      const auto known = reference_of.find(input);
      if (known != reference_of.end()) variable.follows->push_back(known->second);
    }
    add(variable);
  }
  return variables;
}

}  // namespace semirec::fmi
