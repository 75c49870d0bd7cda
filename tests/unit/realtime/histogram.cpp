#include "apps/realtime/histogram.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace semirec::realtime {
namespace {

TEST(Histogram, QuantilesAreThoseOfTheSortedDataToAPartIn64AndNeverBelow) {
  std::mt19937 random(1);
  std::lognormal_distribution<double> spread(/*m=*/9.4, /*s=*/1.5);  // about 12 us, long tail
  Histogram histogram;
  std::vector<std::int64_t> sorted;
  double sum = 0.0;
  for (int k = 0; k < 100000; ++k) {
    sorted.push_back(static_cast<std::int64_t>(spread(random)));
    histogram.add(sorted.back());
    sum += static_cast<double>(sorted.back());
  }
  std::sort(sorted.begin(), sorted.end());
  for (const double q : {0.001, 0.1, 0.5, 0.9, 0.99, 0.999, 0.9999}) {
    const auto rank = static_cast<std::size_t>(std::ceil(q * 100000.0));
    const std::int64_t exact = sorted[rank - 1];
    EXPECT_GE(histogram.quantile(q), exact) << q;
    EXPECT_LE(histogram.quantile(q), exact + exact / 64) << q;  // the width of a bin
  }
  EXPECT_EQ(histogram.max(), sorted.back());
  EXPECT_EQ(histogram.min(), sorted.front());
  EXPECT_EQ(histogram.quantile(1.0), sorted.back());
  EXPECT_EQ(histogram.count(), 100000U);
  EXPECT_DOUBLE_EQ(histogram.mean(), sum / 100000.0);
}

TEST(Histogram, CountsShortDurationsExactly) {
  for (std::int64_t duration = 0; duration < 128; ++duration) {
    Histogram histogram;
    histogram.add(duration);
    histogram.add(1'000'000);
    EXPECT_EQ(histogram.quantile(0.5), duration);
  }
}

TEST(Histogram, HoldsEveryDurationWithinABinsWidthUpToItsLongest) {
  for (int power = 0; power <= 41; ++power)
    for (const std::int64_t off : {-1, 0, 1}) {
      const std::int64_t duration = (std::int64_t{1} << power) + off;
      Histogram histogram;
      histogram.add(duration);
      histogram.add(INT64_MAX);  // counts as 2^41
      const std::int64_t held = std::min(duration, std::int64_t{1} << 41);
      EXPECT_GE(histogram.quantile(0.5), held) << duration;
      EXPECT_LE(histogram.quantile(0.5), held + held / 64) << duration;
      EXPECT_EQ(histogram.max(), std::int64_t{1} << 41);
    }
}

TEST(Histogram, TakesTimeThatRanBackwardsAsZeroAndIsZeroWhenEmpty) {
  Histogram histogram;
  EXPECT_EQ(histogram.quantile(0.5), 0);
  EXPECT_EQ(histogram.max(), 0);
  EXPECT_EQ(histogram.min(), 0);
  EXPECT_EQ(histogram.mean(), 0.0);
  histogram.add(-5);
  EXPECT_EQ(histogram.max(), 0);
  EXPECT_EQ(histogram.count(), 1U);
}

}  // namespace
}  // namespace semirec::realtime
