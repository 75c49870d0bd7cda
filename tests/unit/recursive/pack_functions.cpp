#include "recursive/packs/pack_functions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "tests/support/random_mechanism.hpp"

namespace semirec::test {
namespace {

constexpr double kUnit = 2.2204460492503131e-16;

TEST(PackFunctions, ArcTangentAsTheLibrarysToTwoUnitsInTheLastPlace) {
  Random random(1);
  for (int k = 0; k < 200000; ++k) {
    const double size = std::pow(10.0, random.number(-12.0, 12.0));
    const Pack x{random.number(-size, size), random.number(-3.0, 3.0), size, -size};
    const Pack angle = arc_tangent(x);
    // expected: the C library, right to half a unit
    for (int l = 0; l < kLanes; ++l)
      EXPECT_NEAR(angle[l], std::atan(x[l]), 1.5 * kUnit * std::abs(std::atan(x[l])));
  }
}

TEST(PackFunctions, ArcTangentAtItsBorders) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  for (const double x : {0.0, 1e-310, 0.41421356237309503, 0.41421356237309509, 1.0,
                         2.4142135623730949, 2.4142135623730954, 1e300, kInfinite}) {
    const Pack angle = arc_tangent(Pack{x, -x, x, -x});
    EXPECT_NEAR(angle[0], std::atan(x), kUnit * std::atan(x)) << x;
    EXPECT_EQ(angle[1], -angle[0]) << x;
    EXPECT_EQ(std::signbit(angle[1]), true) << x;
  }
}

template <typename P>
void expect_angles_as_the_librarys() {
  Random random(2);
  for (int k = 0; k < 20000; ++k) {
    P y;
    P x;
    P sine;
    for (int l = 0; l < kLanesOf<P>; ++l) {
      y[l] = random.number(-1.0, 1.0) * std::pow(10.0, random.number(-9.0, 3.0));
      x[l] = random.number(-1.0, 1.0);
      sine[l] = random.number(-1.0, 1.0);
    }
    const P angle = arc_tangent_2(y, x);
    const P of_sine = arc_sine(sine);
    for (int l = 0; l < kLanesOf<P>; ++l) {
      EXPECT_NEAR(angle[l], std::atan2(y[l], x[l]), 4.0 * kUnit * std::abs(angle[l]));
      EXPECT_NEAR(of_sine[l], std::asin(sine[l]), 4.0 * kUnit * std::abs(of_sine[l]));
    }
  }
}

TEST(PackFunctions, AnglesOfPointsAndSinesAsTheLibrarys) {
  expect_angles_as_the_librarys<Pack>();
  expect_angles_as_the_librarys<WidePack>();
  const Pack angle = arc_tangent_2(Pack{0.0, 0.0, 1.0, -1.0}, Pack{0.0, -1.0, 0.0, 0.0});
  EXPECT_EQ(angle[0], 0.0);
  EXPECT_EQ(angle[1], std::atan2(0.0, -1.0));
  EXPECT_EQ(angle[2], std::atan2(1.0, 0.0));
  EXPECT_EQ(angle[3], std::atan2(-1.0, 0.0));
  const Pack of_sine = arc_sine(Pack{0.0, 1.0, -1.0, 1e-20});
  EXPECT_EQ(of_sine[0], 0.0);
  EXPECT_EQ(of_sine[1], std::asin(1.0));
  EXPECT_EQ(of_sine[2], std::asin(-1.0));
  EXPECT_NEAR(of_sine[3], 1e-20, 1e-35);
}

TEST(PackFunctions, EachLaneIsWorkedOutByItself) {
  const Pack a{1.0, -2.0, 0.0, 5.0};
  const Pack b{2.0, -3.0, -0.0, 4.0};
  const Pack smaller = smaller_of(a, b);
  const Pack larger = larger_of(a, b);
  const Pack held = within(a, -1.0, 1.0);
  const Pack signed_as_b = with_sign(absolute(a), b);
  const Pack root = square_root(absolute(a));
  const Pack grown = exponential(a);
  const Pack back = logarithm(grown);
  for (int l = 0; l < kLanes; ++l) {
    EXPECT_EQ(smaller[l], std::min(a[l], b[l]));
    EXPECT_EQ(larger[l], std::max(a[l], b[l]));
    EXPECT_EQ(held[l], std::clamp(a[l], -1.0, 1.0));
    EXPECT_EQ(signed_as_b[l], std::copysign(a[l], b[l]));
    EXPECT_EQ(root[l], std::sqrt(std::abs(a[l])));
    EXPECT_NEAR(grown[l], std::exp(a[l]), 2.0 * kUnit * std::exp(a[l]));
    EXPECT_NEAR(back[l], a[l], 4.0 * kUnit * std::max(1.0, std::abs(a[l])));
    EXPECT_EQ(lane_by_lane(a, [](double x) { return std::floor(x); })[l], std::floor(a[l]));
    EXPECT_EQ(select(a < b, a, b)[l], smaller[l]);
  }
}

}  // namespace
}  // namespace semirec::test
