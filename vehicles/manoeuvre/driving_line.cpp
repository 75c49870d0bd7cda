#include "vehicles/manoeuvre/driving_line.hpp"

#include <algorithm>
#include <cmath>

#include "vehicles/manoeuvre/banded_programme.hpp"

namespace semirec {

namespace {

constexpr double kSpacing = 0.5;       // m
constexpr double kSharpestLine = 0.1;  // 1/m
constexpr double kAbovePeak = 1.25;    // of the least peak, for a smooth line
constexpr double kPeakLength = 20.0;   // m, by which curvatures are made numbers like offsets
constexpr double kLeastGap = 0.02;     // m, below the largest margin where none is left

/// The unknowns begin at the third place: the first two lie on y = 0.
constexpr int kFixed = 2;

/// Bounds of the outline beside the cones, with t for the margin where `margin_weight` is 1.
void add_cone_bounds(const LaneChange& course, const LineTask& task, const DrivingLine& line,
                     double margin, double margin_weight, std::vector<BandRow>& bounds) {
  const Outline& outline = task.outline;
  for (const Cone& cone : course.cones) {
    const auto gate = std::find_if(course.gates.begin(), course.gates.end(), [&](const Gate& g) {
      return cone.x > g.begin - 1e-6 && cone.x < g.end + 1e-6;
    });
    if (gate == course.gates.end()) continue;
    const double side = cone.y > gate->centre() ? 1.0 : -1.0;
    for (std::size_t i = kFixed; i + 1 < line.size(); ++i) {
      const double ahead = cone.x - line.x(i);
      // half a spacing more: the corners pass the cone between two places
      if (ahead > outline.front + 0.5 * kSpacing || ahead < -outline.rear - 0.5 * kSpacing)
        continue;
      const double sideslip = task.sideslip.empty() ? 0.0 : task.sideslip[i];
      const double heading = line.slope(i) - sideslip;
      // seen along y the outline of a turned car is wider
      const double half_width = outline.half_width * std::hypot(1.0, heading);
      BandRow row;
      row.first = static_cast<int>(i) - 1 - kFixed;
      const double turn = side * ahead / (2.0 * kSpacing);
      row.c = {-turn, side, turn, 0.0};
      row.t = margin_weight;
      row.b = side * (cone.y + ahead * sideslip) - half_width - margin;
      bounds.push_back(row);
    }
  }
}

/// factor |y''| <= t t_weight + most, at all places.
void add_peak_bounds(std::size_t places, double factor, double t_weight, double most,
                     std::vector<BandRow>& bounds) {
  const double by = factor / (kSpacing * kSpacing);
  for (std::size_t i = 1; i + 1 < places; ++i)
    for (const double side : {1.0, -1.0}) {
      BandRow row;
      row.first = static_cast<int>(i) - 1 - kFixed;
      row.c = {side * by, -2.0 * side * by, side * by, 0.0};
      row.t = -t_weight;
      row.b = most;
      bounds.push_back(row);
    }
}

bool take_over(const BandedSolution& solution, DrivingLine& line) {
  if (solution.y.empty()) return false;
  std::copy(solution.y.begin(), solution.y.end(), line.y.begin() + kFixed);
  return solution.converged;
}

/// Step 1: the margin that counts.
double choose_margin(const LaneChange& course, const LineTask& task, DrivingLine& line) {
  BandedProgramme programme;
  programme.size = static_cast<int>(line.size()) - kFixed;
  programme.slope_t = -1.0;
  add_cone_bounds(course, task, line, 0.0, 1.0, programme.bounds);
  add_peak_bounds(line.size(), kPeakLength, 0.0, kPeakLength * kSharpestLine, programme.bounds);
  BandRow most;
  most.first = -4;
  most.t = 1.0;
  most.b = task.margin;
  programme.bounds.push_back(most);
  const BandedSolution solution = solve(programme);
  take_over(solution, line);
  if (solution.t >= task.margin - 1e-6) return task.margin;
  return solution.t > 2.0 * kLeastGap ? 0.5 * solution.t : solution.t - kLeastGap;
}

}  // namespace

double DrivingLine::slope(std::size_t i) const {
  const std::size_t a = i > 0 ? i - 1 : 0;
  const std::size_t b = std::min(i + 1, y.size() - 1);
  return (y[b] - y[a]) / (spacing * static_cast<double>(b - a));
}

DrivingLine find_line(const LaneChange& course, const LineTask& task) {
  DrivingLine line;
  line.spacing = kSpacing;
  line.begin = course.gates.front().begin - task.before;
  const double length = course.gates.back().end + task.after - line.begin;
  line.y.assign(static_cast<std::size_t>(std::ceil(length / kSpacing)) + 1, 0.0);
  line.margin = choose_margin(course, task, line);
  bool good = true;
  // twice: how far a turned outline reaches is known from the line before
  for (int pass = 0; pass < 2; ++pass) {
    BandedProgramme least;
    least.size = static_cast<int>(line.size()) - kFixed;
    least.slope_t = 1.0;
    add_cone_bounds(course, task, line, line.margin, 0.0, least.bounds);
    BandedProgramme smooth = least;
    add_peak_bounds(line.size(), kPeakLength, 1.0, 0.0, least.bounds);
    const BandedSolution sharpest = solve(least);
    good = take_over(sharpest, line);
    line.least_peak = sharpest.t / kPeakLength;
    smooth.slope_t = 0.0;
    add_peak_bounds(line.size(), kPeakLength, 0.0, kAbovePeak * sharpest.t + 1e-6, smooth.bounds);
    for (std::size_t i = 1; i + 2 < line.size(); ++i)
      smooth.cost.push_back({static_cast<int>(i) - 1 - kFixed, {-1.0, 3.0, -3.0, 1.0}, 0.0, 0.0});
    const double scale = kPeakLength / (kSpacing * kSpacing);
    for (BandRow& row : smooth.cost)
      for (double& c : row.c) c *= scale;
    good = take_over(solve(smooth), line) && good;
  }
  line.fits = good && line.margin >= 0.0;
  for (std::size_t i = 1; i + 1 < line.size(); ++i) {
    const double second = (line.y[i + 1] - 2.0 * line.y[i] + line.y[i - 1]) / (kSpacing * kSpacing);
    line.peak = std::max(line.peak, std::abs(second) / std::pow(std::hypot(1.0, line.slope(i)), 3));
  }
  return line;
}

Path make_path(const DrivingLine& line, double shift, const std::vector<double>& offset) {
  std::vector<std::pair<double, double>> points;
  const double begin = line.begin + shift;
  const int pieces = std::max(1, static_cast<int>(std::ceil(begin)));
  for (int k = 0; k < pieces && begin > line.spacing; ++k)
    points.emplace_back(begin * k / pieces, 0.0);
  for (std::size_t i = 0; i < line.size(); ++i) {
    const double x = line.x(i) + shift;
    if (x >= 0.0) points.emplace_back(x, line.y[i] + (offset.empty() ? 0.0 : offset[i]));
  }
  return Path::from_points(points);
}

}  // namespace semirec
