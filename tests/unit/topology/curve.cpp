#include "topology/curve.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/expect_close.hpp"
#include "tests/support/finite_difference.hpp"

namespace semirec::test {
namespace {

constexpr double kRoundOff = 1e-13;
// sixth-order differences with a step of 1e-3 of functions whose rates are about 10
constexpr double kFirst = 1e-9;
constexpr double kSecond = 1e-6;

Curve polynomials() {
  Curve curve;
  curve.add_piece(-1.0, 0.0, {1.0, -2.0, 0.5, 3.0, -1.0, 0.25});
  curve.add_piece(0.5, 1.0, {0.3, 4.0, 0.0, -1.0});
  curve.add_piece(2.0, 2.0, {-5.0});
  return curve;
}

Curve sines() {
  Curve curve;
  curve.add_sine({2.0, 5.0, 0.3, 0.8, -0.2, 1.9});  // soft start
  curve.add_sine({-0.7, 9.0, 1.0, 0.0, -1e300, 1e300});
  return curve;
}

void expect_derivatives(const Curve& curve, const std::vector<double>& places) {
  for (const double x : places) {
    SCOPED_TRACE(x);
    const auto value = [&](double s) { return curve.value(x + s); };
    const CurveValue found = curve.evaluate(x);
    expect_close(found.f, curve.value(x), 0.0, 0.0);
    expect_close(found.fd, derivative(value, 1e-3), kFirst, kFirst);
    expect_close(found.fdd, second_derivative(value, 1e-3), kSecond, kSecond);
  }
}

// -1e300 stands for no beginning; numbers below it are numbers all the same.
TEST(CurveOfPieces, MayChangeAnywhereAfterAPieceWithoutBeginning) {
  Curve curve;
  curve.add_piece(-1e300, 0.0, {1.0});
  curve.add_piece(-1e308, 0.0, {2.0});
  EXPECT_EQ(curve.value(0.0), 2.0);
  EXPECT_EQ(curve.value(-1.5e308), 1.0);
  EXPECT_THROW(curve.add_piece(-1.2e308, 0.0, {3.0}), std::invalid_argument);
}

TEST(Curve, DerivativesAreThoseOfItsValue) {
  // between the breakpoints -1, 0.5, 2 and beyond the ends
  expect_derivatives(polynomials(), {-1.5, -0.3, 0.2, 0.7, 1.4, 2.5});
  // before, in and after the soft start; after the end
  expect_derivatives(sines(), {-0.5, 0.1, 0.4, 1.0, 1.5, 2.4});
  expect_derivatives(Curve::smooth_table({{0.0, 1.0}, {0.4, 2.0}, {1.0, -1.0}, {1.5, 0.5}}),
                     {-0.2, 0.2, 0.6, 1.2, 1.9});
}

TEST(Curve, PiecesHoldFromTheirBreakpointOn) {
  const Curve curve = polynomials();
  expect_close(curve.value(0.0), 1.0, 0.0, 0.0);
  // 0.3 + 4 (0.5 - 1) - (0.5 - 1)^3 = -1.575
  expect_close(curve.value(0.5), -1.575, kRoundOff, 0.0);
  // the first piece at 0.5: 1 - 1 + 0.125 + 0.375 - 0.0625 + 0.0078125
  expect_close(curve.evaluate(0.5, /*from_left=*/true).f, 0.4453125, kRoundOff, 0.0);
  expect_close(curve.value(2.0), -5.0, 0.0, 0.0);
  // 0.3 + 4 - 1
  expect_close(curve.evaluate(2.0, true).f, 3.3, kRoundOff, 0.0);
  EXPECT_EQ(curve.evaluate(1.9, true).f, curve.value(1.9));
}

TEST(Curve, LongTablesAreSearchedLikeShortOnes) {
  // x^2 sampled: 40 pieces are searched by bisection
  std::vector<std::pair<double, double>> points;
  for (int k = 0; k <= 40; ++k) points.emplace_back(0.1 * k, 0.01 * k * k);
  const Curve curve = Curve::table(points);
  for (int k = 0; k < 40; ++k) {
    const double middle = 0.1 * k + 0.05;
    expect_close(curve.value(middle), 0.5 * 0.01 * (k * k + (k + 1) * (k + 1)), kRoundOff,
                 kRoundOff);
    // slope of the piece to the right, and to the left
    expect_close(curve.evaluate(0.1 * k).fd, 0.1 * (2 * k + 1), 1e-12, 0.0);
    if (k > 0)
      expect_close(curve.evaluate(points[static_cast<std::size_t>(k)].first, true).fd,
                   0.1 * (2 * k - 1), 1e-12, 0.0);
  }
  expect_close(curve.value(-1.0), 0.0, 0.0, 0.0);
  expect_close(curve.value(9.0), 16.0, kRoundOff, 0.0);
}

TEST(Curve, TableJumpsWhereAnXIsRepeated) {
  const Curve curve = Curve::table({{0.0, 1.0}, {1.0, 2.0}, {1.0, 5.0}, {2.0, 6.0}});
  expect_close(curve.value(0.5), 1.5, kRoundOff, 0.0);
  expect_close(curve.evaluate(1.0, true).f, 2.0, kRoundOff, 0.0);
  expect_close(curve.value(1.0), 5.0, kRoundOff, 0.0);
  expect_close(curve.value(1.5), 5.5, kRoundOff, 0.0);
}

TEST(Curve, TableJumpsAtItsEndsToo) {
  const Curve curve = Curve::table({{0.0, 1.0}, {0.0, 2.0}, {1.0, 3.0}, {1.0, 7.0}});
  expect_close(curve.value(-0.1), 1.0, 0.0, 0.0);
  expect_close(curve.evaluate(0.0, true).f, 1.0, 0.0, 0.0);
  expect_close(curve.value(0.0), 2.0, 0.0, 0.0);
  expect_close(curve.evaluate(1.0, true).f, 3.0, kRoundOff, 0.0);
  expect_close(curve.value(1.0), 7.0, 0.0, 0.0);
  expect_close(curve.value(4.0), 7.0, 0.0, 0.0);
}

TEST(Curve, TableGoesOnStraightWhenAsked) {
  const Curve curve = Curve::table({{0.0, 1.0}, {1.0, 2.0}, {2.0, 5.0}}, /*extrapolate=*/true);
  expect_close(curve.value(-2.0), -1.0, kRoundOff, 0.0);
  expect_close(curve.value(4.0), 11.0, kRoundOff, 0.0);
}

TEST(Curve, SmoothTableIsSmoothThroughItsPoints) {
  const std::vector<std::pair<double, double>> points{
      {0.0, 1.0}, {0.4, 2.0}, {1.0, -1.0}, {1.5, 0.5}};
  const Curve curve = Curve::smooth_table(points, /*extrapolate=*/true);
  for (std::size_t k = 0; k < points.size(); ++k) {
    const auto [x, f] = points[k];
    expect_close(curve.value(x), f, kRoundOff, kRoundOff);
    expect_close(curve.evaluate(x, true).f, f, kRoundOff, kRoundOff);
    expect_close(curve.evaluate(x, true).fd, curve.evaluate(x).fd, 1e-12, 1e-12);
  }
  // of the parabola through the second point and its neighbours: lines of 2.5 over 0.4, -5 over 0.6
  expect_close(curve.evaluate(0.4).fd, (0.6 * 2.5 - 0.4 * 5.0) / 1.0, kRoundOff, 0.0);
  // a parabola at uneven points is met, slope and all
  std::vector<std::pair<double, double>> parabola;
  for (const double x : {0.0, 1.0, 2.0, 4.0, 5.0, 7.0}) parabola.emplace_back(x, x * x);
  const Curve met = Curve::smooth_table(parabola);
  for (const double x : {2.0, 2.7, 4.0, 4.5, 5.0}) {
    expect_close(met.value(x), x * x, 1e-14, 0.0);
    expect_close(met.evaluate(x).fd, 2.0 * x, 1e-13, 0.0);
  }
}

// A bump stop is level over its free way, and what rises from point to point rises in between.
TEST(Curve, SmoothTableKeepsTheShapeOfItsPoints) {
  const Curve stop =
      Curve::smooth_table({{0.34, -6000.0}, {0.36, -2000.0}, {0.37, 0.0}, {0.44, 0.0}, {0.5, 0.0}});
  for (double x = 0.37; x <= 0.5; x += 1e-3) EXPECT_EQ(stop.value(x), 0.0) << x;
  std::mt19937 draw(7);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<std::pair<double, double>> points{{0.0, 0.0}};
    for (int k = 0; k < 7; ++k)
      points.emplace_back(points.back().first + 1e-3 + uniform(draw),
                          points.back().second + std::pow(10.0, -6.0 * uniform(draw)) *
                                                     (uniform(draw) < 0.2 ? 0.0 : 1.0));
    const Curve curve = Curve::smooth_table(points);
    double before = 0.0;
    for (double x = 0.0; x < points.back().first; x += 0.01) {
      EXPECT_GE(curve.value(x), before - 1e-14) << trial << " at " << x;
      before = curve.value(x);
    }
  }
}

TEST(Curve, SmoothTableHoldsItsEndsOrItsEndSlopes) {
  const std::vector<std::pair<double, double>> points{{0.1, 0.0}, {0.3, 0.1}, {0.5, 0.3}};
  const Curve held = Curve::smooth_table(points);
  for (const double x : {-3.0, 0.0, 0.0999}) EXPECT_EQ(held.value(x), 0.0) << x;
  for (const double x : {0.5, 0.7, 100.0}) EXPECT_EQ(held.value(x), 0.3) << x;
  // end slopes: (0.1 - 0) / 0.2 and (0.3 - 0.1) / 0.2
  const Curve on = Curve::smooth_table(points, /*extrapolate=*/true);
  expect_close(on.value(0.0), -0.05, kRoundOff, 0.0);
  expect_close(on.value(1.0), 0.8, kRoundOff, 0.0);
  for (const double x : {0.1, 0.2, 0.3, 0.4, 0.5}) EXPECT_EQ(held.value(x), on.value(x)) << x;
}

TEST(Curve, TablesThatDescendOrAreEmptyAreRefused) {
  EXPECT_THROW(static_cast<void>(Curve::table({})), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(Curve::table({{1.0, 0.0}, {0.5, 1.0}})), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(Curve::smooth_table({{0.0, 0.0}, {0.0, 1.0}, {0.0, 2.0}})),
               std::invalid_argument);
  Curve curve;
  curve.add_piece(1.0, 0.0, {1.0});
  EXPECT_THROW(curve.add_piece(0.5, 0.0, {1.0}), std::invalid_argument);
}

TEST(Curve, IntegralIsTheAntiderivativeOfItsValue) {
  for (const Curve& curve :
       {polynomials(), Curve::table({{0.0, 1.0}, {1.0, 2.0}, {1.0, 5.0}, {2.0, 6.0}}),
        Curve::table({{0.0, 1.0}, {1.0, 2.0}, {2.0, 5.0}}, true), Curve::linear(3.0, 0.4),
        Curve::constant(2.0)}) {
    // continuous at the breakpoints, derivative everywhere else
    for (const double x : curve.breakpoints())
      expect_close(curve.integral(x + 1e-12), curve.integral(x - 1e-12), 0.0, 1e-10);
    for (const double x : {-1.4, -0.3, 0.3, 0.8, 1.6, 2.7})
      expect_close(derivative([&](double s) { return curve.integral(x + s); }, 1e-3),
                   curve.value(x), kFirst, kFirst);
  }
  // composite trapezoid over the jump: 1.5 + 5.5
  const Curve table = Curve::table({{0.0, 1.0}, {1.0, 2.0}, {1.0, 5.0}, {2.0, 6.0}});
  expect_close(table.integral(2.0) - table.integral(0.0), 7.0, kRoundOff, 0.0);
  // zero where the law begins
  expect_close(Curve::linear(3.0, 0.4).integral(0.4), 0.0, 0.0, 0.0);
  expect_close(Curve::linear(3.0, 0.4).integral(1.4), 1.5, kRoundOff, 0.0);
}

TEST(Curve, NothingIsZero) {
  const Curve curve;
  EXPECT_TRUE(curve.is_zero());
  EXPECT_EQ(curve.value(3.0), 0.0);
  EXPECT_EQ(curve.integral(3.0), 0.0);
  EXPECT_FALSE(Curve::constant(0.0).is_zero());
}

TEST(Curve, BreakpointsAreWhereADerivativeJumps) {
  EXPECT_EQ(polynomials().breakpoints(), (std::vector<double>{0.5, 2.0}));
  EXPECT_EQ(Curve::constant(1.0).breakpoints(), std::vector<double>{});
  // every jump of value, slope or curvature of the sines: begin, end of the soft start, end
  const Curve curve = sines();
  const std::vector<double> found = curve.breakpoints();
  for (const double x : {-0.2, -0.2 + 0.8, 1.9}) {
    const CurveValue left = curve.evaluate(x - 1e-9);
    const CurveValue right = curve.evaluate(x + 1e-9);
    const bool jumps = std::abs(left.f - right.f) > 1e-6 || std::abs(left.fd - right.fd) > 1e-6 ||
                       std::abs(left.fdd - right.fdd) > 1e-6;
    ASSERT_TRUE(jumps) << x;
    EXPECT_TRUE(std::any_of(found.begin(), found.end(), [&](double b) {
      return std::abs(b - x) < 1e-12;
    })) << x;
  }
}

TEST(Curve, SoftStartEndsFromTheLeftWithItsOwnCurvature) {
  // w'' = (pi / rise)^2 / 2 cos(pi s / rise): - (pi / rise)^2 / 2 at its end, 0 after; with the
  // sine at its crest (value 1, slope 0, curvature -omega^2) fdd jumps from -omega^2 - (pi /
  // rise)^2 / 2 to -omega^2. 0.1 + 0.2 does not round to 0.3 - 0.1 + ...: the branch must not
  // depend on that
  for (const double from : {0.0, 0.1, 0.3, 0.7}) {
    constexpr double kRise = 0.2;
    constexpr double kOmega = 3.0;
    Curve curve;
    curve.add_sine(
        {1.0, kOmega, std::numbers::pi / 2.0 - kOmega * (from + kRise), kRise, from, 1e300});
    const double end = curve.breakpoints().at(1);
    const double jump = 0.5 * std::pow(std::numbers::pi / kRise, 2);
    expect_close(curve.evaluate(end).fdd, -kOmega * kOmega, 1e-12, 0.0);
    expect_close(curve.evaluate(end, true).fdd, -kOmega * kOmega - jump, 1e-12, 0.0);
  }
}

TEST(Curve, SineEndsFromTheLeftWithItsValue) {
  Curve curve;
  curve.add_sine({1.0, 2.0 * std::numbers::pi, std::numbers::pi / 2.0, 0.0, 0.0, 1.0});
  EXPECT_EQ(curve.evaluate(0.0, true).f, 0.0);
  expect_close(curve.evaluate(0.0).f, 1.0, kRoundOff, 0.0);
  expect_close(curve.evaluate(1.0, true).f, 1.0, kRoundOff, 0.0);
  EXPECT_EQ(curve.evaluate(1.0).f, 0.0);
}

}  // namespace
}  // namespace semirec::test
