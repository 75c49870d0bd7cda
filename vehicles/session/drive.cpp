#include "vehicles/session/drive.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <sstream>
#include <utility>

#include "integrator/compile.hpp"
#include "integrator/event_watcher.hpp"
#include "integrator/formulation/evaluate.hpp"
#include "integrator/formulation/formulation_state.hpp"
#include "integrator/statics/initial_conditions.hpp"
#include "integrator/statics/travel.hpp"
#include "integrator/statics/written_values.hpp"
#include "topology/indices.hpp"
#include "topology/matches_pattern.hpp"
#include "topology/quoted_names.hpp"
#include "vehicles/driveline/driveline_force.hpp"
#include "vehicles/driveline/hub_forces.hpp"
#include "vehicles/equations/equation_force.hpp"
#include "vehicles/equations/equation_notes.hpp"
#include "vehicles/parts/speed_control.hpp"
#include "vehicles/road/profile_surface.hpp"
#include "vehicles/session/design_start.hpp"
#include "vehicles/session/immobility.hpp"
#include "vehicles/session/input_faults.hpp"
#include "vehicles/session/input_unit.hpp"
#include "vehicles/session/instability.hpp"
#include "vehicles/session/kept_states.hpp"
#include "vehicles/session/parked_car.hpp"
#include "vehicles/session/rolling_start.hpp"
#include "vehicles/session/shared_reactions.hpp"
#include "vehicles/session/standing_car.hpp"
#include "vehicles/session/standing_pose.hpp"
#include "vehicles/session/start_faults.hpp"
#include "vehicles/session/start_place.hpp"
#include "vehicles/session/wheel_spin.hpp"
#include "vehicles/tyre/road_tyre.hpp"
#include "vehicles/tyre/rolling_tyres.hpp"

namespace semirec {

Drive::Drive() = default;
Drive::Drive(const Drive&) = default;
Drive::Drive(Drive&&) noexcept = default;
Drive& Drive::operator=(const Drive&) = default;
Drive& Drive::operator=(Drive&&) noexcept = default;
Drive::~Drive() = default;

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

/// Of the overrides with which the vehicle was read those of an input that the scenario gives
/// itself.
void note_idle_overrides(const Vehicle& vehicle, const Scenario& scenario,
                         std::vector<std::string>& notes) {
  for (const Override& change : vehicle.overrides)
    for (const Input& input : scenario.inputs)
      if (change.attribute == "value" && matches_pattern(change.element, input.name))
        notes.push_back("'" + change.element + ".value=" + change.value +
                        "' does not reach the input '" + input.name +
                        "', which the scenario or the manoeuvre gives itself");
}

void replace_inputs(Mechanism& mechanism, const Scenario& scenario) {
  for (const Input& input : scenario.inputs) {
    bool found = false;
    for (Input& own : mechanism.inputs) {
      if (own.name != input.name) continue;
      if (own.computed)
        throw ModelError(input.source, input.name,
                         "is computed by the vehicle's own equation, expected an input over time");
      own.curve = input.curve;
      own.source = input.source;
      own.of = kNoInput;
      found = true;
    }
    if (!found)
      throw ModelError(input.source, input.name,
                       "the vehicle has no input of this name, expected one that it declares");
  }
}

/// A scenario's overrides act when the vehicle's file is read: what they ask for is too late here.
void check_overrides(const Vehicle& vehicle, const Scenario& scenario) {
  for (const Override& asked : scenario.overrides) {
    const bool applied =
        std::any_of(vehicle.overrides.begin(), vehicle.overrides.end(), [&](const Override& read) {
          return read.element == asked.element && read.attribute == asked.attribute &&
                 read.value == asked.value;
        });
    if (!applied)
      throw ModelError(asked.source, asked.element,
                       "is to get " + asked.attribute + "=\"" + asked.value +
                           "\" by the scenario '" + scenario.name +
                           "', but the vehicle was read without that, expected both from "
                           "read_drive(), or the vehicle read with the scenario's overrides");
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
    if (!written.changes.empty())
      throw ModelError(written.source, written.name,
                       "changes the vehicle while it is driven, expected <attach> or <release>: "
                       "only semirec drive carries <set> out");
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

/// Cosine of the tilt of a road that counts as level.
constexpr double kLevel = 1.0 - 1e-9;

/// Whether its tyre has slips, by which it answers the friction of the road.
bool rolls(const Wheel& wheel) { return wheel.law && wheel.rim != kGround; }

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
  if (!vehicle.equations.empty())
    extra.push_back(
        std::make_unique<EquationForce>(vehicle.equations, vehicle.chassis, vehicle.sensors));
}

/// Where a road may have obstacles a step goes no further than 5 cm at the start speed.
double find_longest_on_road(const Vehicle& vehicle, const Scenario& scenario) {
  constexpr double kWay = 0.05;        // m
  constexpr double kLeastSpeed = 5.0;  // m/s
  const Road& road = scenario.road;
  const bool is_plane = scenario.surface != nullptr
                            ? scenario.surface->plane() != nullptr
                            : road.left.is_constant() && road.right.is_constant();
  if (vehicle.wheels.empty() || is_plane) return std::numeric_limits<double>::infinity();
  return kWay / std::max(std::abs(scenario.speed), kLeastSpeed);
}

/// What is sampled or delayed changes at ends of steps alone: four in each interval, and in each
/// delay.
double find_longest_by_clocks(const Equations& equations) {
  constexpr double kPart = 0.25;
  double longest = std::numeric_limits<double>::infinity();
  for (const Equation& equation : equations) {
    if (equation.kind == Equation::Kind::hold) longest = std::min(longest, kPart / equation.rate);
    if (equation.kind == Equation::Kind::delay && equation.delay > 0.0)
      longest = std::min(longest, kPart * equation.delay);
  }
  return longest;
}

/// That of the scenario, or of road and equations; `why`: a line about the latter.
double find_longest_step(const Vehicle& vehicle, const Scenario& scenario,
                         std::vector<std::string>& why) {
  if (scenario.longest_step > 0.0) return scenario.longest_step;
  const double on_road = find_longest_on_road(vehicle, scenario);
  const double by_clocks = find_longest_by_clocks(vehicle.equations);
  const double longest = std::min(on_road, by_clocks);
  if (!std::isfinite(longest)) return longest;
  std::ostringstream text;
  text << "steps are no longer than " << longest << " s, "
       << (on_road <= by_clocks
               ? "so that none passes over an obstacle of the road"
               : "a quarter of the shortest interval or delay of what equations sample and "
                 "delay")
       << ": longest_step says otherwise";
  why.push_back(text.str());
  return longest;
}

/// Half shafts whose reaction goes to another unit than that of their wheels, a line each.
void add_foreign_reactions(const Vehicle& vehicle, const std::vector<Unit>& units,
                           std::vector<std::string>& notes) {
  const auto unit_of = [&](const auto& holds) {
    return std::find_if(units.begin(), units.end(), holds);
  };
  for (const Driveline& driveline : vehicle.drivelines)
    for (const DrivenAxle& axle : driveline.axles) {
      const auto wheels = unit_of([&](const Unit& unit) {
        return std::any_of(axle.wheels.begin(), axle.wheels.end(),
                           [&](int wheel) { return has_wheel(unit, wheel); });
      });
      const auto body = unit_of([&](const Unit& unit) {
        return std::find(unit.bodies.begin(), unit.bodies.end(), axle.body) != unit.bodies.end();
      });
      if (wheels == units.end() || body == units.end() || wheels == body) continue;
      notes.push_back("driveline '" + driveline.name + "': the half shafts of axle '" + axle.name +
                      "' turn wheels of '" + wheels->name + "' and push back on body '" +
                      vehicle.mechanism.bodies[at(axle.body)].name + "' of '" + body->name +
                      "', expected its 'body' in the unit of its wheels");
    }
}

/// What vehicle and scenario ask for and do not get together, a line each.
std::vector<std::string> find_unmet_wishes(const Vehicle& vehicle, const Scenario& scenario,
                                           const Mechanism& mechanism) {
  std::vector<std::string> notes;
  std::string blind;
  for (const Wheel& wheel : vehicle.wheels)
    if (!feels_friction(wheel)) add_quoted(blind, wheel.name);
  const auto is_slippery = [&](const RoadPlane& plane) {
    return plane.friction != 1.0 &&
           std::any_of(vehicle.wheels.begin(), vehicle.wheels.end(), [&](const Wheel& wheel) {
             return wheel.name == plane.wheel && !feels_friction(wheel);
           });
  };
  if ((!blind.empty() && scenario.surface && scenario.surface->scales_friction()) ||
      std::any_of(scenario.road_planes.begin(), scenario.road_planes.end(), is_slippery))
    notes.push_back("the friction of the road does not reach " + blind +
                    ": their tyre has no law of slips or one without friction, or their rim does "
                    "not turn, and takes heights and slopes alone");
  if (scenario.speed_mode == SpeedMode::hold)
    for (const Input& input : mechanism.inputs)
      if (input.name == vehicle.controls.steering &&
          !(input.curve.is_constant() && input.curve.value(0.0) == 0.0))
        notes.push_back("the speed is held along the world's x by a constraint while '" +
                        input.name +
                        "' turns the car, which is driven faster the further it turns: expected "
                        "mode=\"control\", a force along the heading");
  return notes;
}

/// Names of the schemes that estimate the local error of a step, for messages.
std::string find_estimated_schemes() {
  std::string names;
  for (const SchemeFamily* family : scheme_families())
    if (choose_scheme(family->name, {}).make(1e-3).error > 0.0)
      names += (names.empty() ? "" : ", ") + std::string(family->name);
  return names;
}

/// Adds the inputs that move the roads under wheels, wheel after wheel. Throws ModelError for one
/// of a wheel that there is not.
std::vector<RoadMotion> add_road_motions(const Vehicle& vehicle, const Scenario& scenario,
                                         Mechanism& mechanism) {
  const auto check = [&](const auto& moved) {
    for (const auto& own : moved)
      if (std::none_of(vehicle.wheels.begin(), vehicle.wheels.end(),
                       [&](const Wheel& wheel) { return wheel.name == own.wheel; }))
        throw ModelError(own.source, own.wheel,
                         "the vehicle has no wheel of this name, expected one that it declares");
  };
  check(scenario.excitations);
  check(scenario.road_planes);
  std::vector<RoadMotion> motions;
  for (const Wheel& wheel : vehicle.wheels) {
    RoadMotion& motion = motions.emplace_back();
    for (const Excitation& own : scenario.excitations)
      if (own.wheel == wheel.name)
        motion.lift = add_input(mechanism, "excitation_" + wheel.name, own.curve, own.source);
    for (const RoadPlane& own : scenario.road_planes) {
      if (own.wheel != wheel.name) continue;
      const auto add = [&](const char* member, double value) {
        return add_input(mechanism, road_input_name(member, wheel.name), Curve::constant(value),
                         own.source);
      };
      motion.lift = add("height", own.height);
      motion.x = add("x", own.x);
      motion.y = add("y", own.y);
      motion.slope_x = add("slope_x", own.slope_x);
      motion.slope_y = add("slope_y", own.slope_y);
      if (feels_friction(wheel)) motion.friction = add("friction", own.friction);
    }
  }
  return motions;
}

}  // namespace

Drive make_drive(const Vehicle& vehicle, const Scenario& scenario, const CompileSettings& settings,
                 std::vector<std::unique_ptr<ForceElement>> elements) {
  check_overrides(vehicle, scenario);
  Mechanism mechanism = vehicle.mechanism;
  const std::vector<RoadMotion> motions = add_road_motions(vehicle, scenario, mechanism);
  replace_inputs(mechanism, scenario);

  std::vector<std::unique_ptr<ForceElement>> extra;
  // neighbours among the wheels that spin are one element: channels stay in the order of the wheels
  std::vector<RollingTyre> rolling;
  const auto add_rolling = [&] {
    if (!rolling.empty()) extra.push_back(std::make_unique<RollingTyres>(std::move(rolling)));
    rolling.clear();
  };
  const RoadContact contact{scenario.contact, scenario.lateral, scenario.road, scenario.surface,
                            scenario.contact_method};
  for (std::size_t k = 0; k < vehicle.wheels.size(); ++k) {
    const Wheel& wheel = vehicle.wheels[k];
    const RoadMotion& motion = motions[k];
    if (rolls(wheel)) {
      rolling.emplace_back(wheel, surface_under(mechanism, wheel, scenario),
                           scenario.contact_method, motion);
    } else {
      add_rolling();
      extra.push_back(std::make_unique<RoadTyre>(wheel, contact, motion));
    }
  }
  add_rolling();

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
    mechanism.motions.push_back({"speed_hold", carrier, 0, input, scenario.source});
  } else if (scenario.speed_mode == SpeedMode::control) {
    double gain = scenario.speed_gain;
    if (gain <= 0.0)
      for (const Body& body : mechanism.bodies) gain += 2.0 * body.mass;  // time constant 0.5 s
    extra.push_back(std::make_unique<SpeedControl>(vehicle.chassis, scenario.speed, gain));
  }

  for (std::unique_ptr<ForceElement>& element : elements) extra.push_back(std::move(element));

  Drive drive;
  drive.model = compile(mechanism, std::move(extra), settings);
  drive.chassis = vehicle.chassis;
  drive.speed = scenario.speed;
  drive.start = scenario.start;
  drive.at_origin = scenario.at_origin;
  drive.held_along_x = scenario.speed_mode == SpeedMode::hold;
  drive.level_speed = scenario.speed_mode != SpeedMode::coast;
  drive.wheels = vehicle.wheels;
  drive.units = find_units(vehicle);
  drive.drivelines = vehicle.drivelines;
  drive.brakes = vehicle.brakes;
  drive.hub_torques = vehicle.hub_torques;
  drive.aeros = vehicle.aeros;
  drive.sensors = vehicle.sensors;
  drive.equations = vehicle.equations;
  drive.recorder.main_body = vehicle.chassis;
  drive.recorder.markers = scenario.markers;
  drive.recorder.reactions = scenario.reactions;
  drive.recorder.find_accelerations = find_accelerations;
  drive.recorder.efforts = scenario.efforts;
  drive.recorder.bodies = scenario.bodies;
  for (std::size_t k = 0; k < drive.model.mechanism.inputs.size(); ++k)
    drive.recorder.input_units.push_back(
        work_out_input_unit(drive, static_cast<int>(k), vehicle.controls.steering));
  drive.recorder.source = scenario.source;
  drive.settings.step.h = scenario.step;
  drive.settings.step.scheme = scenario.scheme;
  drive.settings.step.closing = scenario.closing;
  if (!scenario.projection) drive.settings.step.projections = 0;
  drive.settings.step.iterations = scenario.iterations;
  if (scenario.tolerance > 0.0) {
    drive.settings.step.tolerance = scenario.tolerance;
    drive.settings.step.order_tolerance = 0.0;
  }
  if (scenario.error_tolerance > 0.0) {
    if (scenario.iterations > 0)
      throw ModelError(
          "error_tolerance is given with a fixed number of iterations, expected one of them: steps "
          "of constant work have one length");
    if (scenario.scheme.make(scenario.step).error == 0.0)
      throw ModelError("error_tolerance is given with " + describe(scenario.scheme) +
                       ", whose local error has no estimate here, expected one of " +
                       find_estimated_schemes());
    drive.settings.control.tolerance = scenario.error_tolerance;
    drive.settings.control.longest = find_longest_step(vehicle, scenario, drive.notes);
  }
  note_idle_overrides(vehicle, scenario, drive.notes);
  if (scenario.cut_contacts && scenario.iterations > 0)
    throw ModelError(
        "cut_contacts is given with a fixed number of iterations, expected one of them: steps of "
        "constant work have one length");
  drive.settings.cut_contacts = scenario.cut_contacts;
  drive.settings.until = scenario.until;
  drive.settings.record = scenario.record;
  drive.settings.events = find_events(drive.model, scenario);
  for (std::string& line : find_unmet_wishes(vehicle, scenario, drive.model.mechanism))
    drive.notes.push_back(std::move(line));
  add_foreign_reactions(vehicle, drive.units, drive.notes);
  return drive;
}

Drive make_drive(const DriveDescription& read, const CompileSettings& settings,
                 std::vector<std::unique_ptr<ForceElement>> elements) {
  return make_drive(read.vehicle, read.scenario, settings, std::move(elements));
}

namespace {

/// Coordinates in which wheels turn about their axles.
std::vector<int> spins(const Drive& drive, const Model& model, const State& state, Workspace& ws) {
  evaluate_state(model, state, ws);
  std::vector<int> coordinates;
  for (const WheelSpin& spin : find_wheel_spins(model, drive.wheels, ws, 0.0))
    coordinates.push_back(spin.z);
  return coordinates;
}

/// Throws ModelError at what a cut joint holds and a start from design has not: it is no
/// coordinate. An equilibrium looks for positions itself.
void expect_held(const Model& model, const std::vector<WrittenValue>& values) {
  for (const WrittenValue& value : values) {
    const Joint& joint = model.mechanism.joints[at(value.joint)];
    const bool is_cut = model.tree.tree.branch_of_joint[at(value.joint)] < 0;
    if (!joint.held || !is_cut || is_kept(value)) continue;
    throw ModelError(joint.source, joint.name,
                     "is held (hold=\"yes\"), and " + describe_changes(model, {value}) +
                         ", expected a value that its loops allow at the start");
  }
}

/// A line that names what the file writes of the start and what is not so; empty where all is kept.
/// An equilibrium looks for the positions of what floats itself. A speed is given to whatever
/// floats, in place of its rates that are zero.
std::string find_changes(const Drive& drive, const Model& model, const State& start,
                         Workspace& ws) {
  const State state = to_relative(drive.model, start);
  std::vector<WrittenValue> values = read_written_values(model, state, ws);
  const auto is_meant = [&](const WrittenValue& value) {
    const Joint& joint = model.mechanism.joints[at(value.joint)];
    if (joint.type != JointType::free) return false;
    if (!value.is_rate) return drive.start == StartMode::equilibrium && !joint.held;
    return drive.speed != 0.0 && value.asked == 0.0;
  };
  values.erase(std::remove_if(values.begin(), values.end(), is_meant), values.end());
  if (drive.start == StartMode::design) expect_held(model, values);
  return describe_changes(model, values);
}

/// Throws ModelError at the first input that is no number at the start.
void check_inputs_at_start(const Mechanism& mechanism, const State& state) {
  std::vector<CurveValue> values(mechanism.inputs.size());
  evaluate_inputs(mechanism, state.live, state.t, values);
  for (std::size_t k = 0; k < values.size(); ++k) {
    const bool is_value = !std::isfinite(values[k].f);
    if (!is_value && std::isfinite(values[k].fd)) continue;
    const Input& input = mechanism.inputs[k];
    std::ostringstream text;
    const double bad = is_value ? values[k].f : values[k].fd;
    text << (is_value ? "is " : "has a rate of ") << (std::isnan(bad) ? std::abs(bad) : bad)
         << " at the start, expected a finite number";
    throw ModelError(input.source, input.name, text.str());
  }
}

/// The speed that is held is that along the world's x.
void expect_heading_along_x(const Drive& drive, const Model& model, const State& state,
                            Workspace& ws) {
  constexpr double kAlong = 1e-6;  // rad
  evaluate_state(model, state, ws);
  const double heading = find_heading(model, drive.chassis, ws);
  if (std::abs(heading) <= kAlong) return;
  std::ostringstream text;
  text << "mode=\"hold\" is a constraint along the world's x, from which the vehicle heads by "
       << heading << " rad at the start, expected mode=\"control\", a force along the heading";
  throw ModelError(drive.recorder.source, "speed", text.str());
}

/// A line about a start that is in balance but for its acceleration along the road, because that
/// has a slope or something pushes.
std::string describe_unheld_start(const ParkedCar& parked, bool slope) {
  const std::string why = slope ? "on a slope of the road" : "pushed along the road";
  return (parked.braked ? "the vehicle starts " + why + "; " + describe_unparked(parked.equilibrium)
                        : "the vehicle cannot rest where it starts, " + why) +
         "; the start is in balance but for its acceleration along the road, which brakes and "
         "tyres "
         "have to stop";
}

/// A line about what equations read of the last step; empty where they read nothing of it.
std::string describe_sampled(const Model& model) {
  std::string names;
  for (const auto& force : model.forces)
    if (const auto* equations = dynamic_cast<const EquationForce*>(force.get()))
      for (const std::string& name : equations->sampled_names()) add_quoted(names, name);
  return names.empty() ? names : "equations take these from the end of the last step: " + names;
}

}  // namespace

State start_drive(const Drive& drive, Workspace& ws, EquilibriumReport* equilibrium) {
  StartReport report;
  State state = start_drive(drive, ws, report);
  if (equilibrium != nullptr) *equilibrium = report.equilibrium;
  return state;
}

State start_drive(const Drive& drive, Workspace& ws, StartReport& said, const StartReport* like,
                  const std::vector<LiveInput>& live) {
  said = {};
  if (like != nullptr) {
    said.standing = like->standing;
    said.tangent = like->tangent;
  }
  // the start is found in relative coordinates, whatever the formulation
  const Model& model = relative_model(drive.model);
  std::optional<Workspace> own;
  Workspace& start_ws = &model != &drive.model ? own.emplace(model) : ws;
  State state = make_start_state(drive, model, start_ws);
  state.live = live;
  check_inputs_at_start(model.mechanism, state);
  if (drive.held_along_x) expect_heading_along_x(drive, model, state, start_ws);
  if (drive.start == StartMode::design)
    close_loops_as_written(model, state, start_ws, /*cut_joints=*/true);
  if (drive.start == StartMode::equilibrium) {
    const Eigen::VectorXd zd = state.zd;
    const State design = state;
    StandingCar standing;
    if (stands_on_wheels(drive, model)) {
      standing = find_standing_car(drive, model, state, start_ws, /*may_fall=*/drive.speed != 0.0,
                                   said.standing);
      said.standing = standing.tangent;
      said.notes = std::exchange(standing.notes, {});
      if (drive.speed == 0.0 && !standing.instability.empty())
        said.notes.insert(said.notes.begin(), std::move(standing.instability));
      if (standing.equilibrium.found && !standing.rests) {
        const ParkedCar parked = find_parked_car(drive, model, standing.unheld, state, start_ws);
        said.parked = parked.equilibrium.found;
        if (said.parked) {
          standing.equilibrium = parked.equilibrium;
        } else {
          // on its way a trailer does not turn as far as at rest
          State turned = state;
          const bool rests =
              !parked.braked && rest_at_hitches(drive, model, standing, turned, start_ws);
          if (rests && drive.speed == 0.0) {
            state = turned;
            said.notes.insert(said.notes.end(), standing.notes.begin(), standing.notes.end());
          }
          if (!rests)
            said.notes.push_back(describe_unheld_start(
                parked, find_road_axes(drive, model, state, start_ws)(2, 2) < kLevel));
        }
      }
    } else {
      standing.equilibrium = find_equilibrium(model, drive.settings.step, state, start_ws);
      if (standing.equilibrium.found && drive.speed == 0.0)
        if (std::string line = describe_instability(model, state, start_ws); !line.empty())
          said.notes.push_back(std::move(line));
    }
    const EquilibriumReport& report = standing.equilibrium;
    said.equilibrium = report;
    if (!report.found) {
      std::ostringstream text;
      text << "no static equilibrium was found: forces stay unbalanced by " << report.residual
           << " N, closures open by " << report.Phi
           << " m, expected a vehicle that can rest on the road at the start";
      throw ModelError("vehicle '" + model.mechanism.name +
                       "': " + (standing.refusal.empty() ? text.str() : standing.refusal));
    }
    if (!drive.wheels.empty())
      for (std::string& fault : find_start_faults(model, drive.chassis, design, state,
                                                  spins(drive, model, state, start_ws), start_ws))
        said.notes.push_back(std::move(fault));
    if (std::string line =
            describe_wheel_travel(model, drive.wheels, drive.units, design, state, start_ws);
        !line.empty())
      said.notes.push_back(std::move(line));
    if (drive.speed == 0.0)
      if (std::string line = describe_kept_states(model, state, start_ws); !line.empty())
        said.notes.push_back(std::move(line));
    state.zd = zd;
  }
  if (drive.speed != 0.0) start_rolling(drive, model, state, start_ws, said);
  if (drive.start == StartMode::equilibrium)
    if (std::string line = describe_given_starts(model, state, start_ws); !line.empty())
      said.notes.push_back(std::move(line));
  if (std::string line = describe_still_wheels(drive, model, state, start_ws); !line.empty())
    said.notes.push_back(std::move(line));
  if (drive.start == StartMode::design)
    if (std::string line = describe_drop(drive, model, state, start_ws); !line.empty())
      said.notes.push_back(std::move(line));
  if (std::string line = describe_immobility(model, state, start_ws); !line.empty())
    said.notes.push_back(std::move(line));
  for (std::string& line : find_blocked_inputs(model, state, start_ws))
    said.notes.push_back(std::move(line));
  if (std::string line = describe_shared_reactions(model.mechanism, find_asked_reactions(drive),
                                                   find_later_attachments(drive));
      !line.empty())
    said.notes.push_back(std::move(line));
  initialize(drive.model, drive.settings.step, state, ws);
  said.notes.insert(said.notes.end(), drive.notes.begin(), drive.notes.end());
  for (std::string& line : find_input_faults(drive.model, drive.settings.until))
    said.notes.push_back(std::move(line));
  if (std::string line = describe_sampled(drive.model); !line.empty())
    said.notes.push_back(std::move(line));
  const double longest = drive.settings.control.tolerance > 0.0 ? drive.settings.control.longest
                                                                : drive.settings.step.h;
  for (std::string& line : find_unresolved_equations(drive.equations, longest))
    said.notes.push_back(std::move(line));
  if (drive.settings.control.tolerance <= 0.0)  // which makes steps as short as it takes
    for (std::string& line : find_fast_inputs(drive.model.mechanism, longest, drive.settings.until))
      said.notes.push_back(std::move(line));
  if (std::string line = find_changes(drive, model, state, start_ws); !line.empty())
    said.notes.push_back(std::move(line));
  return state;
}

}  // namespace semirec
