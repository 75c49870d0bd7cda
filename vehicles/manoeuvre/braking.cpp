#include "vehicles/manoeuvre/braking.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "topology/quoted_names.hpp"
#include "vehicles/description/units.hpp"
#include "vehicles/driver/path_follower.hpp"
#include "vehicles/manoeuvre/bisection.hpp"
#include "vehicles/manoeuvre/car.hpp"
#include "vehicles/manoeuvre/drive_task.hpp"
#include "vehicles/manoeuvre/methods.hpp"
#include "vehicles/manoeuvre/open_loop.hpp"
#include "vehicles/manoeuvre/steering_gain.hpp"

namespace semirec {

BrakingDistance judge_braking(const std::vector<double>& t, const std::vector<double>& way,
                              const std::vector<double>& speed, double begin, double initial) {
  BrakingDistance result;
  // the place where the speed falls through a value, straight between the samples
  const auto fall = [&](double value, double& at_time, double& at_way) {
    for (std::size_t k = 1; k < t.size(); ++k) {
      if (t[k] <= begin || speed[k] > value) continue;
      const double drop = speed[k - 1] - speed[k];
      const double part = drop > 0.0 ? std::clamp((speed[k - 1] - value) / drop, 0.0, 1.0) : 1.0;
      at_time = t[k - 1] + part * (t[k] - t[k - 1]);
      at_way = way[k - 1] + part * (way[k] - way[k - 1]);
      return true;
    }
    return false;
  };
  double way_begin = 0.0;
  for (std::size_t k = 0; k < t.size() && t[k] <= begin; ++k) way_begin = way[k];
  double t_b = 0.0;
  double t_e = 0.0;
  double s_b = 0.0;
  double s_e = 0.0;
  if (fall(0.8 * initial, t_b, s_b) && fall(0.1 * initial, t_e, s_e)) {
    result.developed = (0.64 - 0.01) * initial * initial / (2.0 * (s_e - s_b));
    result.has_developed = true;
    result.developed_from = t_b;
    result.developed_until = t_e;
  }
  double t_end = 0.0;
  double s_end = 0.0;
  if (fall(kStandstill, t_end, s_end)) {
    result.stopped = true;
    result.time = t_end - begin;
    result.distance = s_end - way_begin;
  }
  return result;
}

namespace {

constexpr double kSettle = 4.0;  // s
constexpr double kLockShare = 0.1;
constexpr double kHalfLane = 1.75;  // m
constexpr double kLockAbove = 3.0;  // m/s
constexpr double kMeanTime = 0.1;   // s: valves pulse, one instant says nothing
/// Share of the speed asked for by which the one at the pedal may differ.
constexpr double kSpeedShare = 0.005;
/// The approach begins at most so many times as fast.
constexpr double kMostStart = 3.0;

/// Holds a speed, then the pedal; the steering wheel by a path follower or straight.
class BrakingDriver final : public CarDriver {
 public:
  BrakingDriver(PathFollower& hands, double pedal, double rate, double gear, bool corrects)
      : hands_(hands), pedal_(pedal), rate_(rate), gear_(gear), corrects_(corrects) {}
  void begin(const CarMotion& start, double step, const DriverAction& held) override {
    hands_.begin(start, step, held);
    step_ = step;
  }
  DriverAction act(const CarMotion& motion) noexcept override {
    DriverAction action = hands_.act(motion);
    // before the pedal all cars run straight; then the steering wheel is held where it is, or
    // corrects
    const double after = motion.t + step_ - kSettle;
    if (after > 0.0) {
      action.throttle = action.force = 0.0;
      action.gear = gear_;
      action.brake = std::min(pedal_, rate_ * after);
      if (!corrects_) action.steering_wheel = held_;
    }
    held_ = action.steering_wheel;
    return action;
  }

 private:
  PathFollower& hands_;
  double pedal_, rate_, gear_;
  bool corrects_;
  double held_ = 0.0, step_ = 1e-3;
};

struct Stop {
  History history;
  int locked = 0;      ///< wheels that locked above kLockAbove
  std::string lifted;  ///< wheels that carry nothing until the pedal moves, and may stand
};

/// Whether a wheel carries nothing until the pedal begins to move: that of a lift axle.
bool is_lifted(const History& history, const Wheel& wheel) {
  if (!history.has(wheel.name + ".Fz")) return false;
  const std::size_t load = history.find(wheel.name + ".Fz");
  return std::all_of(history.rows.begin(), history.rows.end(),
                     [&](const auto& row) { return row[0] > kSettle || row[load] <= 0.0; });
}

/// Whether a wheel locks above kLockAbove behind the pedal's first move.
bool locks(const History& history, const Wheel& wheel) {
  if (!history.has(wheel.name + ".omega")) return false;
  const std::size_t v = history.find("car.speed");
  const std::size_t omega = history.find(wheel.name + ".omega");
  return std::any_of(history.rows.begin(), history.rows.end(), [&](const auto& row) {
    return row[0] > kSettle && row[v] > kLockAbove &&
           row[omega] * wheel.radius < kLockShare * row[v];
  });
}

/// What all stops of a search have in common.
struct Approach {
  double start = 0.0;  ///< m/s, kSettle before the pedal moves
  SteeringGain gain;
  bool corrects = false;
};

/// Drives up to the pedal, and on with it.
History drive_stop(const Vehicle& vehicle, const Manoeuvre& manoeuvre, double pedal,
                   const Approach& approach, DriveTask& task, const Progress& progress) {
  PathFollower hands(Path::from_segments({{10.0, 0.0, 0.0}}), approach.gain, manoeuvre.driver,
                     make_speed_keeper(vehicle));
  // a car that comes from above is not braked before its time
  hands.speed = Curve::constant(approach.start);
  BrakingDriver driver(hands, pedal, manoeuvre.value("pedal_rate"), manoeuvre.value("gear"),
                       approach.corrects);
  task.speed = approach.start;
  task.driver = &driver;
  task.what = "braking";
  return drive(vehicle, manoeuvre, task, progress);
}

/// The start speed from which the car passes the speed asked for when the pedal begins to move. A
/// car that cannot hold it comes from above. Throws AnalysisError where none is found.
double find_start_speed(const Vehicle& vehicle, const Manoeuvre& manoeuvre, Approach approach,
                        const Progress& progress) {
  const double speed = manoeuvre.value("speed");
  const double close = kSpeedShare * speed;
  approach.start = speed;
  double arrives = 0.0;
  double last_change = 0.0;
  double slope = 1.0;  // of the arrival over the start, by secants
  for (int k = 0; k < 8; ++k) {
    const double arrived = arrives;
    DriveTask task;
    task.duration = kSettle;
    task.part_from = task.part_to = 0.05;
    arrives =
        drive_stop(vehicle, manoeuvre, 0.0, approach, task, progress).column("car.speed").back();
    if (std::abs(arrives - speed) <= close) return approach.start;
    if (k > 0) slope = std::clamp((arrives - arrived) / last_change, 0.05, 1.0);
    last_change = (speed - arrives) / slope;
    approach.start += last_change;
    if (!(approach.start > 0.0 && approach.start < kMostStart * speed)) break;
  }
  std::ostringstream text;
  text << manoeuvre.name << ": the car has " << arrives << " m/s when the pedal begins to move, "
       << kSettle << " s after a start at " << approach.start << " m/s, expected one that can have "
       << speed << " m/s within " << close << " m/s";
  throw AnalysisError(text.str());
}

Stop brake(const Vehicle& vehicle, const Manoeuvre& manoeuvre, double pedal,
           const Approach& approach, double part, const Progress& progress) {
  DriveTask task;
  task.duration = kSettle + manoeuvre.value("duration");
  task.part_from = part;
  task.part_to = part;
  task.over = [&](const CarMotion& motion, const double*) {
    return motion.t > kSettle && motion.speed() < 0.5 * kStandstill;
  };
  Stop stop;
  stop.history = drive_stop(vehicle, manoeuvre, pedal, approach, task, progress);
  for (const Wheel& wheel : vehicle.wheels) {
    if (is_lifted(stop.history, wheel))
      add_quoted(stop.lifted, wheel.name);
    else if (locks(stop.history, wheel))
      ++stop.locked;
  }
  return stop;
}

std::vector<double> way_of(const History& history) {
  const std::vector<double> x = history.column("chassis.x");
  const std::vector<double> y = history.column("chassis.y");
  std::vector<double> way{0.0};
  for (std::size_t k = 1; k < x.size(); ++k)
    way.push_back(way.back() + std::hypot(x[k] - x[k - 1], y[k] - y[k - 1]));
  return way;
}

/// Moment of the longitudinal forces of the first unit's tyres about the chassis' centre of mass, N
/// m, positive to the left.
std::vector<double> yaw_moment(const Vehicle& vehicle, const History& history) {
  const std::size_t x = history.find("chassis.x");
  const std::size_t y = history.find("chassis.y");
  const std::size_t yaw = history.find("chassis.yaw");
  std::vector<double> moment;
  std::vector<std::size_t> first;
  const Unit unit = find_units(vehicle).front();
  for (const int index : unit.wheels) {
    const Wheel& wheel = vehicle.wheels[static_cast<std::size_t>(index)];
    first.push_back(history.find(wheel.name + ".x"));
    first.push_back(history.find(wheel.name + ".Fx"));
  }
  for (const std::vector<double>& row : history.rows) {
    const double c = std::cos(row[yaw]);
    const double s = std::sin(row[yaw]);
    double sum = 0.0;
    for (std::size_t w = 0; w < first.size(); w += 2) {
      const double left = -s * (row[first[w]] - row[x]) + c * (row[first[w] + 1] - row[y]);
      const double forward = c * row[first[w + 1]] + s * row[first[w + 1] + 1];
      sum -= left * forward;
    }
    moment.push_back(sum);
  }
  return moment;
}

/// A stop in numbers.
struct Judged {
  double initial = 0.0;  ///< m/s, when the pedal begins to move
  BrakingDistance braking;

  double mean() const { return initial * initial / (2.0 * braking.distance); }
  double corrected(double speed) const {
    return braking.distance * (speed * speed) / (initial * initial);
  }
};

Judged judge_stop(const History& history, double speed) {
  Judged judged;
  const std::vector<double> t = history.times();
  const std::vector<double> v = history.column("car.speed");
  judged.initial = speed;
  for (std::size_t k = 0; k < t.size() && t[k] <= kSettle; ++k) judged.initial = v[k];
  judged.braking = judge_braking(t, way_of(history), v, kSettle, judged.initial);
  return judged;
}

/// Time at which the first wheel leaves the half of the road on which it was when the pedal began
/// to move; the end if none does.
double leaves_its_half(const Vehicle& vehicle, const History& history) {
  const std::vector<double> t = history.times();
  double end = t.back();
  for (const Wheel& wheel : vehicle.wheels) {
    const std::vector<double> y = history.column(wheel.name + ".y");
    double side = y.front();
    for (std::size_t k = 0; k < t.size() && t[k] < end; ++k) {
      if (t[k] <= kSettle) side = y[k];
      if ((y[k] < 0.0) != (side < 0.0)) end = t[k];
    }
  }
  return end;
}

/// Names of the wheels that stand on another friction than the first wheel of their side when the
/// pedal begins to move, as the last ones of a long vehicle may where the frictions begin.
std::string list_wheels_off_split(const Vehicle& vehicle, const RoadSurface* road,
                                  const History& history) {
  if (road == nullptr) return {};
  const std::vector<double> t = history.times();
  std::size_t row = 0;
  while (row + 1 < t.size() && t[row + 1] <= kSettle) ++row;
  const auto name = [&](int wheel) { return vehicle.wheels[static_cast<std::size_t>(wheel)].name; };
  const auto friction_under = [&](int wheel) {
    const std::vector<double>& values = history.rows[row];
    return road
        ->evaluate(values[history.find(name(wheel) + ".x")],
                   values[history.find(name(wheel) + ".y")])
        .friction;
  };
  const std::vector<Unit> units = find_units(vehicle);
  const UnitAxle& first = units.front().axles.front();
  const double left = friction_under(first.left.front());
  const double right = friction_under(first.right.front());
  std::string names;
  const auto list_others = [&](const std::vector<int>& wheels, double expected) {
    for (const int wheel : wheels)
      if (friction_under(wheel) != expected) add_quoted(names, name(wheel));
  };
  for (const Unit& unit : units)
    for (const UnitAxle& axle : unit.axles) {
      list_others(axle.left, left);
      list_others(axle.right, right);
    }
  return names;
}

/// What a signal is about a time.
struct MeanOver {
  double mean = 0.0;
  double half_range = 0.0;
};

/// Over kMeanTime with `middle` in it, s; of the row there where the rows are farther apart or end
/// before.
MeanOver read_around(const std::vector<double>& t, const std::vector<double>& values,
                     double middle) {
  constexpr double kRounding = 1e-9;
  std::size_t here = 0;
  while (here + 1 < t.size() && t[here] < middle - kRounding) ++here;
  std::size_t first = here;
  std::size_t last = here;
  while (first > 0 && t[first - 1] > middle - 0.5 * kMeanTime - kRounding) --first;
  while (last + 1 < t.size() && t[last + 1] < middle + 0.5 * kMeanTime + kRounding) ++last;
  if (first == last || t[here] < middle - kRounding) return {values[here], 0.0};
  double area = 0.0;
  for (std::size_t k = first; k < last; ++k)
    area += 0.5 * (values[k] + values[k + 1]) * (t[k + 1] - t[k]);
  const auto [least, most] =
      std::minmax_element(values.begin() + static_cast<std::ptrdiff_t>(first),
                          values.begin() + static_cast<std::ptrdiff_t>(last) + 1);
  return {area / (t[last] - t[first]), 0.5 * (*most - *least)};
}

double largest(const std::vector<double>& values) {
  double most = 0.0;
  for (const double value : values) most = std::max(most, std::abs(value));
  return most;
}

void need_spinning_wheels(const Vehicle& vehicle, const Manoeuvre& manoeuvre) {
  for (const Wheel& wheel : vehicle.wheels)
    if (wheel.law && wheel.rim != kGround) return;
  throw ModelError("vehicle '" + vehicle.mechanism.name + "': has no tyre that rolls, which '" +
                   manoeuvre.name + "' needs, expected wheels with tyre and rim");
}

Answer judge(const Vehicle& vehicle, const Manoeuvre& manoeuvre, bool split,
             const Progress& progress) {
  need_brake(vehicle, manoeuvre.name);
  need_spinning_wheels(vehicle, manoeuvre);
  const double speed = manoeuvre.value("speed");
  const bool corrects = manoeuvre.value("correct") > 0.5;
  if (corrects) need_steering(vehicle, manoeuvre);
  Approach approach;
  approach.corrects = corrects;
  if (!vehicle.controls.steering.empty())
    approach.gain = measure_steering(vehicle, manoeuvre, speed, progress);
  approach.start = find_start_speed(vehicle, manoeuvre, approach, progress);
  double pedal = manoeuvre.value("pedal");
  double doubt = kUnknown;
  Answer answer;
  Stop stop, worse;
  bool have = false;
  if (pedal == 0.0) {
    int done = 0;
    const Bracket bracket = bisect(0.02, 1.0, manoeuvre.value("resolution"), [&](double tried) {
      Stop one = brake(vehicle, manoeuvre, tried, approach, 0.1 + 0.08 * done++, progress);
      if (one.locked > 0) {
        worse = std::move(one);
        return false;
      }
      stop = std::move(one);
      have = true;
      return true;
    });
    if (!have)
      throw AnalysisError(manoeuvre.name +
                          ": a wheel locks even with 0.02 of the pedal, expected a pedal by --with "
                          "pedal=...");
    pedal = bracket.good;
    if (!bracket.all_good) doubt = bracket.bad - bracket.good;
    if (bracket.all_good) answer.notes.push_back("no wheel locks even with the full pedal");
  } else {
    stop = brake(vehicle, manoeuvre, pedal, approach, 0.1, progress);
  }
  const History& history = stop.history;
  const std::vector<double> t = history.times();
  const std::vector<double> v = history.column("car.speed");
  const Judged judged = judge_stop(history, speed);
  const double initial = judged.initial;
  const BrakingDistance& braking = judged.braking;
  if (!braking.stopped) {
    std::ostringstream text;
    text << manoeuvre.name << ": the car still has " << v.back() << " m/s after "
         << manoeuvre.value("duration") << " s of braking, expected more pedal or more time";
    throw AnalysisError(text.str());
  }
  if (!stop.lifted.empty())
    answer.notes.push_back("the wheels of " + stop.lifted +
                           " carry nothing until the pedal begins to move: that they lock does not "
                           "count");
  // the pedal is known to the bracket only: half of what lies between its ends
  Judged other;
  if (std::isfinite(doubt)) other = judge_stop(worse.history, speed);
  const auto bracketed = [&](double value, double beyond) {
    return std::isfinite(doubt) && other.braking.stopped ? 0.5 * std::abs(beyond - value)
                                                         : kUnknown;
  };
  // the approach is not judged
  const History braked = rows_from(history, kSettle);
  const std::vector<double> y = braked.column("chassis.y");
  const std::vector<double> yaw = braked.column("chassis.yaw");
  answer.title = vehicle.mechanism.name + ": " + manoeuvre.name;
  answer.quantities = {
      {"pedal", pedal, "1", doubt,
       manoeuvre.value("pedal") == 0.0 ? "the most that locks no wheel, by bisection" : "as given"},
      {"initial_speed", initial, "m/s", kUnknown, "when the pedal begins to move"},
      {"distance", braking.distance, "m", bracketed(braking.distance, other.braking.distance),
       "way from there to standstill, over the plane of x and y"},
      {"corrected_distance", judged.corrected(speed), "m",
       bracketed(judged.corrected(speed), other.corrected(speed)),
       "the same from the nominal speed: by (nominal/initial)^2"},
      {"time", braking.time, "s", bracketed(braking.time, other.braking.time),
       "from there to standstill"},
      {"mean_deceleration", judged.mean(), "m/s^2", bracketed(judged.mean(), other.mean()),
       "v^2 / (2 distance)"},
      {"developed_deceleration", braking.developed, "m/s^2",
       bracketed(braking.developed, other.braking.developed),
       "mean fully developed: from 0.8 to 0.1 of the speed, over the way"},
      {"locked_wheels", static_cast<double>(stop.locked), "1", kUnknown,
       "turned slower than 0.1 of the speed, above 3 m/s"},
      {"largest_pitch", largest(braked.column("car.pitch")), "rad", kUnknown, "magnitude"},
      {"deviation", y.back() - y.front(), "m", kUnknown,
       "to the left, from where the pedal begins to move to standstill"},
      {"heading", yaw.back() - yaw.front(), "rad", kUnknown, "turned to the left, on that way"},
      {"largest_yaw_rate", largest(braked.column("car.yaw_rate")), "rad/s", kUnknown, "magnitude"}};
  read_at(answer, "", kSettle, "brake");
  read_at(answer, "car.speed", kSettle + braking.time, "standstill", kStandstill);
  read_at(answer, "car.speed", braking.developed_from, "80 %", 0.8 * initial);
  read_at(answer, "car.speed", braking.developed_until, "10 %", 0.1 * initial);
  read_over(answer, "", braking.developed_from, braking.developed_until, "fully developed");
  for (const char* channel : {"car.pitch", "car.yaw_rate"}) read_largest(answer, braked, channel);
  const std::vector<double> moment = yaw_moment(vehicle, history);
  if (split) {
    read_largest(answer, braked, "driver.steering_wheel");
    const double yaw_rate_1s = read_around(t, history.column("car.yaw_rate"), kSettle + 1.0).mean;
    const MeanOver moment_1s = read_around(t, moment, kSettle + 1.0);
    const double from_1s = kSettle + 1.0 - 0.5 * kMeanTime;
    read_over(answer, "car.yaw_rate", from_1s, from_1s + kMeanTime, "after 1 s", yaw_rate_1s);
    read_over(answer, "moment", from_1s, from_1s + kMeanTime, "after 1 s", moment_1s.mean);
    const double split_until = leaves_its_half(vehicle, history);
    std::vector<double> on_split;
    for (std::size_t k = 0; k < t.size() && t[k] < split_until; ++k) on_split.push_back(moment[k]);
    answer.quantities.push_back(
        {"largest_yaw_moment", largest(on_split), "N m", kUnknown,
         "of the tyres' longitudinal forces about the centre of mass, while "
         "all wheels are on their own half"});
    answer.quantities.push_back({"yaw_moment_1s", moment_1s.mean, "N m", moment_1s.half_range,
                                 "1 s after the pedal began to move, mean over 0.1 s"});
    answer.quantities.push_back({"on_split", split_until - kSettle, "s", kUnknown,
                                 "from there until a wheel leaves its half of the road, or "
                                 "standstill"});
    if (split_until < t.back()) {
      std::ostringstream text;
      text << "a wheel leaves its half of the road " << split_until - kSettle
           << " s after the pedal began to move: distance, deviation and heading are partly those "
              "of the other friction";
      answer.notes.push_back(text.str());
    }
    answer.quantities.push_back({"yaw_rate_1s", yaw_rate_1s, "rad/s", kUnknown,
                                 "1 s after the pedal began to move, mean over 0.1 s"});
    answer.quantities.push_back({"deviation_1s",
                                 read_around(braked.times(), y, kSettle + 1.0).mean - y.front(),
                                 "m", kUnknown, "to the left, then; mean over 0.1 s"});
    const std::string off =
        list_wheels_off_split(vehicle, manoeuvre.scenario.surface.get(), history);
    if (!off.empty())
      answer.notes.push_back("when the pedal begins to move, " + off +
                             " stand on another friction than the first wheel of their side, on "
                             "which they are braked first");
    answer.quantities.push_back({"largest_steering_wheel",
                                 largest(braked.column("driver.steering_wheel")), "rad", kUnknown,
                                 corrects ? "the driver corrects" : "held"});
  }
  if (approach.start != speed) {
    std::ostringstream text;
    text << "the car does not hold " << speed << " m/s: it starts at " << approach.start
         << " m/s to have " << initial << " m/s when the pedal begins to move";
    answer.notes.push_back(text.str());
  }
  // what equations of the file do with the brakes is not known here
  if (vehicle.equations.empty())
    answer.notes.push_back("the car has no anti-lock system: the pedal is held, wheels may lock");
  double aside = 0.0;
  for (const double place : y) aside = std::max(aside, std::abs(place - y.front()));
  if (aside > kHalfLane) {
    std::ostringstream text;
    text << "the car leaves its lane: it gets " << aside << " m aside";
    answer.notes.push_back(text.str());
  }
  show_history(vehicle, manoeuvre, history, answer);
  if (split) {
    Chart chart;
    chart.title = "yaw moment of longitudinal forces";
    chart.x_label = "time, s";
    chart.y_label = "N m";
    chart.series.push_back({"moment", t, moment});
    answer.charts.push_back(std::move(chart));
    answer.charts.push_back(make_chart(history, "path", {"chassis.y"}, "chassis.x"));
  }
  return answer;
}

Answer straight(const Vehicle& vehicle, const Manoeuvre& manoeuvre, const Progress& progress) {
  return judge(vehicle, manoeuvre, false, progress);
}

Answer split_mu(const Vehicle& vehicle, const Manoeuvre& manoeuvre, const Progress& progress) {
  if (!manoeuvre.has_road)
    throw ModelError(manoeuvre.source, manoeuvre.name,
                     "has no <road>, expected one with <friction> on both sides");
  const bool any_law = std::any_of(vehicle.wheels.begin(), vehicle.wheels.end(),
                                   [](const Wheel& wheel) { return wheel.law != nullptr; });
  if (any_law && std::none_of(vehicle.wheels.begin(), vehicle.wheels.end(), feels_friction))
    throw ModelError(manoeuvre.source, manoeuvre.name,
                     "brakes on two frictions, and no tyre of this vehicle feels that of the road, "
                     "expected tyres with a law that has friction");
  return judge(vehicle, manoeuvre, true, progress);
}

std::vector<ValueRule> braking_rules(double pedal) {
  return {{"speed", 27.778, "m/s", 1.0, 100.0, "when the brake is applied"},
          {"pedal", pedal, "1", 0.0, 1.0, "held; 0: the most that locks no wheel is searched"},
          {"pedal_rate", 5.0, "1/s", 0.1, 1000.0, "with which it is pressed"},
          {"gear", 0.0, "1", -1.0, 20.0, "input of the gearbox while braking: 0 is neutral", true},
          {"resolution", 0.005, "1", 0.0001, 0.5, "of the search"},
          {"duration", 30.0, "s", 1.0, 1000.0, "of braking, at most"},
          {"correct", 0.0, "1", 0.0, 1.0, "1: the driver steers to stay straight, 0: holds", true}};
}

}  // namespace

Method straight_braking_method() {
  return {.name = "straight_braking",
          .about = "the brake pedal to a value and held, straight on",
          .values = braking_rules(0.0),
          .answer = straight,
          .reads_driver = true};
}

Method split_mu_braking_method() {
  std::vector<ValueRule> values = braking_rules(0.2);
  values.push_back({"mu_left", 1.0, "1", 0.01, 2.0, "friction of the road, left of the middle"});
  values.push_back({"mu_right", 0.3, "1", 0.01, 2.0, "... right of it"});
  return {.name = "split_mu_braking",
          .about = "the brake pedal on a road with two frictions",
          .values = values,
          .answer = split_mu,
          .reads_driver = true};
}

}  // namespace semirec
