#include <algorithm>
#include <cmath>
#include <numbers>
#include <sstream>

#include "vehicles/driver/path_follower.hpp"
#include "vehicles/manoeuvre/car.hpp"
#include "vehicles/manoeuvre/drive_task.hpp"
#include "vehicles/manoeuvre/methods.hpp"
#include "vehicles/manoeuvre/steering_gain.hpp"

namespace semirec {

namespace {

/// The place of a path nearest to the origin, however far along it.
PathPoint nearest_to_start(const Path& path) {
  constexpr int kMost = 1000;  // of 100 m at most
  PathPoint there = path.at(0.0);
  for (int k = 0; k < kMost; ++k) {
    const double s = there.s;
    there = path.nearest(0.0, 0.0, s);
    if (std::abs(there.s - s) < 1e-9) break;
  }
  return there;
}

/// The car starts at the origin along x: a path that does not pass there is another one than can be
/// driven. A line about one that does so aside, turned, or not at its own begin; empty where it
/// begins there.
std::string check_begin(const Manoeuvre& manoeuvre) {
  constexpr double kFar = 1.0;       // m
  constexpr double kTurned = 0.5;    // rad
  constexpr double kBeside = 0.05;   // m
  constexpr double kOblique = 0.05;  // rad
  const PathPoint there = nearest_to_start(manoeuvre.path);
  const double aside = std::abs(Path::offset(there, 0.0, 0.0));
  const double turned = std::remainder(there.heading, 2.0 * std::numbers::pi);
  std::ostringstream text;
  text.precision(3);
  text << "passes the start of the car, the origin along x, " << aside << " m aside and turned by "
       << turned << " rad, " << there.s << " m behind its own begin";
  if (aside > kFar || std::abs(turned) > kTurned || there.s >= manoeuvre.path.length())
    throw ModelError(manoeuvre.source, manoeuvre.name,
                     "has a <path> that " + text.str() + ", expected one that begins there");
  if (aside <= kBeside && std::abs(turned) <= kOblique && std::abs(there.s) <= kFar) return {};
  return "the path " + text.str() +
         ": offsets at the start are that, not the driver's, and time counts from there";
}

[[noreturn]] void fail_path(const Manoeuvre& manoeuvre, const PathFollower& follower,
                            const CarMotion& motion) {
  const double v = motion.speed();
  std::ostringstream text;
  text << "follow_path: the car leaves the path by " << std::abs(follower.offset())
       << " m at s = " << follower.way() << " m, t = " << motion.t << " s: at " << v
       << " m/s the path asks for " << std::abs(follower.path_curvature()) * v * v
       << " m/s^2 there, the car has " << std::abs(motion.ay)
       << "; expected a lower speed, a wider path or a wider corridor";
  if (manoeuvre.driver.limits.on)
    text << ", or a <driver> with less delay and faster hands than "
         << manoeuvre.driver.limits.delay << " s and "
         << manoeuvre.driver.limits.steering_wheel_rate << " rad/s where it is not the car";
  throw AnalysisError(text.str());
}

Answer follow_path(const Vehicle& vehicle, const Manoeuvre& manoeuvre, const Progress& progress) {
  if (manoeuvre.path.empty())
    throw ModelError(manoeuvre.source, manoeuvre.name,
                     "has no <path>, expected one of <point>s or <segment>s");
  const std::string beginning = check_begin(manoeuvre);
  need_steering(vehicle, manoeuvre);
  const double speed = manoeuvre.value("speed");
  const SteeringGain gain = measure_steering(vehicle, manoeuvre, speed, progress);
  PathFollower driver(manoeuvre.path, gain, manoeuvre.driver, make_speed_keeper(vehicle));
  driver.speed = Curve::constant(speed);
  const double length = manoeuvre.path.length();

  DriveTask task;
  task.speed = speed;
  task.duration = 1.5 * length / speed + 10.0;
  task.driver = &driver;
  task.what = "follow the path";
  double largest = 0.0;
  double largest_at = 0.0;
  double square = 0.0;
  double away = 0.0;
  long count = 0;
  CarMotion last;
  task.over = [&](const CarMotion& motion, const double*) {
    last = motion;
    if (motion.t > 0.0) {
      if (std::abs(driver.offset()) > largest) {
        largest = std::abs(driver.offset());
        largest_at = motion.t;
      }
      square += driver.offset() * driver.offset();
      away = std::max(away, std::abs(motion.speed() - speed));
      ++count;
    }
    return driver.lost() || driver.way() >= length;
  };
  const History history = drive(vehicle, manoeuvre, task, progress);
  if (driver.lost()) fail_path(manoeuvre, driver, last);
  if (!history.stopped) {
    std::ostringstream text;
    text << "follow_path: after " << last.t << " s the car is at s = " << driver.way() << " m of "
         << length << " m with " << last.speed() << " m/s, expected a speed that it can keep";
    throw AnalysisError(text.str());
  }

  const auto peak = [&](const char* channel) {
    double most = 0.0;
    for (const double value : history.column(channel)) most = std::max(most, std::abs(value));
    return most;
  };
  Answer answer;
  answer.title = vehicle.mechanism.name + ": " + manoeuvre.name;
  const double nan = std::nan("");
  answer.quantities = {
      {"time", last.t, "s", nan, "from the start to the path's end"},
      {"largest_offset", largest, "m", nan, "of the centre of mass from the path"},
      {"rms_offset", std::sqrt(square / static_cast<double>(std::max(1L, count))), "m", nan,
       "the same, root mean square over time"},
      {"largest_ay", peak("car.ay"), "m/s^2", nan, "lateral acceleration"},
      {"largest_steering_wheel", peak("driver.steering_wheel"), "rad", nan, ""},
      {"largest_sideslip", peak("car.sideslip"), "rad", nan, ""},
      {"speed_error", away, "m/s", nan, "largest, from the speed asked for"},
      {"steering_a", gain.a, "rad m", nan, "steering wheel = curvature (a + b v^2): measured"},
      {"steering_b", gain.b, "rad/(m/s^2)", nan, ""},
      {"steering_lag", gain.lag, "s", nan, "from steering wheel to curvature"}};
  show_history(vehicle, manoeuvre, history, answer);
  read_at(answer, "", largest_at, "largest offset");
  for (const char* channel : {"car.ay", "driver.steering_wheel", "car.sideslip"})
    read_largest(answer, history, channel);
  Chart plan;
  plan.title = "path";
  plan.x_label = "x, m";
  plan.y_label = "y, m";
  plan.series.push_back({"car", history.column("chassis.x"), history.column("chassis.y")});
  Series path{"path", {}, {}};
  for (int k = 0; k <= 500; ++k) {
    const PathPoint p = manoeuvre.path.at(length * k / 500.0);
    path.x.push_back(p.x);
    path.y.push_back(p.y);
  }
  plan.series.push_back(std::move(path));
  answer.charts.push_back(std::move(plan));
  if (!beginning.empty()) answer.notes.push_back(beginning);
  if (!manoeuvre.driver.limits.on)
    answer.notes.push_back("ideal driver: no delay, no limits of rates");
  return answer;
}

}  // namespace

Method follow_path_method() {
  return {.name = "follow_path",
          .about = "a driver follows the file's path at a constant speed",
          .values = {{"speed", 15.0, "m/s", 1.0, 100.0, "all the way"}},
          .answer = follow_path,
          .reads_path = true,
          .reads_driver = true};
}

}  // namespace semirec
