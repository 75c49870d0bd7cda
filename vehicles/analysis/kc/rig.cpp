#include "vehicles/analysis/kc/rig.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include <Eigen/Geometry>

#include "integrator/compile.hpp"
#include "integrator/formulation/evaluate.hpp"
#include "topology/indices.hpp"
#include "vehicles/analysis/answer.hpp"
#include "vehicles/analysis/kc/equations_on_rig.hpp"
#include "vehicles/analysis/kc/pad_force.hpp"
#include "vehicles/analysis/moving_states.hpp"
#include "vehicles/equations/equation_states.hpp"
#include "vehicles/tyre/tyre_law.hpp"

namespace semirec {

namespace {

Frame pose_of(const Mechanism& mechanism, BodyIndex body) {
  return body == kGround ? Frame{} : mechanism.bodies[at(body)].X_WB;
}

Frame design_frame(const Mechanism& mechanism, const Marker& marker) {
  return pose_of(mechanism, marker.body) * marker.X_BF;
}

/// What moves or loads a joint by itself goes.
void release(Mechanism& mechanism, JointIndex joint) {
  std::erase_if(mechanism.motions,
                [&](const PrescribedMotion& motion) { return motion.joint == joint; });
  std::erase_if(mechanism.coordinate_forces,
                [&](const CoordinateForce& force) { return force.joint == joint; });
  Joint& released = mechanism.joints[at(joint)];
  released.position.clear();
  released.velocity.clear();
  released.held = false;
  released.attached.reset();
}

InputIndex add_input(Mechanism& mechanism, const std::string& name) {
  mechanism.inputs.push_back({name, Curve::constant(0.0), {}, kNoInput, 1.0});
  return static_cast<InputIndex>(mechanism.inputs.size()) - 1;
}

/// In the place of what joins chassis and ground comes a hinge about x that is driven.
InputIndex hold_chassis(Mechanism& mechanism, BodyIndex chassis) {
  JointIndex found = -1;
  for (std::size_t j = 0; j < mechanism.joints.size() && found < 0; ++j) {
    const Joint& joint = mechanism.joints[j];
    if (std::minmax(joint.a.body, joint.b.body) == std::minmax(int{kGround}, chassis))
      found = static_cast<JointIndex>(j);
  }
  if (found < 0) {
    found = static_cast<JointIndex>(mechanism.joints.size());
    mechanism.joints.push_back({});
    mechanism.joints.back().name = "kc_chassis";
  }
  release(mechanism, found);
  Joint& joint = mechanism.joints[at(found)];
  const Frame hinge = make_frame(Eigen::Vector3d::Zero(), Eigen::Vector3d::UnitX());
  joint.type = JointType::revolute;
  joint.a = {kGround, hinge, {}, {}};
  joint.b = {chassis, inverse(pose_of(mechanism, chassis)) * hinge, {}, {}};
  joint.placement = Placement::tree;
  const InputIndex input = add_input(mechanism, "kc_roll");
  mechanism.motions.push_back({"kc_roll_driver", found, 0, input, {}});
  return input;
}

std::vector<MeasuredLength> find_lengths(const Model& model) {
  std::vector<MeasuredLength> lengths;
  for (std::size_t k = 0; k < model.forces.size(); ++k) {
    const std::vector<Channel> channels = model.forces[k]->channels();
    if (channels.empty()) continue;
    const std::string& name = model.forces[k]->name();
    const bool turns = channels[0].name == name + ".angle";
    if (turns || channels[0].name == name + ".length") lengths.push_back({name, turns, k});
  }
  return lengths;
}

std::vector<std::string> names_of_channels(const Model& model) {
  std::vector<std::string> names;
  for (const auto& force : model.forces)
    for (const Channel& channel : force->channels()) names.push_back(channel.name);
  return names;
}

Eigen::VectorXd states_at_start(const Model& model, const Equations& equations) {
  Eigen::VectorXd states = Eigen::VectorXd::Zero(model.tree.states);
  for_each_equation_state(model, [&](int k, const std::string& name) {
    for (const Equation& equation : equations)
      if (equation.name == name) states[k] = equation.initial;
  });
  return states;
}

/// Deflection of a tyre at rest under a load, at most half its radius, and its slope there.
struct Pressed {
  double deflection = 0.0, stiffness = 0.0;
};

Pressed press(const Wheel& wheel, double load) {
  if (load <= 0.0) return {};
  const double most = 0.5 * wheel.radius;
  if (!wheel.law || wheel.rim == kGround) {
    if (wheel.stiffness <= 0.0) return {};
    return {std::min(load / wheel.stiffness, most), wheel.stiffness};
  }
  // a load curve may have corners: halving of an interval
  double low = 0.0;
  double high = most;
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (low + high);
    (wheel.law->load(middle, 0.0, 0.0).load < load ? low : high) = middle;
  }
  return {low, wheel.law->load(low, 0.0, 0.0).stiffness};
}

}  // namespace

void lock_rim(Mechanism& mechanism, const Wheel& wheel) {
  const BodyIndex spins = wheel.rim != kGround ? wheel.rim : wheel.centre.body;
  const Frame centre = design_frame(mechanism, wheel.centre);
  const Eigen::Vector3d axle = centre.A.col(1);
  for (std::size_t j = 0; j < mechanism.joints.size(); ++j) {
    Joint& joint = mechanism.joints[j];
    if (joint.type != JointType::revolute) continue;
    if (joint.a.body != spins && joint.b.body != spins) continue;
    const Frame hinge = design_frame(mechanism, joint.a.body == spins ? joint.a : joint.b);
    const Eigen::Vector3d off = hinge.p - centre.p;
    const bool on_axle =
        std::abs(hinge.A.col(2).dot(axle)) > 0.999 && (off - off.dot(axle) * axle).norm() < 1e-3;
    if (!on_axle) continue;
    release(mechanism, static_cast<JointIndex>(j));
    joint.type = JointType::fixed;
  }
}

RigCommand make_command(const Rig& rig) {
  RigCommand command;
  command.height = Eigen::VectorXd::Zero(rig.wheels());
  command.contact.assign(at(rig.wheels()), Vector6::Zero());
  command.centre = command.contact;
  return command;
}

RigCommand moved(const RigCommand& command, double share, const RigCommand& rate) {
  RigCommand sum = command;
  sum.roll += share * rate.roll;
  sum.steering += share * rate.steering;
  sum.height += share * rate.height;
  for (std::size_t w = 0; w < sum.contact.size(); ++w) {
    sum.contact[w] += share * rate.contact[w];
    sum.centre[w] += share * rate.centre[w];
  }
  return sum;
}

namespace {

/// In the design position a carrier may be turned so far from how it is drawn, rad: what bushings
/// give way under their loads, and room; more where the wheels stand higher than drawn.
constexpr double kMostTurned = 0.1;
constexpr double kShortArm = 0.3;  // m

/// A line for each wheel whose carrier has turned further: a freedom of the suspension that nothing
/// holds, or a suspension that has folded over.
void note_turned_wheels(const Vehicle& vehicle, Rig& rig, Workspace& ws) {
  evaluate_state(rig.model, rig.design.state, ws);
  for (std::size_t w = 0; w < vehicle.wheels.size(); ++w) {
    const Attachment& centre = rig.centres[w];
    const Eigen::Matrix3d now = ws.tree.A_WC[at(centre.body)] * centre.X_CF.A;
    const Eigen::Matrix3d drawn = design_frame(vehicle.mechanism, vehicle.wheels[w].centre).A;
    const double angle = Eigen::AngleAxisd(drawn.transpose() * now).angle();
    const double most =
        kMostTurned + (rig.travel.empty() ? 0.0 : std::abs(rig.travel[w])) / kShortArm;
    if (!(angle > most)) continue;
    std::ostringstream text;
    text << "in the design position the carrier of wheel '" << vehicle.wheels[w].name
         << "' is turned by " << angle << " rad from how it is drawn, expected at most " << most
         << ": nothing holds it there, or its suspension has folded over";
    rig.notes.push_back(text.str());
  }
}

}  // namespace

Rig make_rig(const Vehicle& vehicle, const std::vector<double>& travel,
             const std::vector<double>& radius) {
  Rig rig;
  rig.axles = find_axles(vehicle);
  rig.radius = radius;
  rig.tyre_stiffness.assign(radius.size(), 0.0);
  Mechanism mechanism = vehicle.mechanism;
  if (vehicle.chassis != kGround) rig.roll = hold_chassis(mechanism, vehicle.chassis);
  for (const Wheel& wheel : vehicle.wheels) lock_rim(mechanism, wheel);
  for (std::size_t k = 0; k < mechanism.inputs.size(); ++k)
    if (!vehicle.controls.steering.empty() && mechanism.inputs[k].name == vehicle.controls.steering)
      rig.steering = static_cast<InputIndex>(k);
  rig.steering_ratio = vehicle.controls.steering_ratio;
  rig.first_load = static_cast<InputIndex>(mechanism.inputs.size());
  for (std::size_t w = 0; w < vehicle.wheels.size(); ++w)
    for (int k = 0; k < PadForce::kInputs; ++k)
      add_input(mechanism, "kc_load_" + std::to_string(w) + "_" + std::to_string(k));
  const auto make_elements = [&] {
    std::vector<std::unique_ptr<ForceElement>> elements;
    for (std::size_t w = 0; w < vehicle.wheels.size(); ++w)
      elements.push_back(std::make_unique<PadForce>(
          "kc_pad_" + std::to_string(w), vehicle.wheels[w].centre, radius[w],
          rig.first_load + static_cast<InputIndex>(w) * PadForce::kInputs));
    for (const Sensor& sensor : vehicle.sensors)
      elements.push_back(std::make_unique<SensorReport>(sensor));
    return elements;
  };
  rig.model = compile(mechanism, make_elements());
  if (!vehicle.equations.empty()) {
    EquationsOnRig equations = choose_equations(vehicle, mechanism, names_of_channels(rig.model));
    if (!equations.left_out.empty()) rig.notes.push_back(std::move(equations.left_out));
    if (!equations.kept.empty()) {
      std::vector<std::unique_ptr<ForceElement>> elements = make_elements();
      elements.push_back(std::make_unique<EquationForce>(std::move(equations.kept), vehicle.chassis,
                                                         vehicle.sensors));
      rig.model = compile(mechanism, std::move(elements));
    }
  }
  rig.states = states_at_start(rig.model, vehicle.equations);
  for (const Wheel& wheel : vehicle.wheels)
    rig.centres.push_back(rig.model.tree.attach(wheel.centre));
  rig.lengths = find_lengths(rig.model);

  rig.travel = travel;
  find_design_position(rig);
  Workspace ws(rig.model);
  note_turned_wheels(vehicle, rig, ws);
  if (std::string line = describe_moving_states(
          rig.model, rig.design.state, ws,
          "states that do not come to rest on the rig keep their values of the start: ");
      !line.empty())
    rig.notes.push_back(std::move(line));
  for (std::size_t w = 0; w < radius.size(); ++w)
    rig.tyre_stiffness[w] = press(vehicle.wheels[w], rig.design_load[w]).stiffness;
  return rig;
}

Rig make_rig(const Vehicle& vehicle, const std::vector<double>& travel) {
  find_axles(vehicle);
  std::vector<double> radius;
  for (const Wheel& wheel : vehicle.wheels) radius.push_back(wheel.radius);
  Rig rig = make_rig(vehicle, travel, radius);
  // the load depends on the radius by the lever of camber alone
  for (int pass = 0; pass < 5; ++pass) {
    double change = 0.0;
    for (std::size_t w = 0; w < radius.size(); ++w) {
      const double loaded =
          vehicle.wheels[w].radius - press(vehicle.wheels[w], rig.design_load[w]).deflection;
      change = std::max(change, std::abs(loaded - radius[w]));
      radius[w] = loaded;
    }
    if (change < 1e-10) break;
    rig = make_rig(vehicle, travel, radius);
  }
  return rig;
}

}  // namespace semirec
