#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "topology/indices.hpp"
#include "vehicles/analysis/steady_state.hpp"
#include "vehicles/driver/path_follower.hpp"
#include "vehicles/manoeuvre/car.hpp"
#include "vehicles/manoeuvre/drive_task.hpp"
#include "vehicles/manoeuvre/methods.hpp"
#include "vehicles/manoeuvre/steering_gain.hpp"
#include "vehicles/manoeuvre/straight_line_fit.hpp"

namespace semirec {

namespace {

constexpr double kTurnIn = 4.0;    // s
constexpr double kSlowTurn = 4.0;  // m/s, at which the steering ratio is measured
constexpr int kFewestPoints = 10;
constexpr double kCreepsAlike = 0.02;  // part by which two ways to the steering ratio may differ

enum class Kept { radius, steering_wheel, speed };

/// Steady states one after the other: means of short stretches of a slow drive.
struct SteadyStates {
  std::vector<double> ay, steering_wheel, speed, curvature, roll, sideslip;
  std::vector<double> torque;  ///< of the steering wheel, N m; empty where the car has none
};

/// Means over `stretch` seconds from `begin` on. Lateral acceleration as speed by yaw rate, which a
/// steady state has; sideslip's own rate is left out of it.
SteadyStates find_steady_states(const History& history, double begin, double stretch) {
  const std::vector<double> t = history.times();
  const std::vector<double> steering_wheel = history.column("driver.steering_wheel");
  const std::vector<double> speed = history.column("car.speed");
  const std::vector<double> yaw_rate = history.column("car.yaw_rate");
  const std::vector<double> roll = history.column("car.roll");
  const std::vector<double> sideslip = history.column("car.sideslip");
  const bool has_torque = history.has(kSteeringWheelTorque);
  const std::vector<double> torque =
      has_torque ? history.column(kSteeringWheelTorque) : std::vector<double>(t.size());
  SteadyStates states;
  double sums[6] = {};
  int count = 0;
  double end = begin + stretch;
  for (std::size_t k = 0; k < t.size(); ++k) {
    if (t[k] < begin) continue;
    if (t[k] >= end) {
      if (count > 0) {
        const double n = count;
        states.steering_wheel.push_back(sums[0] / n);
        states.speed.push_back(sums[1] / n);
        states.curvature.push_back(sums[2] / sums[1]);
        states.ay.push_back(sums[2] / n * sums[1] / n);
        states.roll.push_back(sums[3] / n);
        states.sideslip.push_back(sums[4] / n);
        if (has_torque) states.torque.push_back(sums[5] / n);
      }
      std::fill(std::begin(sums), std::end(sums), 0.0);
      count = 0;
      end += stretch;
    }
    const double values[6] = {steering_wheel[k], speed[k],    yaw_rate[k],
                              roll[k],           sideslip[k], torque[k]};
    for (int i = 0; i < 6; ++i) sums[i] += values[i];
    ++count;
  }
  return states;
}

Table make_states_table(const SteadyStates& states) {
  Table table;
  table.name = "steady_states";
  table.columns = {{"ay", "m/s^2"},      {"steering_wheel", "rad"}, {"speed", "m/s"},
                   {"curvature", "1/m"}, {"roll", "rad"},           {"sideslip", "rad"}};
  if (!states.torque.empty()) table.columns.push_back({"steering_wheel_torque", "N m"});
  for (std::size_t k = 0; k < states.ay.size(); ++k) {
    table.rows.push_back({states.ay[k], states.steering_wheel[k], states.speed[k],
                          states.curvature[k], states.roll[k], states.sideslip[k]});
    if (!states.torque.empty()) table.rows.back().push_back(states.torque[k]);
  }
  return table;
}

Chart over_ay(const SteadyStates& states, const char* title, const char* label,
              const std::vector<double>& y, const StraightLine& line, double low, double high) {
  Chart chart;
  chart.title = title;
  chart.x_label = "lateral acceleration, m/s^2";
  chart.y_label = label;
  chart.series.push_back({"steady states", states.ay, y, true});
  chart.series.push_back(
      {"gradient", {low, high}, {line.offset + line.slope * low, line.offset + line.slope * high}});
  return chart;
}

/// Before anything is driven: the band of lateral acceleration that the gradients are taken from.
void expect_band(const Manoeuvre& manoeuvre) {
  if (!(manoeuvre.value("fit_to") > manoeuvre.value("fit_from")))
    throw ModelError(manoeuvre.source, manoeuvre.name,
                     "fits over an empty band, expected 'fit_to' above 'fit_from'");
}

/// SteadyCar::steering_ratio(); 0 where it has none, or no rest is found.
double find_drawn_ratio(const Vehicle& vehicle) {
  try {
    return SteadyCar(vehicle, {}).steering_ratio();
  } catch (const AnalysisError&) {
    return 0.0;
  }
}

/// Whether a differential, or an axle of one piece, holds wheels together in a creeping turn.
bool holds_wheels(const Vehicle& vehicle) {
  for (const Unit& unit : find_units(vehicle))
    for (const UnitAxle& axle : unit.axles)
      if (has_solid_axle(axle, vehicle.wheels)) return true;
  const auto holds = [](const Differential& differential) {
    return differential.type != DifferentialType::open;
  };
  return std::any_of(
      vehicle.drivelines.begin(), vehicle.drivelines.end(), [&](const auto& driveline) {
        return holds(driveline.centre) ||
               std::any_of(driveline.axles.begin(), driveline.axles.end(),
                           [&](const DrivenAxle& axle) { return holds(axle.differential); });
      });
}

/// Says where the speed that the method keeps was not kept in the steady states that count.
void note_speed(const Manoeuvre& manoeuvre, const SteadyStates& states, double low, double high,
                Answer& answer) {
  constexpr double kKept = 0.02;
  const double asked = manoeuvre.value("speed");
  double least = asked;
  double most = asked;
  for (std::size_t k = 0; k < states.ay.size(); ++k) {
    if (states.ay[k] < low || states.ay[k] > high) continue;
    least = std::min(least, states.speed[k]);
    most = std::max(most, states.speed[k]);
  }
  if (most - asked <= kKept * asked && asked - least <= kKept * asked) return;
  answer.notes.push_back(
      "the speed is not kept: over the steady states that count it lies between " +
      to_text(least, 4) + " and " + to_text(most, 4) + " m/s where " + to_text(asked, 4) +
      " m/s was asked for, and the gradients of the steering wheel and of the "
      "sideslip are not those of one speed, expected a speed that the car can "
      "hold in the turn");
}

/// Judged over the lateral acceleration from `low` to `high`, both turns alike.
Answer judge(const Vehicle& vehicle, const Manoeuvre& manoeuvre, Kept kept, const History& history,
             const SteeringGain& gain, double begin) {
  const double low = manoeuvre.value("fit_from");
  const double high = manoeuvre.value("fit_to");
  SteadyStates states = find_steady_states(history, begin, manoeuvre.value("stretch"));
  // left turns count; a right one is mirrored
  if (!states.ay.empty() && states.ay.back() < 0.0)
    for (std::vector<double>* column : {&states.ay, &states.steering_wheel, &states.curvature,
                                        &states.roll, &states.sideslip, &states.torque})
      for (double& value : *column) value = -value;
  const CarMeasures car = measure_car(vehicle);
  double wheelbase = car.wheelbase;
  double ratio = gain.a / wheelbase;
  std::string creeps;  // a note where a creeping turn does not tell the ratio
  const bool scrubs = has_scrubbing_axles(find_units(vehicle));
  const double drawn = scrubs ? SteadyCar(vehicle, {}).steering_ratio() : find_drawn_ratio(vehicle);
  if (drawn != 0.0 && scrubs) {
    // axles that do not steer scrub: the car turns as one of two axles farther apart would
    ratio = drawn;
    wheelbase = gain.a / ratio;
  } else if (drawn != 0.0 && holds_wheels(vehicle) &&
             std::abs(ratio / drawn - 1.0) > kCreepsAlike) {
    creeps =
        "a creeping turn takes " + to_text(ratio / drawn, 3) +
        " times the steering wheel that its wheels' angles at rest need (wheels that are held "
        "together do that): steering_ratio and the understeer gradient are those of the angles";
    ratio = drawn;
  }

  std::vector<double> understeer;  // of the front wheels beyond the Ackermann angle
  for (std::size_t k = 0; k < states.ay.size(); ++k)
    understeer.push_back(states.steering_wheel[k] / ratio - wheelbase * states.curvature[k]);
  const StraightLine angle = fit_straight_line(states.ay, understeer, low, high);
  const StraightLine wheel = fit_straight_line(states.ay, states.steering_wheel, low, high);
  const StraightLine roll = fit_straight_line(states.ay, states.roll, low, high);
  const StraightLine slip = fit_straight_line(states.ay, states.sideslip, low, high);
  const double most =
      states.ay.empty() ? 0.0 : *std::max_element(states.ay.begin(), states.ay.end());
  if (angle.points < kFewestPoints) {
    std::ostringstream text;
    text << manoeuvre.name << ": between " << low << " and " << high
         << " m/s^2 of lateral acceleration there are " << angle.points
         << " steady states (the car reached " << most << " m/s^2), expected " << kFewestPoints
         << " or more: a slower rise, another range or more speed";
    throw AnalysisError(text.str());
  }

  Answer answer;
  answer.title = vehicle.mechanism.name + ": " + manoeuvre.name;
  answer.quantities = {
      {"understeer_gradient", angle.slope, "rad/(m/s^2)", angle.slope_error,
       "front wheels' angle beyond the Ackermann angle L/R, over ay; positive: understeer"},
      {"steering_wheel_gradient", wheel.slope, "rad/(m/s^2)", wheel.slope_error,
       "steering wheel angle over ay on this course"},
      {"roll_gradient", roll.slope, "rad/(m/s^2)", roll.slope_error,
       "roll angle over ay; positive: leans outwards"},
      {"sideslip_gradient", slip.slope, "rad/(m/s^2)", slip.slope_error,
       "sideslip angle over ay; negative: nose turns in"}};
  const StraightLine torque = states.torque.empty()
                                  ? StraightLine{}
                                  : fit_straight_line(states.ay, states.torque, low, high);
  if (!states.torque.empty())
    answer.quantities.push_back(
        {"torque_gradient", torque.slope, "N m/(m/s^2)", torque.slope_error,
         "torque that holds the steering wheel over ay; neither assistance nor friction but what "
         "the file has"});
  const double speed = std::sqrt(wheelbase / std::abs(angle.slope));
  const double doubt = 0.5 * speed * angle.slope_error / std::abs(angle.slope);
  if (angle.slope > 0.0)
    answer.quantities.push_back({"characteristic_speed", speed, "m/s", doubt,
                                 "of the linear car: sqrt(L / understeer gradient)"});
  else
    answer.quantities.push_back({"critical_speed", speed, "m/s", doubt,
                                 "of the linear car: sqrt(-L / understeer gradient)"});
  answer.quantities.push_back({"steering_ratio", ratio, "1", kUnknown,
                               creeps.empty() && !(drawn != 0.0 && scrubs)
                                   ? "steering wheel to what turns the car, the front wheels' mean "
                                     "angle less that of the rear ones, from a creeping turn"
                                   : "steering wheel to what turns the car, the front wheels' mean "
                                     "angle less that of the rear ones, at rest"});
  answer.quantities.push_back(
      {"largest_ay", most, "m/s^2", kUnknown, "steady lateral acceleration reached"});
  answer.tables.push_back(make_states_table(states));
  show_history(vehicle, manoeuvre, history, answer);
  std::vector<Chart> charts{
      over_ay(states, "steering wheel", "rad", states.steering_wheel, wheel, low, high),
      over_ay(states, "front wheels beyond L/R", "rad", understeer, angle, low, high),
      over_ay(states, "roll", "rad", states.roll, roll, low, high),
      over_ay(states, "sideslip", "rad", states.sideslip, slip, low, high)};
  if (!states.torque.empty())
    charts.push_back(
        over_ay(states, "steering wheel torque", "N m", states.torque, torque, low, high));
  answer.charts.insert(answer.charts.begin(), charts.begin(), charts.end());
  if (!creeps.empty()) answer.notes.push_back(creeps);
  if (kept == Kept::speed) note_speed(manoeuvre, states, low, high, answer);
  if (kept == Kept::steering_wheel)
    answer.notes.push_back(
        "steering_wheel_gradient is zero by the method: the steering wheel is held");
  return answer;
}

double direction_of(const Manoeuvre& manoeuvre) {
  const double direction = manoeuvre.value("direction");
  if (direction == 0.0)
    throw ModelError(manoeuvre.source, manoeuvre.name,
                     "has a 'direction' of 0, expected 1, a left turn, or -1, a right one");
  return direction;
}

/// What the drives of all three kinds share; `duration` in s.
DriveTask make_turn(CarDriver& driver, double speed, double duration, const char* what) {
  DriveTask task;
  task.speed = speed;
  task.duration = duration;
  task.driver = &driver;
  task.part_from = 0.1;
  task.what = what;
  return task;
}

/// Turns until the lateral acceleration `ay` is reached after `begin`, and judges what came of it.
Answer turn_until(const Vehicle& vehicle, const Manoeuvre& manoeuvre, DriveTask task, Kept kept,
                  const SteeringGain& gain, double begin, const Progress& progress) {
  const double ay = manoeuvre.value("ay");
  task.over = [=](const CarMotion& motion, const double*) {
    return motion.t > begin && std::abs(motion.yaw_rate) * motion.speed() > ay;
  };
  const History history = drive(vehicle, manoeuvre, task, progress);
  Answer answer = judge(vehicle, manoeuvre, kept, history, gain, begin);
  if (!history.stopped) answer.notes.push_back("the duration ended before 'ay' was reached");
  return answer;
}

/// Says by how much a drive on a circle that was driven to its end stayed below 'ay'.
void note_shortfall(const Manoeuvre& manoeuvre, const History& history, double speed,
                    Answer& answer) {
  constexpr double kReached = 0.98;  // means over a stretch end before the last instant
  const double most = answer.quantities[at(find_quantity(answer, "largest_ay"))].value;
  const double asked = manoeuvre.value("ay");
  if (most >= kReached * asked) return;
  answer.notes.push_back("the duration ended before 'ay' was reached: " + to_text(most, 3) +
                         " of " + to_text(asked, 3) + " m/s^2, at " +
                         to_text(history.column("car.speed").back(), 3) + " m/s where " +
                         to_text(speed, 3) + " m/s was asked for");
}

Answer constant_radius(const Vehicle& vehicle, const Manoeuvre& manoeuvre,
                       const Progress& progress) {
  need_steering(vehicle, manoeuvre);
  expect_band(manoeuvre);
  const double radius = manoeuvre.value("radius");
  const double from = manoeuvre.value("speed");
  const double rise = manoeuvre.value("rise");
  const double to = std::sqrt(manoeuvre.value("ay") * radius);
  if (to <= from)
    throw ModelError(manoeuvre.source, manoeuvre.name,
                     "starts faster than it ends, expected 'speed' below sqrt(ay radius)");
  const SteeringGain gain = measure_steering(vehicle, manoeuvre, kSlowTurn, progress);
  const SteeringGain faster = measure_steering(vehicle, manoeuvre, 0.7 * to, progress);

  // straight, into the circle by a clothoid, and around as often as it takes
  const double duration = (to - from) / rise;
  const double k = direction_of(manoeuvre) / radius;
  const double entry = from * 3.0;
  Path path = Path::from_segments(
      {{from, 0.0, 0.0}, {entry, 0.0, k}, {(to + from) * (duration + kTurnIn) + 100.0, k, k}});
  DriverSettings ideal = manoeuvre.driver;
  ideal.limits.on = false;
  const double begin = (from + entry) / from + kTurnIn;
  PathFollower driver(path, {gain.a, faster.b, faster.lag}, ideal, make_speed_keeper(vehicle));
  driver.speed = Curve::table({{begin, from}, {begin + duration, to}});

  DriveTask task = make_turn(driver, from, begin + duration, "constant radius");
  // the limit is found where the car leaves the circle
  task.over = [&](const CarMotion&, const double*) { return driver.lost(); };
  const History history = drive(vehicle, manoeuvre, task, progress);
  Answer answer = judge(vehicle, manoeuvre, Kept::radius, history, gain, begin);
  if (history.stopped) {
    std::ostringstream text;
    text << "the car left the circle's corridor at t = " << history.times().back() << " s, "
         << history.column("car.speed").back() << " m/s";
    answer.notes.push_back(text.str());
  } else {
    note_shortfall(manoeuvre, history, to, answer);
  }
  return answer;
}

Answer constant_steering_wheel(const Vehicle& vehicle, const Manoeuvre& manoeuvre,
                               const Progress& progress) {
  need_steering(vehicle, manoeuvre);
  expect_band(manoeuvre);
  const double from = manoeuvre.value("speed");
  const double rise = manoeuvre.value("rise");
  const SteeringGain gain = measure_steering(vehicle, manoeuvre, kSlowTurn, progress);
  OpenLoopDriver driver;
  const double angle = direction_of(manoeuvre) *
                       (manoeuvre.value_or("steering_wheel", gain.a / manoeuvre.value("radius")));
  driver.steering_wheel = Curve::table({{1.0, 0.0}, {3.0, angle}});
  driver.keeps_speed = true;
  driver.keeper = make_speed_keeper(vehicle);
  const double begin = 3.0 + kTurnIn;
  const double duration = manoeuvre.value("duration");
  driver.speed = Curve::table({{begin, from}, {begin + duration, from + rise * duration}});
  return turn_until(vehicle, manoeuvre,
                    make_turn(driver, from, begin + duration, "constant steering wheel"),
                    Kept::steering_wheel, gain, begin, progress);
}

Answer constant_speed(const Vehicle& vehicle, const Manoeuvre& manoeuvre,
                      const Progress& progress) {
  need_steering(vehicle, manoeuvre);
  expect_band(manoeuvre);
  const double speed = manoeuvre.value("speed");
  const double rate = manoeuvre.value("rate");
  const SteeringGain gain = measure_steering(vehicle, manoeuvre, kSlowTurn, progress);
  OpenLoopDriver driver;
  const double duration = manoeuvre.value("duration");
  driver.steering_wheel = Curve::table(
      {{kTurnIn, 0.0}, {kTurnIn + duration, direction_of(manoeuvre) * rate * duration}});
  driver.keeps_speed = true;
  driver.keeper = make_speed_keeper(vehicle);
  driver.speed = Curve::constant(speed);
  return turn_until(vehicle, manoeuvre,
                    make_turn(driver, speed, kTurnIn + duration, "constant speed"), Kept::speed,
                    gain, kTurnIn, progress);
}

const ValueRule kAy{"ay", 6.0, "m/s^2", 0.1, 20.0, "lateral acceleration at which it ends"};
const ValueRule kFrom{"fit_from", 0.5,  "m/s^2",
                      0.0,        20.0, "gradients are straight lines from here"};
const ValueRule kTo{"fit_to", 3.0, "m/s^2", 0.0, 20.0, "... to here"};
const ValueRule kStretch{"stretch", 0.5,   "s",
                         0.01,      100.0, "means over so long are one steady state"};
const ValueRule kDirection{"direction", 1.0, "1", -1.0, 1.0, "1: left turn, -1: right turn", true};
// ISO 4138's continuous method is as good as the rise is slow
std::vector<Method::Scaled> twice_as_fast(const char* rise) {
  return {{rise, 2.0}, {"duration", 0.5}, {"stretch", 0.5}};
}

const ValueRule kSpeedRise{"rise", 0.25, "m/s^2", 0.001, 5.0, "of the speed"};

}  // namespace

Method steady_circle_radius_method() {
  return {"steady_circle_radius",
          "on a circle of constant radius with slowly rising speed",
          {{"radius", 100.0, "m", 5.0, 10000.0, "of the circle"},
           {"speed", 5.0, "m/s", 1.0, 100.0, "at the start"},
           kSpeedRise,
           kAy,
           kFrom,
           kTo,
           kStretch,
           kDirection},
          constant_radius,
          twice_as_fast("rise"),
          /*reads_path=*/false,
          /*reads_driver=*/true};
}

Method steady_circle_steering_wheel_method() {
  return {
      "steady_circle_steering_wheel",
      "with the steering wheel held and slowly rising speed",
      {{"radius", 100.0, "m", 5.0, 10000.0, "of the circle at the start, without 'steering_wheel'"},
       {"steering_wheel", kUnknown, "rad", 0.001, 20.0, "held; by default what 'radius' takes"},
       {"speed", 5.0, "m/s", 1.0, 100.0, "at the start"},
       {"duration", 120.0, "s", 1.0, 1000.0, "of the rise, at most"},
       kSpeedRise,
       kAy,
       kFrom,
       kTo,
       kStretch,
       kDirection},
      constant_steering_wheel,
      twice_as_fast("rise")};
}

Method steady_circle_speed_method() {
  return {"steady_circle_speed",
          "at constant speed with a slowly rising steering wheel angle",
          {{"speed", 22.222, "m/s", 1.0, 100.0, "kept"},
           {"rate", 0.02, "rad/s", 0.0001, 5.0, "of the steering wheel"},
           {"duration", 60.0, "s", 1.0, 1000.0, "of the rise, at most"},
           kAy,
           kFrom,
           kTo,
           kStretch,
           kDirection},
          constant_speed,
          twice_as_fast("rate")};
}

}  // namespace semirec
