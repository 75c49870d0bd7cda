#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "vehicles/driver/path_follower.hpp"
#include "vehicles/manoeuvre/bisection.hpp"
#include "vehicles/manoeuvre/car.hpp"
#include "vehicles/manoeuvre/drive_task.hpp"
#include "vehicles/manoeuvre/gates.hpp"
#include "vehicles/manoeuvre/methods.hpp"
#include "vehicles/manoeuvre/steering_gain.hpp"

namespace semirec {

namespace {

constexpr double kRunIn = 4.0;    // s before the first lane
constexpr double kBehind = 20.0;  // m behind the last one
constexpr double kCreep = 4.0;    // m/s

/// What all drives of one search share.
struct Course {
  LaneChange lanes;
  Outline outline;
  SteeringGain gain;  ///< of a creeping car; each speed measures its own
  double release_from = std::numeric_limits<double>::infinity();  ///< x, m
};

struct Passage {
  History history;
  LaneChange lanes;  ///< with the cones that fell
  double entry_speed = 0.0, exit_speed = 0.0;
  double time = 0.0;  ///< from the first lane's begin to the last one's end, s
  bool missed = false;
  bool clean() const { return !missed && count_hits(lanes) == 0; }
};

Passage pass(const Vehicle& vehicle, const Manoeuvre& manoeuvre, const Course& course, double speed,
             double part, const Progress& progress) {
  // the car stands at x = 0
  const double before = kRunIn * speed;
  const LaneChange lanes = shift(course.lanes, before);
  std::vector<double> inside;
  for (const Gate& gate : lanes.gates)
    inside.push_back(manoeuvre.value("inside") *
                     (0.5 * (gate.left - gate.right) - course.outline.half_width));
  const Path path = make_lane_path(lanes, before, manoeuvre.value("blend"), kBehind + 50.0, inside);
  const SteeringGain gain =
      measure_steering_again(vehicle, manoeuvre, speed, course.gain, progress);
  PathFollower driver(path, gain, manoeuvre.driver, make_speed_keeper(vehicle));
  driver.speed = Curve::constant(speed);
  driver.release_from = course.release_from + before;
  driver.freeze_from = before;
  Passage passage;
  passage.lanes = lanes;
  const double end = lanes.gates.back().end;
  DriveTask task;
  task.speed = speed;
  task.duration = 3.0 * (end + kBehind) / speed;
  task.driver = &driver;
  task.part_from = part;
  task.part_to = part;
  task.what = "lane change";
  double entered = kUnknown;
  task.over = [&](const CarMotion& motion, const double*) {
    if (std::isnan(entered) && motion.x >= before) {
      entered = motion.t;
      passage.entry_speed = motion.speed();
    }
    if (motion.x < end) {
      passage.exit_speed = motion.speed();
      passage.time = motion.t - entered;
    }
    mark_hits(course.outline, motion, passage.lanes);
    passage.missed = passage.missed || misses_gate(motion, passage.lanes) || driver.lost();
    return motion.x - course.outline.rear > end || driver.lost() || motion.vx < 1.0;
  };
  passage.history = drive(vehicle, manoeuvre, task, progress);
  passage.missed = passage.missed || passage.history.column("chassis.x").back() < end;
  return passage;
}

double peak(const History& history, const char* channel) {
  double most = 0.0;
  for (const double value : history.column(channel)) most = std::max(most, std::abs(value));
  return most;
}

double peak_rate(const History& history, const char* channel) {
  const std::vector<double> t = history.times();
  const std::vector<double> value = history.column(channel);
  double most = 0.0;
  for (std::size_t k = 1; k < t.size(); ++k)
    if (t[k] > t[k - 1])
      most = std::max(most, std::abs(value[k] - value[k - 1]) / (t[k] - t[k - 1]));
  return most;
}

Chart draw_course(const Passage& passage) {
  Chart chart;
  chart.title = "course";
  chart.x_label = "x, m";
  chart.y_label = "y, m";
  chart.series.push_back(
      {"mass centre", passage.history.column("chassis.x"), passage.history.column("chassis.y")});
  Series standing{"cones", {}, {}, true};
  Series fallen{"hit", {}, {}, true};
  for (const Cone& cone : passage.lanes.cones) {
    Series& series = cone.hit ? fallen : standing;
    series.x.push_back(cone.x);
    series.y.push_back(cone.y);
  }
  chart.series.push_back(std::move(standing));
  if (!fallen.x.empty()) chart.series.push_back(std::move(fallen));
  return chart;
}

Table cone_table(const LaneChange& lanes) {
  Table table;
  table.name = "cones";
  table.columns = {{"x", "m"}, {"y", "m"}, {"hit", "1"}};
  for (const Cone& cone : lanes.cones) table.rows.push_back({cone.x, cone.y, cone.hit ? 1.0 : 0.0});
  return table;
}

Answer judge(const Vehicle& vehicle, const Manoeuvre& manoeuvre, Course course,
             const Progress& progress) {
  need_steering(vehicle, manoeuvre.name);
  const double low = manoeuvre.value("least_speed");
  const double high = manoeuvre.value("most_speed");
  const double given = manoeuvre.value("speed");
  if (given == 0.0 && !(low < high))
    throw ModelError(manoeuvre.source, manoeuvre.name,
                     "searches from 'least_speed' up to a 'most_speed' that is not above it");
  course.gain = measure_steering(vehicle, manoeuvre, kCreep, progress);
  Answer answer;
  Passage shown;
  double doubt = kUnknown;  // of the search, m/s
  if (given > 0.0) {
    shown = pass(vehicle, manoeuvre, course, given, 0.1, progress);
    answer.title = vehicle.mechanism.name + ": " + manoeuvre.name +
                   (shown.clean() ? ", passed" : ", not passed");
  } else {
    const double width = manoeuvre.value("resolution");
    Passage best;
    int done = 0;
    const Bracket bracket = bisect(low, high, width, [&](double speed) {
      const double part = 0.1 + 0.9 * (1.0 - std::pow(0.75, done++));
      try {
        Passage passage = pass(vehicle, manoeuvre, course, speed, part, progress);
        if (!passage.clean()) return false;
        best = std::move(passage);
        return true;
      } catch (const AnalysisError&) {
        // the car rolled over or the step broke down
        return false;
      }
    });
    if (bracket.all_bad) {
      std::ostringstream text;
      text << manoeuvre.name << ": the car does not pass the lanes even at the lowest speed, "
           << low << " m/s, expected a lower 'least_speed' or another driver";
      throw AnalysisError(text.str());
    }
    shown = std::move(best);
    if (!bracket.all_good) doubt = bracket.bad - bracket.good;
    answer.title = vehicle.mechanism.name + ": " + manoeuvre.name + ", fastest without a cone hit";
    answer.quantities.push_back({"speed", bracket.good, "m/s", doubt,
                                 "asked for, highest without a cone hit, by bisection"});
    answer.quantities.push_back({"failed_speed", bracket.all_good ? kUnknown : bracket.bad, "m/s",
                                 kUnknown, "lowest tried with a cone hit"});
    answer.quantities.push_back(
        {"drives", static_cast<double>(bracket.tries), "1", kUnknown, "of the search"});
    if (bracket.all_good)
      answer.notes.push_back("passed even at 'most_speed': the limit lies above");
  }
  const Outline& outline = course.outline;
  const std::vector<Quantity> more{
      {"entry_speed", shown.entry_speed, "m/s", doubt, "mass centre at the first lane's begin"},
      {"exit_speed", shown.exit_speed, "m/s", doubt, "mass centre at the last lane's end"},
      {"time", shown.time, "s", kUnknown, "between them"},
      {"cones_hit", static_cast<double>(count_hits(shown.lanes)), "1", kUnknown, "of this passage"},
      {"missed", shown.missed ? 1.0 : 0.0, "1", kUnknown, "1: beside a lane, or lost"},
      {"largest_ay", peak(shown.history, "car.ay"), "m/s^2", kUnknown, ""},
      {"largest_yaw_rate", peak(shown.history, "car.yaw_rate"), "rad/s", kUnknown, ""},
      {"largest_sideslip", peak(shown.history, "car.sideslip"), "rad", kUnknown, ""},
      {"largest_roll", peak(shown.history, "car.roll"), "rad", kUnknown, ""},
      {"largest_hand_wheel", peak(shown.history, "driver.hand_wheel"), "rad", kUnknown, ""},
      {"largest_hand_wheel_rate", peak_rate(shown.history, "driver.hand_wheel"), "rad/s", kUnknown,
       ""},
      {"width", 2.0 * outline.half_width, "m", kUnknown, "of the car's outline"},
      {"length", outline.front + outline.rear, "m", kUnknown, "of the car's outline"}};
  answer.quantities.insert(answer.quantities.end(), more.begin(), more.end());
  show_history(shown.history, answer);
  answer.tables.push_back(cone_table(shown.lanes));
  answer.charts.insert(answer.charts.begin(), draw_course(shown));
  answer.notes.push_back(
      "a verdict on car and driver together; the driver's numbers are in the "
      "manoeuvre's <driver>");
  return answer;
}

Course make_course(const Vehicle& vehicle, const Manoeuvre& manoeuvre,
                   LaneChange (*make)(double, double)) {
  const CarMeasures car = measure_car(vehicle);
  const double width = manoeuvre.value_or("width", car.width);
  const double length = manoeuvre.value_or("length", car.length);
  Course course;
  course.lanes = make(width, manoeuvre.value("offset"));
  course.outline = make_outline(car, width, length);
  return course;
}

Answer lane_change_1(const Vehicle& vehicle, const Manoeuvre& manoeuvre, const Progress& progress) {
  return judge(vehicle, manoeuvre, make_course(vehicle, manoeuvre, make_lane_change_1), progress);
}

Answer lane_change_2(const Vehicle& vehicle, const Manoeuvre& manoeuvre, const Progress& progress) {
  Course course = make_course(vehicle, manoeuvre, make_lane_change_2);
  course.release_from = manoeuvre.value("release");
  return judge(vehicle, manoeuvre, course, progress);
}

std::vector<ValueRule> rules(double offset, double blend) {
  return {
      {"speed", 0.0, "m/s", 0.0, 100.0, "one passage at this speed; 0: the fastest is searched"},
      {"least_speed", 8.0, "m/s", 1.0, 100.0, "where the search begins; passes"},
      {"most_speed", 45.0, "m/s", 1.0, 100.0, "where it ends"},
      {"resolution", 0.1, "m/s", 0.001, 10.0, "of the search"},
      {"offset", offset, "m", 0.0, 20.0, "of the second lane, see docs"},
      {"blend", blend, "m", 0.0, 6.0, "how far the driver's line bends inside the lanes"},
      {"inside", 0.0, "1", 0.0, 1.0, "of the room in a lane: the driver's line lies there"},
      {"width", kUnknown, "m", 0.5, 4.0, "of the car; by default of track and tyres"},
      {"length", kUnknown, "m", 1.0, 20.0, "of the car; by default of the wheelbase"}};
}

}  // namespace

Method lane_change_1_method() {
  return {"lane_change_1", "a driver through the double lane change", rules(3.5, 2.0),
          lane_change_1};
}

Method lane_change_2_method() {
  std::vector<ValueRule> values = rules(1.0, 2.0);
  values.push_back({"release", 2.0, "m", -1000.0, 1000.0,
                    "way into the first lane at which the throttle is released"});
  return {"lane_change_2", "a driver around the obstacle, throttle released", values,
          lane_change_2};
}

}  // namespace semirec
