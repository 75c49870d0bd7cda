// Steps of a length of their own: their errors follow the tolerance, the estimate is that of the
// scheme, records lie between the steps, and a run that cannot hold its tolerance says why.

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "integrator/compile.hpp"
#include "integrator/simulation.hpp"
#include "tests/support/mechanisms.hpp"
#include "tests/support/motion.hpp"

namespace semirec::test {
namespace {

using V = Eigen::Vector3d;

constexpr double kOmega = 5.0;  // rad/s

/// 2 kg on a slide along z against a spring of 50 N/m, at 1 m/s through its rest position.
Mechanism make_slow_oscillator() {
  Mechanism m;
  m.name = "oscillator";
  m.gravity.setZero();
  const BodyIndex mass = add_body(m, "mass", 2.0, Frame{}, Eigen::Matrix3d::Identity());
  add_joint(m, "slide", JointType::prismatic, kGround, mass, Frame{});
  m.joints.back().velocity = {1.0};
  add_spring(m, "spring", kGround, mass, V(0, 0, -1), V::Zero(), 50.0, 1.0, 0.0);
  return m;
}

struct Controlled {
  RunReport report;
  std::vector<double> t, x, v;  ///< records
};

Controlled drive_oscillator(const SchemeChoice& scheme, double tolerance, double record = 0.0,
                            bool printed = false,
                            const std::function<void(const State&)>& see = {}) {
  Simulation run(make_slow_oscillator(), 1e-3);
  RunSettings settings;
  settings.until = 2.0;
  settings.step = run.settings;
  settings.step.scheme = scheme;
  settings.control.tolerance = tolerance;
  settings.control.printed = printed;
  settings.record = record;
  Controlled result;
  RunObserver observer;
  observer.record = [&](const State& state, const Energy&) {
    result.t.push_back(state.t);
    result.x.push_back(state.z[0]);
    result.v.push_back(state.zd[0]);
    return true;
  };
  if (see) observer.see = [&](const State& state, const Energy&) { see(state); };
  result.report = semirec::run(run.model, settings, run.state, run.ws, observer);
  return result;
}

std::vector<SchemeChoice> controlled_schemes() {
  return {SchemeChoice{}, choose_scheme("hht", {{"alpha", -0.3}}),
          choose_scheme("generalized_alpha", {{"rho", 0.5}}), choose_scheme("nstiff", {})};
}

double largest_error(const Controlled& run) {
  double error = 0.0;
  for (std::size_t k = 0; k < run.t.size(); ++k)
    error = std::max(error, std::abs(run.x[k] - std::sin(kOmega * run.t[k]) / kOmega));
  return error;
}

TEST(StepControl, FollowsTheToleranceAsAMethodOfSecondOrderDoes) {
  for (const SchemeChoice& scheme : controlled_schemes()) {
    SCOPED_TRACE(describe(scheme));
    const Controlled coarse = drive_oscillator(scheme, 1e-4);
    const Controlled fine = drive_oscillator(scheme, 1e-6);
    ASSERT_EQ(coarse.report.status, RunStatus::finished) << coarse.report.message;
    ASSERT_EQ(fine.report.status, RunStatus::finished) << fine.report.message;
    EXPECT_DOUBLE_EQ(fine.t.back(), 2.0);
    // local errors of h^3 at a hundredth: steps shorter by 100^(1/3), errors by 100^(2/3); room for
    // the steps at the start and for the lengths that are kept
    const double steps = static_cast<double>(fine.report.control.steps) /
                         static_cast<double>(coarse.report.control.steps);
    EXPECT_NEAR(std::log(steps) / std::log(100.0), 1.0 / 3.0, 0.06);
    EXPECT_NEAR(std::log(largest_error(coarse) / largest_error(fine)) / std::log(100.0), 2.0 / 3.0,
                0.12);
    EXPECT_LE(fine.report.control.error, 1.0);
  }
}

TEST(StepControl, PrintedConstantOfHhtAsksForShorterSteps) {
  const SchemeChoice hht = choose_scheme("hht", {{"alpha", -0.3}});
  const Controlled corrected = drive_oscillator(hht, 1e-6);
  const Controlled printed = drive_oscillator(hht, 1e-6, 0.0, true);
  // (0.1844/0.1058)^(1/3) = 1.204: beta - 1/(6 (1 + alpha)) over beta + alpha/2 - 1/6
  EXPECT_NEAR(static_cast<double>(printed.report.control.steps) /
                  static_cast<double>(corrected.report.control.steps),
              1.204, 0.05);
}

TEST(StepControl, RecordsLieOnTheirGridBetweenTheSteps) {
  const Controlled run = drive_oscillator(choose_scheme("hht", {}), 1e-5, 0.01);
  ASSERT_EQ(run.t.size(), 201U);
  for (std::size_t k = 0; k < run.t.size(); ++k) ASSERT_NEAR(run.t[k], 0.01 * double(k), 1e-12);
  EXPECT_LT(run.report.control.steps, 150);
  // no more than ten times the error of the steps' own ends
  const double at_ends = largest_error(drive_oscillator(choose_scheme("hht", {}), 1e-5));
  EXPECT_LE(largest_error(run), 10.0 * at_ends);
  for (std::size_t k = 0; k < run.t.size(); ++k)
    EXPECT_NEAR(run.v[k], std::cos(kOmega * run.t[k]), 100.0 * at_ends);
}

// Whoever looks at the motion sees the ends of all steps, wherever records lie: those that a run
// has that records at every step.
TEST(StepControl, EveryStepIsSeenWhateverTheRecords) {
  const Controlled every = drive_oscillator(choose_scheme("hht", {}), 1e-5);
  for (const double record : {0.0, 0.01, 0.7, 10.0}) {
    std::vector<double> t, x;
    drive_oscillator(choose_scheme("hht", {}), 1e-5, record, false, [&](const State& state) {
      t.push_back(state.t);
      x.push_back(state.z[0]);
    });
    EXPECT_EQ(t, every.t) << record;
    EXPECT_EQ(x, every.x) << record;
  }
}

TEST(StepControl, KeepsTheFactorOfATreeOverItsSteps) {
  const RunReport report = drive_oscillator(SchemeChoice{}, 1e-6).report;
  EXPECT_EQ(report.control.renewed_rows, 0);
  EXPECT_LT(report.factorizations, report.control.steps / 2);
}

// The projections need the rows of each step, whose later iterations keep its factor.
TEST(StepControl, FactorsOnceAStepWhereThereAreClosures) {
  Simulation run(make_slider_crank({.crank_angle = 1.0, .crank_rate = 8.0, .damping = 5.0}), 1e-4);
  RunSettings settings;
  settings.until = 2.0;
  settings.step = run.settings;
  settings.step.scheme = choose_scheme("hht", {{"alpha", -0.3}});
  settings.control.tolerance = 1e-5;
  const RunReport report = semirec::run(run.model, settings, run.state, run.ws);
  ASSERT_EQ(report.status, RunStatus::finished) << report.message;
  const ControlReport& control = report.control;
  EXPECT_LE(report.Phi, settings.step.tolerance);
  EXPECT_EQ(report.factorizations >= 1, true);
  // an aged factor slows the iteration down and does not spoil it
  EXPECT_EQ(control.newton_rejections, 0);
  EXPECT_GE(control.renewed_none, 1);
  EXPECT_GE(control.renewed_rows, 1);
  EXPECT_LE(
      control.renewed_none + control.renewed_length + control.renewed_slow + control.renewed_rows,
      report.factorizations);
  EXPECT_LE(report.factorizations, control.steps + control.error_rejections + control.renewed_slow);
  EXPECT_GT(report.iterations_total, 2 * report.factorizations);
}

TEST(StepControl, SaysWhichComponentFailsTheTestWhereTheStepGetsTooShort) {
  Simulation run(make_slow_oscillator(), 1e-3);
  RunSettings settings;
  settings.until = 2.0;
  settings.step = run.settings;
  settings.control.tolerance = 1e-12;
  settings.control.smallest = 5e-4;
  const RunReport report = semirec::run(run.model, settings, run.state, run.ws);
  EXPECT_EQ(report.status, RunStatus::failed);
  EXPECT_NE(report.message.find("joint 'slide'"), std::string::npos) << report.message;
}

}  // namespace
}  // namespace semirec::test
