#include "vehicles/analysis/steady_state.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "integrator/formulation/evaluate.hpp"
#include "integrator/outputs/input_effort.hpp"
#include "integrator/statics/initial_conditions.hpp"
#include "integrator/statics/live_states.hpp"
#include "penalty/augmented_lagrangian.hpp"
#include "recursive/forces/input_range.hpp"
#include "topology/centre_marker.hpp"
#include "topology/indices.hpp"
#include "topology/largest_magnitude.hpp"
#include "vehicles/analysis/drive_force.hpp"
#include "vehicles/description/articulation.hpp"
#include "vehicles/description/input_readers.hpp"
#include "vehicles/driveline/driveline_force.hpp"
#include "vehicles/road/profile_surface.hpp"
#include "vehicles/session/continuation.hpp"
#include "vehicles/session/input_faults.hpp"
#include "vehicles/session/instability.hpp"
#include "vehicles/session/kept_states.hpp"
#include "vehicles/session/parked_car.hpp"
#include "vehicles/session/standing_car.hpp"
#include "vehicles/session/standing_pose.hpp"
#include "vehicles/session/start_faults.hpp"
#include "vehicles/session/start_place.hpp"

namespace semirec {

namespace {

InputIndex find_input(const Mechanism& mechanism, const std::string& name) {
  for (std::size_t k = 0; k < mechanism.inputs.size(); ++k)
    if (!name.empty() && mechanism.inputs[k].name == name) return static_cast<InputIndex>(k);
  return kNoInput;
}

bool can_travel(const Vehicle& vehicle) {
  if (vehicle.chassis == kGround) return false;
  return std::any_of(vehicle.mechanism.joints.begin(), vehicle.mechanism.joints.end(),
                     [&](const Joint& joint) {
                       return joint.type == JointType::free && joint.a.body == kGround &&
                              joint.b.body == vehicle.chassis;
                     });
}

constexpr const char* kCentreSensor = "cg";
constexpr double kStraight = 1e-9;  // rad/s
/// Of the weight, the most that the force that holds the speed may push across the path.
constexpr double kCarried = 0.05;
constexpr double kLargestCurvatureStep =
    0.02;                                 // 1/m, from turn to turn on the way to the one asked
constexpr double kMostTurnedAside = 0.3;  // rad of sideslip, from one turn to the next on a branch
constexpr double kMostRolling = 2.0;      // of the rate of rolling, a wheel that nothing drives
constexpr double kAlongX = 1e-12;         // rad, a heading
constexpr double kTurnedAway = 1e-3;      // rad, one that is worth a line
constexpr int kMostTurnsInWind = 4;
constexpr int kChangesOfContact = 4;  // of a search, of wheels that leave the road or come back

/// Whether a turn has grown out of the one before: Newton's method also finds others, in which the
/// car goes sideways or backwards.
bool is_on_branch(const SteadyTurn& before, const SteadyTurn& turn) {
  return std::abs(std::remainder(turn.sideslip - before.sideslip, 2.0 * M_PI)) < kMostTurnedAside;
}

/// The vehicle with an input for the force that holds its speed and a sensor at its centre of mass.
Vehicle with_probes(Vehicle vehicle) {
  if (!can_travel(vehicle)) return vehicle;
  if (find_input(vehicle.mechanism, "drive_force") != kNoInput)
    throw ModelError(
        vehicle.mechanism.inputs[at(find_input(vehicle.mechanism, "drive_force"))].source,
        "drive_force", "bears the name of the force that holds a speed, expected another name");
  vehicle.mechanism.inputs.push_back({"drive_force", Curve::constant(0.0), {}});
  const bool taken = std::any_of(vehicle.sensors.begin(), vehicle.sensors.end(),
                                 [](const Sensor& sensor) { return sensor.name == kCentreSensor; });
  if (taken) return vehicle;
  Sensor centre;
  centre.name = kCentreSensor;
  centre.at = centre_marker(vehicle.mechanism, vehicle.chassis);
  vehicle.sensors.push_back(centre);
  return vehicle;
}

Scenario standing(Scenario scenario) {
  scenario.speed = 0.0;
  scenario.speed_mode = SpeedMode::coast;
  scenario.start = StartMode::equilibrium;
  scenario.events.clear();
  return scenario;
}

Drive make_steady_drive(const Vehicle& vehicle, const Scenario& scenario) {
  Drive drive = make_drive(with_probes(vehicle), standing(scenario));
  const InputIndex force = find_input(drive.model.mechanism, "drive_force");
  if (can_travel(vehicle)) {
    const auto element = std::make_shared<DriveForce>(drive.chassis, force);
    element->bind(drive.model.mechanism, drive.model.tree);
    drive.model.forces.push_back(element);
    drive.recorder.input_units[at(force)] = "N";
  }
  return drive;
}

/// M zdd + Phi_z^T lambda - Q of a state as it stands.
Eigen::VectorXd forces_left(const Model& model, const State& state, Workspace& ws) {
  const ContinuousMotion continuous(ws.tree);
  begin_evaluation(model, state, state.t, ws);
  evaluate_dynamics(model, state.z.data(), state.zd.data(), state.zdd.data(), {}, ws);
  Eigen::VectorXd left = ws.tree.residual;
  add_transposed(model.closures.blocks, ws.closures.Phi_z, state.multipliers, left);
  return left;
}

bool is_even(const Scenario& scenario) {
  if (scenario.surface) return scenario.surface->is_even();
  return ProfileSurface(scenario.road.left, scenario.road.right).is_even();
}

/// At rest no motor has been asked for: each idles as at the start of a run, or turns as its
/// throttle has it, where the car does not feel it.
void let_motors_idle(const Model& model, State& state, Workspace& ws) {
  const Eigen::VectorXd resting = forces_left(model, state, ws);
  State idle = state;
  evaluate_state(model, idle, ws);
  settle_states(model.forces, model.tree, ws.tree);
  for (const auto& force : model.forces)
    if (dynamic_cast<const DrivelineForce*>(force.get()) != nullptr) {
      const StateRange& own = force->states();
      idle.x.segment(own.first, own.count) = ws.tree.x.segment(own.first, own.count);
    }
  const auto is_felt = [&](const State& moved) {
    return largest_magnitude(forces_left(model, moved, ws) - resting) > find_force_tolerance(model);
  };
  if (is_felt(idle)) return;
  state = idle;
  // with a throttle it turns as fast as it may
  std::vector<char> motors(at(model.tree.states), 0);
  for (const auto& force : model.forces)
    if (dynamic_cast<const DrivelineForce*>(force.get()) != nullptr)
      std::fill_n(motors.begin() + force->states().first, force->states().count, 1);
  if (release_saturated_states(model, {}, motors, idle, ws) && !is_felt(idle)) state = idle;
}

/// The joint of a coordinate that turns by itself: the only one of its joint, in no closure.
const Joint* find_free_axle(const Model& model, const TreeBody& body, std::size_t tree,
                            const Eigen::MatrixXd& Phi_z) {
  if (body.degrees_of_freedom != 1 || body.motion_end != body.motion_begin + 1) return nullptr;
  if (model.tree.motions[at(body.motion_begin)].kind == JointMotion::Kind::slide) return nullptr;
  if (!Phi_z.col(body.z).isZero(0.0)) return nullptr;
  return &model.mechanism.joints[at(model.tree.tree.branches[tree].joint)];
}

/// The input of the lever, if its file and the scenario leave it in neutral and somebody holds a
/// speed by the throttle, so that a gear is in.
const Input* find_free_lever(const Vehicle& vehicle, const Scenario& scenario, SpeedHold hold) {
  const std::string& gear = vehicle.controls.gear;
  if (hold != SpeedHold::throttle || gear.empty()) return nullptr;
  for (const Input& input : scenario.inputs)
    if (input.name == gear) return nullptr;
  for (const Input& input : vehicle.mechanism.inputs)
    if (input.name == gear && input.curve.evaluate(0.0).f == 0.0) return &input;
  return nullptr;
}

/// Such a lever in the first position.
Scenario in_gear(const Vehicle& vehicle, Scenario scenario, SpeedHold hold) {
  if (const Input* lever = find_free_lever(vehicle, scenario, hold)) {
    Input first;
    first.name = lever->name;
    first.curve = Curve::constant(1.0);
    first.source = lever->source;
    scenario.inputs.push_back(first);
  }
  return scenario;
}

/// The throttles that act on anything.
SteadyRange find_throttle_range(const Model& model, InputIndex throttle) {
  const std::optional<InputRange> range = find_input_range(model.forces, throttle);
  return range && range->least < range->most ? SteadyRange{range->least, range->most}
                                             : SteadyRange{0.0, 1.0};
}

}  // namespace

SteadyCar::SteadyCar(const Vehicle& vehicle, const Scenario& scenario, SpeedHold hold)
    : drive_(make_steady_drive(vehicle, in_gear(vehicle, scenario, hold))),
      controls_(vehicle.controls),
      hold_(hold),
      even_(is_even(scenario)),
      recorder_(drive_.model, drive_.recorder),
      ws_(drive_.model) {
  const Mechanism& mechanism = drive_.model.mechanism;
  steering_ = find_input(mechanism, controls_.steering);
  throttle_ = find_input(mechanism, controls_.throttle);
  throttle_range_ = find_throttle_range(drive_.model, throttle_);
  if (find_free_lever(vehicle, scenario, hold) != nullptr) {
    box_ = find_manual_gearbox(vehicle);
    gear_ = find_input(mechanism, controls_.gear);
  }
  can_travel_ = can_travel(vehicle);
  if (can_travel_) drive_force_ = find_input(mechanism, "drive_force");
  const State design = make_initial_state(drive_.model);
  evaluate_state(drive_.model, design, ws_);
  wheelbase_ = group_axles(drive_.units.front()).wheelbase();
  spins_ = find_wheel_spins(drive_.model, drive_.wheels, ws_);
  steers_ = is_read(vehicle, controls_.steering);
  driven_.assign(drive_.wheels.size(), 0);
  for (const Driveline& driveline : drive_.drivelines)
    for (const DrivenAxle& axle : driveline.axles)
      for (const int wheel : axle.wheels) driven_[at(wheel)] = 1;
  for (const HubTorque& torque : drive_.hub_torques) driven_[at(torque.wheel)] = 1;
}

std::vector<int> SteadyCar::wheel_spins() const {
  std::vector<int> coordinates;
  for (const WheelSpin& spin : spins_) coordinates.push_back(spin.z);
  return coordinates;
}

std::vector<int> SteadyCar::turning() const {
  std::vector<int> coordinates = wheel_spins();
  for (const Rotor& rotor : rotors_) coordinates.push_back(rotor.z);
  return coordinates;
}

Travel SteadyCar::travel_of(const SteadyTurn& turn) const {
  return {chassis(), turn.speed, turn.yaw_rate, turn.heading + turn.sideslip};
}

double SteadyCar::gear_in(const SteadyTurn& turn) const {
  const InputIndex lever = find_input(drive_.model.mechanism, controls_.gear);
  return lever == kNoInput ? 0.0 : turn.state.live[at(lever)].value.f;
}

std::vector<double> SteadyCar::channels(const SteadyTurn& turn) {
  // what is sampled, held or delayed has caught up, as in the search
  const ContinuousMotion continuous(ws_.tree);
  std::vector<double> values;
  recorder_.record(drive_.model, turn.state, ws_, values);
  return values;
}

void SteadyCar::fill(SteadyTurn& turn) {
  const Model& model = drive_.model;
  turn.residual = largest_magnitude(forces_left(model, turn.state, ws_));
  turn.closure = largest_magnitude(ws_.closures.Phi);
  const std::vector<double> values = channels(turn);
  const auto value = [&](const std::string& name) {
    for (std::size_t k = 0; k < values.size(); ++k)
      if (recorder_.channels()[k].name == name) return values[k];
    return 0.0;
  };
  turn.roll = value("chassis.roll");
  turn.pitch = value("chassis.pitch");
  turn.articulations.clear();
  for (std::size_t u = 1; u < drive_.units.size(); ++u)
    turn.articulations.push_back(compute_articulation(model, drive_.units, u, ws_.tree));
  const auto input = [&](InputIndex index) {
    return index == kNoInput ? 0.0 : ws_.tree.inputs[at(index)].f;
  };
  turn.steering = input(steering_);
  turn.steering_wheel = turn.steering / controls_.steering_ratio;
  turn.drive_force = input(drive_force_);
  turn.throttle = input(throttle_);
  turn.radius =
      turn.yaw_rate != 0.0 ? turn.speed / turn.yaw_rate : std::numeric_limits<double>::infinity();
  turn.wheels.clear();
  for (const Wheel& wheel : drive_.wheels)
    turn.wheels.push_back({wheel.name, value(wheel.name + ".Fz"), value(wheel.name + ".alpha"),
                           value(wheel.name + ".Fy")});
  if (steering_ != kNoInput && moves_mechanism(model.mechanism, steering_))
    turn.steering_wheel_torque =
        controls_.steering_ratio * input_effort(model, turn.state, steering_, ws_);
}

std::string SteadyCar::left_over(const Eigen::VectorXd& forces, const std::string& why) const {
  const Model& model = drive_.model;
  Eigen::Index worst = 0;
  const double size = forces.size() > 0 ? forces.cwiseAbs().maxCoeff(&worst) : 0.0;
  if (!(size > find_force_tolerance(model)))
    return "Newton's search does not converge, a failure of the numerical method that says nothing "
           "about the car";
  const double value = -forces[worst];
  for (std::size_t t = 1; t < model.tree.bodies.size(); ++t) {
    const TreeBody& body = model.tree.bodies[t];
    const int k = static_cast<int>(worst) - body.z;
    if (k < 0 || k >= body.degrees_of_freedom) continue;
    const TreeBranch& branch = model.tree.tree.branches[t];
    const std::string name = model.mechanism.bodies[at(branch.body)].name;
    const char* axes[] = {"x", "y", "z"};
    if (body.floats)
      return (k < 3 ? "a force of " + to_text(value, 4) + " N along "
                    : "a moment of " + to_text(value, 4) + " N m about ") +
             axes[k % 3] + " on body '" + name + "' is left over " + why;
    return to_text(value, 4) + " N or N m in joint '" +
           model.mechanism.joints[at(branch.joint)].name + "' of body '" + name +
           "' are left over " + why;
  }
  return "a force is left over";
}

EquilibriumReport SteadyCar::stand() {
  const auto refuse = [&](const std::string& what) {
    throw AnalysisError("no static equilibrium: " + what +
                        ", expected a vehicle that can rest on its road" +
                        (spins_.empty() ? "" : "; wheels that roll hold nothing along a slope"));
  };
  if (stands_on_wheels(drive_, drive_.model)) {
    StandingCar car = find_standing_car(drive_, drive_.model, at_rest_, ws_, /*may_fall=*/true);
    if (!car.refusal.empty()) throw AnalysisError(car.refusal);
    if (!car.equilibrium.found) refuse(left_over({}));
    if (!car.rests) {
      const ParkedCar parked = find_parked_car(drive_, drive_.model, car.unheld, at_rest_, ws_);
      if (!parked.equilibrium.found && parked.braked)
        throw AnalysisError("no static equilibrium was found: the vehicle stands on a slope; " +
                            describe_unparked(parked.equilibrium));
      const State straight = at_rest_;
      if (parked.equilibrium.found)
        car.equilibrium = parked.equilibrium;
      else if (rest_at_hitches(drive_, drive_.model, car, at_rest_, ws_))
        straight_ = straight;
      else
        unheld_ =
            "no static equilibrium: without brakes a rest on a slope or in wind is not solved "
            "for; " +
            left_over(forces_left(drive_.model, at_rest_, ws_), "by the balance without brakes") +
            ", expected a level road and still air, or brakes that are on (an input of the "
            "scenario)";
    }
    standing_notes_ = std::move(car.notes);
    instability_ = std::move(car.instability);
    return car.equilibrium;
  }
  EquilibriumReport report = find_equilibrium(drive_.model, drive_.settings.step, at_rest_, ws_);
  if (!report.found) {
    // what Newton cannot take away from where it ended
    SteadyProblem problem;
    problem.resting = true;
    EquilibriumReport again;
    State state = at_rest_;
    static_cast<void>(solve_steady(drive_.model, problem, state, ws_, again));
    refuse(left_over(problem.left_over));
  }
  instability_ = describe_instability(drive_.model, at_rest_, ws_);
  return report;
}

const State& SteadyCar::standing() {
  if (stood_) return at_rest_;
  at_rest_ = make_start_state(drive_, drive_.model, ws_);
  // inputs stay what they are at the start: a post that moves there stands still, too
  begin_evaluation(drive_.model, at_rest_, at_rest_.t, ws_);
  at_rest_.live.resize(drive_.model.mechanism.inputs.size());
  for (std::size_t k = 0; k < at_rest_.live.size(); ++k)
    if (is_free(drive_.model.mechanism.inputs[k]))
      at_rest_.live[k] = {true, {ws_.tree.inputs[k].f, 0.0, 0.0}};
  iterations_ = stand().iterations;
  let_motors_idle(drive_.model, at_rest_, ws_);
  find_rotors();
  stood_ = true;
  return at_rest_;
}

void SteadyCar::find_rotors() {
  constexpr double kAngles[] = {0.0, 0.7, 2.1};
  constexpr double kMoves = 0.3;  // rad/s, m/s, of all else: unequal moments across the axle show
  const Model& model = drive_.model;
  const std::vector<int> spins = wheel_spins();
  const double tolerance = find_force_tolerance(model);
  const Eigen::VectorXd resting = forces_left(model, at_rest_, ws_);
  const Eigen::MatrixXd Phi_z = dense_jacobian(model.closures, ws_.closures, model.n());
  for (std::size_t t = 1; t < model.tree.bodies.size(); ++t) {
    const TreeBody& body = model.tree.bodies[t];
    const Joint* const axle = find_free_axle(model, body, t, Phi_z);
    if (axle == nullptr || axle->velocity.empty() || axle->velocity.front() == 0.0 ||
        std::find(spins.begin(), spins.end(), body.z) != spins.end())
      continue;
    const Rotor rotor{body.z, axle->velocity.front()};
    State trial = at_rest_;
    const auto is_even = [&](const Eigen::VectorXd& expected, double allowed) {
      return std::all_of(std::begin(kAngles), std::end(kAngles), [&](double angle) {
        trial.z[rotor.z] = at_rest_.z[rotor.z] + angle;
        return largest_magnitude(forces_left(model, trial, ws_) - expected) <= allowed;
      });
    };
    trial.zd[rotor.z] = rotor.rate;
    if (!is_even(resting, tolerance)) continue;
    trial.zd.array() += kMoves;
    trial.zd[rotor.z] = rotor.rate;
    trial.z[rotor.z] = at_rest_.z[rotor.z];
    const Eigen::VectorXd moving = forces_left(model, trial, ws_);
    if (!is_even(moving, tolerance + 1e-9 * largest_magnitude(moving))) continue;
    rotors_.push_back(rotor);
    at_rest_.zd[rotor.z] = rotor.rate;
  }
}

void SteadyCar::find_what_follows(const State& state, SteadyTravel& search) {
  constexpr double kOpens = 1e-6;  // of the speed
  const Model& model = drive_.model;
  State trial = state;
  trial.zd = search.turning;
  trial.zdd.setZero(model.n());
  for (const int z : search.rates) trial.zd[z] = state.zd[z];
  evaluate_state(model, trial, ws_);
  add_travel(model, search.travel, ws_, trial.zd, trial.zdd);
  evaluate_state(model, trial, ws_);
  if (!(largest_magnitude(ws_.closures.Phid) > kOpens * search.travel.speed)) return;
  const std::vector<int> carrying = find_carrying_coordinates(model, drive_.wheels, spins_);
  const std::vector<int> spinning = turning();
  std::vector<int> kept = carrying;
  kept.insert(kept.end(), spinning.begin(), spinning.end());
  if (const auto followers = find_followers(model, kept, trial, ws_)) {
    search.followers = *followers;
    search.held = spinning;
  } else if (const auto tied = find_followers(model, carrying, trial, ws_)) {
    // wheels that turn one another
    search.followers = *tied;
  }
}

SteadyTurn SteadyCar::rest() {
  standing();
  if (!unheld_.empty()) throw AnalysisError(unheld_);
  return as_it_stands();
}

SteadyTurn SteadyCar::as_it_stands() {
  SteadyTurn turn;
  turn.state = standing();
  turn.iterations = iterations_;
  fill(turn);
  return turn;
}

bool SteadyCar::feels_directions() {
  if (is_pushed() || !drive_.model.tree.gravity.head<2>().isZero(0.0)) return true;
  evaluate_state(drive_.model, at_rest_, ws_);
  for (const Aero& aero : drive_.aeros)
    for (const InputIndex wind : aero.wind)
      if (wind != kNoInput && ws_.tree.inputs[at(wind)].f != 0.0) return true;
  return false;
}

std::vector<std::string> SteadyCar::rest_faults() {
  std::vector<std::string> faults = find_input_faults(drive_.model, 0.0);
  if (travelled_ && steering_ != kNoInput && is_free(drive_.model.mechanism.inputs[at(steering_)]))
    if (const double given = at_rest_.live[at(steering_)].value.f; given != 0.0)
      faults.push_back("at a speed the steering is solved for: what the input '" +
                       controls_.steering + "' is at the start, " + to_text(given, 4) +
                       ", is left out");
  if (!stood_) return faults;
  if (travelled_ && feels_directions())
    if (const double heading = find_yaw(at_rest_); std::abs(heading) > kTurnedAway)
      faults.push_back(
          "at a speed the car drives along the world's x: the heading that it has at "
          "the start, " +
          to_text(heading, 4) +
          " rad, is left out, and what keeps its direction, as wind does, acts from "
          "where it would then");
  if (!travelled_)
    for (const std::string& line : {describe_kept_states(drive_.model, at_rest_, ws_),
                                    describe_given_starts(drive_.model, at_rest_, ws_)})
      if (!line.empty()) faults.push_back(line);
  if (!travelled_ && !instability_.empty()) faults.push_back(instability_);
  if (drive_.wheels.empty()) return faults;
  faults.insert(faults.end(), standing_notes_.begin(), standing_notes_.end());
  for (std::string& fault :
       find_start_faults(drive_.model, drive_.chassis, make_start_state(drive_, drive_.model, ws_),
                         at_rest_, wheel_spins(), ws_))
    faults.push_back(std::move(fault));
  if (std::string line =
          describe_wheel_travel(drive_.model, drive_.wheels, drive_.units,
                                make_start_state(drive_, drive_.model, ws_), at_rest_, ws_);
      !line.empty())
    faults.push_back(std::move(line));
  return faults;
}

void SteadyCar::expect_even_road() const {
  if (!even_)
    throw AnalysisError(
        "no steady motion: the road is not the same everywhere (its friction, an obstacle, a road "
        "file), expected a flat and level road, such as without a scenario");
}

void SteadyCar::expect_level_road(const State& state) {
  if (level_) return;
  const Model& model = drive_.model;
  const Eigen::VectorXd here = forces_left(model, state, ws_);
  const double tolerance = 1e-7 * (1.0 + largest_magnitude(ws_.tree.residual));
  double loads = 0.0;
  for (const auto& body : model.mechanism.bodies) loads += body.mass * model.tree.gravity.norm();
  const Eigen::MatrixXd ways = plane_directions(model, Eigen::Vector3d::Zero(), ws_);
  const double places[][2] = {{0.7, 0.0}, {13.1, 0.0}, {157.0, 0.0}, {0.0, 0.9}, {-11.0, 23.0}};
  for (const auto& place : places) {
    State moved = state;
    moved.z += place[0] * ways.col(0) + place[1] * ways.col(1);
    const double change = largest_magnitude(forces_left(model, moved, ws_) - here);
    if (!(change <= tolerance + 1e-8 * loads))
      throw AnalysisError("no steady motion: the road at x = " + to_text(place[0], 4) +
                          " m, y = " + to_text(place[1], 4) + " m is not that at the start (" +
                          to_text(change, 4) +
                          " N differ), expected a flat and level road, such as without a scenario");
  }
  level_ = true;
}

std::vector<char> SteadyCar::find_lifted(const std::vector<SteadyWheel>& wheels,
                                         bool with_driven) const {
  std::vector<char> lifted(spins_.size(), 0);
  if (wheels.empty()) return lifted;
  for (std::size_t k = 0; k < spins_.size(); ++k)
    // twins turn as one
    lifted[k] = std::all_of(spins_.begin(), spins_.end(), [&](const WheelSpin& spin) {
      return spin.z != spins_[k].z ||
             (wheels[spin.wheel].load <= 0.0 && (with_driven || driven_[spin.wheel] == 0));
    });
  return lifted;
}

double SteadyCar::find_yaw(const State& state) {
  evaluate_state(drive_.model, state, ws_);
  return find_heading(drive_.model, drive_.chassis, ws_);
}

bool SteadyCar::search_turn(double speed, double lateral_acceleration,
                            const std::vector<char>& lifted, State& state, SteadyTurn& turn) {
  const Model& model = drive_.model;
  SteadyTravel search;
  search.travel = {drive_.chassis, speed, lateral_acceleration / speed,
                   find_yaw(state) + turn.sideslip};
  search.turning = Eigen::VectorXd::Zero(model.n());
  for (std::size_t k = 0; k < spins_.size(); ++k) {
    // a tyre on the road finds its wheel's speed; without one nothing changes it
    const WheelSpin& spin = spins_[k];
    if (drive_.wheels[spin.wheel].law && lifted[k] == 0)
      search.rates.push_back(spin.z);
    else
      search.turning[spin.z] = speed * spin.rolling;
  }
  for (const Rotor& rotor : rotors_) search.turning[rotor.z] = rotor.rate;
  find_what_follows(state, search);
  if (steering_ != kNoInput)
    search.inputs.push_back(steering_);
  else
    search.find_yaw_rate = true;
  search.inputs.push_back(hold_ == SpeedHold::force ? drive_force_ : throttle_);
  search.ranges.resize(search.inputs.size());
  if (hold_ == SpeedHold::throttle) search.ranges.back() = throttle_range_;
  State found = state;
  EquilibriumReport report = find_steady_travel(model, search, found, ws_);
  // a free steering wheel: where the car goes straight on across its place, a driver holds it
  if (report.found && search.find_yaw_rate && std::abs(search.travel.yaw_rate) > kStraight) {
    SteadyTravel line = search;
    line.travel = {drive_.chassis, speed, 0.0, 0.0};
    line.find_yaw_rate = false;
    line.on_line = true;
    State on_line = state;
    const EquilibriumReport held = find_steady_travel(model, line, on_line, ws_);
    if (held.found) {
      report = held;
      search = line;
      found = on_line;
    }
  }
  if (!report.found) {
    left_over_ = search.left_over;
    converged_ = left_over_.size() > 0;
    return false;
  }
  left_over_.resize(0);
  converged_ = true;
  double yaw = find_yaw(found);
  turn.heading = search.on_line ? yaw : 0.0;
  if (!search.on_line) turn_about_vertical(model, drive_.chassis, -yaw, found, ws_);
  // what keeps its direction, as wind does, does not turn with the car
  for (int pass = 0;
       pass < kMostTurnsInWind && !search.on_line && !unheld_.empty() && std::abs(yaw) > kAlongX;
       ++pass) {
    search.travel.course -= yaw;
    report = find_steady_travel(model, search, found, ws_);
    if (!report.found) return false;
    yaw = find_yaw(found);
    turn_about_vertical(model, drive_.chassis, -yaw, found, ws_);
  }
  turn.speed = speed;
  turn.yaw_rate = search.travel.yaw_rate;
  turn.lateral_acceleration = speed * turn.yaw_rate;
  turn.sideslip = std::remainder(search.travel.course - yaw, 2.0 * M_PI);
  turn.iterations += report.iterations;
  turn.followers = search.followers;
  turn.state = found;
  fill(turn);
  state = found;
  return true;
}

bool SteadyCar::search_contacts(double speed, double lateral_acceleration, bool with_driven,
                                State& state, SteadyTurn& turn) {
  const std::vector<char> none = find_lifted({}, with_driven);
  const auto search = [&](const std::vector<char>& lifted) {
    return search_turn(speed, lateral_acceleration, lifted, state, turn);
  };
  std::vector<char> lifted = find_lifted(turn.wheels, with_driven);
  bool is_found = search(lifted);
  // a wheel that has come down again, or that has left the road
  if (!is_found && lifted != none) {
    lifted = none;
    is_found = search(lifted);
  }
  for (int pass = 0; is_found && lifted != find_lifted(turn.wheels, with_driven); ++pass) {
    if (pass == kChangesOfContact) return false;
    lifted = find_lifted(turn.wheels, with_driven);
    is_found = search(lifted);
  }
  return is_found;
}

bool SteadyCar::try_turn(double speed, double lateral_acceleration, State& state,
                         SteadyTurn& turn) {
  const Model& model = drive_.model;
  SteadyTurn solved = turn;
  State found = state;
  if (!search_contacts(speed, lateral_acceleration, true, found, solved)) {
    // in gear the motor may turn a wheel in the air otherwise than it rolls
    const bool in_the_air = find_lifted(solved.wheels, true) != find_lifted(solved.wheels, false);
    solved = turn;
    found = state;
    if (!in_the_air || !search_contacts(speed, lateral_acceleration, false, found, solved))
      return false;
  }
  // no wheel that only rolls turns much faster than the car goes
  for (const WheelSpin& spin : spins_)
    if ((driven_[spin.wheel] == 0 || hold_ == SpeedHold::force) && drive_.wheels[spin.wheel].law &&
        std::abs(found.zd[spin.z]) > kMostRolling * std::abs(speed * spin.rolling))
      return false;
  // a car that slides sideways could be carried round by the force that holds its speed
  double weight = 0.0;
  for (const Body& body : model.mechanism.bodies) weight += body.mass * model.tree.gravity.norm();
  if (std::abs(solved.drive_force * std::sin(solved.sideslip)) > kCarried * weight) return false;
  state = found;
  turn = solved;
  return true;
}

State SteadyCar::roll_straight(double speed, const State& near) {
  const Model& model = drive_.model;
  State state = near;
  if (box_) state.live[at(gear_)] = {true, {1.0 * (choose_gear(*box_, speed) - lower_), 0.0, 0.0}};
  turn_about_vertical(model, drive_.chassis, -find_yaw(state), state, ws_);
  evaluate_state(model, state, ws_);
  spins_ = find_wheel_spins(model, drive_.wheels, ws_, speed);
  state.zd.setZero();
  for (const WheelSpin& spin : spins_) state.zd[spin.z] = speed * spin.rolling;
  for (const Rotor& rotor : rotors_) state.zd[rotor.z] = rotor.rate;
  Eigen::VectorXd zdd = Eigen::VectorXd::Zero(model.n());
  add_travel(model, {drive_.chassis, speed, 0.0, 0.0}, ws_, state.zd, zdd);
  evaluate_state(model, state, ws_);
  settle_states(model.forces, model.tree, ws_.tree);
  state.x = ws_.tree.x;
  return state;
}

SteadyTurn SteadyCar::turn(double speed, double lateral_acceleration, const SteadyTurn* near) {
  const Model& model = drive_.model;
  if (drive_force_ == kNoInput)
    throw ModelError("vehicle '" + model.mechanism.name +
                     "': has no chassis that can travel, expected a chassis=\"yes\" body on a free "
                     "joint with a=\"ground\"");
  if (!(speed > 0.0 && speed <= 200.0) || !std::isfinite(lateral_acceleration))
    throw ModelError("steady state: " + to_text(speed, 4) + " m/s with " +
                     to_text(lateral_acceleration, 4) +
                     " m/s^2, expected a speed above 0 and at most 200 m/s and a finite lateral "
                     "acceleration");
  if (lateral_acceleration != 0.0 && steering_ == kNoInput)
    throw ModelError("vehicle '" + model.mechanism.name +
                     "': has no steering to turn with, expected an input that its controls name "
                     "as the steering");
  if (lateral_acceleration != 0.0 && !steers_)
    throw ModelError("vehicle '" + model.mechanism.name + "': its steering input '" +
                     controls_.steering +
                     "' is read by no element, expected a <motion>, rod or force that takes it");
  if (hold_ == SpeedHold::throttle && throttle_ == kNoInput)
    throw ModelError("vehicle '" + model.mechanism.name +
                     "': has no throttle to hold a speed with, expected a driveline, or the force "
                     "as the hold");
  if (hold_ == SpeedHold::throttle && model.mechanism.inputs[at(throttle_)].computed)
    throw ModelError("vehicle '" + model.mechanism.name + "': its throttle '" + controls_.throttle +
                     "' is computed by the vehicle's own equation, so that none can be solved for, "
                     "expected the force as the hold");
  expect_level_road(standing());
  if (lateral_acceleration != 0.0 && !unheld_.empty())
    throw AnalysisError(
        "no steady turn: what pushes the car along or across its way (wind, a slope) keeps its "
        "direction while the car turns, expected still air and level ground, or straight running");
  travelled_ = true;
  lower_ = 0;

  SteadyTurn turn;
  if (near != nullptr) {
    turn.sideslip = near->sideslip;
    turn.wheels = near->wheels;
    State state = near->state;
    // a wheel that leaves the road may have been left on another branch
    if (try_turn(speed, lateral_acceleration, state, turn) && is_on_branch(*near, turn) &&
        find_lifted(turn.wheels, true) == find_lifted(near->wheels, true))
      return turn;
  }
  // straight on first
  turn = {};
  State state = straight_.value_or(at_rest_);
  const auto straight_on = [&](double share) {
    State trial = roll_straight(share * speed, state);
    SteadyTurn further;
    if (!try_turn(share * speed, 0.0, trial, further)) return false;
    state = trial;
    turn = further;
    return true;
  };
  // the gear changes with the speed: no way for a throttle to get there in steps
  const bool found = hold_ == SpeedHold::force ? solve_in_steps(straight_on) : straight_on(1.0);
  if (!found) {
    const std::string what = left_over(left_over_);
    if (hold_ != SpeedHold::throttle || !hold_by_halving(speed, state, turn))
      throw AnalysisError("no steady motion straight on at " + to_text(speed, 4) + " m/s: " + what);
  }
  const double whole = std::abs(lateral_acceleration);
  double step = std::copysign(std::min({1.0, whole, kLargestCurvatureStep * speed * speed}),
                              lateral_acceleration);
  const double smallest = std::min({2e-3, whole / 500.0, std::abs(step) / 16.0});
  // wheels leave the road where the branch has them do so, not at the end of a long step
  const double at_contacts = std::abs(step) / 16.0;
  double usual = step;
  while (turn.lateral_acceleration != lateral_acceleration && steering_ != kNoInput) {
    const double from = turn.lateral_acceleration;
    const double left = lateral_acceleration - from;
    const double next = std::abs(left) <= std::abs(step) ? lateral_acceleration : from + step;
    SteadyTurn further = turn;
    State trial = state;
    const bool solved = try_turn(speed, next, trial, further) && is_on_branch(turn, further);
    const bool lifts =
        solved && find_lifted(further.wheels, true) != find_lifted(turn.wheels, true);
    if (solved && (!lifts || std::abs(next - from) <= at_contacts)) {
      further.lateral_acceleration = next;
      turn = further;
      state = trial;
      if (lifts) step = usual;
      continue;
    }
    step *= 0.5;
    if (!solved) usual = step;
    if (std::abs(step) < smallest)
      throw AnalysisError("a lateral acceleration of " + to_text(lateral_acceleration, 4) +
                          " m/s^2 is out of reach at " + to_text(speed, 4) +
                          " m/s: the largest that was solved is " + to_text(from, 5) +
                          " m/s^2, with the steering wheel at " + to_text(turn.steering_wheel, 4) +
                          " rad" + why_no_further(speed, next, state, turn) +
                          describe_missing_lateral(drive_.wheels));
  }
  return turn;
}

std::optional<double> SteadyCar::force_beside(double throttle, double speed,
                                              double lateral_acceleration, State& state,
                                              SteadyTurn& turn) {
  state.live[at(throttle_)] = {true, {throttle, 0.0, 0.0}};
  hold_ = SpeedHold::force;
  const bool found = try_turn(speed, lateral_acceleration, state, turn);
  hold_ = SpeedHold::throttle;
  if (!found) return std::nullopt;
  return turn.drive_force;
}

std::string SteadyCar::why_no_further(double speed, double lateral_acceleration, State state,
                                      SteadyTurn turn) {
  const bool converged = converged_;
  if (hold_ == SpeedHold::throttle) {
    const auto force = force_beside(throttle_range_.most, speed, lateral_acceleration, state, turn);
    if (force && *force > 0.0)
      return "; beyond it full throttle leaves " + to_text(*force, 4) + " N missing";
  }
  return converged ? "" : "; beyond it Newton's search does not converge";
}

bool SteadyCar::hold_by_halving(double speed, State& state, SteadyTurn& turn) {
  constexpr int kThrottleHalvings = 60;
  const auto force_at = [&](double throttle) {
    state = roll_straight(speed, straight_.value_or(at_rest_));
    turn = {};
    return force_beside(throttle, speed, 0.0, state, turn);
  };
  const std::string refusal = kThrottleRefusal + to_text(speed, 4) + " m/s: ";
  double low = throttle_range_.least;
  double high = throttle_range_.most;
  const auto at_least = force_at(low);
  if (!at_least) return false;
  if (*at_least < 0.0)
    throw AnalysisError(refusal + "with the throttle at " + to_text(low, 4) + " " +
                        to_text(-*at_least, 4) + " N are too many, expected a brake");
  // without a steady motion at full throttle it is too much: at a walk its motor turns the wheels
  double missing = std::numeric_limits<double>::infinity();
  for (auto at_most = force_at(high); at_most && *at_most > 0.0; at_most = force_at(high)) {
    missing = std::min(missing, *at_most);
    if (!box_ || choose_gear(*box_, speed) - lower_ <= 1)
      throw AnalysisError(refusal + "at full throttle " + to_text(missing, 4) + " N are missing");
    ++lower_;
  }
  const double tolerance = find_force_tolerance(drive_.model);
  double left = *at_least;
  for (int halving = 0; halving < kThrottleHalvings && std::abs(left) > tolerance; ++halving) {
    const double middle = 0.5 * (low + high);
    const auto force = force_at(middle);
    left = force.value_or(-std::numeric_limits<double>::infinity());
    (left > 0.0 ? low : high) = middle;
  }
  if (!std::isfinite(left)) return false;
  if (!(std::abs(left) <= tolerance))
    throw AnalysisError(refusal + "at " + to_text(high, 4) + " of it the force jumps over zero");
  state.live[at(drive_force_)] = {true, {0.0, 0.0, 0.0}};
  State whole = state;
  SteadyTurn solved = turn;
  if (try_turn(speed, 0.0, whole, solved)) {
    state = whole;
    turn = solved;
    return true;
  }
  turn.state = state;
  fill(turn);
  return true;
}

SteeringTurn SteadyCar::find_steering_turn() {
  return steering_ == kNoInput ? SteeringTurn{} : find_steering_turn(as_it_stands().steering);
}

namespace {

constexpr double kWheelTurn = 0.05;        // rad of steering wheel
constexpr double kTurnsBySteering = 1e-3;  // rad/rad: a wheel that turns by less is not steered

}  // namespace

std::vector<double> SteadyCar::find_wheel_headings(const State& state) {
  const Model& model = drive_.model;
  evaluate_state(model, state, ws_);
  const std::size_t chassis = at(model.tree.tree.tree_index(drive_.chassis));
  const Eigen::Matrix3d to_chassis = ws_.tree.A_WC[chassis].transpose();
  std::vector<double> headings;
  for (const Wheel& wheel : drive_.wheels) {
    const Attachment centre = model.tree.attach(wheel.centre);
    const Eigen::Vector3d axle =
        to_chassis * (ws_.tree.A_WC[at(centre.body)] * centre.X_CF.A.col(1));
    headings.push_back(std::atan2(-axle.x(), axle.y()));
  }
  return headings;
}

std::vector<char> SteadyCar::find_lean_followers(const State& about) {
  const Model& model = drive_.model;
  std::vector<char> follows(drive_.wheels.size(), 0);
  const TreeBody& chassis = model.tree.bodies[at(model.tree.tree.tree_index(drive_.chassis))];
  StandingSearch search;
  // what holds the chassis is left over there
  search.accelerations.setZero(model.n(), chassis.degrees_of_freedom);
  for (int k = 0; k < chassis.degrees_of_freedom; ++k) {
    search.held.push_back(chassis.z + k);
    search.accelerations(chassis.z + k, k) = 1.0;
  }
  search.free_turning = wheel_spins();
  search.tolerance = find_force_tolerance(model);
  const double nudge = kWheelTurn * controls_.steering_ratio;
  std::vector<double> headings[2];
  for (const int side : {0, 1}) {
    State state = about;
    state.live[at(steering_)].value.f += side == 0 ? -nudge : nudge;
    if (!find_standing(model, search, state, ws_).found) return follows;
    headings[side] = find_wheel_headings(state);
  }
  for (std::size_t k = 0; k < follows.size(); ++k)
    if (std::abs(headings[1][k] - headings[0][k]) < 2.0 * kWheelTurn * kTurnsBySteering)
      follows[k] = 1;
  return follows;
}

SteeringTurn SteadyCar::find_steering_turn(double about) {
  SteeringTurn turn;
  if (steering_ == kNoInput) return turn;
  const SteadyTurn middle = as_it_stands();
  const double nudge = kWheelTurn * controls_.steering_ratio;
  std::vector<double> headings[2];
  for (const int side : {0, 1}) {
    State state = middle.state;
    state.live[at(steering_)].value.f = about + (side == 0 ? -nudge : nudge);
    const EquilibriumReport report =
        find_equilibrium(drive_.model, drive_.settings.step, state, ws_);
    if (!report.found) return turn;
    headings[side] = find_wheel_headings(state);
  }
  const Unit& unit = drive_.units.front();
  const AxleGroups groups = group_axles(unit);
  double sums[2] = {0.0, 0.0};
  int counts[2] = {0, 0};
  const std::vector<char> follows = find_lean_followers(middle.state);
  for (const UnitAxle& axle : unit.axles)
    for (const std::vector<int>* wheels : {&axle.left, &axle.right})
      for (const int wheel : *wheels) {
        const double by = (headings[1][at(wheel)] - headings[0][at(wheel)]) / (2.0 * kWheelTurn);
        if (std::abs(by) < kTurnsBySteering || follows[at(wheel)] != 0) continue;
        sums[groups.is_rear(axle.x) ? 1 : 0] += by;
        ++counts[groups.is_rear(axle.x) ? 1 : 0];
      }
  if (counts[0] > 0) turn.front = sums[0] / counts[0];
  if (counts[1] > 0) turn.rear = sums[1] / counts[1];
  turn.rear_is_steered = counts[1] > 0;
  turn.is_steered = counts[0] + counts[1] > 0;
  return turn;
}

}  // namespace semirec
