#include <algorithm>
#include <cmath>
#include <vector>

#include "vehicles/analysis/metrics/signal.hpp"
#include "vehicles/description/units.hpp"
#include "vehicles/manoeuvre/car.hpp"
#include "vehicles/manoeuvre/methods.hpp"
#include "vehicles/manoeuvre/open_loop.hpp"

namespace semirec {

namespace {

constexpr double kBeforeSine = 0.5;  // s shown before the sine

/// Lateral acceleration of the first unit's centre of mass, m/s^2: that of the chassis' own, and
/// what the yaw acceleration makes of the way between the two.
std::vector<double> find_first_unit_ay(const Vehicle& vehicle, const Unit& unit,
                                       const History& history) {
  const Body& chassis = vehicle.mechanism.bodies[static_cast<std::size_t>(vehicle.chassis)];
  const double ahead = find_unit_centre(vehicle.mechanism, unit).x() -
                       (chassis.X_WB.p + chassis.X_WB.A * chassis.com).x();
  std::vector<double> ay = history.column("car.ay");
  const std::vector<double> rate = history.column("car.yaw_rate");
  const double dt = interval_of(history);
  for (std::size_t k = 1; k + 1 < ay.size(); ++k)
    ay[k] += ahead * (rate[k + 1] - rate[k - 1]) / (2.0 * dt);
  return ay;
}

Answer rearward_amplification(const Vehicle& vehicle, const Manoeuvre& manoeuvre,
                              const Progress& progress) {
  need_steering(vehicle, manoeuvre);
  const std::vector<Unit> units = find_units(vehicle);
  if (units.size() < 2)
    throw ModelError("vehicle '" + vehicle.mechanism.name + "': has no trailer, which '" +
                     manoeuvre.name +
                     "' needs, expected a body with wheels of its own on a hitch behind '" +
                     units.front().name + "'");
  const double settle = manoeuvre.value("settle");
  const FoundSteeringWheel found =
      find_steady_steering_wheel(vehicle, manoeuvre, progress, 0.0, 0.5);
  const double amplitude = found.angle;

  const SteeredDrive task = make_one_sine(manoeuvre, amplitude, manoeuvre.value("after"));
  const History history =
      rows_from(drive_steered(vehicle, manoeuvre, task, progress), settle - kBeforeSine);

  Answer answer;
  answer.title = vehicle.mechanism.name + ": rearward amplification";
  if (!found.note.empty()) answer.notes.push_back(found.note);
  add_quantity(answer, "steering_wheel", amplitude, "rad", "amplitude, first to the left");
  // from where the sine begins: a car that does not run straight on swings about that
  const auto begin =
      static_cast<std::size_t>(std::lround(std::min(kBeforeSine, settle) / interval_of(history)));
  const auto at_begin = [&](const std::vector<double>& values) {
    return values[std::min(begin, values.size() - 1)];
  };
  const auto swing_of = [&](std::vector<double> values) {
    const double zero = at_begin(values);
    for (double& value : values) value -= zero;
    return peak_of(values);
  };
  const double ay = swing_of(find_first_unit_ay(vehicle, units.front(), history));
  const double yaw_rate = swing_of(history.column("car.yaw_rate"));
  add_quantity(answer, "largest_ay", ay, "m/s^2",
               "of the first unit's centre of mass, from where the sine begins");
  add_quantity(answer, "largest_yaw_rate", yaw_rate, "rad/s",
               "of the first unit, from where the sine begins");
  Chart across{"lateral acceleration of the units", "time, s", "m/s^2", false, false, {}};
  Chart turning{"yaw rate of the units", "time, s", "rad/s", false, false, {}};
  Chart bent{"articulation angles", "time, s", "rad", false, false, {}};
  const auto draw = [&](Chart& chart, const std::string& name, const std::string& channel) {
    chart.series.push_back({name, history.times(), history.column(channel), false, channel});
  };
  draw(across, units.front().name, "car.ay");
  draw(turning, units.front().name, "car.yaw_rate");
  for (std::size_t u = 1; u < units.size(); ++u) {
    const std::string& name = units[u].name;
    const double own_ay = swing_of(history.column(name + ".ay"));
    const double own_rate = swing_of(history.column(name + ".yaw_rate"));
    add_quantity(answer, name + ".amplification_ay", own_ay / ay, "1",
                 "largest lateral acceleration over that of the first unit (ISO 14791)");
    add_quantity(answer, name + ".amplification_yaw_rate", own_rate / yaw_rate, "1",
                 "largest yaw rate over that of the first unit");
    add_quantity(answer, name + ".largest_ay", own_ay, "m/s^2",
                 "of its centre of mass, from where the sine begins");
    add_quantity(answer, name + ".largest_yaw_rate", own_rate, "rad/s",
                 "from where the sine begins");
    draw(across, name, name + ".ay");
    draw(turning, name, name + ".yaw_rate");
    draw(bent, name, name + ".articulation");
  }
  show_history(vehicle, manoeuvre, history, answer);
  for (const Unit& unit : units)
    for (const char* what : {".ay", ".yaw_rate"}) {
      const std::string channel = (&unit == &units.front() ? "car" : unit.name) + what;
      read_largest(answer, history, channel, at_begin(history.column(channel)));
    }
  // of one trailer the history shows it
  if (units.size() > 2) answer.charts.insert(answer.charts.begin(), bent);
  answer.charts.insert(answer.charts.begin(), {across, turning});
  return answer;
}

}  // namespace

Method rearward_amplification_method() {
  Method method{
      "rearward_amplification",
      "one sine of the steering wheel: how much more trailers swing than the unit in front "
      "(ISO 14791)",
      steering_values(2.0, "that the steering wheel's amplitude would give when held"),
      rearward_amplification};
  for (ValueRule& rule : method.values)
    if (rule.name == "speed") rule.fallback = 80.0 / 3.6;
  method.values.push_back({"frequency", 0.4, "Hz", 0.05, 10.0, "of the steering wheel"});
  method.values.push_back({"after", 5.0, "s", 0.1, 600.0, "driven on after the sine"});
  return method;
}

}  // namespace semirec
