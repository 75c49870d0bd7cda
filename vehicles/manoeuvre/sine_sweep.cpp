#include <algorithm>
#include <cmath>
#include <numbers>

#include "vehicles/manoeuvre/car.hpp"
#include "vehicles/manoeuvre/departure.hpp"
#include "vehicles/manoeuvre/methods.hpp"
#include "vehicles/manoeuvre/open_loop.hpp"
#include "vehicles/manoeuvre/show_frequency.hpp"
#include "vehicles/manoeuvre/sine_steps.hpp"
#include "vehicles/manoeuvre/steady_gains.hpp"

namespace semirec {

namespace {

/// A sine sees the slope of a cubic law as a steady turn of this part of its amplitude does.
const double kSineLevel = std::sqrt(0.75);

Answer sine_sweep(const Vehicle& vehicle, const Manoeuvre& manoeuvre, const Progress& progress) {
  need_steering(vehicle, manoeuvre);
  const double settle = manoeuvre.value("settle");
  const FoundSteeringWheel found =
      find_steady_steering_wheel(vehicle, manoeuvre, progress, 0.0, 0.2);
  const double amplitude = found.angle;
  const std::vector<SineStep> steps = sine_steps_of(manoeuvre, settle);

  SteeredDrive task;
  task.speed = manoeuvre.value("speed");
  task.settle = settle;
  for (const SineStep& step : steps) task.steering_wheel.add_sine(sine_of(step, amplitude));
  task.duration = steps.back().end;
  // no coarser than 40 rows in a period
  task.record = std::min(manoeuvre.record, 1.0 / (40.0 * manoeuvre.value("f_to")));
  task.part_from = 0.2;
  task.what = "sines of the steering wheel";
  const History history = rows_from(drive_steered(vehicle, manoeuvre, task, progress), settle);
  const double dt = interval_of(history);
  const double start = history.times().front();
  const std::vector<double> wheel = history.column("driver.steering_wheel");

  Answer answer;
  answer.title = vehicle.mechanism.name + ": sines of the steering wheel";
  if (!found.note.empty()) answer.notes.push_back(found.note);
  add_quantity(answer, "steering_wheel", amplitude, "rad", "amplitude");
  const auto respond = [&](const char* channel) {
    const std::vector<double> y = history.column(channel);
    FrequencyResponse response;
    for (const SineStep& step : steps)
      add_sine_point(response, part_of(wheel, dt, step.measured - start, step.end - start),
                     part_of(y, dt, step.measured - start, step.end - start), dt, step.frequency);
    return response;
  };
  const double low = 1.5 * steps.front().frequency;
  SteadyGains gains;
  if (steps.size() > 1)
    gains = find_steady_gains(
        vehicle, manoeuvre, task.speed,
        kSineLevel * std::abs(amplitude) * low_frequency_gain(respond("car.ay"), low).value);
  if (!gains.note.empty()) answer.notes.push_back(gains.note);
  const auto show = [&](const std::string& name, const char* channel, const std::string& unit,
                        const SteadyGain& steady) {
    const FrequencyResponse response = respond(channel);
    if (steps.size() > 1) {
      show_frequency_response(answer, name, unit, response, low, steady);
      return;
    }
    add_quantity(answer, name + ".gain", response.gain[0], unit + "/rad",
                 "amplitudes, over steering wheel", response.gain[0] * response.error[0]);
    add_quantity(answer, name + ".phase", response.phase[0], "rad",
                 "below zero: behind the steering wheel", response.error[0]);
    add_quantity(answer, name + ".amplitude", amplitude * response.gain[0], unit, "");
  };
  show("yaw_rate", "car.yaw_rate", "rad/s", gains.yaw_rate);
  show("lateral_acceleration", "car.ay", "m/s^2", gains.lateral_acceleration);
  show("sideslip", "car.sideslip", "rad", gains.sideslip);
  show("roll", "car.roll", "rad", gains.roll);
  if (steps.size() > 1) {
    constexpr double kFar = 2.2;  // a little more than an octave
    const double ratio = steps[1].frequency / steps[0].frequency;
    if (ratio > kFar)
      answer.notes.push_back("frequencies are a factor of " + to_text(ratio, 3) +
                             " apart: what is read between them is uncertain by more than is "
                             "stated; a larger 'count' has more of them");
  }
  if (steps.size() == 1) {
    show_history(vehicle, manoeuvre, history, answer);
  } else {
    note_departures(vehicle, history, answer);
    point_to_drive(manoeuvre, history);
  }
  for (const SineStep& step : steps)
    read_over(answer, "", step.measured, step.end, to_text(step.frequency, 3) + " Hz");
  return answer;
}

}  // namespace

Method sine_sweep_method() {
  Method method{
      "sine_sweep",
      "continuous sines of the steering wheel at a kept speed, frequency after frequency: "
      "frequency responses (ISO 7401)",
      steering_values(2.0, "that the amplitude would give when held"), sine_sweep};
  for (const ValueRule& rule : sine_steps_values(0.2, 3.0, 12.0)) method.values.push_back(rule);
  return method;
}

}  // namespace semirec
