#include <algorithm>
#include <cmath>

#include "vehicles/analysis/metrics/free_decay.hpp"
#include "vehicles/manoeuvre/car.hpp"
#include "vehicles/manoeuvre/methods.hpp"
#include "vehicles/manoeuvre/open_loop.hpp"

namespace semirec {

namespace {

// names of templates/power_steering.xml
constexpr const char* kGrip = "grip";              // input: 1 while the hands hold, 0 let go
constexpr const char* kColumn = "column_joint.z";  // channel, rad
constexpr double kRampTime = 2.0;                  // s in which the steering wheel is turned
constexpr double kLettingGo = 0.02;                // s
constexpr double kBeforeRelease = 0.5;             // s shown before the release
constexpr int kMostDrives = 6;

void need_grip(const Vehicle& vehicle, const std::string& manoeuvre) {
  for (const Input& input : vehicle.mechanism.inputs)
    if (input.name == kGrip) return;
  throw ModelError("vehicle '" + vehicle.mechanism.name + "': has no input '" + kGrip +
                   "', which '" + manoeuvre +
                   "' needs, expected a steering wheel that can be let go, such as that of "
                   "templates/power_steering.xml with hands.value=torque");
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
  need_steering(vehicle, manoeuvre.name);
  need_grip(vehicle, manoeuvre.name);
  const double release = manoeuvre.value("settle") + kRampTime + manoeuvre.value("corner");
  const double wanted = manoeuvre.value("lateral_acceleration");
  const bool finds = std::isnan(manoeuvre.value("steering_wheel"));
  double angle = steering_wheel_of(vehicle, manoeuvre, progress, 0.0, 0.3);

  Manoeuvre lets_go = manoeuvre;
  std::erase_if(lets_go.scenario.inputs, [](const Input& input) { return input.name == kGrip; });
  lets_go.scenario.inputs.push_back(
      {kGrip, Curve::table({{release, 1.0}, {release + kLettingGo, 0.0}}), manoeuvre.source});
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
  Answer answer;
  answer.title = vehicle.mechanism.name + ": steering wheel let go in a turn";
  add_quantity(answer, "steering_wheel", angle, "rad", "that the hands ask for, to the left");
  read_at(answer, "", release, "let go");
  const double end = history.times().back();
  const auto show = [&](const std::string& name, const std::string& unit, const char* channel) {
    const FreeDecay decay = find_free_decay(history.column(channel), dt, kBeforeRelease);
    add_decay(answer, name, unit, decay);
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
  show_history(vehicle, history, answer);
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
