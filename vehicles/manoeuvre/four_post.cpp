#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>

#include <Eigen/Core>

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
};

double amplitude(Samples y, double dt, double f) {
  const SineFit fit = fit_sine(y, dt, f);
  return std::hypot(fit.re, fit.im);
}

struct PostRig {
  const Vehicle& vehicle;
  const Manoeuvre& manoeuvre;
  std::vector<PostPlace> places;
  CarMeasures measures;
  std::string front, rear;  ///< names of the left wheels

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
    points.push_back({step.frequency, over_post(body) / rig.ground(mode), over_post(front),
                      over_post(rear), over_post(front_load), over_post(rear_load)});
  }
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

/// Top of a column of the points, from `least` Hz on. NaN at an end of the range.
Instant top_of(const std::vector<Point>& points, double Point::*value, double least) {
  std::vector<double> f, gain;
  for (const Point& point : points) {
    if (point.f < least) continue;
    f.push_back(point.f);
    gain.push_back(point.*value);
  }
  const auto k =
      static_cast<std::size_t>(std::max_element(gain.begin(), gain.end()) - gain.begin());
  if (k == 0 || k + 1 >= f.size()) return {std::nan(""), std::nan("")};
  return find_resonance(f, gain, k);
}

/// Whether wheels and body go the same way at the body's own peak: friction or stiff dampers hold
/// the springs, and what resonates is the whole car on its tyres.
bool is_stuck(const std::vector<Point>& points, const Instant& body) {
  constexpr double kAlike = 0.1;
  const auto nearest =
      std::min_element(points.begin(), points.end(), [&](const Point& a, const Point& b) {
        return std::abs(a.f - body.t) < std::abs(b.f - body.t);
      });
  return std::isfinite(body.t) && std::abs(nearest->front / nearest->body - 1.0) < kAlike &&
         std::abs(nearest->rear / nearest->body - 1.0) < kAlike;
}

void show_mode(Answer& answer, const PostRig& rig, const PostMode& mode,
               const std::vector<Point>& points) {
  const std::string name = mode.name;
  const double hop = rig.manoeuvre.value("hop_from");
  const Instant body = top_of(points, &Point::body, 0.0);
  const double spacing = points.size() > 1 ? points[1].f / points[0].f - 1.0 : std::nan("");
  if (name != "warp") {
    // half a step of the frequencies at most
    add_quantity(answer, name + ".body_frequency", body.t, "Hz", "largest motion of the body",
                 0.5 * spacing * body.t);
    add_quantity(answer, name + ".body_ratio", body.value, "1",
                 "there: body over the ground's " + name);
    if (name == "heave" && is_stuck(points, body))
      answer.notes.emplace_back(
          "heave: wheels and body move alike at the peak: friction or dampers that are stiff at "
          "such speeds hold the springs, and the car swings on its tyres alone");
  }
  const Instant front = top_of(points, &Point::front, hop);
  const Instant rear = top_of(points, &Point::rear, hop);
  add_quantity(answer, name + ".front_hop_frequency", front.t, "Hz",
               "largest motion of the left front wheel", 0.5 * spacing * front.t);
  add_quantity(answer, name + ".front_hop_ratio", front.value, "1", "there: wheel over post");
  add_quantity(answer, name + ".rear_hop_frequency", rear.t, "Hz",
               "largest motion of the left rear wheel", 0.5 * spacing * rear.t);
  add_quantity(answer, name + ".rear_hop_ratio", rear.value, "1", "there: wheel over post");
  for (const auto& [what, instant] : {std::pair<std::string, Instant>{"the body", body},
                                      {"the front wheels", front},
                                      {"the rear wheels", rear}})
    if (std::isnan(instant.t) && !(name == "warp" && what == "the body"))
      answer.notes.push_back(name + ": the largest motion of " + what +
                             " is at an end of the range or there is none");

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
  if (manoeuvre.has_road || !manoeuvre.scenario.excitations.empty())
    throw ModelError(manoeuvre.source, manoeuvre.name,
                     "has a <road> or <excitation>s, expected none: this method moves the posts");
  PostRig rig{vehicle, manoeuvre, places_of(vehicle), measure_car(vehicle), "", ""};
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
    show_mode(answer, rig, mode, sweep(rig, mode, steps, progress, part));
    part += 0.25;
  }
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
