#include "integrator/first_crossing.hpp"

#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace semirec::test {
namespace {

using Function = std::function<double(double)>;

Eigen::VectorXd values_at(const std::vector<Function>& functions, double s) {
  Eigen::VectorXd values(static_cast<Eigen::Index>(functions.size()));
  for (std::size_t k = 0; k < functions.size(); ++k)
    values[static_cast<Eigen::Index>(k)] = functions[k](s);
  return values;
}

/// Searches a step of length h; beyond `fails` there are no values.
FirstCrossing search(const std::vector<Function>& functions, double h, double fails = 1e300) {
  FirstCrossing search;
  search.start(values_at(functions, 0.0), values_at(functions, h), h);
  while (!search.is_done()) {
    const double s = search.next();
    EXPECT_GT(s, search.low());
    EXPECT_LT(s, search.high());
    if (s > fails)
      search.take_failure(s);
    else
      static_cast<void>(search.take(s, values_at(functions, s)));
  }
  return search;
}

TEST(FirstCrossingSearch, FindsTheRootOfAFunctionInFewTrials) {
  // roots by construction, anywhere in the step; slopes over six decades
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  for (int i = 0; i < 200; ++i) {
    const double h = 5e-3;
    const double root = h * uniform(random);
    const double slope = std::pow(10.0, 6.0 * uniform(random) - 3.0);
    const double curved = (2.0 * uniform(random) - 1.0) * 0.9 / h;
    const Function f = [&](double s) { return slope * (s - root) * (1.0 + curved * (s - root)); };
    const FirstCrossing found = search({f}, h);
    EXPECT_LE(found.low(), root + 1e-15 * h);
    EXPECT_GE(found.high(), root - 1e-15 * h);
    EXPECT_LE(found.high() - found.low(), 1e-12 * h);
    EXPECT_TRUE(found.has_crossed(0));
    EXPECT_LE(found.trials(), 16);
  }
}

TEST(FirstCrossingSearch, FindsTheFirstOfSeveral) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> uniform(0.01, 1.0);
  for (int i = 0; i < 100; ++i) {
    std::vector<Function> functions;
    double first = 1.0;
    for (int k = 0; k < 5; ++k) {
      const double root = uniform(random);
      const double slope = k % 2 == 0 ? uniform(random) : -uniform(random);
      first = std::min(first, root);
      functions.push_back([=](double s) { return slope * (s - root) * (1.0 + 0.3 * s * s); });
    }
    functions.push_back([](double) { return 1.0; });  // never
    const FirstCrossing found = search(functions, 1.0);
    EXPECT_NEAR(found.low(), first, 1e-12);
    EXPECT_FALSE(found.has_crossed(5));
    EXPECT_LE(found.trials(), 40);
  }
}

TEST(FirstCrossingSearch, EndsAlsoWhereNothingIsSmooth) {
  // a jump, a flat touch of tenth order, a root on the end
  EXPECT_NEAR(search({[](double s) { return s < 0.3 ? -1e-9 : 1e9; }}, 1.0).high(), 0.3, 1e-12);
  EXPECT_NEAR(search({[](double s) { return std::pow(s - 0.7, 11.0); }}, 1.0).high(), 0.7, 0.01);
  EXPECT_NEAR(search({[](double s) { return s - 1.0 + 1e-16; }}, 1.0).high(), 1.0, 1e-12);
}

TEST(FirstCrossingSearch, GoesAsFarAsThereAreValues) {
  const FirstCrossing none = search({[](double s) { return s - 0.5; }}, 1.0, 0.25);
  EXPECT_FALSE(none.has_crossed());
  EXPECT_NEAR(none.low(), 0.25, 1e-11);
  const FirstCrossing found = search({[](double s) { return s - 0.2; }}, 1.0, 0.25);
  EXPECT_TRUE(found.has_crossed());
  EXPECT_NEAR(found.low(), 0.2, 1e-12);
}

}  // namespace
}  // namespace semirec::test
