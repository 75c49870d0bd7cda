// Numbers of a page, there and back.

#include "apps/report/numbers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "tests/unit/report/decode.hpp"

namespace semirec::report {
namespace {

using test::numbers_of;

// RFC 4648, section 10
TEST(PackedNumbers, AreBase64AsTheStandardsExamples) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foob"), "Zm9vYg==");
  EXPECT_EQ(base64("fooba"), "Zm9vYmE=");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
}

/// Half a step of 1/32766 of the largest difference, and room for the rounding of the sum.
double bound(const std::vector<double>& values) {
  double difference = 0.0;
  double largest = 0.0;
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (k > 0) difference = std::max(difference, std::abs(values[k] - values[k - 1]));
    largest = std::max(largest, std::abs(values[k]));
  }
  return difference / 32766.0 / 2.0 * (1.0 + 1e-9) + 1e-15 * largest;
}

void expect_round_trip(const std::vector<double>& values) {
  const auto packed = pack(values);
  EXPECT_TRUE(!packed.contains("f32"));
  const std::vector<double> back = numbers_of(packed);
  ASSERT_EQ(back.size(), values.size());
  for (std::size_t k = 0; k < values.size(); ++k)
    EXPECT_NEAR(back[k], values[k], bound(values)) << k;
}

TEST(PackedNumbers, ComeBackWithinHalfAScaleWhateverTheirSize) {
  std::vector<double> wave, jump, far, ramp;
  for (int k = 0; k < 5000; ++k) {
    wave.push_back(1e-6 * std::sin(0.01 * k));
    jump.push_back(k % 2 == 0 ? -1e9 : 1e9);
    far.push_back(1e7 + std::cos(0.1 * k));
    ramp.push_back(0.022 * k);
  }
  for (const auto& values : {wave, jump, far, ramp, std::vector<double>{3.25},
                             std::vector<double>{7.0, 7.0, 7.0}, std::vector<double>{}})
    expect_round_trip(values);
}

// The bound that the header states, for the worst of all: one difference as large as the range.
TEST(PackedNumbers, AreWithinATenThousandthOfTheirRange) {
  std::vector<double> values{0.0, 1.0};
  for (int k = 0; k < 1000; ++k) values.push_back(0.5 + 0.5 * std::sin(1.7 * k));
  const std::vector<double> back = numbers_of(pack(values));
  for (std::size_t k = 0; k < values.size(); ++k) EXPECT_NEAR(back[k], values[k], 1.6e-5);
}

TEST(PackedNumbers, OfAMatrixHaveAScaleAColumn) {
  std::vector<double> matrix;
  for (int k = 0; k < 400; ++k)
    for (const double value : {220.0 * k, 1e-3 * std::sin(0.1 * k), 4.0}) matrix.push_back(value);
  const auto packed = pack(matrix, 3);
  ASSERT_EQ(packed["scale"].size(), 3U);
  const std::vector<double> back = numbers_of(packed, 3);
  ASSERT_EQ(back.size(), matrix.size());
  for (std::size_t k = 0; k < matrix.size(); ++k) {
    const double allowed[3] = {220.0 / 65532.0, 1e-4 / 65532.0, 0.0};
    EXPECT_NEAR(back[k], matrix[k], allowed[k % 3] * (1.0 + 1e-6)) << k;
  }
}

TEST(PackedNumbers, ThatAreNotFiniteAreFloats) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  const auto packed = pack({1.0, nan, infinity, -infinity, 2.5});
  ASSERT_TRUE(packed.contains("f32"));
  const std::vector<double> back = numbers_of(packed);
  ASSERT_EQ(back.size(), 5U);
  EXPECT_TRUE(std::isnan(back[1]));
  EXPECT_EQ(back[2], infinity);
  EXPECT_EQ(back[3], -infinity);
  EXPECT_EQ(back[4], 2.5);
  // differences that no double holds, or that are nearly nothing
  EXPECT_TRUE(pack({1e308, -1e308}).contains("f32"));
  EXPECT_TRUE(pack({0.0, 5e-324}).contains("f32"));
  EXPECT_FALSE(pack({1e300, 1e300 + 1e285, 0.0}).contains("f32"));
}

TEST(PackedNumbers, TakeTheShortestOfThreeForms) {
  // what rests but for one step, and what jumps to and fro
  std::vector<double> rests(1000, 1.0);
  rests[500] = 2.0;
  std::vector<double> jumps;
  for (int k = 0; k < 1000; ++k) jumps.push_back(k % 2 == 0 ? -1.0 : 1.0);
  std::vector<double> glides;
  for (int k = 0; k < 1000; ++k) glides.push_back(0.02 * k + 1e-6 * k * k);
  EXPECT_LT(pack(glides).at("vdd").get<std::string>().size(), 1.4 * 1000);
  EXPECT_LT(pack(rests).at("vd").get<std::string>().size(), 1.4 * 1000);
  EXPECT_TRUE(pack(jumps).contains("i16d"));
  for (const auto& values : {rests, jumps, glides}) expect_round_trip(values);
}

TEST(PackedNumbers, OfCornersAreExact) {
  const std::vector<std::uint32_t> near{0, 1, 2, 2, 1, 3, 32000, 5, 32770};
  EXPECT_FALSE(pack_indices(near).contains("u32"));
  const std::vector<std::uint32_t> wide{0, 70000, 3};
  EXPECT_TRUE(pack_indices(wide).contains("u32"));
  for (const auto& indices : {near, wide}) {
    const std::vector<double> back = numbers_of(pack_indices(indices));
    ASSERT_EQ(back.size(), indices.size());
    for (std::size_t k = 0; k < indices.size(); ++k) EXPECT_EQ(back[k], indices[k]);
  }
}

}  // namespace
}  // namespace semirec::report
