#include "vehicles/manoeuvre/lane_passage.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "vehicles/driver/path_follower.hpp"
#include "vehicles/manoeuvre/drive_task.hpp"
#include "vehicles/manoeuvre/grip.hpp"

namespace semirec {

namespace {

constexpr double kRunIn = 4.0;          // s before the first lane
constexpr double kBehind = 20.0;        // m behind the last one
constexpr double kPathBehind = 70.0;    // m
constexpr double kLearned = 0.7;        // of the distance from the line, at first
constexpr double kFade = 20.0;          // m, in which what was learned last fades
constexpr double kLargestOffset = 1.0;  // m
constexpr double kSmoothed = 0.08;      // s to each side, of what is learned
constexpr double kHopeless = 0.6;       // m of a cone under the outline
constexpr double kRunaway = 2.0;        // times the speed asked for: no car gets there
constexpr double kAllGrip = 0.95;       // of the most side force: nothing is left to steer with
constexpr double kNoHit = std::numeric_limits<double>::quiet_NaN();

/// Twice the mean over `reach` places to each side.
void smooth_places(std::vector<double>& values, int reach) {
  for (int pass = 0; pass < 2; ++pass) {
    const std::vector<double> from = values;
    const int n = static_cast<int>(from.size());
    for (int i = 0; i < n; ++i) {
      double sum = 0.0;
      for (int k = -reach; k <= reach; ++k)
        sum += from[static_cast<std::size_t>(std::clamp(i + k, 0, n - 1))];
      values[static_cast<std::size_t>(i)] = sum / (2 * reach + 1);
    }
  }
}

[[noreturn]] void run_away(const CarMotion& motion, double speed) {
  std::ostringstream text;
  text << "lane change: at t = " << motion.t << " s the car runs at " << motion.speed()
       << " m/s after a start at " << speed
       << ": the steps do not follow its motion, expected a shorter step or a driver with limits";
  throw AnalysisError(text.str());
}

/// The channel at each place of the line that the car has come to, from the first one on.
std::vector<double> sample_along(const Passage& passage, const char* channel) {
  const std::vector<double> x = passage.history.column("chassis.x");
  const std::vector<double> value = passage.history.column(channel);
  std::vector<double> samples;
  std::size_t k = 1;
  for (std::size_t i = 0; i < passage.line.size(); ++i) {
    const double at_x = passage.line.x(i) + passage.before;
    while (k < x.size() && x[k] < at_x) ++k;
    if (k >= x.size()) break;
    // before the start: as there
    const double w = std::clamp((at_x - x[k - 1]) / std::max(x[k] - x[k - 1], 1e-9), 0.0, 1.0);
    samples.push_back(value[k - 1] + w * (value[k] - value[k - 1]));
  }
  return samples;
}

/// Lets the last value fade behind the places that the car has come to: a jump would be a kink of
/// the path.
void fade_out(std::vector<double>& values, const DrivingLine& line) {
  const std::size_t reached = values.size();
  const double last = reached > 0 ? values.back() : 0.0;
  for (std::size_t i = reached; i < line.size(); ++i)
    values.push_back(last * std::exp(-(line.x(i) - line.x(reached)) / kFade));
}

/// Seconds at which the steering wheel turned as fast as it may.
double time_at_rate_limit(const History& history, double limit, std::size_t first,
                          std::size_t last) {
  const std::vector<double> t = history.times();
  const std::vector<double> wheel = history.column("driver.steering_wheel");
  double time = 0.0;
  for (std::size_t k = std::max<std::size_t>(1, first); k < last; ++k)
    if (std::abs(wheel[k] - wheel[k - 1]) > 0.99 * limit * (t[k] - t[k - 1]))
      time += t[k] - t[k - 1];
  return time;
}

}  // namespace

Passage pass(const Vehicle& vehicle, const Manoeuvre& manoeuvre, const LaneCourse& course,
             const SteeringGain& gain, double speed, const Lesson& lesson, double part,
             const Progress& progress) {
  Passage passage;
  passage.speed = speed;
  // the car stands at x = 0
  passage.before = kRunIn * speed;
  LineTask wanted;
  wanted.outline = course.outline;
  wanted.margin = manoeuvre.value("margin");
  wanted.after = kPathBehind;
  wanted.sideslip = lesson.sideslip;
  passage.line = find_line(course.lanes, wanted);
  passage.lanes = shift(course.lanes, passage.before);
  passage.entered = kNoHit;
  passage.spoiled = kNoHit;
  PathFollower driver(make_path(passage.line, passage.before, lesson.offset), gain,
                      manoeuvre.driver, make_speed_keeper(vehicle));
  driver.speed = Curve::constant(speed);
  driver.release_from = course.release_from + passage.before;
  driver.freeze_from = passage.before;
  const double end = passage.lanes.gates.back().end;
  DriveTask task;
  task.speed = speed;
  task.duration = 3.0 * (end + kBehind) / speed;
  task.driver = &driver;
  task.part_from = part;
  task.part_to = part;
  task.what = "lane change";
  task.over = [&](const CarMotion& motion, const double*) {
    if (!(motion.speed() < kRunaway * speed)) run_away(motion, speed);
    if (std::isnan(passage.entered) && motion.x >= passage.before) {
      passage.entered = motion.t;
      passage.entry_speed = motion.speed();
    }
    if (motion.x < end) {
      passage.exit_speed = motion.speed();
      passage.time = motion.t - passage.entered;
    }
    mark_hits(course.outline, motion, passage.lanes);
    passage.deepest =
        std::max(passage.deepest, deepest_cone(course.outline, motion, passage.lanes));
    passage.missed = passage.missed || misses_gate(motion, passage.lanes) || driver.lost();
    if (std::isnan(passage.spoiled) && (passage.missed || passage.deepest > 0.0))
      passage.spoiled = motion.t;
    return motion.x - course.outline.rear > end || driver.lost() || motion.vx < 1.0;
  };
  passage.history = drive(vehicle, manoeuvre, task, progress);
  passage.missed = passage.missed || passage.history.column("chassis.x").back() < end;
  return passage;
}

Lesson learn(const Passage& passage, Lesson lesson, double part) {
  const DrivingLine& line = passage.line;
  std::vector<double> off = sample_along(passage, "chassis.y");
  for (std::size_t i = 0; i < off.size(); ++i) off[i] = line.y[i] - off[i];
  fade_out(off, line);
  const int reach =
      std::max(1, static_cast<int>(std::lround(kSmoothed * passage.speed / line.spacing)));
  smooth_places(off, reach);
  std::vector<double> sideslip = sample_along(passage, "car.sideslip");
  fade_out(sideslip, line);
  smooth_places(sideslip, reach);
  if (lesson.offset.empty()) {
    lesson.offset.assign(line.size(), 0.0);
    lesson.sideslip = sideslip;
  }
  for (std::size_t i = 0; i < off.size(); ++i) {
    lesson.offset[i] =
        std::clamp(lesson.offset[i] + part * off[i], -kLargestOffset, kLargestOffset);
    lesson.sideslip[i] += part * (sideslip[i] - lesson.sideslip[i]);
  }
  return lesson;
}

Passage pass_best(const Vehicle& vehicle, const Manoeuvre& manoeuvre, const LaneCourse& course,
                  double speed, int most, Lesson& lesson, double part, int& drives,
                  const Progress& progress) {
  const SteeringGain gain =
      measure_steering_again(vehicle, manoeuvre, speed, course.gain, progress);
  Passage best = pass(vehicle, manoeuvre, course, gain, speed, lesson, part, progress);
  ++drives;
  if (best.missed || best.deepest > kHopeless) return best;
  double learned = kLearned;
  for (int k = 1; k < most && !best.clean(); ++k) {
    Lesson next = learn(best, lesson, learned);
    Passage passage = pass(vehicle, manoeuvre, course, gain, speed, next, part, progress);
    ++drives;
    if (!passage.missed && passage.deepest < best.deepest) {
      best = std::move(passage);
      lesson = std::move(next);
    } else {
      // too much at once: less of it, from the best one again
      learned *= 0.5;
    }
  }
  if (best.clean()) lesson = learn(best, lesson, kLearned);
  return best;
}

std::string describe_limit(const Vehicle& vehicle, const Manoeuvre& manoeuvre,
                           const Passage& failed, int lines) {
  std::ostringstream text;
  text.precision(3);
  std::string tried;
  if (lines > 1)
    tried = " (the best of " + std::to_string(lines) + " lines)";
  else if (manoeuvre.value("lines") > 1.0 && (failed.missed || failed.deepest > kHopeless))
    tried = " (so far off that no other of the " + to_text(manoeuvre.value("lines"), 3) +
            " lines was tried)";
  if (!failed.line.fits) {
    text << "limited by the lanes: they leave no line on which this outline passes all cones";
    return text.str();
  }
  const std::vector<double> t = failed.history.times();
  const auto row = [&](double time) {
    return static_cast<std::size_t>(std::lower_bound(t.begin(), t.end(), time) - t.begin());
  };
  const std::size_t first = std::isnan(failed.entered) ? t.size() : row(failed.entered);
  const std::size_t last =
      std::isnan(failed.spoiled) ? t.size() : std::min(t.size(), row(failed.spoiled) + 1);
  if (std::isnan(failed.spoiled)) {
    text << "limited by the car: at " << failed.speed
         << " m/s it does not arrive behind the last lane";
    return text.str();
  }
  if (tips(vehicle, failed.history, first, last)) {
    text << "limited by the car: at " << failed.speed
         << " m/s all wheels of one side leave the road before the first cone falls" << tried;
    return text.str();
  }
  const AxleGrip* full = nullptr;
  double most = 0.0;
  const std::vector<AxleGrip> grip =
      find_grip(vehicle, manoeuvre.scenario, failed.history, first, last);
  std::ostringstream shares;
  shares.precision(2);
  for (const AxleGrip& axle : grip) {
    if (axle.share.empty()) continue;
    const double share = largest_share(axle);
    shares << (shares.str().empty() ? "" : ", ") << axle_in_words(axle) << " " << share;
    if (share > most) {
      most = share;
      full = &axle;
    }
  }
  if (full != nullptr && most >= kAllGrip) {
    text << "limited by the car: at " << failed.speed << " m/s the tyres of the "
         << axle_in_words(*full) << " give " << most
         << " of the most side force that they have, before the first cone falls" << tried;
    return text.str();
  }
  const double x_end = failed.history.column("chassis.x")[std::max<std::size_t>(last, 1) - 1];
  const std::vector<double> y = sample_along(failed, "chassis.y");
  double off = 0.0;
  for (std::size_t i = 0; i < y.size() && failed.line.x(i) + failed.before < x_end; ++i)
    off = std::max(off, std::abs(y[i] - failed.line.y[i]));
  text << "limited by the driver: at " << failed.speed << " m/s a cone falls";
  if (!shares.str().empty())
    text << " with side force left in the tyres (largest share used: " << shares.str() << ")";
  text << ", the car " << off << " m off its line at most";
  const DriverLimits& limits = manoeuvre.driver.limits;
  if (limits.on) {
    const double held = time_at_rate_limit(failed.history, limits.steering_wheel_rate, first, last);
    text << ", the steering wheel at its largest rate for " << held << " s";
  }
  text << tried;
  return text.str();
}

}  // namespace semirec
