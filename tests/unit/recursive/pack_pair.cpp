#include "recursive/packs/pack_pair.hpp"

#include <gtest/gtest.h>

#include "tests/support/random_mechanism.hpp"

namespace semirec::test {
namespace {

using Pair = PackPair<Pack>;

/// Expects of both packs of a pair, to the bit, what the function makes of each alone.
template <typename Function>
void expect_of_each(const Function& function, const Pair& x, const Pair& y) {
  const Pair both = function(x, y);
  for (int k = 0; k < 2; ++k) {
    const Pack one = function(pack_in(x, k), pack_in(y, k));  // expected: pack_functions.hpp
    for (int l = 0; l < kLanes; ++l) EXPECT_EQ(pack_in(both, k)[l], one[l]) << k << ' ' << l;
  }
}

TEST(PackPair, IsWhatItsPacksAreAlone) {
  Random random(3);
  for (int n = 0; n < 1000; ++n) {
    Pair x;
    Pair y;
    for (int k = 0; k < 2; ++k)
      for (int l = 0; l < kLanes; ++l) {
        pack_in(x, k)[l] = random.number(-3.0, 3.0);
        pack_in(y, k)[l] = random.number(-3.0, 3.0);
      }
    const auto each = [&](const auto& function) { expect_of_each(function, x, y); };
    each([](const auto& a, const auto& b) { return a + b; });
    each([](const auto& a, const auto& b) { return a - b; });
    each([](const auto& a, const auto& b) { return a * b; });
    each([](const auto& a, const auto& b) { return a / b; });
    each([](const auto& a, const auto& /*b*/) { return -a; });
    each([](const auto& a, const auto& /*b*/) { return 2.0 / (1.0 + a * 0.5) - (3.0 - a); });
    each([](const auto& a, const auto& /*b*/) { return (a / 7.0 - 0.25) + 1.0; });
    each([](const auto& a, const auto& b) { return smaller_of(a, b); });
    each([](const auto& a, const auto& b) { return larger_of(a, b); });
    each([](const auto& a, const auto& b) { return with_sign(absolute(a), b); });
    each([](const auto& a, const auto& b) { return select(a < b, a, b); });
    each([](const auto& a, const auto& b) { return select(a <= b, a, b); });
    each([](const auto& a, const auto& b) { return select(a > b, a, b); });
    each([](const auto& a, const auto& b) { return select(a >= b, a, b); });
    each([](const auto& a, const auto& b) {
      return select(((a > 0.5) & ~(b < 0.25)) | (b != 0.5) | (a <= -2.0), a, b);
    });
    each([](const auto& a, const auto& b) {
      return select((a >= 1.0) & (b < 1.0), within(a, 1.2, 1.5), b);
    });
    each([](const auto& a, const auto& /*b*/) { return square_root(absolute(a)); });
    each([](const auto& a, const auto& /*b*/) { return exponential(a); });
    each([](const auto& a, const auto& /*b*/) { return logarithm(absolute(a)); });
    each([](const auto& a, const auto& /*b*/) { return arc_tangent(a); });
    each([](const auto& a, const auto& /*b*/) { return arc_sine(within(a, -1.0, 1.0)); });
    each([](const auto& a, const auto& b) {
      auto sine = a;
      auto cosine = a;
      sine_and_cosine(a, sine, cosine);
      return select(b > 0.0, sine, cosine);
    });
    each([](const auto& a, const auto& /*b*/) {
      return lane_by_lane(a, [](double lane) { return lane * lane; });
    });
  }
}

TEST(PackPair, TakesAPackOrANumberForBoth) {
  const Pack a{1.0, 2.0, 3.0, 4.0};
  const Pair x(Pack{1.0, -1.0, 2.0, -2.0}, Pack{0.5, 0.25, 8.0, -4.0});
  const Pair sum = a + x;
  const Pair held = within(x, Pack{-1.0, 0.0, 0.0, -3.0}, a);
  const Pair spread_over = spread<Pair>(3.0);
  for (int l = 0; l < kLanes; ++l) {
    for (int k = 0; k < 2; ++k) EXPECT_EQ(pack_in(sum, k)[l], a[l] + pack_in(x, k)[l]);
    EXPECT_EQ(spread_over.first[l], 3.0);
    EXPECT_EQ(spread_over.second[l], 3.0);
  }
  EXPECT_EQ(held.first[1], 0.0);
  EXPECT_EQ(held.second[2], 3.0);
  EXPECT_EQ(held.second[3], -3.0);
  EXPECT_TRUE(anywhere(x < -3.0));
  EXPECT_FALSE(anywhere(x < -5.0));
}

}  // namespace
}  // namespace semirec::test
