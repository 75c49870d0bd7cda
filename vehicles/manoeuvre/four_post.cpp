#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <map>
#include <numbers>
#include <set>

#include <Eigen/Core>

#include "topology/quoted_names.hpp"
#include "vehicles/analysis/metrics/frequency_response.hpp"
#include "vehicles/description/units.hpp"
#include "vehicles/manoeuvre/car.hpp"
#include "vehicles/manoeuvre/methods.hpp"
#include "vehicles/manoeuvre/open_loop.hpp"
#include "vehicles/manoeuvre/ride.hpp"
#include "vehicles/manoeuvre/sine_steps.hpp"

namespace semirec {

namespace {

constexpr double kRest = 0.2;          // s before the posts move
constexpr std::size_t kAtOnce = 8;     // frequencies of one drive
constexpr double kRowsAPeriod = 20.0;  // of the highest frequency in a drive
constexpr double kStays = 0.1;         // of the posts' velocity, what a car may roll along by

/// How the four posts move against one another: sign by front or rear, left or right.
struct PostMode {
  const char* name;
  const char* body;  ///< channel of the body's motion
  double front_left, front_right, rear_left, rear_right;
};
constexpr std::array<PostMode, 4> kModes{{{"heave", "chassis.z", 1, 1, 1, 1},
                                          {"pitch", "chassis.pitch", -1, -1, 1, 1},
                                          {"roll", "chassis.roll", 1, -1, 1, -1},
                                          {"warp", "chassis.roll", 1, -1, -1, 1}}};

struct PostPlace {
  bool moves = false, front = false, left = false;
};

double sign_of(const PostMode& mode, const PostPlace& place) {
  if (place.front) return place.left ? mode.front_left : mode.front_right;
  return place.left ? mode.rear_left : mode.rear_right;
}

/// Of the first unit's wheels; posts of other units stand still.
std::vector<PostPlace> places_of(const Vehicle& vehicle) {
  std::vector<PostPlace> places(vehicle.wheels.size());
  const Unit unit = find_units(vehicle).front();
  const AxleGroups groups = group_axles(unit);
  for (const UnitAxle& axle : unit.axles)
    for (const std::vector<int>* side : {&axle.left, &axle.right})
      for (const int wheel : *side)
        places[static_cast<std::size_t>(wheel)] = {true, !groups.is_rear(axle.x),
                                                   side == &axle.left};
  return places;
}

/// Transfers at one frequency, from the posts' amplitude.
struct Point {
  double f = 0.0;
  double body = 0.0;  ///< body's motion over the ground's: z, pitch or roll; warp: roll
  double front = 0.0, rear = 0.0;            ///< wheel centre over post, left
  double front_load = 0.0, rear_load = 0.0;  ///< tyre load over post, N/m, left
  /// What is left of the transient in them.
  double body_left = 0.0, front_left = 0.0, rear_left = 0.0;
  double front_load_left = 0.0, rear_load_left = 0.0;
  double transients = 1.0;  ///< how often `transient` it was shaken before that
};

double amplitude(Samples y, double dt, double f) {
  const SineFit fit = fit_sine(y, dt, f);
  return std::hypot(fit.re, fit.im);
}

/// How far an amplitude may lie from where it ends: what the last period differs, and what is still
/// to come where the changes from period to period go on as they do.
double left_of_transient(const std::vector<double>& y, double dt, const SineStep& step,
                         double whole) {
  constexpr double kSlowest = 0.9;
  const double period = 1.0 / step.frequency;
  const auto n = static_cast<int>(std::lround((step.end - step.measured) / period));
  const auto of_period = [&](int k) {
    const double from = step.measured + k * period;
    return amplitude(part_of(y, dt, from, from + period), dt, step.frequency);
  };
  const double last = of_period(n - 1);
  const double change = std::abs(last - of_period(n - 2));
  const double before = n > 2 ? std::abs(of_period(n - 2) - of_period(n - 3)) : change;
  const double ratio = before > 0.0 ? std::min(change / before, kSlowest) : 0.0;
  return std::abs(last - whole) + change * ratio / (1.0 - ratio);
}

struct PostRig {
  const Vehicle& vehicle;
  const Manoeuvre& manoeuvre;
  std::vector<PostPlace> places;
  CarMeasures measures;
  std::string front, rear;  ///< names of the left wheels
  /// What was seen on the way: wheels that left their posts, and the fastest that the car rolled.
  std::set<std::string>& lifted;
  double& fastest;

  /// What the ground does to a car that follows it, per metre of the posts.
  double ground(const PostMode& mode) const {
    if (std::string(mode.name) == "heave") return 1.0;
    if (std::string(mode.name) == "pitch") return 2.0 / measures.wheelbase;
    return 2.0 / (0.5 * (measures.track_front + measures.track_rear));
  }
};

/// The posts' curves over some of the frequencies.
void move_posts(const PostRig& rig, const PostMode& mode, const std::vector<SineStep>& steps,
                double velocity, Scenario& scenario) {
  for (std::size_t w = 0; w < rig.vehicle.wheels.size(); ++w) {
    if (!rig.places[w].moves) continue;
    Excitation excitation;
    excitation.wheel = rig.vehicle.wheels[w].name;
    // of one velocity, so that neither place nor velocity jumps from frequency to frequency
    for (const SineStep& step : steps)
      excitation.curve.add_sine(sine_of(step, sign_of(mode, rig.places[w]) * velocity /
                                                  (2.0 * std::numbers::pi * step.frequency)));
    scenario.excitations.push_back(excitation);
  }
}

/// One drive, from rest, over frequencies that follow one another; `task` has its part of the
/// progress.
void shake(const PostRig& rig, const PostMode& mode, const std::vector<SineStep>& steps,
           DriveTask task, const Progress& progress, std::vector<Point>& points) {
  const double velocity = rig.manoeuvre.value("velocity");
  Manoeuvre shaken = rig.manoeuvre;
  move_posts(rig, mode, steps, velocity, shaken.scenario);
  OpenLoopDriver driver;
  driver.gear = Curve::constant(0.0);
  task.duration = steps.back().end;
  task.record = 1.0 / (kRowsAPeriod * steps.back().frequency);
  task.driver = &driver;
  task.what = mode.name;
  const History history = drive(rig.vehicle, shaken, task, progress);
  const double dt = interval_of(history);
  const std::vector<double> body = history.column(mode.body);
  const std::vector<double> front = history.column(rig.front + ".z");
  const std::vector<double> rear = history.column(rig.rear + ".z");
  const std::vector<double> front_load = history.column(rig.front + ".Fz");
  const std::vector<double> rear_load = history.column(rig.rear + ".Fz");
  for (const SineStep& step : steps) {
    const double size = velocity / (2.0 * std::numbers::pi * step.frequency);
    const auto over_post = [&](const std::vector<double>& y) {
      return amplitude(part_of(y, dt, step.measured, step.end), dt, step.frequency) / size;
    };
    const auto left = [&](const std::vector<double>& y, double over) {
      return left_of_transient(y, dt, step, over * size) / size;
    };
    Point point{step.frequency,  over_post(body),       over_post(front),
                over_post(rear), over_post(front_load), over_post(rear_load)};
    point.body_left = left(body, point.body) / rig.ground(mode);
    point.body /= rig.ground(mode);
    point.front_left = left(front, point.front);
    point.rear_left = left(rear, point.rear);
    point.front_load_left = left(front_load, point.front_load);
    point.rear_load_left = left(rear_load, point.rear_load);
    points.push_back(point);
  }
  for (std::size_t w = 0; w < rig.vehicle.wheels.size(); ++w) {
    const std::vector<double> load = history.column(rig.vehicle.wheels[w].name + ".Fz");
    if (rig.places[w].moves && rig.vehicle.wheels[w].unilateral &&
        *std::min_element(load.begin(), load.end()) <= 0.0)
      rig.lifted.insert(rig.vehicle.wheels[w].name);
  }
  rig.fastest = std::max(
      rig.fastest, std::abs(mean_of(rows_from(history, steps.back().measured).column("car.vx"))));
}

/// All frequencies, some at a time: a history holds all numbers of the car.
std::vector<Point> sweep(const PostRig& rig, const PostMode& mode,
                         const std::vector<SineStep>& steps, const Progress& progress,
                         double part) {
  std::vector<Point> points;
  for (std::size_t first = 0; first < steps.size(); first += kAtOnce) {
    const std::size_t last = std::min(first + kAtOnce, steps.size());
    std::vector<SineStep> some(steps.begin() + static_cast<long>(first),
                               steps.begin() + static_cast<long>(last));
    const double shift = some.front().from - kRest;
    for (SineStep& step : some) {
      step.from -= shift;
      step.measured -= shift;
      step.end -= shift;
    }
    DriveTask task;
    task.part_from = part + 0.25 * static_cast<double>(first) / static_cast<double>(steps.size());
    task.part_to = part + 0.25 * static_cast<double>(last) / static_cast<double>(steps.size());
    shake(rig, mode, some, task, progress, points);
  }
  return points;
}

/// A column of the points, and what is left of its transients.
struct Transfer {
  double Point::*value;
  double Point::*left;
  double least;  ///< Hz, from where its top is looked for
};
constexpr Transfer body_column() { return {&Point::body, &Point::body_left, 0.0}; }
Transfer front_column(const PostRig& rig) {
  return {&Point::front, &Point::front_left, rig.manoeuvre.value("hop_from")};
}
Transfer rear_column(const PostRig& rig) {
  return {&Point::rear, &Point::rear_left, rig.manoeuvre.value("hop_from")};
}

/// Index of the point where a column is largest; -1 at an end of the range.
int highest_of(const std::vector<Point>& points, const Transfer& column) {
  int highest = -1;
  std::size_t first = 0;
  while (first < points.size() && points[first].f < column.least) ++first;
  for (std::size_t k = first; k < points.size(); ++k)
    if (highest < 0 ||
        points[k].*column.value > points[static_cast<std::size_t>(highest)].*column.value)
      highest = static_cast<int>(k);
  const bool inside =
      highest > static_cast<int>(first) && highest + 1 < static_cast<int>(points.size());
  return inside ? highest : -1;
}

/// Largest value of a column, and how well it is known: by half a step of the frequencies, by what
/// lies between the points, and by the transient. NaN where there is none inside.
struct Top {
  double f = std::nan(""), ratio = std::nan("");
  double f_doubt = std::nan(""), ratio_doubt = std::nan("");
  double left = 0.0;  ///< of the transient
};
Top top_of(const std::vector<Point>& points, const Transfer& column) {
  const int highest = highest_of(points, column);
  if (highest < 0) return {};
  const auto k = static_cast<std::size_t>(highest);
  std::vector<double> f, gain;
  for (std::size_t j = k - 1; j <= k + 1; ++j) {
    f.push_back(points[j].f);
    gain.push_back(points[j].*column.value);
  }
  const Instant top = find_resonance(f, gain, 1);
  const double left = points[k].*column.left;
  const double by_left = 0.5 * top.t * left / top.value;
  return {top.t, top.value, std::hypot(0.25 * (f[2] - f[0]), by_left),
          std::hypot(top.value - gain[1], left), left};
}

/// What is to be driven besides: frequencies by the factor of their transients.
using Wanted = std::map<double, std::set<double>>;

/// Around the top of a column: neighbours within 4 % that are nearly as high, all three shaken
/// until they have settled, or long enough; no longer than at first without `longer`.
void ask_around_top(const std::vector<Point>& points, const Transfer& column, bool longer,
                    Wanted& wanted) {
  constexpr double kApart = 1.08;     // from the neighbour below to the one above
  constexpr double kClosest = 1.01;   // of the sharpest
  constexpr double kSharp = 0.75;     // of the top, what the lower neighbour has at least
  constexpr double kSettled = 0.005;  // of the amplitude
  constexpr double kLonger = 4.0, kLongest = 16.0;
  const int highest = highest_of(points, column);
  if (highest < 0) return;
  const auto k = static_cast<std::size_t>(highest);
  double factor =
      std::max({points[k - 1].transients, points[k].transients, points[k + 1].transients});
  bool unsettled = false;
  for (std::size_t j = k - 1; j <= k + 1; ++j)
    if (longer && points[j].transients == factor && factor < kLongest &&
        points[j].*column.left > kSettled * points[j].*column.value) {
      factor *= kLonger;
      unsettled = true;
      break;
    }
  for (std::size_t j = k - 1; j <= k + 1; ++j)
    if (points[j].transients < factor) wanted[factor].insert(points[j].f);
  // a top that has not settled may be another one's
  if (unsettled) return;
  const double lower = std::min(points[k - 1].*column.value, points[k + 1].*column.value);
  const double apart = points[k + 1].f / points[k - 1].f;
  if (apart <= kClosest || (apart <= kApart && lower >= kSharp * points[k].*column.value)) return;
  for (const std::size_t j : {k, k + 1})
    wanted[factor].insert(std::sqrt(points[j - 1].f * points[j].f));
}

/// Closes in on the tops that are asked for.
void refine(const PostRig& rig, const PostMode& mode, const Progress& progress, double part,
            std::vector<Point>& points) {
  constexpr int kMostPasses = 8;
  for (int pass = 0; pass < kMostPasses; ++pass) {
    // a car that rolls along settles the less the longer it does
    const bool stays = rig.fastest <= kStays * rig.manoeuvre.value("velocity");
    Wanted wanted;
    if (std::string(mode.name) != "warp") ask_around_top(points, body_column(), stays, wanted);
    ask_around_top(points, front_column(rig), stays, wanted);
    ask_around_top(points, rear_column(rig), stays, wanted);
    if (wanted.empty()) return;
    for (const auto& [transients, frequencies] : wanted) {
      const double factor = transients;
      const std::vector<SineStep> steps =
          sine_steps_at({frequencies.begin(), frequencies.end()}, rig.manoeuvre, kRest, factor);
      for (Point& point : sweep(rig, mode, steps, progress, part)) {
        point.transients = factor;
        std::erase_if(
            points, [&](const Point& old) { return old.f == point.f && old.transients < factor; });
        points.push_back(point);
      }
    }
    std::sort(points.begin(), points.end(),
              [](const Point& a, const Point& b) { return a.f < b.f; });
  }
}

/// Whether wheels and body go the same way at the body's own peak: friction or stiff dampers hold
/// the springs, and what resonates is the whole car on its tyres.
bool is_stuck(const std::vector<Point>& points, const Top& body) {
  constexpr double kAlike = 0.1;
  const auto nearest =
      std::min_element(points.begin(), points.end(), [&](const Point& a, const Point& b) {
        return std::abs(a.f - body.f) < std::abs(b.f - body.f);
      });
  return std::isfinite(body.f) && std::abs(nearest->front / nearest->body - 1.0) < kAlike &&
         std::abs(nearest->rear / nearest->body - 1.0) < kAlike;
}

/// A line about points of a mode's table that still change from period to period; empty where there
/// are none.
std::string describe_unsettled(const PostMode& mode, const std::vector<Point>& points) {
  // of a bound on what is left, which is 25 times and more what it turns out to be
  constexpr double kSettled = 0.75;
  constexpr double kSmall = 0.1;  // of a column's mean: what is left counts against no less
  std::vector<Transfer> columns{{&Point::front, &Point::front_left, 0.0},
                                {&Point::rear, &Point::rear_left, 0.0},
                                {&Point::front_load, &Point::front_load_left, 0.0},
                                {&Point::rear_load, &Point::rear_load_left, 0.0}};
  if (std::string(mode.name) != "warp") columns.push_back(body_column());
  std::vector<double> shares(points.size(), 0.0);
  for (const Transfer& column : columns) {
    double mean = 0.0;
    for (const Point& p : points) mean += p.*column.value / static_cast<double>(points.size());
    for (std::size_t k = 0; k < points.size(); ++k)
      shares[k] = std::max(
          shares[k], points[k].*column.left / std::max(points[k].*column.value, kSmall * mean));
  }
  const auto unsettled =
      std::count_if(shares.begin(), shares.end(), [](double share) { return share > kSettled; });
  if (unsettled == 0) return {};
  const auto worst = std::max_element(shares.begin(), shares.end()) - shares.begin();
  return std::string(mode.name) + ": " + std::to_string(unsettled) + " of " +
         std::to_string(points.size()) +
         " points of the table still change from period to period, that at " +
         to_text(points[static_cast<std::size_t>(worst)].f, 4) +
         " Hz the most, expected a longer 'transient'";
}

void show_mode(Answer& answer, const PostRig& rig, const PostMode& mode,
               const std::vector<Point>& points) {
  const std::string name = mode.name;
  const Top body = top_of(points, body_column());
  if (name != "warp") {
    add_quantity(answer, name + ".body_frequency", body.f, "Hz", "largest motion of the body",
                 body.f_doubt);
    add_quantity(answer, name + ".body_ratio", body.ratio, "1",
                 "there: body over the ground's " + name, body.ratio_doubt);
    if (name == "heave" && is_stuck(points, body))
      answer.notes.emplace_back(
          "heave: wheels and body move alike at the peak: friction or dampers that are stiff at "
          "such speeds hold the springs, and the car swings on its tyres alone");
  }
  const Top front = top_of(points, front_column(rig));
  const Top rear = top_of(points, rear_column(rig));
  add_quantity(answer, name + ".front_hop_frequency", front.f, "Hz",
               "largest motion of the left front wheel", front.f_doubt);
  add_quantity(answer, name + ".front_hop_ratio", front.ratio, "1", "there: wheel over post",
               front.ratio_doubt);
  add_quantity(answer, name + ".rear_hop_frequency", rear.f, "Hz",
               "largest motion of the left rear wheel", rear.f_doubt);
  add_quantity(answer, name + ".rear_hop_ratio", rear.ratio, "1", "there: wheel over post",
               rear.ratio_doubt);
  constexpr double kSettled = 0.05;
  for (const auto& [what, top] : {std::pair<std::string, Top>{"the body", body},
                                  {"the front wheels", front},
                                  {"the rear wheels", rear}}) {
    if (name == "warp" && what == "the body") continue;
    if (std::isnan(top.f))
      answer.notes.push_back(name + ": the largest motion of " + what +
                             " is at an end of the range or there is none");
    else if (top.left > kSettled * top.ratio)
      answer.notes.push_back(name + ": the largest motion of " + what +
                             " still changes from period to period, expected a longer 'transient'");
  }

  if (std::string line = describe_unsettled(mode, points); !line.empty())
    answer.notes.push_back(std::move(line));

  Table table{name,
              {{"frequency", "Hz"},
               {"body", "1"},
               {"front_wheel", "1"},
               {"rear_wheel", "1"},
               {"front_load", "N/m"},
               {"rear_load", "N/m"}},
              {}};
  Chart chart{name, "frequency, Hz", "over the ground", true, false, {}};
  Series lines[3] = {{"body", {}, {}}, {"front wheel", {}, {}}, {"rear wheel", {}, {}}};
  for (const Point& p : points) {
    table.rows.push_back({p.f, p.body, p.front, p.rear, p.front_load, p.rear_load});
    const double values[3] = {p.body, p.front, p.rear};
    for (int k = 0; k < 3; ++k) {
      lines[k].x.push_back(p.f);
      lines[k].y.push_back(values[k]);
    }
  }
  chart.series = {lines[0], lines[1], lines[2]};
  answer.tables.push_back(table);
  answer.charts.push_back(chart);
}

Answer four_post(const Vehicle& vehicle, const Manoeuvre& manoeuvre, const Progress& progress) {
  if (manoeuvre.has_road || !manoeuvre.scenario.excitations.empty() ||
      !manoeuvre.scenario.road_planes.empty())
    throw ModelError(
        manoeuvre.source, manoeuvre.name,
        "has a <road>, <excitation>s or <road_plane>s, expected none: this method moves the "
        "posts");
  if (manoeuvre.value("periods") < 1.5)
    throw ModelError(manoeuvre.source, manoeuvre.name,
                     "counts one period of each frequency, expected 2 or more, which tell whether "
                     "the car has settled");
  constexpr double kStepsAPeriod = 8.0;
  const double longest = 1.0 / (kStepsAPeriod * manoeuvre.value("f_to"));
  if (manoeuvre.step > longest)
    throw AnalysisError(manoeuvre.name + ": steps of " + to_text(manoeuvre.step, 4) +
                        " s do not follow the posts, expected at most " + to_text(longest, 4) +
                        " s, an eighth of a period at 'f_to'");
  std::set<std::string> lifted;
  double fastest = 0.0;
  PostRig rig{vehicle, manoeuvre, places_of(vehicle), measure_car(vehicle), "", "",
              lifted,  fastest};
  for (std::size_t w = 0; w < vehicle.wheels.size(); ++w) {
    if (!rig.places[w].moves) continue;
    std::string& name = rig.places[w].front ? rig.front : rig.rear;
    if (rig.places[w].left && name.empty()) name = vehicle.wheels[w].name;
  }
  if (rig.front.empty() || rig.rear.empty())
    throw ModelError("vehicle '" + vehicle.mechanism.name +
                     "' has no left wheel on an axle, expected two axles of two wheels");
  const std::vector<SineStep> steps = sine_steps_of(manoeuvre, kRest);
  Answer answer;
  answer.title = vehicle.mechanism.name + ": four posts";
  double part = 0.0;
  for (const PostMode& mode : kModes) {
    std::vector<Point> points = sweep(rig, mode, steps, progress, part);
    refine(rig, mode, progress, part, points);
    show_mode(answer, rig, mode, points);
    part += 0.25;
  }
  if (!lifted.empty()) {
    std::string names;
    for (const std::string& name : lifted) add_quoted(names, name);
    answer.notes.push_back("wheels leave their posts: " + names +
                           ": expected a smaller 'velocity' where the ratios are to be those of a "
                           "car on its wheels");
  }
  if (fastest > kStays * manoeuvre.value("velocity"))
    answer.notes.push_back(
        "nothing holds the car in its place, and it rolls along on its posts, "
        "at up to " +
        to_text(fastest, 2) +
        " m/s: side forces of its tyres are then those of rolling wheels, and "
        "ratios change with the time that it is shaken");
  if (std::any_of(rig.places.begin(), rig.places.end(),
                  [](const PostPlace& place) { return !place.moves; }))
    answer.notes.emplace_back("the posts under the wheels of trailers stand still");
  answer.notes.emplace_back(
      "ratios are of the first harmonic at the post's velocity amplitude as given: dampers and "
      "tyres that are not linear make them depend on it; pitch and roll are over what the ground "
      "does between the axles and over the mean track");
  return answer;
}

}  // namespace

Method four_post_method() {
  Method method{
      "four_post",
      "stepped sines under the wheels of the car at rest, in heave, pitch, roll and warp: "
      "transmissibility of body and wheels, body and wheel-hop frequencies",
      sine_steps_values(0.5, 25.0, 32.0), four_post};
  method.values.push_back(
      {"velocity", 0.05, "m/s", 1e-6, 10.0, "amplitude of the posts' velocity"});
  method.values.push_back(
      {"hop_from", 5.0, "Hz", 0.0, 100.0, "wheel hop is looked for from here on"});
  return method;
}

}  // namespace semirec
