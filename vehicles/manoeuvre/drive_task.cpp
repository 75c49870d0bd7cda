#include "vehicles/manoeuvre/drive_task.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>
#include <sstream>

#include "integrator/outputs/input_effort.hpp"
#include "topology/centre_marker.hpp"
#include "topology/indices.hpp"
#include "topology/quoted_names.hpp"
#include "topology/tell_apart.hpp"
#include "vehicles/analysis/steady_state.hpp"
#include "vehicles/description/input_readers.hpp"
#include "vehicles/driver/manual_gearbox.hpp"
#include "vehicles/manoeuvre/drive_stepper.hpp"
#include "vehicles/manoeuvre/drive_watcher.hpp"
#include "vehicles/manoeuvre/trailing_units.hpp"
#include "vehicles/session/end_notes.hpp"
#include "vehicles/session/session.hpp"

namespace semirec {

namespace {

constexpr const char* kForce = "driver_force";
constexpr std::array<const char*, 5> kHeld{"steering_wheel", "throttle", "brake", "gear", "force"};
constexpr double kDriveGear = 1.0;  ///< an automatic's; of a manual gearbox: the driver shifts
/// A progress line every so many steps.
constexpr long kQuantum = 200;

/// A car without throttle is pushed.
Vehicle with_force(Vehicle vehicle) {
  if (!vehicle.controls.throttle.empty() || vehicle.chassis == kGround) return vehicle;
  Mechanism& mechanism = vehicle.mechanism;
  mechanism.inputs.push_back({kForce, Curve::constant(0.0), {}});
  AppliedLoad load;
  load.name = "driver_push";
  load.at = centre_marker(mechanism, vehicle.chassis);
  load.body_axes = true;
  load.direction = load.at.X_BF.A.col(0);
  load.input = static_cast<InputIndex>(mechanism.inputs.size()) - 1;
  mechanism.loads.push_back(load);
  return vehicle;
}

/// Where the driver's hands and feet go.
struct Hands {
  int steering = -1, throttle = -1, brake = -1, gear = -1, force = -1;
  int effort = -1;  ///< output, of the steering input
  double ratio = 1.0;
  double steering_wheel = 0.0;
  std::optional<ManualGearbox> box;  ///< that is shifted here
  int clutch = -1;                   ///< its pedal
  int motor_speed = -1;              ///< output
  int in_gear = 1;

  Hands(const Session& session, const Vehicle& vehicle, const DriverAction& start)
      : ratio(vehicle.controls.steering_ratio), box(find_manual_gearbox(vehicle)) {
    const Controls& controls = vehicle.controls;
    const auto find = [&](const std::string& name) {
      return name.empty() ? -1 : session.find_input(name);
    };
    steering = find(controls.steering);
    effort = session.find_output(controls.steering + ".effort");
    throttle = find(controls.throttle);
    brake = find(controls.brake);
    gear = find(controls.gear);
    force = session.find_input(kForce);
    if (!box) return;
    clutch = find(box->clutch);
    motor_speed = session.find_output(box->motor_speed);
    in_gear = static_cast<int>(start.gear);
  }

  /// Shifts and lets the clutch in where the driver says `drive`; other gears are as they are.
  void use_gearbox(Session& session, const CarMotion& motion, const std::vector<double>& outputs,
                   DriverAction& action) noexcept {
    if (clutch >= 0 && motor_speed >= 0) {
      const double pedal = clutch_pedal(*box, outputs[at(motor_speed)]);
      session.set_input(clutch, CurveValue{pedal, 0.0, 0.0});
    }
    in_gear = action.gear == kDriveGear ? next_gear(*box, std::max(in_gear, 1), motion.vx)
                                        : static_cast<int>(action.gear);
    action.gear = in_gear;
  }

  void hold(Session& session, const DriverAction& action) noexcept {
    if (steering >= 0) {
      const double rate = std::isfinite(action.steering_wheel_rate)
                              ? action.steering_wheel_rate
                              : (action.steering_wheel - steering_wheel) / session.settings().h;
      session.set_input(steering, CurveValue{ratio * action.steering_wheel, ratio * rate,
                                             ratio * action.steering_wheel_acceleration});
      steering_wheel = action.steering_wheel;
    }
    // pedals and gears enter as values alone
    if (throttle >= 0) session.set_input(throttle, CurveValue{action.throttle, 0.0, 0.0});
    if (brake >= 0) session.set_input(brake, CurveValue{action.brake, 0.0, 0.0});
    if (gear >= 0) session.set_input(gear, CurveValue{action.gear, 0.0, 0.0});
    if (force >= 0) session.set_input(force, CurveValue{action.force, 0.0, 0.0});
  }
};

[[noreturn]] void fail(const Session& session, StepStatus status, const DriveTask& task) {
  const StepReport& report = session.report();
  std::ostringstream text;
  text << task.what << ": the step from t = " << session.time() << " s of " << session.settings().h
       << " s failed: " << name_of(status);
  if (report.worst_row >= 0)
    text << "; worst closure '" << name_of_row(session.drive().model, report.worst_row)
         << "' open by " << report.Phi << " m or rad";
  text << "; expected a milder manoeuvre or a shorter step";
  throw AnalysisError(text.str());
}

[[noreturn]] void lost(const CarMotion& motion, const DriveTask& task) {
  std::ostringstream text;
  text << task.what << ": at t = " << motion.t << " s the car has rolled over (roll " << motion.roll
       << " rad, pitch " << motion.pitch << " rad), expected a milder manoeuvre";
  throw AnalysisError(text.str());
}

[[noreturn]] void lost(const std::string& unit, const CarMotion& motion, const DriveTask& task) {
  std::ostringstream text;
  text << task.what << ": at t = " << motion.t << " s '" << unit
       << "' has rolled over, expected a milder manoeuvre";
  throw AnalysisError(text.str());
}

/// Ends a drive whose steps have left the car's motion: nothing that it is driven by makes it as
/// fast as that.
class RunawayGuard {
 public:
  RunawayGuard(const CarMotion& start, double step) : before_(start), then_(start), step_(step) {}

  void look(const CarMotion& motion, const DriveTask& task) {
    if (!(motion.speed() - then_.speed() <
          kMostAcceleration * std::max(kSpan, motion.t - then_.t)) ||
        !(std::abs(motion.roll - before_.roll) < kMostTurning * step_) ||
        !(std::abs(motion.pitch - before_.pitch) < kMostTurning * step_))
      run_away(motion, task);
    before_ = motion;
    if (motion.t - then_.t > kSpan) then_ = motion;
  }

 private:
  static constexpr double kSpan = 0.05;               // s
  static constexpr double kMostAcceleration = 100.0;  // m/s^2, mean over that
  static constexpr double kMostTurning = 50.0;        // rad/s, in roll or pitch

  [[noreturn]] void run_away(const CarMotion& motion, const DriveTask& task) const {
    std::ostringstream text;
    text << task.what << ": at t = " << motion.t << " s the car runs away, at " << then_.speed()
         << " m/s at t = " << then_.t << " s and at " << motion.speed()
         << " m/s now: the steps do not follow its motion, expected a milder manoeuvre, a shorter "
            "step or a driver with limits";
    throw AnalysisError(text.str());
  }

  CarMotion before_, then_;
  double step_;
};

/// The scenario with the effort of the steering wheel among its outputs, if it moves the car's
/// joints.
void ask_for_effort(const Vehicle& vehicle, Scenario& scenario) {
  const std::string& name = vehicle.controls.steering;
  const auto& inputs = vehicle.mechanism.inputs;
  for (std::size_t k = 0; k < inputs.size(); ++k)
    if (inputs[k].name == name && moves_mechanism(vehicle.mechanism, static_cast<InputIndex>(k)) &&
        std::find(scenario.efforts.begin(), scenario.efforts.end(), name) == scenario.efforts.end())
      scenario.efforts.push_back(name);
}

/// Holds an input at a value, unless the manoeuvre's own file says what it does.
void hold_input(const std::string& name, double value, Scenario& scenario) {
  if (name.empty()) return;
  for (const Input& input : scenario.inputs)
    if (input.name == name) return;
  scenario.inputs.push_back({name, Curve::constant(value), scenario.source});
}

/// Whether the driver's gear lever moves an input: it is that input, one that follows it, or one
/// of an equation, which may.
bool is_moved_by_lever(const Vehicle& vehicle, InputIndex input) {
  const std::vector<Input>& inputs = vehicle.mechanism.inputs;
  for (; input != kNoInput; input = inputs[at(input)].of)
    if (inputs[at(input)].name == vehicle.controls.gear ||
        (inputs[at(input)].computed && is_read(vehicle, vehicle.controls.gear)))
      return true;
  return false;
}

/// The gear that a manoeuvre asks for at some time.
double asked_gear(const Manoeuvre& manoeuvre, const DriveTask& task) {
  for (const ManoeuvreValue& value : manoeuvre.values)
    if (value.name == "gear") return value.value;
  return task.gear;
}

/// Whether something else than a driver moves an input.
bool moves_by_itself(const Vehicle& vehicle, InputIndex input) {
  const std::vector<Input>& inputs = vehicle.mechanism.inputs;
  for (; input != kNoInput; input = inputs[at(input)].of)
    if (inputs[at(input)].computed || !inputs[at(input)].curve.is_constant()) return true;
  return false;
}

/// Drivelines that do not get the gear that is asked for: the driver has no lever of theirs.
std::string describe_missing_levers(const Vehicle& vehicle, double gear) {
  const bool drives = gear >= kDriveGear;
  std::string shifts;  // none
  std::string stays;   // in drive, where it should not
  bool has_lever = false;
  for (const Driveline& driveline : vehicle.drivelines) {
    const Gearbox& gearbox = driveline.gearbox;
    const InputIndex selector = gearbox.selector;
    if (is_moved_by_lever(vehicle, selector) || moves_by_itself(vehicle, selector)) continue;
    // without a lever an automatic and a single gear are in drive
    if (selector == kNoInput && drives) continue;
    add_quoted(selector == kNoInput ? stays : shifts, driveline.name);
    has_lever = has_lever || selector != kNoInput;
  }
  const auto say = [&](const std::string& names, const char* what) {
    return names.empty() ? std::string() : names + what;
  };
  std::string who = say(stays, ", which stays in drive");
  if (!who.empty() && !shifts.empty()) who += ", and of ";
  who += say(shifts, ", which stays in the gear that it is in");
  if (who.empty()) return {};
  return "the driver has no gear lever of " + who + ": " +
         (drives ? "nobody shifts" : "gear " + to_text(gear, 4) + " is asked for (0 is neutral)") +
         (has_lever ? ", expected its input in <controls gear=\"...\">" : "");
}

/// Pedals and gear of a steady drive straight on: nothing has to settle. Without such a drive, on a
/// slope for instance, the throttle is closed; `why`, where it cannot hold the speed.
DriverAction start_rolling(const Vehicle& vehicle, const DriveTask& task, Scenario& scenario,
                           std::string& why) {
  DriverAction held;
  held.gear = task.gear;
  const std::optional<ManualGearbox> box = find_manual_gearbox(vehicle);
  if (box && !(task.speed > 0.0)) hold_input(box->clutch, 1.0, scenario);
  // whatever the file has for a car that stands
  if (task.speed > 0.0) hold_input(vehicle.controls.brake, held.brake, scenario);
  if (!(task.speed > 0.0) || vehicle.controls.throttle.empty()) return held;
  const bool chooses = box && task.gear == kDriveGear;
  if (chooses) held.gear = choose_gear(*box, task.speed);
  Scenario steady = scenario;  // there the car has the gear in that holds the speed
  if (!chooses) hold_input(vehicle.controls.gear, held.gear, steady);
  // in neutral, or by the file's own throttle, nobody holds the speed
  const bool given =
      std::any_of(scenario.inputs.begin(), scenario.inputs.end(),
                  [&](const Input& input) { return input.name == vehicle.controls.throttle; });
  const auto find_throttle = [&] {
    if (held.gear == 0.0 || given) return;
    SteadyCar car(vehicle, steady, SpeedHold::throttle);
    const SteadyTurn turn = car.turn(task.speed, 0.0);
    const double throttle = turn.throttle;
    if (chooses) held.gear = std::max(1.0, car.gear_in(turn));
    if (throttle < 0.0)
      why = std::string(kThrottleRefusal) + to_text(task.speed, 4) + " m/s: it would have to be " +
            to_text(throttle, 4) + ", and a driver's is not below 0";
    held.throttle = std::clamp(throttle, 0.0, 1.0);
  };
  try {
    find_throttle();
  } catch (const AnalysisError& error) {
    const std::string text = error.what();
    if (text.starts_with(kThrottleRefusal)) why = text;
  } catch (const ModelError&) {
  }
  hold_input(vehicle.controls.gear, held.gear, scenario);
  hold_input(vehicle.controls.throttle, held.throttle, scenario);
  return held;
}

/// Outputs of a history: all, or those of the motion alone.
std::vector<std::size_t> kept_outputs(const Session& session, const MotionReader& motion,
                                      bool whole) {
  std::vector<std::size_t> kept = motion.channels();
  if (!whole) return kept;
  kept.resize(session.outputs().size());
  std::iota(kept.begin(), kept.end(), std::size_t{0});
  return kept;
}

/// What a manoeuvre itself reads of a row comes last and bears the names it goes by: an output of
/// the session that is called alike, as that of a body `car` or of a trailer's frame, is
/// `<name>#2`.
std::vector<Channel> history_channels(const Session& session, const std::vector<std::size_t>& kept,
                                      const UnitReader& units, const Hands& hands, bool whole) {
  std::vector<Channel> own;
  for (const Channel& channel : motion_channels()) own.push_back(channel);
  const std::array<const char*, 5> held_units{"rad", "1", "1", "1", "N"};
  for (std::size_t i = 0; i < kHeld.size(); ++i)
    own.push_back({std::string("driver.") + kHeld[i], held_units[i]});
  if (whole && hands.effort >= 0) own.push_back({kSteeringWheelTorque, "N m"});
  if (whole) own.insert(own.end(), units.channels().begin(), units.channels().end());
  std::set<std::string> taken;
  for (const Channel& channel : own)
    if (!taken.insert(channel.name).second)
      throw ModelError("there are two numbers '" + channel.name +
                       "': a trailer's frame is called as what a manoeuvre counts by itself, "
                       "expected another name than 'car' and 'driver' for it");
  std::vector<Channel> channels;
  for (const std::size_t k : kept) {
    Channel channel = session.outputs()[k];
    channel.name = tell_apart(channel.name, taken);
    channels.push_back(channel);
  }
  channels.insert(channels.end(), own.begin(), own.end());
  return channels;
}

std::vector<double> history_row(const std::vector<double>& outputs,
                                const std::vector<std::size_t>& kept, const CarMotion& motion,
                                const DriverAction& held, const UnitReader& units,
                                const Hands& hands, bool whole) {
  std::vector<double> row;
  row.reserve(kept.size() + motion_channels().size() + kHeld.size() + 1 + units.channels().size());
  for (const std::size_t k : kept) row.push_back(outputs[k]);
  row.resize(kept.size() + motion_channels().size());
  write_motion(motion, row.data() + kept.size());
  row.insert(row.end(), {held.steering_wheel, held.throttle, held.brake, held.gear, held.force});
  if (!whole) return row;
  if (hands.effort >= 0) row.push_back(hands.ratio * outputs[at(hands.effort)]);
  units.append(outputs.data(), motion, row);
  return row;
}

/// What is read of a session: everything where a row of the history or somebody's look is due, in
/// between what the drive itself goes by.
class OutputReader {
 public:
  OutputReader(Session& session, const MotionReader& motion, const Hands& hands,
               std::vector<std::size_t> needed)
      : session_(session), wanted_(std::move(needed)), all_(session.outputs().size()) {
    for (const std::size_t k : motion.channels()) wanted_.push_back(k);
    if (hands.motor_speed >= 0) wanted_.push_back(at(hands.motor_speed));
    choice_ = session.choose_outputs(wanted_);
    some_.resize(wanted_.size());
  }
  void read_all() { session_.read_outputs(all_.data()); }
  void read_some() {
    session_.read_outputs(choice_, some_.data());
    std::fill(all_.begin(), all_.end(), std::nan(""));
    for (std::size_t k = 0; k < wanted_.size(); ++k) all_[wanted_[k]] = some_[k];
  }
  const std::vector<double>& outputs() const { return all_; }

 private:
  Session& session_;
  std::vector<std::size_t> wanted_;
  OutputChoice choice_;
  std::vector<double> all_, some_;
};

}  // namespace

History drive(const Vehicle& vehicle, const Manoeuvre& manoeuvre, const DriveTask& task,
              const Progress& progress) {
  Scenario scenario = manoeuvre.scenario;
  scenario.name = manoeuvre.name;
  scenario.source = manoeuvre.source;
  scenario.start = StartMode::equilibrium;
  scenario.speed = task.speed;
  scenario.speed_mode = SpeedMode::coast;
  ask_for_effort(vehicle, scenario);
  std::string unheld;
  DriverAction held = start_rolling(vehicle, task, scenario, unheld);
  SessionSettings settings;
  settings.step = manoeuvre.step;
  Vehicle driven = with_force(vehicle);
  add_unit_markers(driven, scenario);
  Session session(driven, scenario, settings);
  Hands hands(session, vehicle, held);
  const MotionReader reader(session.outputs());
  const UnitReader units(session.drive().units, session.outputs());

  // those of the files come first, and are the reader's to show
  const auto files = static_cast<std::ptrdiff_t>(vehicle.notes.size() + scenario.road_notes.size());
  if (manoeuvre.start_notes != nullptr)
    manoeuvre.start_notes->insert(manoeuvre.start_notes->end(), session.notes().begin() + files,
                                  session.notes().end());
  if (manoeuvre.start_notes != nullptr && !unheld.empty())
    manoeuvre.start_notes->push_back("the throttle is closed at the start of a drive at " +
                                     to_text(task.speed, 4) + " m/s: " + unheld);
  if (manoeuvre.start_notes != nullptr)
    if (std::string line = describe_missing_levers(vehicle, asked_gear(manoeuvre, task));
        !line.empty())
      manoeuvre.start_notes->push_back(std::move(line));
  History history;
  const bool whole = !task.motion_alone;
  const std::vector<std::size_t> kept = kept_outputs(session, reader, whole);
  history.channels = history_channels(session, kept, units, hands, whole);
  const double interval = task.record > 0.0 ? task.record : manoeuvre.record;
  const long every = std::max(1L, std::lround(interval / manoeuvre.step));
  const long steps = std::lround(task.duration / manoeuvre.step);
  history.rows.reserve(static_cast<std::size_t>(steps / every + 2));

  OutputReader look(session, reader, hands,
                    task.begin ? task.begin(session.outputs()) : std::vector<std::size_t>{});
  const std::vector<double>& outputs = look.outputs();
  look.read_all();
  CarMotion motion = reader.read(outputs.data());
  DriveWatcher* const watcher = manoeuvre.watcher;
  if (watcher != nullptr) history.drive = watcher->begin(session);
  if (task.driver != nullptr) task.driver->begin(motion, manoeuvre.step, held);
  RunawayGuard guard(motion, manoeuvre.step);
  bool over = false;
  for (long k = 0;; ++k) {
    if (watcher != nullptr) watcher->see(session, outputs);
    over = over || (task.over && task.over(motion, outputs.data()));
    const bool is_row = k % every == 0 || k == steps;
    if (is_row)
      history.rows.push_back(history_row(outputs, kept, motion, held, units, hands, whole));
    // a drive that is over ends with a row at an even interval
    if ((over && is_row) || k == steps) {
      history.stopped = over;
      if (watcher != nullptr) watcher->end(session, outputs);
      break;
    }
    if (k % kQuantum == 0)
      show_progress(progress,
                    task.part_from + (task.part_to - task.part_from) * static_cast<double>(k) /
                                         static_cast<double>(steps),
                    task.what);
    if (task.driver != nullptr) {
      held = task.driver->act(motion);
      if (hands.box) hands.use_gearbox(session, motion, outputs, held);
      hands.hold(session, held);
    }
    const StepStatus status =
        manoeuvre.stepper != nullptr ? manoeuvre.stepper->step(session) : session.step();
    if (status != StepStatus::converged) fail(session, status, task);
    ++history.steps;
    if (!session.report().settled) {
      ++history.unsettled;
      history.correction = std::max(history.correction, session.report().correction);
    }
    const bool is_read = watcher != nullptr || (whole && ((k + 1) % every == 0 || k + 1 == steps));
    if (is_read)
      look.read_all();
    else
      look.read_some();
    motion = reader.read(outputs.data());
    guard.look(motion, task);
    if (!(std::abs(motion.roll) < kRolledOver && std::abs(motion.pitch) < kRolledOver))
      lost(motion, task);
    if (is_read)
      if (const std::string* unit = units.find_rolled_over(outputs.data()))
        lost(*unit, motion, task);
  }
  return history;
}

}  // namespace semirec
