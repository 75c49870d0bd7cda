#include "recursive/packs/pack_math.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "recursive/packs/transpose.hpp"
#include "tests/support/random_mechanism.hpp"

namespace semirec::test {
namespace {

TEST(PackMath, SineAndCosineAsTheLibrarysToTwoUnitsInTheLastPlace) {
  Random random(1);
  constexpr double kUnit = 2.2204460492503131e-16;
  for (int k = 0; k < 200000; ++k) {
    // every size from a joint's angle to a wheel that has turned for a day
    const double size = std::pow(10.0, random.number(-6.0, 7.0));
    const Pack angle{random.number(-size, size), random.number(-1.0, 1.0) * 0.8, size, -size};
    Pack s;
    Pack c;
    sine_and_cosine(angle, s, c);
    for (int l = 0; l < kLanes; ++l) {
      // expected: the C library, right to half a unit; near a zero the reduction of the angle
      // counts
      const double lost = 1e-24 * std::abs(angle[l]);
      EXPECT_NEAR(s[l], std::sin(angle[l]), 1.5 * kUnit * std::abs(std::sin(angle[l])) + lost);
      EXPECT_NEAR(c[l], std::cos(angle[l]), 1.5 * kUnit * std::abs(std::cos(angle[l])) + lost);
    }
  }
}

TEST(PackMath, SineAndCosineAtQuarterTurns) {
  const Pack angle{0.0, -0.0, 1.5707963267948966, 3.1415926535897931};
  Pack s;
  Pack c;
  sine_and_cosine(angle, s, c);
  for (int l = 0; l < kLanes; ++l) {
    // the C library's values; the third part of pi/2 ends at 2^-101
    EXPECT_NEAR(s[l], std::sin(angle[l]), 1e-30);
    EXPECT_NEAR(c[l], std::cos(angle[l]), 1e-30);
  }
}

/// Rows of cars to packs and back: closed form, number k of car l is 100 l + k.
template <typename P>
void expect_rows_of_cars() {
  constexpr std::size_t kCars = kLanesOf<P>;
  for (std::size_t count = 0; count <= 3 * kCars + 1; ++count) {
    std::vector<std::vector<double>> rows(kCars);
    std::vector<const double*> from;
    std::vector<double*> to;
    for (std::size_t l = 0; l < kCars; ++l) {
      for (std::size_t k = 0; k < count; ++k)
        rows[l].push_back(100.0 * static_cast<double>(l) + static_cast<double>(k));
      from.push_back(l == 1 ? nullptr : rows[l].data());
    }
    std::vector<P> packs(count);
    gather_lanes(from.data(), count, packs.data());
    for (std::size_t k = 0; k < count; ++k)
      for (std::size_t l = 0; l < kCars; ++l)
        ASSERT_EQ(packs[k][l], l == 1 ? 0.0 : rows[l][k]) << count;
    std::vector<std::vector<double>> back(kCars, std::vector<double>(count + 1, -1.0));
    for (std::vector<double>& row : back) to.push_back(row.data());
    scatter_lanes(packs.data(), count, to.data());
    for (std::size_t l = 0; l < kCars; ++l) {
      for (std::size_t k = 0; k < count; ++k) ASSERT_EQ(back[l][k], packs[k][l]) << count;
      ASSERT_EQ(back[l][count], -1.0) << "beyond the end";
    }
  }
}

TEST(PackMath, GathersAndScattersRowsOfCars) {
  expect_rows_of_cars<Pack>();
  expect_rows_of_cars<WidePack>();
}

}  // namespace
}  // namespace semirec::test
