#include "vehicles/manoeuvre/steering_gain.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <vector>

#include "vehicles/analysis/held_differentials.hpp"
#include "vehicles/manoeuvre/car.hpp"
#include "vehicles/manoeuvre/drive_task.hpp"

namespace semirec {

namespace {

constexpr double kBegin = 1.0;  // s
constexpr double kRise = 0.2;
constexpr double kEnd = 5.0;
constexpr double kSettled = 4.5;

struct Response {
  double ratio = 0.0;  ///< steering wheel over curvature, rad m
  double v = 0.0;
  double lag = 0.0;
};

[[noreturn]] void fail(double speed, const char* what) {
  std::ostringstream text;
  text << "steering at " << speed << " m/s: " << what;
  throw AnalysisError(text.str());
}

/// What a car does whose steering wheel is turned at kBegin.
struct Course {
  std::vector<double> t, v;
  std::vector<double> bend;       ///< yaw rate over speed, 1/m
  std::vector<double> curvature;  ///< of the way, 1/m
};

Course drive_course(const Vehicle& vehicle, const Manoeuvre& manoeuvre, double speed,
                    double steering_wheel, const Progress& progress) {
  OpenLoopDriver driver;
  driver.steering_wheel = Curve::table({{kBegin, 0.0}, {kBegin + kRise, steering_wheel}});
  driver.keeps_speed = true;
  driver.speed = Curve::constant(speed);
  driver.keeper = make_speed_keeper(vehicle);
  Manoeuvre flat = manoeuvre;
  flat.scenario.surface = nullptr;
  flat.scenario.road = {};
  flat.scenario.excitations.clear();
  flat.scenario.road_planes.clear();
  DriveTask task;
  task.speed = speed;
  task.duration = kEnd;
  task.record = 0.01;
  task.motion_alone = true;
  task.driver = &driver;
  task.part_to = 0.02;
  task.what = "answer to the steering wheel";
  const History history = drive(vehicle, flat, task, progress);
  Course course{history.times(), history.column("car.speed"), history.column("car.yaw_rate"),
                history.column("car.curvature")};
  for (std::size_t k = 0; k < course.t.size(); ++k) course.bend[k] /= course.v[k];
  return course;
}

/// Of `values` from kSettled on.
double settled_mean(const Course& course, const std::vector<double>& values) {
  double sum = 0.0;
  int count = 0;
  for (std::size_t k = 0; k < course.t.size(); ++k) {
    if (course.t[k] < kSettled) continue;
    sum += values[k];
    ++count;
  }
  return sum / count;
}

Response turn_wheel(const Vehicle& vehicle, const Manoeuvre& manoeuvre, double speed,
                    double steering_wheel, const Progress& progress) {
  constexpr double kAlike = 1e-3;  // of the answer
  Course course = drive_course(vehicle, manoeuvre, speed, steering_wheel, progress);
  // what the car does with the steering wheel straight is not its answer
  double before = 0.0;
  for (std::size_t k = 0; k < course.t.size() && course.t[k] <= kBegin; ++k)
    before = course.bend[k];
  if (std::abs(before) > kAlike * std::abs(settled_mean(course, course.bend))) {
    // of a car that is not alike on both sides it goes on changing: the same in both turns
    const Course other = drive_course(vehicle, manoeuvre, speed, -steering_wheel, progress);
    for (std::size_t k = 0; k < std::min(course.t.size(), other.t.size()); ++k) {
      course.bend[k] = 0.5 * (course.bend[k] - other.bend[k]);
      course.curvature[k] = 0.5 * (course.curvature[k] - other.curvature[k]);
    }
    before = 0.0;
  }
  double early = 0.0;
  for (std::size_t k = 0; k < course.t.size(); ++k)
    if (std::abs(course.t[k] - (kSettled - 0.5)) < 0.005) early = course.bend[k] - before;
  const double mean = settled_mean(course, course.bend) - before;
  if (!(std::abs(mean) > 1e-9))
    fail(speed,
         "the car does not turn with the steering wheel, expected tyres that give side forces");
  // before it has settled the sign tells nothing
  if (std::abs(mean - early) > 0.2 * std::abs(mean))
    fail(speed,
         "the car does not come to rest in its turn within 5 s, expected a higher speed, or one at "
         "which it is stable");
  if (mean * steering_wheel < 0.0)
    fail(speed,
         "the car turns against the steering wheel, expected <controls steering_ratio> of the "
         "other sign");
  double missing = 0.0;
  for (std::size_t k = 1; k < course.t.size(); ++k)
    if (course.t[k] > kBegin)
      missing += (course.t[k] - course.t[k - 1]) * (1.0 - (course.curvature[k] - before) / mean);
  return {steering_wheel / mean, settled_mean(course, course.v), missing - 0.5 * kRise};
}

/// How hard the car turns as it is measured, rad at half the speed, m/s^2 and rad/s at the speed: a
/// little; with limited slip, whose preload holds both wheels in such turns, harder.
struct Turns {
  double steering_wheel, acceleration, yaw_rate;
};

Turns choose_turns(const Vehicle& vehicle) {
  std::vector<std::string> slips;
  with_open_differentials(vehicle, slips);
  return slips.empty() ? Turns{0.05, 0.5, 0.2} : Turns{0.5, 2.0, 0.3};
}

/// Steering wheel for that of a car of this ratio.
double choose_angle(const Turns& turns, double speed, double ratio) {
  return std::min(turns.acceleration / (speed * speed), turns.yaw_rate / speed) * ratio;
}

double bounded_lag(const Response& response) { return std::clamp(response.lag, 0.0, 0.5); }

}  // namespace

SteeringGain measure_steering(const Vehicle& vehicle, const Manoeuvre& manoeuvre, double speed,
                              const Progress& progress) {
  const Turns turns = choose_turns(vehicle);
  const double slow = 0.5 * speed;
  const Response first = turn_wheel(vehicle, manoeuvre, slow, turns.steering_wheel, progress);
  const Response second =
      turn_wheel(vehicle, manoeuvre, speed, choose_angle(turns, speed, first.ratio), progress);
  SteeringGain gain;
  gain.b = (second.ratio - first.ratio) / (second.v * second.v - first.v * first.v);
  gain.a = first.ratio - gain.b * first.v * first.v;
  gain.lag = bounded_lag(second);
  return gain;
}

SteeringGain measure_steering_again(const Vehicle& vehicle, const Manoeuvre& manoeuvre,
                                    double speed, const SteeringGain& known,
                                    const Progress& progress) {
  const double angle = choose_angle(choose_turns(vehicle), speed, known.a);
  const Response response = turn_wheel(vehicle, manoeuvre, speed, angle, progress);
  return {known.a, (response.ratio - known.a) / (response.v * response.v), bounded_lag(response)};
}

}  // namespace semirec
