#include <algorithm>
#include <cmath>
#include <utility>

#include <gtest/gtest.h>

#include "vehicles/manoeuvre/bisection.hpp"
#include "vehicles/manoeuvre/braking.hpp"
#include "vehicles/manoeuvre/gates.hpp"
#include "vehicles/manoeuvre/straight_line_fit.hpp"

namespace semirec {
namespace {

TEST(LaneChangeGates, Part1IsThatOfTheStandardForAWidthOf2m) {
  const LaneChange course = make_lane_change_1(2.0);
  ASSERT_EQ(course.gates.size(), 3U);
  // ISO 3888-1 table: widths 1.1 b + 0.25, 1.2 b + 0.25, 1.3 b + 0.25; 125 m in all
  EXPECT_NEAR(course.gates[0].left - course.gates[0].right, 2.45, 1e-12);
  EXPECT_NEAR(course.gates[1].left - course.gates[1].right, 2.65, 1e-12);
  EXPECT_NEAR(course.gates[2].left - course.gates[2].right, 2.85, 1e-12);
  EXPECT_EQ(course.gates[0].end, 15.0);
  EXPECT_EQ(course.gates[1].begin, 45.0);
  EXPECT_EQ(course.gates[1].end, 70.0);
  EXPECT_EQ(course.gates[2].begin, 95.0);
  EXPECT_EQ(course.gates[2].end, 125.0);
  EXPECT_NEAR(course.gates[1].right - course.gates[0].right, 3.5, 1e-12);
  EXPECT_NEAR(course.gates[2].right, course.gates[0].right, 1e-12);
}

TEST(LaneChangeGates, Part2IsThatOfTheStandardForAWidthOf2m) {
  const LaneChange course = make_lane_change_2(2.0);
  // ISO 3888-2 table: widths 1.1 b + 0.25, b + 1, 1.3 b + 0.25 or 3; 61 m in all
  EXPECT_NEAR(course.gates[0].left - course.gates[0].right, 2.45, 1e-12);
  EXPECT_NEAR(course.gates[1].left - course.gates[1].right, 3.0, 1e-12);
  EXPECT_NEAR(course.gates[2].left - course.gates[2].right, 3.0, 1e-12);
  EXPECT_EQ(course.gates[0].end, 12.0);
  EXPECT_EQ(course.gates[1].begin, 25.5);
  EXPECT_EQ(course.gates[1].end, 36.5);
  EXPECT_EQ(course.gates[2].begin, 49.0);
  EXPECT_EQ(course.gates[2].end, 61.0);
  EXPECT_NEAR(course.gates[1].right - course.gates[0].left, 1.0, 1e-12);
}

TEST(LaneChangeGates, AConeIsHitUnderTheTurnedOutlineOnly) {
  LaneChange course;
  course.cones = {{2.0, 0.85}, {2.0, 0.95}, {2.6, 0.0}, {-2.4, 0.0}};
  const Outline outline{2.5, 2.3, 0.9};
  CarMotion motion;
  mark_hits(outline, motion, course);
  EXPECT_TRUE(course.cones[0].hit);
  EXPECT_FALSE(course.cones[1].hit);
  EXPECT_FALSE(course.cones[2].hit);
  EXPECT_FALSE(course.cones[3].hit);
  // nose to the left: (2, 0.95) seen from the car is (2.0848, 0.7471) at 0.1 rad
  motion.yaw = 0.1;
  mark_hits(outline, motion, course);
  EXPECT_TRUE(course.cones[1].hit);
  EXPECT_EQ(count_hits(course), 2);
}

TEST(LaneChangeGates, BesideALaneIsMissed) {
  const LaneChange course = make_lane_change_1(1.8);
  CarMotion motion;
  motion.x = 50.0;
  EXPECT_TRUE(misses_gate(motion, course));
  motion.y = course.gates[1].centre();
  EXPECT_FALSE(misses_gate(motion, course));
  motion.x = 30.0;  // between the lanes
  motion.y = 9.0;
  EXPECT_FALSE(misses_gate(motion, course));
}

TEST(CarOutline, IsCentredOnTheWheelbase) {
  CarMeasures car;
  car.wheelbase = 2.75;
  car.first = car.front = 1.25;
  car.last = car.rear = 1.5;
  const Outline outline = make_outline(car, 1.8, 4.55);
  EXPECT_NEAR(outline.front, 2.15, 1e-12);  // 1.25 + (4.55 - 2.75)/2
  EXPECT_NEAR(outline.rear, 2.40, 1e-12);
  EXPECT_NEAR(outline.half_width, 0.9, 1e-12);
}

TEST(Bisection, BracketsTheLimit) {
  const double limit = 17.3;
  const Bracket b = bisect(5.0, 45.0, 0.1, [&](double v) { return v <= limit; });
  EXPECT_LE(b.good, limit);
  EXPECT_GT(b.bad, limit);
  EXPECT_LE(b.bad - b.good, 0.1);
  EXPECT_EQ(b.tries, 2 + 9);  // 40 / 2^9 = 0.078
  EXPECT_FALSE(b.all_good || b.all_bad);
}

TEST(Bisection, SaysWhenThereIsNoLimit) {
  EXPECT_TRUE(bisect(1.0, 2.0, 0.1, [](double) { return true; }).all_good);
  const Bracket bad = bisect(1.0, 2.0, 0.1, [](double) { return false; });
  EXPECT_TRUE(bad.all_bad);
  EXPECT_EQ(bad.tries, 1);
}

// Something learns with each thing that goes well: 2 % beyond it goes well next, up to a limit.
TEST(Bisection, LooksAgainAtWhatWentBadlyBeforeMoreWasLearned) {
  const auto search = [](double limit, double high) {
    double known = 10.0;
    const auto goes_well = [&](double value) {
      if (value > std::min(limit, 1.02 * known)) return false;
      known = std::max(known, value);
      return true;
    };
    Bracket bracket = bisect(8.0, high, 0.1, goes_well);
    const Bracket first = bracket;
    look_again(bracket, high, goes_well);
    EXPECT_GE(bracket.good, first.good);
    EXPECT_GT(bracket.tries, first.tries);
    return std::pair(first, bracket);
  };
  for (const double limit : {10.1, 10.25, 10.4, 11.0}) {
    const auto [first, again] = search(limit, 45.0);
    EXPECT_LE(again.good, limit);
    EXPECT_GT(again.bad, again.good);
    EXPECT_EQ(std::isnan(again.learned), first.bad == again.bad) << limit;
    if (!std::isnan(again.learned)) {
      EXPECT_EQ(again.learned, first.bad);
    }
  }
  const auto [first, again] = search(11.0, 45.0);
  EXPECT_GT(again.good, first.bad);
  // its steps double, so it is at least half as wide as all of them
  EXPECT_GE(again.bad - again.good, 0.49 * (again.bad - first.bad));
  // no farther than it is asked to look
  const auto [below, open] = search(11.0, 10.21);
  EXPECT_TRUE(open.all_good);
  EXPECT_EQ(open.good, 10.21);
  EXPECT_FALSE(below.all_good);
  // what is all bad or all good stays so
  Bracket bad = bisect(5.0, 6.0, 0.1, [](double) { return false; });
  look_again(bad, 6.0, [](double) { return true; });
  EXPECT_TRUE(bad.all_bad);
  EXPECT_EQ(bad.tries, 1);
}

TEST(StraightLineFit, FindsALineAndTheErrorOfItsSlope) {
  // y = 2 + 3 x with +0.1, -0.2, +0.1 at x = 0, 1, 2: slope 3 (residuals 0.1, -0.2, 0.1 are
  // orthogonal to 1 and x), s^2 = 0.06 / 1, error sqrt(0.06 / 2)
  const StraightLine line = fit_straight_line({0, 1, 2, 50}, {2.1, 4.8, 8.1, -7}, 0.0, 2.0);
  EXPECT_EQ(line.points, 3);
  EXPECT_NEAR(line.slope, 3.0, 1e-12);
  EXPECT_NEAR(line.offset, 2.0, 1e-12);
  EXPECT_NEAR(line.slope_error, std::sqrt(0.03), 1e-12);
}

TEST(BrakingJudge, ConstantDecelerationIsTheClosedForm) {
  // v0 = 27 m/s for 1 s, then 8 m/s^2: distance v^2/(2 a), time v/a, developed deceleration a
  const double v0 = 27.0;
  const double a = 8.0;
  std::vector<double> t;
  std::vector<double> way;
  std::vector<double> speed;
  for (int k = 0; k <= 6000; ++k) {
    const double time = k * 1e-3;
    const double braked = std::clamp(time - 1.0, 0.0, v0 / a);
    t.push_back(time);
    speed.push_back(v0 - a * braked);
    way.push_back(v0 * std::min(time, 1.0) + v0 * braked - 0.5 * a * braked * braked);
  }
  const BrakingDistance result = judge_braking(t, way, speed, 1.0, v0);
  ASSERT_TRUE(result.stopped);
  // standstill is at 0.1 m/s: v^2/(2 a) lacks 0.1^2/(2 a), v/a lacks 0.1/a
  EXPECT_NEAR(result.distance, (v0 * v0 - 0.01) / (2.0 * a), 1e-6);
  EXPECT_NEAR(result.time, (v0 - 0.1) / a, 1e-9);
  EXPECT_NEAR(result.developed, a, 1e-5);
}

TEST(BrakingJudge, SaysWhenTheCarDoesNotStop) {
  const BrakingDistance result =
      judge_braking({0.0, 1.0, 2.0}, {0.0, 10.0, 20.0}, {10.0, 10.0, 9.0}, 0.0, 10.0);
  EXPECT_FALSE(result.stopped);
  EXPECT_FALSE(result.has_developed);
  EXPECT_TRUE(std::isnan(result.distance));
}

}  // namespace
}  // namespace semirec
