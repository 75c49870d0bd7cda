#include "vehicles/drive.hpp"

#include <optional>
#include <sstream>
#include <utility>

#include "integrator/compile.hpp"
#include "integrator/evaluate.hpp"
#include "integrator/event_watcher.hpp"
#include "integrator/initial_conditions.hpp"
#include "integrator/travel.hpp"
#include "topology/indices.hpp"
#include "vehicles/driveline/driveline_force.hpp"
#include "vehicles/driveline/hub_forces.hpp"
#include "vehicles/input_unit.hpp"
#include "vehicles/road/profile_surface.hpp"
#include "vehicles/speed_control.hpp"
#include "vehicles/start_faults.hpp"
#include "vehicles/tyre/road_tyre.hpp"
#include "vehicles/tyre/rolling_tyre.hpp"
#include "vehicles/wheel_spin.hpp"

namespace semirec {

namespace {

/// The free joint that carries the chassis; -1 without one.
JointIndex chassis_joint(const Vehicle& vehicle) {
  for (std::size_t j = 0; j < vehicle.mechanism.joints.size(); ++j) {
    const Joint& joint = vehicle.mechanism.joints[j];
    if (joint.type == JointType::free && vehicle.chassis != kGround &&
        (joint.b.body == vehicle.chassis || joint.a.body == vehicle.chassis))
      return static_cast<JointIndex>(j);
  }
  return -1;
}

InputIndex add_input(Mechanism& mechanism, const std::string& name, const Curve& curve,
                     const Source& source) {
  mechanism.inputs.push_back({name, curve, source});
  return static_cast<InputIndex>(mechanism.inputs.size()) - 1;
}

void replace_inputs(Mechanism& mechanism, const Scenario& scenario) {
  for (const Input& input : scenario.inputs) {
    bool found = false;
    for (Input& own : mechanism.inputs) {
      if (own.name != input.name) continue;
      own.curve = input.curve;
      own.of = kNoInput;
      found = true;
    }
    if (!found)
      throw ModelError(input.source, input.name,
                       "the vehicle has no input of this name, expected one that it declares");
  }
}

/// The scenario's surface, or the profile of the side on which the wheel was designed.
std::shared_ptr<const RoadSurface> surface_under(const Mechanism& mechanism, const Wheel& wheel,
                                                 const Scenario& scenario) {
  if (scenario.surface) return scenario.surface;
  const Frame design = mechanism.bodies[at(wheel.centre.body)].X_WB * wheel.centre.X_BF;
  const Curve& profile = design.p.y() >= 0.0 ? scenario.road.left : scenario.road.right;
  return std::make_shared<ProfileSurface>(profile, profile);
}

/// Events with their closures looked up.
std::vector<Event> find_events(const Model& model, const Scenario& scenario) {
  std::vector<Event> events;
  for (const ScenarioEvent& written : scenario.events) {
    Event event{written.name,  written.source, written.time,    written.channel,
                written.level, written.rising, written.repeats, {}};
    for (const ScenarioEvent::Action& action : written.actions) {
      const auto fail = [&](const std::string& message) {
        throw ModelError(action.source, written.name, message);
      };
      const int index = find_switch(model, action.closure);
      if (index < 0)
        fail("names '" + action.closure +
             "', which cannot be switched, expected a joint or constraint of the vehicle with "
             "attached=\"yes\" or \"no\"");
      for (const Constraint& constraint : model.mechanism.constraints)
        if (constraint.name == action.closure && action.at_current)
          fail("attaches '" + action.closure +
               "' at=\"current\", expected that on joints only: a rod or guide has its place");
      event.actions.push_back({index, action.attach, action.at_current});
    }
    events.push_back(event);
  }
  // throws where a condition watches what does not exist
  const EventWatcher watcher(model, events);
  return events;
}

void add_drive_parts(const Vehicle& vehicle, std::vector<std::unique_ptr<ForceElement>>& extra) {
  for (const Driveline& driveline : vehicle.drivelines)
    extra.push_back(std::make_unique<DrivelineForce>(driveline, vehicle.wheels));
  for (const Brake& brake : vehicle.brakes)
    extra.push_back(std::make_unique<BrakeForce>(brake, vehicle.wheels));
  for (const HubTorque& torque : vehicle.hub_torques)
    extra.push_back(std::make_unique<HubTorqueForce>(torque, vehicle.wheels));
  for (const Aero& aero : vehicle.aeros) extra.push_back(std::make_unique<AeroForce>(aero));
  for (const Sensor& sensor : vehicle.sensors)
    extra.push_back(std::make_unique<SensorReport>(sensor));
}

}  // namespace

Drive make_drive(const Vehicle& vehicle, const Scenario& scenario,
                 const CompileSettings& settings) {
  Mechanism mechanism = vehicle.mechanism;
  replace_inputs(mechanism, scenario);

  std::vector<std::unique_ptr<ForceElement>> extra;
  std::vector<RollingTyre*> rolling;
  std::vector<char> used(scenario.excitations.size(), 0);
  for (const Wheel& wheel : vehicle.wheels) {
    InputIndex motion = kNoInput;
    for (std::size_t k = 0; k < scenario.excitations.size(); ++k) {
      const Excitation& excitation = scenario.excitations[k];
      if (excitation.wheel != wheel.name) continue;
      motion =
          add_input(mechanism, "excitation_" + wheel.name, excitation.curve, excitation.source);
      used[k] = 1;
    }
    if (wheel.law && wheel.rim != kGround) {
      auto tyre = std::make_unique<RollingTyre>(wheel, surface_under(mechanism, wheel, scenario),
                                                scenario.contact_method, motion);
      rolling.push_back(tyre.get());
      extra.push_back(std::move(tyre));
    } else {
      extra.push_back(std::make_unique<RoadTyre>(wheel, scenario, motion));
    }
  }
  RollingTyre::make_rows(rolling);
  for (std::size_t k = 0; k < used.size(); ++k)
    if (used[k] == 0)
      throw ModelError(scenario.excitations[k].source, scenario.excitations[k].wheel,
                       "the vehicle has no wheel of this name, expected one that it declares");

  add_drive_parts(vehicle, extra);

  const JointIndex carrier = chassis_joint(vehicle);
  const bool needs_chassis = scenario.speed != 0.0 || scenario.speed_mode != SpeedMode::coast;
  if (needs_chassis && carrier < 0)
    throw ModelError(
        scenario.source, scenario.name,
        "asks for a speed, expected a vehicle whose chassis=\"yes\" body has a free joint");
  if (scenario.speed_mode == SpeedMode::hold) {
    const Joint& joint = mechanism.joints[at(carrier)];
    const double x0 = joint.position.empty() ? 0.0 : joint.position[0];
    Curve way;
    way.add_piece(-1e300, 0.0, {x0, scenario.speed});
    const InputIndex input = add_input(mechanism, "speed_hold_x", way, scenario.source);
    mechanism.drivers.push_back({"speed_hold", carrier, 0, input, scenario.source});
  } else if (scenario.speed_mode == SpeedMode::control) {
    double gain = scenario.speed_gain;
    if (gain <= 0.0)
      for (const Body& body : mechanism.bodies) gain += 2.0 * body.mass;  // time constant 0.5 s
    extra.push_back(std::make_unique<SpeedControl>(vehicle.chassis, scenario.speed, gain));
  }

  Drive drive;
  drive.model = compile(mechanism, std::move(extra), settings);
  drive.chassis = vehicle.chassis;
  drive.speed = scenario.speed;
  drive.start = scenario.start;
  drive.wheels = vehicle.wheels;
  drive.drivelines = vehicle.drivelines;
  drive.brakes = vehicle.brakes;
  drive.hub_torques = vehicle.hub_torques;
  drive.aeros = vehicle.aeros;
  drive.sensors = vehicle.sensors;
  drive.recorder.main_body = vehicle.chassis;
  drive.recorder.markers = scenario.markers;
  drive.recorder.reactions = scenario.reactions;
  drive.recorder.efforts = scenario.efforts;
  drive.recorder.bodies = scenario.bodies;
  for (std::size_t k = 0; k < drive.model.mechanism.inputs.size(); ++k)
    drive.recorder.input_units.push_back(find_input_unit(drive, static_cast<int>(k)));
  drive.recorder.source = scenario.source;
  drive.settings.step.h = scenario.step;
  drive.settings.step.iterations = scenario.iterations;
  if (scenario.tolerance > 0.0) {
    drive.settings.step.tolerance = scenario.tolerance;
    drive.settings.step.order_tolerance = 0.0;
  }
  drive.settings.until = scenario.until;
  drive.settings.record = scenario.record;
  drive.settings.events = find_events(drive.model, scenario);
  return drive;
}

namespace {

/// Coordinates in which wheels turn about their axles.
std::vector<int> spins(const Drive& drive, const Model& model, const State& state, Workspace& ws) {
  evaluate_state(model, state, ws);
  std::vector<int> coordinates;
  for (const WheelSpin& spin : find_wheel_spins(model, drive.wheels, ws))
    coordinates.push_back(spin.z);
  return coordinates;
}

/// Coordinates of the chassis' place and heading in the plane. Where its accelerations are left
/// open no balance gives them; on a level road they do not enter it either, on a slope they do.
std::vector<int> place_coordinates(const Model& model, BodyIndex chassis) {
  const TreeBody& body = model.tree.bodies[at(model.tree.tree.tree_index(chassis))];
  std::vector<int> held;
  if (!body.floats) return held;
  for (int k = 0; k < 3; ++k) {
    const bool upright = std::abs(body.X_PJ.A(2, k)) > 0.5;
    held.push_back(body.z + k + (upright ? 3 : 0));
  }
  return held;
}

/// Balance but for the accelerations of the whole, from `state` on; resting: at its place and
/// heading, and without the torques of a driveline.
EquilibriumReport find_balance(const Drive& drive, const Model& model, bool resting, State& state,
                               Workspace& ws) {
  SteadyMotion held;
  held.zd = Eigen::VectorXd::Zero(model.n());
  held.resting = resting;
  if (resting) held.held = place_coordinates(model, drive.chassis);
  evaluate_state(model, state, ws);
  held.accelerations =
      plane_directions(model, ws.tree.p[at(model.tree.tree.tree_index(drive.chassis))], ws);
  return find_steady_motion(model, held, state, ws);
}

/// A line where a car that starts straight on turns off at once; empty where it does not. `share`:
/// of plane_directions(), m/s^2 and rad/s^2.
std::string find_turning(const Eigen::VectorXd& share) {
  constexpr double kAcross = 0.1;  // m/s^2, rad/s^2
  if (share.tail<2>().cwiseAbs().maxCoeff() < kAcross) return {};
  std::ostringstream text;
  text << "the car does not run straight on at the start: with its inputs it accelerates across by "
       << share[1] << " m/s^2 and turns faster by " << share[2]
       << " rad/s^2; it is not alike on both sides, or steered, and settles on its way";
  return text.str();
}

}  // namespace

State start_drive(const Drive& drive, Workspace& ws, EquilibriumReport* equilibrium) {
  StartReport report;
  State state = start_drive(drive, ws, report);
  if (equilibrium != nullptr) *equilibrium = report.equilibrium;
  return state;
}

State start_drive(const Drive& drive, Workspace& ws, StartReport& said) {
  said = {};
  // the start is found in relative coordinates, whatever the formulation
  const Model& model = relative_model(drive.model);
  std::optional<Workspace> own;
  Workspace& start_ws = drive.model.relative ? own.emplace(model) : ws;
  State state = make_initial_state(model);
  if (drive.start == StartMode::equilibrium) {
    const Eigen::VectorXd zd = state.zd;
    const State design = state;
    EquilibriumReport report = find_equilibrium(model, drive.settings.step, state, start_ws);
    if (!report.found && drive.chassis != kGround && !drive.wheels.empty()) {
      // wheels that roll hold nothing on a slope: in balance but for the way of the whole
      const State ended = state;
      state = design;
      EquilibriumReport balance = find_balance(drive, model, /*resting=*/false, state, start_ws);
      if (!balance.found) {
        state = ended;
        balance = find_balance(drive, model, /*resting=*/true, state, start_ws);
      }
      if (balance.found) {
        report = balance;
        said.notes.emplace_back(
            "the vehicle cannot rest where it starts, on a slope of the road; the start is in "
            "balance but for its acceleration along the road, which brakes and tyres have to stop");
      }
    }
    said.equilibrium = report;
    if (!report.found) {
      std::ostringstream text;
      text << "no static equilibrium was found: forces stay unbalanced by " << report.residual
           << " N, closures open by " << report.Phi
           << " m, expected a vehicle that can rest on the road at the start";
      throw ModelError("vehicle '" + model.mechanism.name + "': " + text.str());
    }
    if (!drive.wheels.empty())
      for (std::string& fault :
           find_start_faults(model, design, state, spins(drive, model, state, start_ws), start_ws))
        said.notes.push_back(std::move(fault));
    state.zd = zd;
  }
  if (drive.speed != 0.0) {
    // parts on bushings float beside the chassis
    for (const TreeBody& body : model.tree.bodies) {
      if (!body.floats) continue;
      const Eigen::Vector3d forward = body.X_PJ.A.transpose() * Eigen::Vector3d::UnitX();
      state.zd.segment<3>(body.z) += drive.speed * forward;
    }
    evaluate_state(model, state, start_ws);
    SteadyMotion motion;
    for (const WheelSpin& spin : find_wheel_spins(model, drive.wheels, start_ws)) {
      state.zd[spin.z] = drive.speed * spin.rolling;
      if (drive.wheels[spin.wheel].law) motion.rates.push_back(spin.z);
    }
    if (drive.start == StartMode::equilibrium && !motion.rates.empty()) {
      motion.zd = state.zd;
      const Eigen::Vector3d& centre =
          start_ws.tree.p[at(model.tree.tree.tree_index(drive.chassis))];
      motion.accelerations = plane_directions(model, centre, start_ws);
      said.rolls = true;
      said.motion = find_steady_motion(model, motion, state, start_ws);
      if (!said.motion.found) {
        std::ostringstream text;
        text << "no steady motion at " << drive.speed
             << " m/s was found: forces stay unbalanced by " << said.motion.residual
             << " N; the run starts from the equilibrium at rest with wheels that roll without "
                "slip, and settles on its way";
        said.notes.push_back(text.str());
      } else if (const std::string line = find_turning(said.motion.share); !line.empty()) {
        said.notes.push_back(line);
      }
    }
  }
  initialize(drive.model, drive.settings.step, state, ws);
  return state;
}

}  // namespace semirec
