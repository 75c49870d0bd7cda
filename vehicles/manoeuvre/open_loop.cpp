#include "vehicles/manoeuvre/open_loop.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <sstream>

#include "vehicles/analysis/metrics/signal.hpp"
#include "vehicles/analysis/steady_state.hpp"
#include "vehicles/driver/manual_gearbox.hpp"
#include "vehicles/manoeuvre/car.hpp"

namespace semirec {

namespace {

constexpr double kSpeedError = 0.02;   // of the wanted speed
constexpr double kSlowest = 4.0;       // s: a ramp that takes as long is slow
constexpr double kRampRate = 0.2356;   // rad/s: 13.5 degrees a second
constexpr double kLongestRamp = 60.0;  // s

/// Drives open loop and lifts the feet at a time.
class SteeringDriver final : public CarDriver {
 public:
  OpenLoopDriver inner;
  double release_at = std::numeric_limits<double>::infinity();

  void begin(const CarMotion& start, double step, const DriverAction& held) override {
    inner.begin(start, step, held);
  }
  DriverAction act(const CarMotion& motion) noexcept override {
    DriverAction action = inner.act(motion);
    if (motion.t >= release_at) action.throttle = action.brake = action.force = 0.0;
    return action;
  }
};

void check_speed(const History& history, const SteeredDrive& task) {
  const std::vector<double> t = history.times();
  const std::vector<double> v = history.column("car.vx");
  std::size_t k = 0;
  while (k + 1 < t.size() && t[k] < task.settle - 1e-9) ++k;
  if (std::abs(v[k] - task.speed) <= kSpeedError * task.speed) return;
  std::ostringstream text;
  text << task.what << ": after " << t[k] << " s of driving straight on the car has " << v[k]
       << " m/s, expected " << task.speed
       << " m/s within 2 %: a speed that it can hold, or more time to settle";
  throw AnalysisError(text.str());
}

/// The last row may lie between two of the even ones.
void make_even(History& history) {
  const std::size_t n = history.rows.size();
  if (n < 3) return;
  const std::size_t t = history.find("time");
  const double dt = history.rows[1][t] - history.rows[0][t];
  const double last = history.rows[n - 1][t] - history.rows[n - 2][t];
  if (std::abs(last - dt) > 1e-6 * dt) history.rows.pop_back();
}

}  // namespace

SteeredDrive make_one_sine(const Manoeuvre& manoeuvre, double amplitude, double after) {
  const double settle = manoeuvre.value("settle");
  const double period = 1.0 / manoeuvre.value("frequency");
  const double omega = 2.0 * std::numbers::pi / period;
  SteeredDrive task;
  task.speed = manoeuvre.value("speed");
  task.settle = settle;
  task.pedals = Pedals::held;
  task.steering_wheel.add_sine({amplitude, omega, -omega * settle, 0.0, settle, settle + period});
  task.duration = settle + period + after;
  task.part_from = 0.5;
  task.what = "one sine of the steering wheel";
  return task;
}

History drive_steered(const Vehicle& vehicle, const Manoeuvre& manoeuvre, const SteeredDrive& task,
                      const Progress& progress) {
  SteeringDriver driver;
  driver.inner.steering_wheel = task.steering_wheel;
  driver.inner.keeper = make_speed_keeper(vehicle);
  driver.inner.keeps_speed = true;
  driver.inner.speed = Curve::constant(task.speed);
  if (task.pedals == Pedals::held) driver.inner.freeze_at = task.settle - 0.5 * manoeuvre.step;
  if (task.pedals == Pedals::released) driver.release_at = task.settle - 0.5 * manoeuvre.step;
  DriveTask drive_task;
  drive_task.speed = task.speed;
  drive_task.duration = task.duration;
  drive_task.record = task.record;
  drive_task.motion_alone = task.motion_alone;
  drive_task.driver = &driver;
  drive_task.part_from = task.part_from;
  drive_task.part_to = task.part_to;
  drive_task.what = task.what;
  if (std::isfinite(task.stop_at))
    drive_task.over = [&task, straight = 0.0](const CarMotion& motion, const double*) mutable {
      if (motion.t <= task.settle && task.stops_by_change) straight = motion.ay;
      return motion.t > task.settle && std::abs(motion.ay - straight) > task.stop_at;
    };
  History history = drive(vehicle, manoeuvre, drive_task, progress);
  make_even(history);
  check_speed(history, task);
  return history;
}

double interval_of(const History& history) {
  const std::size_t t = history.find("time");
  return history.rows.size() < 2 ? 1.0 : history.rows[1][t] - history.rows[0][t];
}

namespace {

History rows_between(const History& history, double from, double until) {
  History part;
  part.channels = history.channels;
  part.stopped = history.stopped;
  part.drive = history.drive;
  const std::size_t t = history.find("time");
  for (const std::vector<double>& row : history.rows)
    if (row[t] >= from - 1e-9 && row[t] < until) part.rows.push_back(row);
  return part;
}

}  // namespace

History rows_from(const History& history, double from) {
  return rows_between(history, from, std::numeric_limits<double>::infinity());
}

History rows_until(const History& history, double until) {
  return rows_between(history, 0.0, until);
}

void check_turned_with(double side, double turned) {
  if (side * turned >= 0.0) return;
  throw AnalysisError(
      "the car turns to the right when the steering wheel is turned to the left, expected a "
      "steering_ratio of the other sign");
}

Curve ramp_of(double start, double rate) {
  Curve curve;
  curve.add_piece(-1e300, start, {0.0});
  curve.add_piece(start, start, {0.0, rate});
  return curve;
}

double find_steering_wheel(const Vehicle& vehicle, const Manoeuvre& manoeuvre, double speed,
                           double settle, double ay, const Progress& progress, double part_from,
                           double part_to) {
  SteeredDrive task;
  task.speed = speed;
  task.settle = settle;
  task.duration = settle + kLongestRamp;
  task.stop_at = std::abs(ay);
  task.stops_by_change = true;
  task.part_from = part_from;
  task.part_to = part_to;
  task.motion_alone = true;
  task.what = "slow ramp of the steering wheel";
  const double side = ay > 0.0 ? 1.0 : -1.0;
  double rate = side * kRampRate;
  for (int pass = 0; pass < 6; ++pass) {
    task.steering_wheel = ramp_of(settle, rate);
    const History history = drive_steered(vehicle, manoeuvre, task, progress);
    std::vector<double> a = history.column("car.ay");
    const double dt = interval_of(history);
    // what the car does straight on is no answer to the steering wheel
    const auto row = static_cast<std::size_t>(settle / dt + 1e-6);
    const double straight = a[std::min(row, a.size() - 1)];
    for (double& value : a) value -= straight;
    if (!history.stopped) {
      const Samples turning = Samples(a).subspan(std::min(row, a.size() - 1));
      std::ostringstream text;
      text << "a lateral acceleration of " << ay << " m/s^2 at " << speed
           << " m/s is not reached: at most " << peak_of(turning)
           << " m/s^2 within a steering wheel of " << std::abs(rate) * kLongestRamp << " rad";
      const std::string missing = describe_missing_lateral(vehicle.wheels);
      text << (missing.empty() ? "; expected a milder manoeuvre" : missing);
      throw AnalysisError(text.str());
    }
    check_turned_with(side, a.back());
    const double crossing = find_crossing(a, dt, ay, settle);
    const double end = static_cast<double>(a.size() - 1) * dt;
    const double taken = (std::isfinite(crossing) ? crossing : end) - settle;
    if (taken >= kSlowest) return rate * taken;
    rate *= std::max(taken, 0.05 * kSlowest) / (1.5 * kSlowest);
  }
  throw AnalysisError(
      "the car answers too fast to a slow ramp of the steering wheel, expected a steering_wheel "
      "angle "
      "instead of a lateral_acceleration");
}

std::vector<ValueRule> steering_values(double lateral_acceleration, const char* about) {
  return {{"speed", 27.778, "m/s", 1.0, 100.0, "kept while the car settles"},
          {"settle", 8.0, "s", 0.1, 600.0, "straight on before the steering wheel turns"},
          {"lateral_acceleration", lateral_acceleration, "m/s^2", -20.0, 20.0, about},
          {"steering_wheel", std::numeric_limits<double>::quiet_NaN(), "rad", -50.0, 50.0,
           "largest angle, instead of finding it for the lateral acceleration"}};
}

double steering_wheel_of(const Vehicle& vehicle, const Manoeuvre& manoeuvre,
                         const Progress& progress, double part_from, double part_to) {
  const double written = manoeuvre.value("steering_wheel");
  const double ay = manoeuvre.value("lateral_acceleration");
  const bool finds = std::isnan(written);
  if ((finds ? ay : written) == 0.0)
    throw ModelError(manoeuvre.source, manoeuvre.name,
                     std::string(finds ? "lateral_acceleration" : "steering_wheel") +
                         " is 0, expected a number above zero (to the left) or below it");
  if (!finds) return written;
  return find_steering_wheel(vehicle, manoeuvre, manoeuvre.value("speed"),
                             manoeuvre.value("settle"), ay, progress, part_from, part_to);
}

namespace {

/// The scenario of a steady turn while the steering wheel is about to be turned: what the driver
/// moves is left to him, other inputs are what they are then.
Scenario about_to_turn(const Vehicle& vehicle, const Manoeuvre& manoeuvre) {
  Scenario scenario = manoeuvre.scenario;
  const Controls& controls = vehicle.controls;
  std::vector<std::string> moved{controls.steering, controls.throttle, controls.brake,
                                 controls.gear};
  if (const auto box = find_manual_gearbox(vehicle)) moved.push_back(box->clutch);
  std::erase_if(scenario.inputs, [&](const Input& input) {
    return std::find(moved.begin(), moved.end(), input.name) != moved.end();
  });
  const double settle = manoeuvre.value("settle");
  for (Input& input : scenario.inputs) input.curve = Curve::constant(input.curve.value(settle));
  return scenario;
}

/// NaN, and `why`, where there is no such turn.
double solve_steering_wheel(const Vehicle& vehicle, const Scenario& scenario, double speed,
                            double ay, std::string& why) {
  try {
    SteadyCar car(vehicle, scenario);
    if (steers_by_force(car)) throw AnalysisError("the steering input takes a force");
    const double straight = car.turn(speed, 0.0).steering_wheel;
    const double turned = car.turn(speed, ay).steering_wheel - straight;
    if (turned * ay > 0.0) return turned;
    why = "the steering wheel of a steady turn points to the other side";
  } catch (const AnalysisError& error) {
    why = error.what();
  } catch (const ModelError& error) {
    why = error.what();
  }
  return std::nan("");
}

}  // namespace

FoundSteeringWheel find_steady_steering_wheel(const Vehicle& vehicle, const Manoeuvre& manoeuvre,
                                              const Progress& progress, double part_from,
                                              double part_to) {
  const double ay = manoeuvre.value("lateral_acceleration");
  if (!std::isnan(manoeuvre.value("steering_wheel")) || ay == 0.0)
    return {steering_wheel_of(vehicle, manoeuvre, progress, part_from, part_to), {}};
  const double speed = manoeuvre.value("speed");
  Scenario scenario = about_to_turn(vehicle, manoeuvre);
  // layers of a road are not looked through
  std::string why = "the road is not known to be one level plane";
  const bool is_plane = scenario.surface != nullptr
                            ? scenario.surface->plane() != nullptr
                            : scenario.road.left.is_constant() && scenario.road.right.is_constant();
  if (is_plane)
    if (const double angle = solve_steering_wheel(vehicle, scenario, speed, ay, why);
        !std::isnan(angle))
      return {angle, {}};
  if (!is_plane || scenario.surface != nullptr) {
    scenario.surface = nullptr;
    scenario.road = {};
    std::string still;
    if (const double angle = solve_steering_wheel(vehicle, scenario, speed, ay, still);
        !std::isnan(angle))
      return {angle, "the steering wheel is that of a steady turn on a level road: " + why};
    why = still;
  }
  return {steering_wheel_of(vehicle, manoeuvre, progress, part_from, part_to),
          "the steering wheel is found by a slow ramp, behind which the car lags: " + why};
}

void add_quantity(Answer& answer, const std::string& name, double value, const std::string& unit,
                  const std::string& about, double uncertainty) {
  answer.quantities.push_back({name, value, unit, uncertainty, about});
}

}  // namespace semirec
