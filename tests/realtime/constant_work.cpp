// Two iterations a step, always: how far from the converged mode, what an edge does, and how soon
// it is over.
#include <cmath>

#include <gtest/gtest.h>

#include "integrator/formulation/evaluate.hpp"
#include "integrator/step.hpp"
#include "tests/support/drives.hpp"

namespace semirec::test {
namespace {

struct Trace {
  std::vector<double> height;  ///< of the chassis, m, after each step
  std::vector<StepReport> reports;
};

Trace drive(const char* vehicle, const char* scenario, double h, int iterations, double until,
            int factorizations = 0) {
  ShippedDrive run = start_shipped(vehicle, scenario, {}, [&](Scenario& read) { read.step = h; });
  StepSettings settings = run.drive.settings.step;
  settings.h = h;
  settings.iterations = iterations;
  settings.factorizations = factorizations;
  const TreeIndex chassis = run.drive.model.tree.tree.tree_index(run.drive.chassis);
  Trace trace;
  while (run.state.t < until - 0.5 * h) {
    const StepReport report = step(run.drive.model, settings, run.state, run.ws);
    if (report.status != StepStatus::converged) {
      ADD_FAILURE() << name_of(report.status) << " at t = " << run.state.t;
      break;
    }
    evaluate_state(run.drive.model, run.state, run.ws);
    trace.height.push_back(run.ws.tree.origin.z() +
                           run.ws.tree.p[static_cast<std::size_t>(chassis)].z());
    trace.reports.push_back(report);
  }
  return trace;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b,
                          std::size_t every) {
  double largest = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k)
    largest = std::max(largest, std::abs(a[k] - b[(k + 1) * every - 1]));
  return largest;
}

TEST(ConstantWork, IsNoFurtherFromTheMotionThanTwiceTheConvergedMode) {
  // the motion: converged steps of 0.125 ms, whose own error is 64 times less than at 1 ms
  const Trace exact = drive("car26.xml", "shaker.xml", 1.25e-4, 0, 2.0);
  const Trace converged = drive("car26.xml", "shaker.xml", 1e-3, 0, 2.0);
  const double limit = largest_difference(converged.height, exact.height, 8);
  // with a factor for each iteration, and with one for both
  for (const int factorizations : {2, 1}) {
    const Trace constant = drive("car26.xml", "shaker.xml", 1e-3, 2, 2.0, factorizations);
    EXPECT_LE(largest_difference(constant.height, exact.height, 8), 2.0 * limit);
    for (const StepReport& report : constant.reports) {
      ASSERT_EQ(report.iterations, 2);
      ASSERT_EQ(report.factorizations, factorizations);
      ASSERT_TRUE(report.settled) << report.correction << ", " << report.Phi;
    }
  }
}

// Long steps on a suspension whose bodies turn by more than the penalty's 1/kappa within one: with
// more iterations on the first one's factor closures close, and the motion is that of the converged
// mode.
TEST(ConstantWork, ClosesWithAFactorThatHasAged) {
  const Trace converged = drive("iltis_suspension.xml", "kerb_7s.xml", 0.01, 0, 5.0);
  for (const int iterations : {3, 5, 8}) {
    const Trace aged = drive("iltis_suspension.xml", "kerb_7s.xml", 0.01, iterations, 5.0, 1);
    ASSERT_EQ(aged.height.size(), converged.height.size()) << iterations;
    double open = 0.0;
    for (const StepReport& report : aged.reports) open = std::max(open, report.Phi);
    EXPECT_LE(open, 1e-3) << iterations;
  }
}

TEST(ConstantWork, ReportsAnEdgeAndIsOverItSoon) {
  // stairs of 0.2 m met at speed, steps of 10 ms: two iterations do not settle at every edge
  const Trace converged = drive("iltis.xml", "ramp_and_stairs.xml", 0.01, 0, 8.0);
  const Trace constant = drive("iltis.xml", "ramp_and_stairs.xml", 0.01, 2, 8.0);
  int unsettled = 0;
  for (const StepReport& report : constant.reports) {
    ASSERT_EQ(report.iterations, 2);
    EXPECT_EQ(report.settled, report.correction <= 1e-6 && report.Phi <= 1e-6);
    unsettled += report.settled ? 0 : 1;
  }
  EXPECT_GT(unsettled, 0);
  ASSERT_EQ(constant.height.size(), converged.height.size());
  // a hundredth of a stair's height on the way, the bound of a settled step at the end
  EXPECT_LE(largest_difference(constant.height, converged.height, 1), 2e-3);
  EXPECT_LE(std::abs(constant.height.back() - converged.height.back()), 1e-6);
  EXPECT_TRUE(constant.reports.back().settled);
}

}  // namespace
}  // namespace semirec::test
