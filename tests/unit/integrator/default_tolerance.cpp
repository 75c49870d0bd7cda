// The default tolerance lets the order of the rule be seen on a stiff model: the governor of two
// stiff couplers against two codes that agree to 1e-12.
#include <cmath>

#include <gtest/gtest.h>

#include "integrator/step.hpp"
#include "tests/support/mechanisms.hpp"
#include "tests/support/motion.hpp"

namespace semirec::test {
namespace {

/// How far the slider is from where it should be, m.
double error_of_slider(double h) {
  Simulation run(make_governor(), h);
  double worst = 0.0;
  // position above the ground, m: two independent codes, 12 digits
  for (const auto& [t, s] : {std::pair{1.0, 0.48521299109746},
                             {2.0, 0.49037504977505},
                             {5.0, 0.52315674260618},
                             {10.0, 0.61099967461755}}) {
    run.run_to(t);
    worst = std::max(worst, std::abs(run.com("slider").X.p.z() - s));
  }
  return worst;
}

TEST(DefaultTolerance, HalvingTheStepQuartersTheErrorOfTheGovernor) {
  const double h1 = error_of_slider(1e-3);
  const double h2 = error_of_slider(5e-4);
  const double h4 = error_of_slider(2.5e-4);
  // 0.3: the next terms of the error, and steps that need an iteration more than others
  EXPECT_NEAR(std::log2(h1 / h2), 2.0, 0.3) << h1 << " " << h2;
  EXPECT_NEAR(std::log2(h2 / h4), 2.0, 0.3) << h2 << " " << h4;
}

TEST(DefaultTolerance, FallsWithTheStepCubedBelowAMillisecond) {
  StepSettings settings;
  settings.h = 1e-3;
  const double at_1_ms = content_correction(settings, settings.scheme.make(settings.h));
  EXPECT_DOUBLE_EQ(at_1_ms, 2.5e-9);
  settings.h = 2.5e-4;
  EXPECT_DOUBLE_EQ(content_correction(settings, settings.scheme.make(settings.h)), at_1_ms / 64.0);
  // a tolerance of one's own is not loosened, and stands alone where the wish is taken back
  settings.tolerance = 1e-13;
  EXPECT_DOUBLE_EQ(content_correction(settings, settings.scheme.make(settings.h)), 1e-13);
}

}  // namespace
}  // namespace semirec::test
