#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <tuple>

#include "vehicles/manoeuvre/bisection.hpp"
#include "vehicles/manoeuvre/car.hpp"
#include "vehicles/manoeuvre/gates.hpp"
#include "vehicles/manoeuvre/grip.hpp"
#include "vehicles/manoeuvre/lane_passage.hpp"
#include "vehicles/manoeuvre/methods.hpp"
#include "vehicles/manoeuvre/steering_gain.hpp"

namespace semirec {

namespace {

constexpr double kCreep = 4.0;     // m/s
constexpr double kSwungOut = 0.3;  // rad, of a trailer behind a car at speed
/// Of the speed: searches that begin at other speeds, so that the driver learns otherwise, scatter
/// by so much (the sedan's through ISO 3888-1).
constexpr double kLearning = 0.01;

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

constexpr double kShownBeside = 15.0;     // m of the course before and behind the lanes
constexpr double kBetweenOutlines = 8.0;  // m

/// The car's outline, as it is judged, at places of the course; a gap after each.
Series draw_outlines(const Passage& passage, const Outline& outline, double from, double to) {
  const std::vector<double> x = passage.history.column("chassis.x");
  const std::vector<double> y = passage.history.column("chassis.y");
  const std::vector<double> yaw = passage.history.column("chassis.yaw");
  Series series{"outline that is judged", {}, {}};
  double next = from;
  for (std::size_t k = 0; k < x.size(); ++k) {
    if (x[k] < next || x[k] > to) continue;
    next = x[k] + kBetweenOutlines;
    for (const auto& [along, across] :
         {std::pair{outline.front, 1.0}, std::pair{outline.front, -1.0},
          std::pair{-outline.rear, -1.0}, std::pair{-outline.rear, 1.0},
          std::pair{outline.front, 1.0}}) {
      const double left = across * outline.half_width;
      series.x.push_back(x[k] + std::cos(yaw[k]) * along - std::sin(yaw[k]) * left);
      series.y.push_back(y[k] + std::sin(yaw[k]) * along + std::cos(yaw[k]) * left);
    }
    series.x.push_back(kUnknown);
    series.y.push_back(kUnknown);
  }
  return series;
}

Chart draw_course(const Passage& passage, const Outline& outline) {
  Chart chart;
  chart.title = "course";
  chart.x_label = "x, m";
  chart.y_label = "y, m";
  double from = 1e300, to = -1e300;
  for (const Cone& cone : passage.lanes.cones) {
    from = std::min(from, cone.x - kShownBeside);
    to = std::max(to, cone.x + kShownBeside);
  }
  const auto within = [&](Series& series, double x, double y) {
    if (x < from || x > to) return;
    series.x.push_back(x);
    series.y.push_back(y);
  };
  Series centre{"centre of mass", {}, {}};
  const std::vector<double> y = passage.history.column("chassis.y");
  const std::vector<double> x = passage.history.column("chassis.x");
  for (std::size_t k = 0; k < x.size(); ++k) within(centre, x[k], y[k]);
  chart.series.push_back(std::move(centre));
  Series line{"line", {}, {}};
  for (std::size_t i = 0; i < passage.line.size(); ++i)
    within(line, passage.line.x(i) + passage.before, passage.line.y[i]);
  chart.series.push_back(std::move(line));
  Series standing{"cones", {}, {}, true};
  Series fallen{"hit", {}, {}, true};
  for (const Cone& cone : passage.lanes.cones) {
    Series& series = cone.hit ? fallen : standing;
    series.x.push_back(cone.x);
    series.y.push_back(cone.y);
  }
  chart.series.push_back(std::move(standing));
  if (!fallen.x.empty()) chart.series.push_back(std::move(fallen));
  chart.series.push_back(draw_outlines(passage, outline, from, to));
  return chart;
}

Table cone_table(const LaneChange& lanes) {
  Table table;
  table.name = "cones";
  table.columns = {{"x", "m"}, {"y", "m"}, {"hit", "1"}};
  for (const Cone& cone : lanes.cones) table.rows.push_back({cone.x, cone.y, cone.hit ? 1.0 : 0.0});
  return table;
}

Answer judge(const Vehicle& vehicle, const Manoeuvre& manoeuvre, LaneCourse course,
             const Progress& progress) {
  need_steering(vehicle, manoeuvre);
  const double low = manoeuvre.value("least_speed");
  const double high = manoeuvre.value("most_speed");
  const double given = manoeuvre.value("speed");
  if (given == 0.0 && !(low < high))
    throw ModelError(manoeuvre.source, manoeuvre.name,
                     "searches from 'least_speed' up to a 'most_speed' that is not above it");
  course.gain = measure_steering(vehicle, manoeuvre, kCreep, progress);
  const int most = static_cast<int>(manoeuvre.value("lines"));
  Answer answer;
  Passage shown;
  Lesson lesson;
  std::string limit;
  int drives = 0;
  double doubt = kUnknown;  // of the search, m/s
  if (given > 0.0) {
    shown = pass_best(vehicle, manoeuvre, course, given, most, lesson, 0.1, drives, progress);
    if (!shown.clean()) limit = describe_limit(vehicle, manoeuvre, shown, drives);
    answer.title = vehicle.mechanism.name + ": " + manoeuvre.name +
                   (shown.clean() ? ", passed" : ", not passed");
  } else {
    const double width = manoeuvre.value("resolution");
    Passage best;
    int done = 0;
    const auto passes = [&](double speed) {
      const double part = 0.1 + 0.9 * (1.0 - std::pow(0.75, done++));
      try {
        // begins with what was learned at the highest speed that passed
        Lesson here = lesson;
        const int before = drives;
        Passage passage =
            pass_best(vehicle, manoeuvre, course, speed, most, here, part, drives, progress);
        if (!passage.clean()) {
          limit = describe_limit(vehicle, manoeuvre, passage, drives - before);
          return false;
        }
        best = std::move(passage);
        // now: a watcher does not keep all drives of the search
        point_to_drive(manoeuvre, best.history);
        lesson = std::move(here);
        return true;
      } catch (const AnalysisError& error) {
        // the car rolled over, is not stable, or the step broke down
        limit = std::string("no passage above: ") + error.what();
        return false;
      }
    };
    Bracket bracket = bisect(low, high, width, passes);
    // what failed was tried by a driver who knew less of the car
    look_again(bracket, high, passes);
    if (bracket.all_good) limit.clear();
    if (bracket.all_bad) {
      std::ostringstream text;
      text << manoeuvre.name << ": the car does not pass the lanes even at the lowest speed, "
           << low << " m/s, expected a lower 'least_speed' or another driver; " << limit;
      throw AnalysisError(text.str());
    }
    shown = std::move(best);
    if (!bracket.all_good) doubt = std::max(bracket.bad - bracket.good, kLearning * bracket.good);
    answer.title = vehicle.mechanism.name + ": " + manoeuvre.name + ", fastest without a cone hit";
    answer.quantities.push_back({"speed", bracket.good, "m/s", doubt,
                                 "asked for, highest without a cone hit, by bisection and a "
                                 "second look above it"});
    answer.quantities.push_back({"failed_speed", bracket.all_good ? kUnknown : bracket.bad, "m/s",
                                 kUnknown, "lowest above it that was tried, with a cone hit"});
    answer.quantities.push_back(
        {"speeds", static_cast<double>(bracket.tries), "1", kUnknown, "tried by the search"});
    if (bracket.all_good)
      answer.notes.push_back("passed even at 'most_speed': the limit lies above");
    if (std::isfinite(bracket.learned))
      answer.notes.push_back("at " + to_text(bracket.learned) +
                             " m/s the lanes were not passed at first, and were once more was "
                             "learned: which speeds pass depends on what earlier passages taught");
  }
  const Outline& outline = course.outline;
  const double v2 = shown.speed * shown.speed;
  const std::vector<Quantity> more{
      {"drives", static_cast<double>(drives), "1", kUnknown, "through the lanes"},
      {"line_ay", shown.line.peak * v2, "m/s^2", kUnknown,
       "largest that the driver's line asks for at the speed"},
      {"least_line_ay", shown.line.least_peak * v2, "m/s^2", kUnknown,
       "least that any line through the lanes asks for"},
      {"margin", shown.line.margin, "m", kUnknown, "of the line's outline from the cones"},
      {"entry_speed", shown.entry_speed, "m/s", doubt, "centre of mass at the first lane's begin"},
      {"exit_speed", shown.exit_speed, "m/s", doubt, "centre of mass at the last lane's end"},
      {"time", shown.time, "s", kUnknown, "between them"},
      {"cones_hit", static_cast<double>(count_hits(shown.lanes)), "1", kUnknown, "of this passage"},
      {"missed", shown.missed ? 1.0 : 0.0, "1", kUnknown, "1: beside a lane, or lost"},
      {"largest_ay", peak(shown.history, "car.ay"), "m/s^2", kUnknown, ""},
      {"largest_yaw_rate", peak(shown.history, "car.yaw_rate"), "rad/s", kUnknown, ""},
      {"largest_sideslip", peak(shown.history, "car.sideslip"), "rad", kUnknown, ""},
      {"largest_roll", peak(shown.history, "car.roll"), "rad", kUnknown, ""},
      {"largest_steering_wheel", peak(shown.history, "driver.steering_wheel"), "rad", kUnknown, ""},
      {"largest_steering_wheel_rate", peak_rate(shown.history, "driver.steering_wheel"), "rad/s",
       kUnknown, ""},
      {"width", 2.0 * outline.half_width, "m", kUnknown, "of the car's outline"},
      {"length", outline.front + outline.rear, "m", kUnknown, "of the car's outline"}};
  answer.quantities.insert(answer.quantities.end(), more.begin(), more.end());
  for (const AxleGrip& axle :
       find_grip(vehicle, manoeuvre.scenario, shown.history, 0, shown.history.rows.size()))
    if (!axle.share.empty())
      answer.quantities.push_back({axle.axle + ".grip", largest_share(axle), "1", kUnknown,
                                   "largest share of the axle's side force in use"});
  show_history(vehicle, manoeuvre, shown.history, answer);
  read_at(answer, "", shown.entered, "lanes begin");
  read_at(answer, "", shown.entered + shown.time, "lanes end");
  read_at(answer, "", shown.spoiled, "first cone hit or lane missed");
  for (const char* channel :
       {"car.ay", "car.yaw_rate", "car.sideslip", "car.roll", "driver.steering_wheel"})
    read_largest(answer, shown.history, channel);
  answer.tables.push_back(cone_table(shown.lanes));
  answer.charts.insert(answer.charts.begin(), draw_course(shown, outline));
  if (!limit.empty()) answer.notes.push_back(limit);
  for (const Quantity& quantity : answer.quantities)
    if (quantity.name.ends_with(".largest_articulation") && quantity.value > kSwungOut) {
      std::ostringstream text;
      text << "'" << quantity.name.substr(0, quantity.name.find('.')) << "' swings out by "
           << quantity.value
           << " rad: the cones are for the car's outline alone, what is behind it is not judged";
      answer.notes.push_back(text.str());
    }
  answer.notes.push_back(
      "a verdict on car and driver together; the driver's numbers are in the "
      "manoeuvre's <driver>");
  return answer;
}

LaneCourse make_course(const Vehicle& vehicle, const Manoeuvre& manoeuvre,
                       LaneChange (*make)(double, double)) {
  const CarMeasures car = measure_car(vehicle);
  const double width = manoeuvre.value_or("width", car.width);
  const double length = manoeuvre.value_or("length", car.length);
  for (const auto& [name, value, least] :
       {std::tuple("width", width, std::max(car.track_front, car.track_rear)),
        std::tuple("length", length, car.wheelbase)})
    if (value < least) {
      std::ostringstream text;
      text.precision(4);
      text << "has a '" << name << "' of the car of " << value
           << " m, within its wheels, expected at least " << least << " m";
      throw ModelError(manoeuvre.source, manoeuvre.name, text.str());
    }
  LaneCourse course;
  course.lanes = make(width, manoeuvre.value("offset"));
  course.outline = make_outline(car, width, length);
  return course;
}

Answer lane_change_1(const Vehicle& vehicle, const Manoeuvre& manoeuvre, const Progress& progress) {
  return judge(vehicle, manoeuvre, make_course(vehicle, manoeuvre, make_lane_change_1), progress);
}

Answer lane_change_2(const Vehicle& vehicle, const Manoeuvre& manoeuvre, const Progress& progress) {
  LaneCourse course = make_course(vehicle, manoeuvre, make_lane_change_2);
  course.release_from = manoeuvre.value("release");
  return judge(vehicle, manoeuvre, course, progress);
}

std::vector<ValueRule> lane_change_rules(double offset) {
  return {
      {"speed", 0.0, "m/s", 0.0, 100.0, "one passage at this speed; 0: the fastest is searched"},
      {"least_speed", 8.0, "m/s", 1.0, 100.0, "where the search begins; passes"},
      {"most_speed", 45.0, "m/s", 1.0, 100.0, "where it ends"},
      {"resolution", 0.1, "m/s", 0.001, 10.0, "of the search"},
      {"offset", offset, "m", 0.0, 20.0, "of the second lane, see docs"},
      {"margin", 0.1, "m", 0.0, 1.0,
       "between the cones and the car's outline on the driver's line"},
      {"lines", 5.0, "1", 1.0, 50.0, "at most tried at a speed, each learns from the last", true},
      {"width", kUnknown, "m", 0.5, 4.0, "of the car; by default of track and tyres"},
      {"length", kUnknown, "m", 1.0, 20.0, "of the car; by default of the wheelbase"}};
}

}  // namespace

Method lane_change_1_method() {
  return {.name = "lane_change_1",
          .about = "a driver through the double lane change",
          .values = lane_change_rules(3.5),
          .answer = lane_change_1,
          .reads_driver = true};
}

Method lane_change_2_method() {
  std::vector<ValueRule> values = lane_change_rules(1.0);
  values.push_back({"release", 2.0, "m", -1000.0, 1000.0,
                    "way into the first lane at which the throttle is released"});
  return {.name = "lane_change_2",
          .about = "a driver around the obstacle, throttle released",
          .values = values,
          .answer = lane_change_2,
          .reads_driver = true};
}

}  // namespace semirec
