#include "vehicles/analysis/metrics/weave.hpp"

#include <cmath>

#include "vehicles/manoeuvre/car.hpp"
#include "vehicles/manoeuvre/methods.hpp"
#include "vehicles/manoeuvre/open_loop.hpp"
#include "vehicles/manoeuvre/sine_steps.hpp"

namespace semirec {

namespace {

constexpr double kTransientPeriods = 1.0;

Answer weave(const Vehicle& vehicle, const Manoeuvre& manoeuvre, const Progress& progress) {
  need_steering(vehicle, manoeuvre);
  const double settle = manoeuvre.value("settle");
  const double frequency = manoeuvre.value("frequency");
  const double periods = std::round(manoeuvre.value("periods"));
  const double wanted = std::abs(manoeuvre.value("lateral_acceleration"));
  const bool finds = std::isnan(manoeuvre.value("steering_wheel"));
  double amplitude = std::abs(steering_wheel_of(vehicle, manoeuvre, progress, 0.0, 0.2));

  SineStep step{frequency, settle, settle + kTransientPeriods / frequency, 0.0};
  step.end = step.measured + periods / frequency;
  SteeredDrive task;
  task.speed = manoeuvre.value("speed");
  task.settle = settle;
  task.duration = step.end;
  task.what = "weave";
  History history;
  for (int pass = 0;; ++pass) {
    task.steering_wheel = Curve();
    task.steering_wheel.add_sine(sine_of(step, amplitude));
    task.part_from = 0.2 + 0.16 * pass;
    task.part_to = task.part_from + 0.16;
    history = rows_from(drive_steered(vehicle, manoeuvre, task, progress), step.measured);
    if (!finds) break;
    // without what the car turns straight on, as the answer counts it
    const double peak = find_hysteresis(history.column("driver.steering_wheel"),
                                        history.column("car.ay"), interval_of(history), frequency)
                            .y_peak;
    const double ratio = wanted / peak;
    if (std::abs(ratio - 1.0) < 5e-3) break;
    if (pass == 4 || !(ratio > 0.2 && ratio < 5.0))
      throw AnalysisError(
          "no amplitude of the steering wheel is found that weaves with the lateral acceleration, "
          "expected one that the car can corner with, or a steering_wheel angle");
    amplitude *= ratio;
  }

  const double dt = interval_of(history);
  const std::vector<double> wheel = history.column("driver.steering_wheel");
  const std::vector<double> ay = history.column("car.ay");
  const std::vector<double> yaw_rate = history.column("car.yaw_rate");
  Answer answer;
  answer.title = vehicle.mechanism.name + ": weave";
  add_quantity(answer, "steering_wheel", amplitude, "rad", "amplitude");
  for (double k = 0.0; k < periods; ++k)
    read_over(answer, "", step.measured + k / frequency, step.measured + (k + 1.0) / frequency,
              "period " + to_text(k + 1.0));
  struct Over {
    std::string words, unit, per;
  };
  const Over steering_wheel{"steering wheel", "rad", "/rad"};
  const Over acceleration{"lateral acceleration", "m/s^2", "/(m/s^2)"};
  const auto show = [&](const std::string& name, const std::string& unit, const Over& over,
                        const HysteresisLoop& loop) {
    add_quantity(answer, name + ".gradient", loop.gradient, unit + over.per,
                 "over the " + over.words + ", within 20 % of its amplitude",
                 loop.spread * std::abs(loop.gradient));
    add_quantity(answer, name + ".dead_band", loop.dead_band, over.unit,
                 "width of the loop in " + over.words, loop.spread * loop.dead_band);
    add_quantity(answer, name + ".hysteresis", loop.height, unit,
                 "height of the loop at " + over.words + " zero", loop.spread * loop.height);
    add_quantity(answer, name + ".peak", loop.y_peak, unit, "");
    add_quantity(answer, name + ".lag", loop.lag, "s", "behind the " + over.words);
    if (std::isfinite(loop.gradient_at_level)) {
      add_quantity(answer, name + ".gradient_at_1", loop.gradient_at_level, unit + over.per,
                   "around 1 m/s^2, mean of both sides");
      add_quantity(answer, name + ".linearity", loop.gradient / loop.gradient_at_level, "1",
                   "gradient at the centre over that at 1 m/s^2");
    }
  };
  show("lateral_acceleration", "m/s^2", steering_wheel,
       find_hysteresis(wheel, ay, dt, frequency, 1.0));
  show("yaw_rate", "rad/s", steering_wheel, find_hysteresis(wheel, yaw_rate, dt, frequency));
  const HysteresisLoop both = find_hysteresis(ay, yaw_rate, dt, frequency);
  add_quantity(answer, "yaw_rate.lag_behind_acceleration", both.lag, "s",
               "below zero: ahead of it");
  std::vector<double> torque;
  if (history.has(kSteeringWheelTorque)) {
    torque = history.column(kSteeringWheelTorque);
    show("torque", "N m", steering_wheel, find_hysteresis(wheel, torque, dt, frequency));
    HysteresisLoop effort = find_hysteresis(ay, torque, dt, frequency);
    effort.gradient_at_level =
        1.0 / find_hysteresis(torque, ay, dt, frequency, 1.0).gradient_at_level;
    show("torque_by_acceleration", "N m", acceleration, effort);
    const double at_1 = find_value_outwards(ay, torque, dt, frequency, 1.0);
    if (std::isfinite(at_1))
      add_quantity(answer, "torque_by_acceleration.at_1", at_1, "N m",
                   "outwards through 1 m/s^2, mean of both sides");
    answer.notes.emplace_back(
        "the steering wheel's torque is that of the car as described: with neither power "
        "assistance "
        "nor friction in the steering unless the file has them");
  } else {
    answer.notes.emplace_back(
        "ISO 13674-1 has metrics of the steering wheel's torque too; the steering wheel of this "
        "car moves "
        "no joint, rod or sliding end, so they are left out");
  }
  const auto loop_chart = [&](const std::string& title, const std::vector<double>& y,
                              const std::string& label) {
    answer.charts.push_back({title, "steering wheel, rad", label, false, false, {{"", wheel, y}}});
  };
  show_history(vehicle, manoeuvre, history, answer);
  loop_chart("lateral acceleration over steering wheel", ay, "m/s^2");
  loop_chart("yaw rate over steering wheel", yaw_rate, "rad/s");
  if (!torque.empty()) loop_chart("torque over steering wheel", torque, "N m");
  return answer;
}

}  // namespace

Method weave_method() {
  Method method{
      "weave",
      "slow sines of the steering wheel at a kept speed: gradients, dead bands, lags around "
      "the centre (ISO 13674-1)",
      steering_values(2.0, "at the peaks"), weave};
  method.values.push_back({"frequency", 0.2, "Hz", 0.02, 5.0, "of the steering wheel"});
  method.values.push_back({"periods", 4.0, "1", 1.0, 100.0, "that count", true});
  return method;
}

}  // namespace semirec
