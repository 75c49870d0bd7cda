#include <algorithm>
#include <cmath>
#include <sstream>

#include "vehicles/analysis/metrics/step_response.hpp"
#include "vehicles/manoeuvre/car.hpp"
#include "vehicles/manoeuvre/methods.hpp"
#include "vehicles/manoeuvre/open_loop.hpp"

namespace semirec {

namespace {

constexpr double kLeadIn = 0.5;     // s shown before the step
constexpr double kSlowing = 0.005;  // of the speed: a car that loses more is said to

struct Step {
  double steering_wheel, rate, settle, hold;

  double rise() const { return std::abs(steering_wheel) / rate; }
  double end() const { return settle + rise() + hold; }
  /// When half of the way is done, s, by a driver who acts at the ends of steps of `h` and whose
  /// hands move evenly from one to the next.
  double half_way(double h) const {
    const auto share_at = [&](double t) { return std::clamp((t - settle) / rise(), 0.0, 1.0); };
    const double before = h * std::floor((settle + 0.5 * rise()) / h);
    const double first = share_at(before);
    const double next = share_at(before + h);
    return next > first ? before + h * (0.5 - first) / (next - first) : before;
  }
  /// Mean of the last second, or of the last quarter where it is shorter.
  double settled() const { return end() - std::min(1.0, 0.25 * hold); }
  StepWindow window(double reference) const { return {reference, settle, settled(), end()}; }
};

History drive_step(const Vehicle& vehicle, const Manoeuvre& manoeuvre, const Step& step,
                   const Progress& progress, double part) {
  SteeredDrive task;
  task.speed = manoeuvre.value("speed");
  task.settle = step.settle;
  task.pedals = Pedals::held;
  task.steering_wheel =
      Curve::table({{step.settle, 0.0}, {step.settle + step.rise(), step.steering_wheel}});
  task.duration = step.end();
  task.part_from = part;
  task.part_to = part + 0.15;
  task.what = "step of the steering wheel";
  return rows_from(drive_steered(vehicle, manoeuvre, task, progress), step.settle - kLeadIn);
}

/// The window in the time of the history, which begins shortly before the step.
StepWindow window_in(const History& history, const Step& step, double reference) {
  const double start = history.times().front();
  StepWindow window = step.window(reference);
  window.before -= start;
  window.settled -= start;
  window.end -= start;
  return window;
}

void add_response(Answer& answer, const std::string& name, const std::string& unit,
                  const StepResponse& response, double steering_wheel, const std::string& what) {
  add_quantity(answer, name + ".steady", response.steady, unit, what + " after the step",
               response.steady_ripple);
  add_quantity(answer, name + ".gain", response.steady / steering_wheel, unit + "/rad",
               "steady value over steering wheel angle",
               response.steady_ripple / std::abs(steering_wheel));
  add_quantity(answer, name + ".response_time", response.response_time, "s",
               "half of the steering wheel's way to 90 % of the steady value",
               response.response_time_error);
  add_quantity(answer, name + ".peak_time", response.peak_time, "s",
               "half of the steering wheel's way to peak");
  add_quantity(answer, name + ".peak", response.peak, unit,
               "first one; steady value where there is none",
               std::isfinite(response.peak_time) ? kUnknown : response.steady_ripple);
  add_quantity(answer, name + ".overshoot", response.overshoot, "1", "(peak - steady)/steady",
               response.overshoot_error);
}

/// A steady value near zero, such as that of the sideslip at one speed, has no times: what swings
/// on its way there is many times as large.
StepResponse without_times(StepResponse response) {
  constexpr double kMostSwing = 4.0;
  if (response.response_time < 0.0 ||
      std::abs(response.peak) > kMostSwing * std::abs(response.steady))
    response.response_time = response.peak_time = response.overshoot =
        response.response_time_error = response.overshoot_error = kNone;
  return response;
}

/// Says where a response has not come to rest.
void note_change(Answer& answer, const std::string& words, const StepResponse& response) {
  if (response.still_changes)
    answer.notes.push_back("the " + words +
                           " still changes at the end by more than a tenth of its steady value, "
                           "which is a mean on the way and none that it settles to: a longer "
                           "'hold' tells whether there is one");
}

/// Says why a response has no response time or no peak time.
void note_missing(Answer& answer, const std::string& words, const StepResponse& response) {
  note_change(answer, words, response);
  if (!std::isfinite(response.response_time))
    answer.notes.push_back(
        "the " + words +
        " does not change, not to 90 % of its steady value, or swings far beyond "
        "it, so it has no response time and no peak time");
  else if (!std::isfinite(response.peak_time) && !response.still_changes)
    answer.notes.push_back("the " + words +
                           " does not rise above its steady value, so it has no peak time");
}

/// Says that what is called steady is that of a car that has become slower.
void note_slowing(Answer& answer, double speed_loss, double speed) {
  if (!(speed_loss > kSlowing * speed)) return;
  std::ostringstream text;
  text.precision(3);
  text << "the pedals are held and the car loses " << speed_loss << " m/s ("
       << 100.0 * speed_loss / speed
       << " % of its speed) until the steady values are read: these, the gains, overshoots and "
          "response times depend on 'hold' for that";
  answer.notes.push_back(text.str());
}

/// `start`: time of the first row, s.
void add_readings(Answer& answer, const std::string& channel, const StepResponse& response,
                  const StepWindow& window, double start) {
  read_over(answer, channel, start + window.settled, start + window.end, "steady",
            response.zero + response.steady);
  const double reference = start + window.reference;
  read_at(answer, channel, reference + response.response_time, "90 %",
          response.zero + 0.9 * response.steady);
  read_at(answer, channel, reference + response.peak_time, "peak", response.zero + response.peak);
}

constexpr int kMostPasses = 8;
/// Of the lateral acceleration that is asked for: a step that settles as near to it counts.
constexpr double kNear = 2e-4;

/// A steering wheel angle, rad, and the lateral acceleration to which its step settles, m/s^2.
struct SteeredTurn {
  double steering_wheel = 0.0, ay = 0.0;
};

[[noreturn]] void fail_to_reach(double wanted, const SteeredTurn& turn) {
  std::ostringstream text;
  text << "no steering wheel angle is found whose step ends in a lateral acceleration of " << wanted
       << " m/s^2 (the last one tried, " << turn.steering_wheel << " rad, ends in " << turn.ay
       << "), expected one that the car can corner with, or a steering_wheel angle";
  throw AnalysisError(text.str());
}

/// The angle to try next: on the straight line through the last two turns, the first of which is
/// straight running; at most twice as large, at least half.
double next_steering_wheel(const SteeredTurn& last, const SteeredTurn& turn, double wanted) {
  const double slope = (turn.ay - last.ay) / (turn.steering_wheel - last.steering_wheel);
  if (!(slope * turn.ay * turn.steering_wheel > 0.0)) fail_to_reach(wanted, turn);
  const double next = turn.steering_wheel + (wanted - turn.ay) / slope;
  const double ratio = std::clamp(next / turn.steering_wheel, 0.5, 2.0);
  return ratio * turn.steering_wheel;
}

Answer step_steer(const Vehicle& vehicle, const Manoeuvre& manoeuvre, const Progress& progress) {
  need_steering(vehicle, manoeuvre);
  Step step{steering_wheel_of(vehicle, manoeuvre, progress, 0.0, 0.3), manoeuvre.value("rate"),
            manoeuvre.value("settle"), manoeuvre.value("hold")};
  const bool finds = std::isnan(manoeuvre.value("steering_wheel"));
  const double wanted = manoeuvre.value("lateral_acceleration");

  History history;
  double part = 0.3;
  double missed = kUnknown;  // rad, of the angle, by the last secant
  SteeredTurn last;
  for (int pass = 0;; ++pass) {
    history = drive_step(vehicle, manoeuvre, step, progress, part);
    if (!finds) break;
    const std::vector<double> ay = history.column("car.ay");
    const StepResponse reached =
        find_step_response(ay, interval_of(history), window_in(history, step, 0.0));
    missed = std::abs((wanted - reached.steady) * (step.steering_wheel - last.steering_wheel) /
                      (reached.steady - last.ay));
    if (std::abs(wanted / reached.steady - 1.0) < kNear) break;
    const SteeredTurn turn{step.steering_wheel, reached.steady};
    if (pass == kMostPasses) fail_to_reach(wanted, turn);
    step.steering_wheel = next_steering_wheel(last, turn, wanted);
    last = turn;
    part += 0.7 / (kMostPasses + 1);
  }

  const double dt = interval_of(history);
  StepWindow window = window_in(history, step, 0.0);
  window.reference = step.half_way(manoeuvre.step) - history.times().front();
  const auto response_of = [&](const char* channel) {
    return without_times(find_step_response(history.column(channel), dt, window));
  };
  const StepResponse yaw = response_of("car.yaw_rate");
  const StepResponse sideslip = response_of("car.sideslip");

  Answer answer;
  answer.title = vehicle.mechanism.name + ": step of the steering wheel";
  add_quantity(answer, "steering_wheel", step.steering_wheel, "rad",
               "held after the step, to the left", missed);
  add_quantity(answer, "rise_time", step.rise(), "s", "of the steering wheel");
  const std::vector<double> speed = history.column("car.speed");
  const double speed_loss = value_at(speed, dt, window.before) - speed.back();
  add_quantity(answer, "speed_loss", speed_loss, "m/s", "from the step to the end, pedals held");
  const StepResponse across = response_of("car.ay");
  const StepResponse roll = response_of("car.roll");
  add_response(answer, "yaw_rate", "rad/s", yaw, step.steering_wheel, "mean");
  add_response(answer, "lateral_acceleration", "m/s^2", across, step.steering_wheel,
               "across the heading, horizontal, mean");
  add_response(answer, "sideslip", "rad", sideslip, step.steering_wheel,
               "at the centre of mass, mean");
  add_response(answer, "roll", "rad", roll, step.steering_wheel, "mean");
  const double start = history.times().front();
  read_at(answer, "", step.settle, "steering starts");
  read_at(answer, "", start + window.reference, "half way");
  read_over(answer, "driver.steering_wheel", start + window.settled, start + window.end, "held",
            step.steering_wheel);
  add_readings(answer, "car.yaw_rate", yaw, window, start);
  add_readings(answer, "car.ay", across, window, start);
  add_readings(answer, "car.sideslip", sideslip, window, start);
  add_readings(answer, "car.roll", roll, window, start);
  add_quantity(answer, "tb", std::abs(yaw.peak_time * sideslip.steady), "s rad",
               "peak time of the yaw rate by steady sideslip, magnitude",
               std::abs(yaw.peak_time * sideslip.steady_ripple));
  note_slowing(answer, speed_loss, manoeuvre.value("speed"));
  if (std::isnan(yaw.peak_time))
    answer.notes.emplace_back(
        "the yaw rate does not rise above its steady value, so it has no peak time and there is no "
        "TB factor");
  note_missing(answer, "lateral acceleration", across);
  note_missing(answer, "sideslip", sideslip);
  note_change(answer, "yaw rate", yaw);
  note_missing(answer, "roll", roll);
  show_history(vehicle, manoeuvre, history, answer);
  return answer;
}

}  // namespace

Method step_steer_method() {
  Method method{
      "step_steer",
      "step of the steering wheel with the pedals held: response and peak times, overshoot, "
      "gains (ISO 7401)",
      steering_values(4.0, "of the steady state, to the left"), step_steer};
  method.values.push_back({"rate", 6.98, "rad/s", 0.01, 1e6, "of the steering wheel on its way"});
  method.values.push_back({"hold", 5.0, "s", 0.5, 600.0, "from the end of its way to the end"});
  return method;
}

}  // namespace semirec
