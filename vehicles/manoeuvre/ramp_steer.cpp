#include <cmath>
#include <sstream>

#include "vehicles/analysis/metrics/signal.hpp"
#include "vehicles/manoeuvre/car.hpp"
#include "vehicles/manoeuvre/departure.hpp"
#include "vehicles/manoeuvre/methods.hpp"
#include "vehicles/manoeuvre/open_loop.hpp"

namespace semirec {

namespace {

/// Slope of a channel over the steering wheel where |ay| is between two bounds, on the way up.
Line slope_between(const std::vector<double>& wheel, const std::vector<double>& ay,
                   const std::vector<double>& y, double least, double most) {
  std::vector<double> xs, ys;
  for (std::size_t k = 0; k < ay.size() && std::abs(ay[k]) <= most; ++k) {
    if (std::abs(ay[k]) < least) continue;
    xs.push_back(wheel[k]);
    ys.push_back(y[k]);
  }
  return fit_line(xs, ys);
}

Answer ramp_steer(const Vehicle& vehicle, const Manoeuvre& manoeuvre, const Progress& progress) {
  need_steering(vehicle, manoeuvre);
  const double settle = manoeuvre.value("settle");
  const double rate = manoeuvre.value("rate");
  const double bound = manoeuvre.value("stop_acceleration");
  if (rate == 0.0)
    throw ModelError(manoeuvre.source, manoeuvre.name,
                     "rate is 0, expected a number above zero (to the left) or below it");
  SteeredDrive task;
  task.speed = manoeuvre.value("speed");
  task.settle = settle;
  task.steering_wheel = ramp_of(settle, rate);
  task.duration = settle + std::min(manoeuvre.value("duration"),
                                    manoeuvre.value("largest_steering_wheel") / std::abs(rate));
  task.stop_at = bound;
  task.what = "ramp of the steering wheel";
  const History history = rows_from(drive_steered(vehicle, manoeuvre, task, progress), settle);
  const double lifted = find_lifted_side(vehicle, find_units(vehicle).front(), history);
  const double lost = std::min(find_spin(history), lifted);
  const std::vector<double> wheel = history.column("driver.steering_wheel");
  const std::vector<double> ay = rows_until(history, lost).column("car.ay");
  const double dt = interval_of(history);

  Answer answer;
  answer.title = vehicle.mechanism.name + ": ramp of the steering wheel";
  // when it spins or tips is told with the history
  if (std::isfinite(lost) && lifted <= lost) {
    std::ostringstream text;
    text << "the car tips with the steering wheel at "
         << value_at(wheel, dt, lifted - history.times().front())
         << " rad: the largest lateral acceleration is that before";
    answer.notes.push_back(text.str());
  }
  const double side = rate > 0.0 ? 1.0 : -1.0;
  const Instant top = find_peak(ay, dt, side, 0.0, 1e9);
  add_quantity(answer, "lateral_acceleration.largest", top.value, "m/s^2",
               std::isfinite(lost) ? "while the car keeps its line"
               : history.stopped   ? "where the drive was stopped"
                                   : "within the ramp");
  add_quantity(answer, "steering_wheel.at_largest", value_at(wheel, dt, top.t), "rad", "");
  constexpr double least = 0.5;  // m/s^2
  const double most = std::min(4.0, 0.5 * std::abs(top.value));
  const double start = history.times().front();
  read_at(answer, "car.ay", start + top.t, "largest", top.value);
  const double from = find_crossing(ay, dt, side * least);
  read_over(answer, "", start + from, start + find_crossing(ay, dt, side * most, from), "gains");
  const auto show = [&](const std::string& name, const char* channel, const std::string& unit) {
    const Line line = slope_between(wheel, ay, history.column(channel), least, most);
    add_quantity(answer, name + ".gain", line.slope, unit + "/rad",
                 "slope over the steering wheel, from 0.5 m/s^2 to 4 or half of the largest",
                 line.slope_error);
  };
  show("yaw_rate", "car.yaw_rate", "rad/s");
  show("lateral_acceleration", "car.ay", "m/s^2");
  show("sideslip", "car.sideslip", "rad");
  show("roll", "car.roll", "rad");
  for (const int level : {2, 4, 6, 8}) {
    const double t = find_crossing(ay, dt, side * level);
    if (std::isnan(t)) continue;
    add_quantity(answer, "steering_wheel.at_" + std::to_string(level), value_at(wheel, dt, t),
                 "rad", "at so many m/s^2");
    const std::string label = to_text(level) + " m/s^2";
    read_at(answer, "car.ay", start + t, label, side * level);
    read_at(answer, "driver.steering_wheel", start + t, label, value_at(wheel, dt, t));
  }
  const std::vector<double> speed = history.column("car.speed");
  add_quantity(answer, "speed_loss", speed.front() - speed.back(), "m/s",
               "from the ramp's begin to its end");
  show_history(vehicle, manoeuvre, history, answer);
  answer.charts.push_back({"lateral acceleration over steering wheel",
                           "steering wheel, rad",
                           "m/s^2",
                           false,
                           false,
                           {{"", wheel, history.column("car.ay")}}});
  return answer;
}

}  // namespace

Method ramp_steer_method() {
  return {"ramp_steer",
          "steering wheel turned at a constant rate at a kept speed: gains, largest lateral "
          "acceleration",
          {{"speed", 22.222, "m/s", 1.0, 100.0, "kept"},
           {"settle", 8.0, "s", 0.1, 600.0, "straight on before the steering wheel turns"},
           {"rate", 0.2356, "rad/s", -100.0, 100.0, "of the steering wheel, to the left"},
           {"largest_steering_wheel", 6.0, "rad", 0.001, 50.0, "where the ramp ends"},
           {"stop_acceleration", 100.0, "m/s^2", 0.1, 1000.0, "lateral, where the drive ends"},
           {"duration", 60.0, "s", 0.1, 600.0, "of the ramp, at most"}},
          ramp_steer};
}

}  // namespace semirec
