#include <algorithm>
#include <cmath>

#include "vehicles/analysis/metrics/free_decay.hpp"
#include "vehicles/manoeuvre/car.hpp"
#include "vehicles/manoeuvre/methods.hpp"
#include "vehicles/manoeuvre/open_loop.hpp"

namespace semirec {

namespace {

// names of templates/power_steering.xml
constexpr const char* kGrip = "grip";              // input: above 0 the hands hold, 0 let go
constexpr const char* kColumn = "column_joint.z";  // channel, rad
constexpr double kRampTime = 2.0;                  // s in which the steering wheel is turned
constexpr double kLettingGo = 0.02;                // s
constexpr double kBeforeRelease = 0.5;             // s shown before the release
constexpr int kMostDrives = 6;
constexpr double kUnrest = 0.05;  // of the way, in the last tenth

/// How firmly the hands hold, over time: what the manoeuvre's file says, or else the vehicle's.
/// Throws ModelError where the vehicle has no grip that can be set.
Curve find_grip_curve(const Vehicle& vehicle, const Manoeuvre& manoeuvre) {
  const std::vector<Input>& own = vehicle.mechanism.inputs;
  const std::vector<Input>& asked = manoeuvre.scenario.inputs;
  const auto is_grip = [](const Input& input) { return input.name == kGrip && is_free(input); };
  const auto of_vehicle = std::find_if(own.begin(), own.end(), is_grip);
  const auto of_file = std::find_if(asked.rbegin(), asked.rend(), is_grip);
  if (of_vehicle != own.end()) return of_file == asked.rend() ? of_vehicle->curve : of_file->curve;
  throw ModelError("vehicle '" + vehicle.mechanism.name + "': has no input '" + kGrip +
                   "' that can be set, which '" + manoeuvre.name +
                   "' needs, expected a steering wheel that can be let go, such as that of "
                   "templates/power_steering.xml with hands.value=torque");
}

/// The hands hold as the file says at the release, all the way up to it: the angle is found and the
/// turn is driven with the same car. A grip that moves before the release is noted.
double find_held_grip(const Curve& grip, double release, const Manoeuvre& manoeuvre,
                      Answer& answer) {
  const double held = grip.value(release);
  if (!(held > 0.0))
    throw ModelError(manoeuvre.source, manoeuvre.name,
                     "finds the steering wheel let go already: the input '" + std::string(kGrip) +
                         "' is " + to_text(held, 3) + " at the release, expected a number above 0");
  if (!grip.is_constant())
    answer.notes.push_back("the file's input '" + std::string(kGrip) + "' counts at " +
                           to_text(release, 3) + " s alone, where it is " + to_text(held, 3) +
                           ": so firmly the hands hold up to the release");
  return held;
}

Manoeuvre with_grip(const Manoeuvre& manoeuvre, const Curve& grip) {
  Manoeuvre changed = manoeuvre;
  std::erase_if(changed.scenario.inputs, [](const Input& input) { return input.name == kGrip; });
  changed.scenario.inputs.push_back({kGrip, grip, manoeuvre.source});
  return changed;
}

void add_decay(Answer& answer, const std::string& name, const std::string& unit,
               const FreeDecay& decay) {
  add_quantity(answer, name + ".before", decay.before, unit, "at the release");
  add_quantity(answer, name + ".half_time", decay.half_time, "s",
               "release to half of the way to the end");
  add_quantity(answer, name + ".overshoot", decay.overshoot, "1",
               "first swing beyond the end, over the way");
  add_quantity(answer, name + ".damping", decay.damping, "1",
               "of critical, by the first two half-waves");
  add_quantity(answer, name + ".period", decay.period, "s", "of the swing");
  add_quantity(answer, name + ".residual", decay.residual, unit, "in the end");
}

Answer steering_release(const Vehicle& vehicle, const Manoeuvre& manoeuvre,
                        const Progress& progress) {
  need_steering(vehicle, manoeuvre);
  const Curve grip = find_grip_curve(vehicle, manoeuvre);
  const double release = manoeuvre.value("settle") + kRampTime + manoeuvre.value("corner");
  const double wanted = manoeuvre.value("lateral_acceleration");
  const bool finds = std::isnan(manoeuvre.value("steering_wheel"));
  Answer answer;
  const double held = find_held_grip(grip, release, manoeuvre, answer);
  double angle =
      steering_wheel_of(vehicle, with_grip(manoeuvre, Curve::constant(held)), progress, 0.0, 0.3);
  const Manoeuvre lets_go =
      with_grip(manoeuvre, Curve::table({{release, held}, {release + kLettingGo, 0.0}}));
  SteeredDrive task;
  task.speed = manoeuvre.value("speed");
  task.settle = manoeuvre.value("settle");
  task.duration = release + manoeuvre.value("after");
  task.what = "steering wheel let go";
  History history;
  for (int pass = 0;; ++pass) {
    task.steering_wheel = Curve::table({{task.settle, 0.0}, {task.settle + kRampTime, angle}});
    task.part_from = 0.3 + 0.7 * pass / kMostDrives;
    task.part_to = task.part_from + 0.7 / kMostDrives;
    history = rows_from(drive_steered(vehicle, lets_go, task, progress), release - kBeforeRelease);
    if (!finds) break;
    const double ratio = wanted / history.column("car.ay").front();
    if (std::abs(ratio - 1.0) < 5e-3) break;
    if (pass + 1 == kMostDrives || !(ratio > 0.2 && ratio < 5.0))
      throw AnalysisError(
          "no steering wheel angle is found that ends in the lateral acceleration, expected one "
          "that the car can corner with, or a steering_wheel angle");
    angle *= ratio;
  }

  const double dt = interval_of(history);
  answer.title = vehicle.mechanism.name + ": steering wheel let go in a turn";
  add_quantity(answer, "steering_wheel", angle, "rad", "that the hands ask for, to the left");
  read_at(answer, "", release, "let go");
  const double end = history.times().back();
  const auto show = [&](const std::string& name, const std::string& unit, const char* channel) {
    const FreeDecay decay = find_free_decay(history.column(channel), dt, kBeforeRelease);
    add_decay(answer, name, unit, decay);
    if (decay.unrest > kUnrest)
      answer.notes.push_back(
          name + " is not at rest in the end: it still changes by " + to_text(decay.unrest, 2) +
          " of its way in the last tenth of the time after the release, and what "
          "counts from its end hangs on 'after', expected a longer one");
    const double way = decay.residual - decay.before;
    read_at(answer, channel, release + decay.half_time, "half way", decay.before + 0.5 * way);
    read_at(answer, channel, release + decay.swing_time, "first swing",
            decay.residual + decay.overshoot * way);
    read_over(answer, channel, end - 0.1 * (end - release), end, "end", decay.residual);
  };
  show("yaw_rate", "rad/s", "car.yaw_rate");
  show("lateral_acceleration", "m/s^2", "car.ay");
  const bool has_column = history.has(kColumn);
  if (has_column) show("column", "rad", kColumn);
  if (std::isnan(find_free_decay(history.column("car.yaw_rate"), dt, kBeforeRelease).damping))
    answer.notes.emplace_back(
        "the yaw rate has no second half-wave of a hundredth of its way, so its damping is not "
        "known");
  show_history(vehicle, manoeuvre, history, answer);
  if (has_column) answer.charts.push_back(make_chart(history, "steering column", {kColumn}));
  return answer;
}

}  // namespace

Method steering_release_method() {
  Method method{"steering_release",
                "the steering wheel let go in a turn at a kept speed: how the car comes straight "
                "(ISO 17288)",
                steering_values(1.0, "of the turn, to the left"), steering_release};
  method.values.push_back({"corner", 4.0, "s", 0.5, 600.0, "in the turn before the release"});
  method.values.push_back({"after", 6.0, "s", 0.5, 600.0, "driven on after it"});
  return method;
}

}  // namespace semirec
