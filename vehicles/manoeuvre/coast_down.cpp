#include <algorithm>
#include <cmath>

#include "vehicles/manoeuvre/car.hpp"
#include "vehicles/manoeuvre/drive_task.hpp"
#include "vehicles/manoeuvre/methods.hpp"

namespace semirec {

namespace {

Answer coast_down(const Vehicle& vehicle, const Manoeuvre& manoeuvre, const Progress& progress) {
  const double mass = measure_car(vehicle).mass;
  OpenLoopDriver driver;
  driver.gear = Curve::constant(manoeuvre.value("gear"));
  DriveTask task;
  task.gear = manoeuvre.value("gear");
  task.speed = manoeuvre.value("speed");
  task.duration = manoeuvre.value("duration");
  task.driver = &driver;
  task.what = "coast down";
  const double end = manoeuvre.value("end_speed");
  if (!(end < task.speed))
    throw ModelError(manoeuvre.source, manoeuvre.name,
                     "ends no slower than it starts, expected 'end_speed' below 'speed'");
  task.over = [&](const CarMotion& motion, const double*) { return motion.vx <= end; };
  const History history = drive(vehicle, manoeuvre, task, progress);

  Answer answer;
  answer.title = vehicle.mechanism.name + ": coast down";
  const std::vector<double> t = history.times();
  const std::vector<double> v = history.column("car.speed");
  const std::vector<double> x = history.column("chassis.x");
  const std::vector<double> y = history.column("chassis.y");
  // the end speed is met between the last two rows
  const std::size_t last = v.size() - 1;
  const double fallen = last > 0 ? v[last - 1] - v[last] : 0.0;
  const double part =
      history.stopped && fallen > 0.0 ? std::clamp((v[last - 1] - end) / fallen, 0.0, 1.0) : 1.0;
  const auto at_end = [&](const std::vector<double>& column) {
    return last > 0 ? column[last - 1] + part * (column[last] - column[last - 1]) : column[last];
  };
  const double until = at_end(t);
  const double aside = at_end(y) - y.front();
  const double mean = (v.front() - at_end(v)) / (until - t.front());
  answer.quantities = {
      {"time", until, "s", std::nan(""), "until the end speed, or the whole duration"},
      {"end_speed", at_end(v), "m/s", std::nan(""), "at that time"},
      {"distance", std::hypot(at_end(x) - x.front(), aside), "m", std::nan(""),
       "from start to end"},
      {"mean_deceleration", mean, "m/s^2", std::nan(""), "difference of speed over time"},
      {"mean_resistance", mass * mean, "N", std::nan(""),
       "mass of the car by mean deceleration; turning parts not counted"},
      {"drift", aside, "m", std::nan(""), "to the left, with the steering wheel straight"}};
  if (!history.stopped)
    answer.notes.emplace_back("the end speed was not reached within the duration");
  show_history(vehicle, manoeuvre, history, answer);
  read_at(answer, "car.speed", until, "end speed", at_end(v));
  return answer;
}

}  // namespace

Method coast_down_method() {
  return {"coast_down",
          "straight on with pedals released and the steering wheel held: resistance and drift",
          {{"speed", 30.0, "m/s", 1.0, 100.0, "at the start"},
           {"end_speed", 1.0, "m/s", 0.0, 100.0, "where the drive ends"},
           {"duration", 60.0, "s", 0.1, 1000.0, "at most"},
           {"gear", 0.0, "1", -1.0, 20.0, "input of the gearbox: 0 is neutral", true}},
          coast_down};
}

}  // namespace semirec
