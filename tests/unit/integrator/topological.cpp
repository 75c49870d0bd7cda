// The topological formulation: loops closed at all levels in every step, a set of independent
// coordinates that is chosen anew where it no longer tells the motion, multipliers that balance the
// accelerations handed out, and states that can be copied.

#include <algorithm>
#include <cmath>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "integrator/compile.hpp"
#include "integrator/formulation/evaluate.hpp"
#include "integrator/simulation.hpp"
#include "integrator/statics/initial_conditions.hpp"
#include "integrator/step.hpp"
#include "tests/support/expect_close.hpp"
#include "tests/support/mechanisms.hpp"
#include "tests/support/motion.hpp"
#include "tests/support/random_mechanism.hpp"
#include "tests/support/shared_cases.hpp"

namespace semirec::test {
namespace {

std::vector<SharedCase> cases_with_loops() {
  std::vector<SharedCase> some;
  for (const SharedCase& c : shared_cases())
    if (compile(c.make()).m() > 0) some.push_back(c);
  return some;
}

class TopologicalLoops : public testing::TestWithParam<SharedCase> {};

INSTANTIATE_TEST_SUITE_P(All, TopologicalLoops, testing::ValuesIn(cases_with_loops()),
                         [](const auto& test) { return std::string(test.param.name); });

TEST_P(TopologicalLoops, AreClosedAtAllLevelsAfterEveryStep) {
  Simulation run(GetParam().make(), GetParam().h, Formulation::topological);
  for (int k = 0; k < 20; ++k) {
    const StepReport report = run.advance();
    evaluate_state(run.model, run.state, run.ws);
    const ClosureWorkspace& closures = run.ws.closures;
    const auto largest = [](const Eigen::VectorXd& v) { return v.cwiseAbs().maxCoeff(); };
    // positions by Newton to the tolerance; rates and accelerations by one elimination, which
    // leaves round-off of what is eliminated
    EXPECT_LE(largest(closures.Phi), run.settings.tolerance);
    // the rest is round-off of triads that became reference rotations
    expect_close(report.Phi, largest(closures.Phi), 0.0, 1e-14);
    const double rate = 1.0 + largest(run.state.zd);
    const double acceleration = rate * rate + largest(run.state.zdd);
    EXPECT_LE(largest(closures.Phid), 1e-12 * rate);
    EXPECT_LE(largest(closures.Phidd), 1e-12 * acceleration);
    // what is not independent is told by what is
    EXPECT_EQ(static_cast<int>(run.state.independent.size()),
              run.model.n() - find_closure_rank(run.model, run.state, run.ws).rank);
  }
}

TEST_P(TopologicalLoops, HandOutMultipliersThatBalanceTheirAccelerations) {
  Simulation run(GetParam().make(), GetParam().h, Formulation::topological);
  for (int k = 0; k < 5; ++k) (void)run.advance();
  begin_evaluation(run.model, run.state, run.state.t, run.ws);
  evaluate_dynamics(run.model, run.state.z.data(), run.state.zd.data(), run.state.zdd.data(), {},
                    run.ws);
  const Eigen::MatrixXd Phi_z = dense_jacobian(run.model.closures, run.ws.closures, run.model.n());
  const Eigen::VectorXd left_over =
      run.ws.tree.residual + Phi_z.transpose() * run.state.multipliers;
  // Phi_zd^T lambda = Q - M zdd exactly in the dependent coordinates
  for (int i = 0; i < run.model.n(); ++i) {
    const auto& free = run.state.independent;
    if (std::binary_search(free.begin(), free.end(), i)) continue;
    expect_close(left_over[i], 0.0, 0.0,
                 1e-10 * (1.0 + run.ws.tree.residual.cwiseAbs().maxCoeff()));
  }
}

TEST_P(TopologicalLoops, HaveTheMultipliersOfTheHybridFormulation) {
  Simulation run(GetParam().make(), GetParam().h, Formulation::topological);
  // the least that Newton may leave over counts 4/h^2 times
  run.settings.tolerance = 1e-12;
  for (int k = 0; k < 20; ++k) (void)run.advance();
  const Model hybrid = compile(GetParam().make());
  Workspace ws(hybrid);
  State state = run.state;
  const ClosureRank rank = find_closure_rank(hybrid, state, ws);
  if (rank.rank < rank.rows) GTEST_SKIP() << "redundant closures share their multipliers freely";
  // solved for anew by the augmented Lagrangian from the same positions and rates
  ASSERT_TRUE(find_accelerations(hybrid, state, ws));
  expect_close(run.state.zdd, state.zdd, 1e-6, 0.0);
  expect_close(run.state.multipliers, state.multipliers, 1e-6, 0.0);
}

/// Steps of a double four-bar for ten seconds.
struct Passes {
  int flat = 0;
  double energy = 0.0;  ///< deviation of largest size, J
  StepStatus status = StepStatus::converged;
  double t = 0.0;
};

Passes swing(Simulation& bars) {
  Marker tip;
  tip.body = 0;
  tip.X_BF.p.x() = 0.5;
  Passes passes;
  const double start = bars.stored_energy();
  double height = bars.motion(tip).X.p.y();
  while (bars.state.t < 10.0 - 1e-9) {
    const StepReport report = step(bars.model, bars.settings, bars.state, bars.ws);
    passes.status = report.status;
    passes.t = bars.state.t;
    if (report.status != StepStatus::converged) return passes;
    const double now = bars.motion(tip).X.p.y();
    if (now * height < 0.0) ++passes.flat;
    height = now;
    const double deviation = bars.stored_energy() - start;
    if (std::abs(deviation) > std::abs(passes.energy)) passes.energy = deviation;
  }
  return passes;
}

struct Swing {
  double h;
  double hybrid;  ///< energy deviation of the hybrid formulation, by a program of its own, J
};
std::ostream& operator<<(std::ostream& out, const Swing& s) { return out << "h = " << s.h; }

class TopologicalFourBars : public testing::TestWithParam<Swing> {};

TEST_P(TopologicalFourBars, PassTenSingularPositionsWhateverTheSetAtTheStart) {
  for (const LoopKind kind : {LoopKind::revolute, LoopKind::planar}) {
    // flat, all sets are as bad: none need be chosen anew
    for (int first = 0; first < 5; ++first) {
      SCOPED_TRACE(first);
      Simulation bars(make_four_bars(2, kind), GetParam().h, Formulation::topological);
      bars.state.independent = {first};
      const Passes passes = swing(bars);
      EXPECT_EQ(passes.status, StepStatus::converged) << "t = " << passes.t;
      EXPECT_EQ(passes.flat, 10);
      // the paths of the two are the same parallelogram: half of the fourth digit
      expect_close(passes.energy, GetParam().hybrid, 0.0, 5.1e-5);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(PaperTable1, TopologicalFourBars,
                         testing::Values(Swing{0.01, -0.0137}, Swing{0.03, -0.1228},
                                         Swing{0.05, -0.3403}, Swing{0.10, -1.3428}));

/// A crank that turns fully and its rocker, told by the rocker's angle: at the rocker's ends it
/// tells the crank no more.
Simulation told_by_the_rocker() {
  Simulation run(make_rssr(Coupler::massless), 1e-3, Formulation::topological);
  const auto& tree = run.model.tree;
  const JointIndex rocker = find_joint(run.model.mechanism, "rocker_pin");
  const auto t =
      static_cast<std::size_t>(tree.tree.branch_of_joint[static_cast<std::size_t>(rocker)]);
  run.state.independent = {tree.bodies[t].z};
  return run;
}

TEST(TopologicalSets, FailWhereTheyNoLongerTellTheMotion) {
  Simulation rocker = told_by_the_rocker();
  RunSettings settings;
  settings.step = rocker.settings;
  settings.step.reselect = false;
  settings.until = 2.0;
  const RunReport report = run(rocker.model, settings, rocker.state, rocker.ws);
  EXPECT_EQ(report.status, RunStatus::failed);
  EXPECT_EQ(report.failure, StepStatus::independent_set_degenerate);
  EXPECT_THAT(report.message, testing::HasSubstr(name_of(report.failure)));
  EXPECT_THAT(report.message, testing::HasSubstr("'coupler'"));
  // and no sooner: the rocker's first end, where its rate vanishes
  EXPECT_GT(rocker.state.t, 0.2);
  expect_close(rocker.zd("rocker_pin"), 0.0, 0.0, 0.05);
}

TEST(TopologicalSets, AreChosenAnewWhereTheyNoLongerTellTheMotion) {
  Simulation rocker = told_by_the_rocker();
  RunSettings settings;
  settings.step = rocker.settings;
  settings.until = 2.0;
  const RunReport report = run(rocker.model, settings, rocker.state, rocker.ws);
  EXPECT_EQ(report.status, RunStatus::finished) << report.message;
  EXPECT_GE(report.reselections, 1);
  EXPECT_EQ(report.substeps, 0);
  // the hybrid formulation's way, to the error of both: h^2 w^3 t / 12 with w of 20 rad/s
  Simulation hybrid(make_rssr(Coupler::massless), 1e-3);
  hybrid.run_to(2.0);
  expect_close(rocker.z("crank_pin"), hybrid.z("crank_pin"), 0.0, 1.5e-2);
}

TEST(TopologicalSets, GoOnBitForBitFromACopiedState) {
  // through several singular positions
  Simulation bars(make_four_bars(2), 0.03, Formulation::topological);
  for (const double until : {1.2, 2.4, 3.6, 4.8}) {
    bars.run_to(until);
    const State kept = bars.state;
    Simulation straight(make_four_bars(2), 0.03, Formulation::topological);
    straight.run_to(until);
    State fresh = kept;
    Workspace own(bars.model);
    for (int k = 0; k < 150; ++k) {
      const StepReport a = step(straight.model, straight.settings, straight.state, straight.ws);
      const StepReport b = step(bars.model, bars.settings, fresh, own);
      ASSERT_EQ(a.reselections, b.reselections) << "from " << until << ", step " << k;
      ASSERT_EQ(straight.state.independent, fresh.independent)
          << "from " << until << ", step " << k;
      ASSERT_EQ(straight.state.z, fresh.z) << "from " << until << ", step " << k;
      ASSERT_EQ(straight.state.zdd, fresh.zdd) << "from " << until << ", step " << k;
    }
  }
}

TEST(TopologicalSets, GoOnBitForBitThroughANewSet) {
  Simulation straight = told_by_the_rocker();
  straight.run_to(0.1);
  State copy = straight.state;
  Workspace own(straight.model);
  int reselections = 0;
  for (int k = 0; k < 400; ++k) {
    const StepReport a = straight.advance();
    const StepReport b = step(straight.model, straight.settings, copy, own);
    reselections += a.reselections;
    ASSERT_EQ(a.reselections, b.reselections) << "step " << k;
    ASSERT_EQ(straight.state.independent, copy.independent) << "step " << k;
    ASSERT_EQ(straight.state.z, copy.z) << "step " << k;
  }
  EXPECT_GT(reselections, 0);
}

TEST(TopologicalSets, GoOnBitForBitInAWorkspaceThatHasServedAnotherState) {
  Simulation bars(make_four_bars(2), 0.03, Formulation::topological);
  Simulation other(make_four_bars(2), 0.03, Formulation::topological);
  other.state.independent = {2};
  other.run_to(2.4);
  bars.run_to(1.2);
  State again = bars.state;
  for (int k = 0; k < 100; ++k) {
    (void)bars.advance();
    (void)step(bars.model, bars.settings, again, other.ws);
    ASSERT_EQ(bars.state.independent, again.independent) << "step " << k;
    ASSERT_EQ(bars.state.z, again.z) << "step " << k;
  }
}

TEST(TopologicalSteps, LeaveTheStateAloneWhenTheyFail) {
  Simulation bars(make_four_bars(2), 0.03, Formulation::topological);
  bars.run_to(0.6);
  const State before = bars.state;
  bars.settings.max_iterations = 1;
  bars.settings.tolerance = 1e-14;
  const StepReport report = step(bars.model, bars.settings, bars.state, bars.ws);
  EXPECT_NE(report.status, StepStatus::converged);
  EXPECT_EQ(bars.state.t, before.t);
  EXPECT_EQ(bars.state.z, before.z);
  EXPECT_EQ(bars.state.zd, before.zd);
  EXPECT_EQ(bars.state.zdd, before.zdd);
  EXPECT_EQ(bars.state.independent, before.independent);
}

}  // namespace
}  // namespace semirec::test
