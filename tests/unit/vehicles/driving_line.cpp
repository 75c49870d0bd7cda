// The driver's line through lanes of cones, and the programme that finds it.

#include "vehicles/manoeuvre/driving_line.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "vehicles/manoeuvre/banded_programme.hpp"

namespace semirec {
namespace {

// A bar of length 1 clamped at one end and lifted by 1 at the other: least int y''^2 is the
// cantilever's cubic y = x^2 (3 - x) / 2. On n pieces the sum of squares is off by 1/n.
TEST(BandedProgramme, BendsABarLikeACantilever) {
  const int n = 200;
  const double by = std::pow(n, 1.5);  // sqrt(h)/h^2
  BandedProgramme bar;
  bar.size = n - 1;  // places 2 to n: two are clamped
  for (int i = 1; i < n; ++i) bar.cost.push_back({i - 3, {by, -2.0 * by, by, 0.0}, 0.0, 0.0});
  bar.bounds.push_back({n - 2, {-1.0, 0.0, 0.0, 0.0}, 0.0, -1.0});
  const BandedSolution solution = solve(bar);
  ASSERT_TRUE(solution.converged);
  for (int i = 2; i <= n; ++i) {
    const double x = static_cast<double>(i) / n;
    EXPECT_NEAR(solution.y[static_cast<std::size_t>(i - 2)], 0.5 * x * x * (3.0 - x), 1.0 / n);
  }
}

// Over a length L to the side by D, straight at both ends, with the least |y''|: half the way to
// the left, half back, each D/2 = c (L/2)^2 / 2, so c = 4 D / L^2. Exact on an even number of
// pieces but for the half piece at the ends.
TEST(BandedProgramme, ChangesLanesWithTheLeastPeakOfTheClosedForm) {
  const int n = 400;
  const double L = 20.0;
  const double D = 3.0;
  const double h = L / n;
  BandedProgramme change;
  change.size = n - 1;
  change.slope_t = 1.0;
  for (int i = 1; i < n; ++i)
    for (const double side : {1.0, -1.0}) {
      const double by = side / (h * h);
      change.bounds.push_back({i - 3, {by, -2.0 * by, by, 0.0}, -1.0, 0.0});
    }
  change.bounds.push_back({n - 2, {-1.0, 0.0, 0.0, 0.0}, 0.0, -D});
  change.bounds.push_back({n - 3, {-1.0, 1.0, 0.0, 0.0}, 0.0, 0.0});
  const BandedSolution solution = solve(change);
  ASSERT_TRUE(solution.converged);
  EXPECT_NEAR(solution.t, 4.0 * D / (L * L), 4.0 * D / (L * L) * 3.0 / n);
}

TEST(BandedProgramme, SaysWhereNothingKeepsTheBounds) {
  BandedProgramme none;
  none.size = 3;
  none.cost.push_back({0, {1.0, 0.0, 0.0, 0.0}, 0.0, 0.0});
  none.cost.push_back({1, {1.0, 1.0, 0.0, 0.0}, 0.0, 0.0});
  none.cost.push_back({2, {1.0, 0.0, 0.0, 0.0}, 0.0, 0.0});
  none.bounds.push_back({1, {1.0, 0.0, 0.0, 0.0}, 0.0, -1.0});
  none.bounds.push_back({1, {-1.0, 0.0, 0.0, 0.0}, 0.0, -1.0});
  EXPECT_FALSE(solve(none).converged);
}

LineTask sedan_task(double margin) {
  LineTask task;
  task.outline = {2.3, 2.3, 0.9};
  task.margin = margin;
  return task;
}

/// Cones hit by the outline that is moved along the line with its heading: the judge's own test.
int hits_along(const DrivingLine& line, const LaneChange& lanes, const Outline& outline) {
  LaneChange course = lanes;
  for (std::size_t i = 1; i + 1 < line.size(); ++i) {
    CarMotion motion;
    motion.x = line.x(i);
    motion.y = line.y[i];
    motion.yaw = std::atan(line.slope(i));
    mark_hits(outline, motion, course);
  }
  return count_hits(course);
}

TEST(DrivingLine, PassesAllConesOfBothParts) {
  for (const double width : {1.5, 1.8, 2.0})
    for (const LaneChange& lanes : {make_lane_change_1(width), make_lane_change_2(width)}) {
      LineTask task;
      task.outline = {1.2 * width, 1.3 * width, 0.5 * width};
      const DrivingLine line = find_line(lanes, task);
      EXPECT_TRUE(line.fits) << width;
      EXPECT_EQ(line.margin, 0.1) << width;
      EXPECT_EQ(hits_along(line, lanes, task.outline), 0) << width;
    }
}

/// Parts of a convex polygon in the plane of (y, dy/dx) on the side a y + b y' <= c.
using Polygon = std::vector<std::pair<double, double>>;
Polygon cut(const Polygon& from, double a, double b, double c) {
  Polygon to;
  for (std::size_t k = 0; k < from.size(); ++k) {
    const auto& p = from[k];
    const auto& q = from[(k + 1) % from.size()];
    const double dp = a * p.first + b * p.second - c;
    const double dq = a * q.first + b * q.second - c;
    if (dp <= 0.0) to.push_back(p);
    if ((dp < 0.0) != (dq < 0.0) && dp != dq)
      to.emplace_back(p.first + (q.first - p.first) * dp / (dp - dq),
                      p.second + (q.second - p.second) * dp / (dp - dq));
  }
  return to;
}

/// Convex hull (monotone chain).
Polygon hull(Polygon points) {
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  if (points.size() < 3) return points;
  const auto turn = [](const auto& o, const auto& a, const auto& b) {
    return (a.first - o.first) * (b.second - o.second) -
           (a.second - o.second) * (b.first - o.first);
  };
  Polygon around;
  for (int side = 0; side < 2; ++side) {
    const std::size_t from = around.size();
    for (const auto& p : points) {
      while (around.size() >= from + 2 &&
             turn(around[around.size() - 2], around.back(), p) <= 1e-15)
        around.pop_back();
      around.push_back(p);
    }
    around.pop_back();
    std::reverse(points.begin(), points.end());
  }
  return around;
}

/// Whether a point with |y''| <= c gets through: the set of (y, y') that it can have reached is a
/// convex polygon, moved on by half a metre and cut by each cone beside the outline. Headings as
/// given widen the outline, as `find_line` takes them from its last line.
bool gets_through(const LaneChange& lanes, const LineTask& task, const DrivingLine& line,
                  double c) {
  const double h = line.spacing;
  Polygon reached{{-1e-9, -1e-9}, {1e-9, -1e-9}, {1e-9, 1e-9}, {-1e-9, 1e-9}};
  for (std::size_t i = 1; i + 1 < line.size(); ++i) {
    Polygon next;
    for (const auto& [y, slope] : reached)
      for (const double bend : {c, -c}) {
        const double rate = slope + h * bend;
        next.emplace_back(y + 0.5 * h * (slope + rate), rate);
      }
    reached = hull(next);
    for (const Cone& cone : lanes.cones) {
      const double ahead = cone.x - line.x(i);
      if (ahead > task.outline.front + 0.5 * h || ahead < -task.outline.rear - 0.5 * h) continue;
      double centre = 0.0;
      for (const Gate& gate : lanes.gates)
        if (std::abs(cone.x - 0.5 * (gate.begin + gate.end)) < 0.5 * (gate.end - gate.begin) + 1e-6)
          centre = gate.centre();
      const double side = cone.y > centre ? 1.0 : -1.0;
      const double half = task.outline.half_width * std::hypot(1.0, line.slope(i));
      reached = cut(reached, side, side * ahead, side * cone.y - half - task.margin);
      if (reached.size() < 2) return false;
    }
  }
  return true;
}

// The least peak of |y''|, against sets of reachable states that share nothing with it. They see
// the slope half a piece earlier or later (y'_i by central differences there, by the trapezoidal
// rule here): with pieces of 0.5 m in lane changes of 13 m that is worth some percent.
TEST(DrivingLine, AsksForTheLeastPeakThatReachableSetsAllow) {
  const double kPieces = 0.05;
  for (const LaneChange& lanes : {make_lane_change_1(1.8), make_lane_change_2(1.8)}) {
    const LineTask task = sedan_task(0.1);
    const DrivingLine line = find_line(lanes, task);
    double low = 0.0;
    double high = 0.1;
    while (high - low > 1e-5) {
      const double c = 0.5 * (low + high);
      (gets_through(lanes, task, line, c) ? high : low) = c;
    }
    EXPECT_NEAR(line.least_peak, high, kPieces * high);
    EXPECT_LE(line.peak, 1.25 * line.least_peak * (1.0 + 1e-3));
  }
}

// Bends between the middles of the lanes, by the polynomial of 5th degree that has the least
// int y'''^2: its largest |y''| is 10/sqrt(3) D/L^2.
TEST(DrivingLine, AsksForHalfOfWhatALineThroughTheMiddlesDoes) {
  const double speed = 15.0;
  const LaneChange lanes = make_lane_change_2(1.8);
  const double L = 13.5 + 4.0;  // 2 m inside both lanes
  const double D = lanes.gates[1].centre() - lanes.gates[0].centre();
  const double middle = 10.0 / std::sqrt(3.0) * D / (L * L) * speed * speed;
  EXPECT_GT(middle, 14.0);
  EXPECT_LT(find_line(lanes, sedan_task(0.1)).peak * speed * speed, 0.55 * middle);
}

TEST(DrivingLine, TakesNarrowLanesWithTheMarginThatTheyLeave) {
  const LaneChange lanes = make_lane_change_2(1.8);
  // the first lane is 2.23 m wide: 0.215 m to each side of the car
  const DrivingLine line = find_line(lanes, sedan_task(0.3));
  EXPECT_TRUE(line.fits);
  EXPECT_GT(line.margin, 0.05);
  EXPECT_LT(line.margin, 0.5 * 0.215 + 1e-6);
  EXPECT_EQ(hits_along(line, lanes, sedan_task(0.3).outline), 0);
  // wider than the lane
  LineTask wide = sedan_task(0.1);
  wide.outline.half_width = 1.2;
  const DrivingLine none = find_line(lanes, wide);
  EXPECT_FALSE(none.fits);
  EXPECT_LT(none.margin, 0.0);
}

// A car that drives with its nose turned into the bends, by up to 0.12 rad, needs another line than
// its course says.
TEST(DrivingLine, KnowsTheSideslip) {
  const LaneChange lanes = make_lane_change_2(1.8);
  LineTask task = sedan_task(0.05);
  const DrivingLine straight = find_line(lanes, task);
  task.sideslip.assign(straight.size(), 0.0);
  for (std::size_t i = 0; i < straight.size(); ++i)
    task.sideslip[i] = -4.0 * (straight.slope(i + 1 < straight.size() ? i + 1 : i) -
                               straight.slope(i > 0 ? i - 1 : 0));
  const DrivingLine aware = find_line(lanes, task);
  const auto hits = [&](const DrivingLine& line) {
    LaneChange course = lanes;
    for (std::size_t i = 1; i + 1 < line.size(); ++i) {
      CarMotion motion;
      motion.x = line.x(i);
      motion.y = line.y[i];
      motion.yaw = std::atan(line.slope(i)) - task.sideslip[i];
      mark_hits(task.outline, motion, course);
    }
    return count_hits(course);
  };
  EXPECT_GT(hits(straight), 0);
  EXPECT_EQ(hits(aware), 0);
}

TEST(DrivingLine, BecomesAPathFromTheStandingCar) {
  const LaneChange lanes = make_lane_change_2(1.8);
  const DrivingLine line = find_line(lanes, sedan_task(0.1));
  std::vector<double> offset(line.size(), 0.0);
  for (std::size_t i = 100; i < 140; ++i)
    offset[i] = 0.2 * std::pow(std::sin(M_PI * (static_cast<double>(i) - 100.0) / 40.0), 2);
  for (const bool with : {false, true}) {
    const Path path = make_path(line, 60.0, with ? offset : std::vector<double>{});
    EXPECT_NEAR(path.at(0.0).x, 0.0, 1e-12);
    EXPECT_NEAR(path.at(0.0).y, 0.0, 1e-12);
    for (std::size_t i = 2; i + 2 < line.size(); ++i) {
      const double x = line.x(i) + 60.0;
      const double y = line.y[i] + (with ? offset[i] : 0.0);
      EXPECT_NEAR(Path::offset(path.nearest(x, y, x), x, y), 0.0, 1e-6) << i;
    }
  }
}

}  // namespace
}  // namespace semirec
