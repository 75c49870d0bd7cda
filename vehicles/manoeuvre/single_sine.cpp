#include "vehicles/analysis/metrics/single_sine.hpp"

#include <cmath>

#include "vehicles/manoeuvre/car.hpp"
#include "vehicles/manoeuvre/methods.hpp"
#include "vehicles/manoeuvre/open_loop.hpp"

namespace semirec {

namespace {

constexpr double kLead = 0.5;  // s shown before the sine

Answer single_sine(const Vehicle& vehicle, const Manoeuvre& manoeuvre, const Progress& progress) {
  need_steering(vehicle, manoeuvre);
  const double period = 1.0 / manoeuvre.value("frequency");
  const double settle = manoeuvre.value("settle");
  const FoundSteeringWheel found =
      find_steady_steering_wheel(vehicle, manoeuvre, progress, 0.0, 0.5);
  const double amplitude = found.angle;

  const SteeredDrive task = make_one_sine(manoeuvre, amplitude, period + 1.0);
  const History history =
      rows_from(drive_steered(vehicle, manoeuvre, task, progress), settle - kLead);
  const double dt = interval_of(history);
  const double start = settle - history.times().front();
  const std::vector<double> wheel = history.column("driver.steering_wheel");

  Answer answer;
  answer.title = vehicle.mechanism.name + ": one sine of the steering wheel";
  if (!found.note.empty()) answer.notes.push_back(found.note);
  add_quantity(answer, "steering_wheel", amplitude, "rad", "amplitude, first to the left");
  read_over(answer, "", settle, settle + period, "sine");
  const auto add_response = [&](const std::string& name, const char* channel,
                                const std::string& unit) {
    const SingleSineResponse response =
        find_single_sine_response(wheel, history.column(channel), dt, start, period);
    add_quantity(answer, name + ".lag", response.lag, "s",
                 "behind the steering wheel, by cross-correlation");
    add_quantity(answer, name + ".first_lag", response.first_lag, "s", "of its first peak");
    add_quantity(answer, name + ".second_lag", response.second_lag, "s", "of its second peak");
    add_quantity(answer, name + ".first_peak", response.first_peak, unit, "");
    add_quantity(answer, name + ".second_peak", response.second_peak, unit, "");
    add_quantity(answer, name + ".gain", response.first_gain, unit + "/rad",
                 "first peak over that of the steering wheel");
    add_quantity(answer, name + ".peak_ratio", std::abs(response.second_peak / response.first_peak),
                 "1", "second peak over the first, magnitudes");
    const double begin = history.times().front();
    read_at(answer, channel, begin + response.first_time, "first peak",
            response.zero + response.first_peak);
    read_at(answer, channel, begin + response.second_time, "second peak",
            response.zero + response.second_peak);
  };
  add_response("yaw_rate", "car.yaw_rate", "rad/s");
  add_response("lateral_acceleration", "car.ay", "m/s^2");
  show_history(vehicle, manoeuvre, history, answer);
  return answer;
}

}  // namespace

Method single_sine_method() {
  Method method{"single_sine",
                "one sine of the steering wheel with the pedals held: lags and peaks (ISO 7401)",
                steering_values(4.0, "that the steering wheel's amplitude would give when held"),
                single_sine};
  method.values.push_back({"frequency", 0.5, "Hz", 0.05, 10.0, "of the steering wheel"});
  return method;
}

}  // namespace semirec
