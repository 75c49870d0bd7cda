// The contract of a step and of a run: statuses, what is touched, restarts, events, energy.

#include "integrator/step.hpp"

#include <cmath>
#include <functional>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "integrator/compile.hpp"
#include "integrator/formulation/evaluate.hpp"
#include "integrator/formulation/formulation_state.hpp"
#include "integrator/outputs/recorder.hpp"
#include "integrator/simulation.hpp"
#include "integrator/statics/initial_conditions.hpp"
#include "recursive/kinematics.hpp"
#include "tests/support/expect_close.hpp"
#include "tests/support/mechanisms.hpp"
#include "tests/support/random_mechanism.hpp"
#include "tests/support/state_numbers.hpp"

namespace semirec::test {
namespace {

using testing::HasSubstr;
using V = Eigen::Vector3d;

/// A force law made of a function, to break things with.
class Trouble final : public ForceElement {
 public:
  /// Of the sink and the connection from the ground to the first body.
  using Law = std::function<void(ForceSink&, int)>;
  explicit Trouble(Law law) : ForceElement("trouble", {}), law_(std::move(law)) {}
  void bind(const Mechanism&, TreeModel& model) override {
    connection_ = model.connect(kGround, 0);
  }
  void add_forces(const ForceInput&, ForceSink& out) const override { law_(out, connection_); }
  ForcePower report(const ForceInput&, double*) const override { return {}; }

 private:
  Law law_;
  int connection_ = -1;
};

Model compile_with(const Mechanism& mechanism, Trouble::Law law) {
  std::vector<std::unique_ptr<ForceElement>> extra;
  extra.push_back(std::make_unique<Trouble>(std::move(law)));
  return compile(mechanism, std::move(extra));
}

/// The two-loop mechanism under way.
struct Loops {
  Model model = compile(make_loop_mechanism(1));
  Workspace ws{model};
  State state = make_initial_state(model);
  StepSettings settings;
  Loops() {
    settings.h = 2e-3;
    initialize(model, settings, state, ws);
  }
};

TEST(Step, ConvergesAndMeetsTheClosuresAtAllLevels) {
  Loops loops;
  for (int k = 0; k < 50; ++k) {
    const StepReport report = step(loops.model, loops.settings, loops.state, loops.ws);
    ASSERT_EQ(report.status, StepStatus::converged);
    EXPECT_LE(report.correction, loops.settings.tolerance);
    EXPECT_EQ(report.factorizations, report.iterations);
    evaluate_state(loops.model, loops.state, loops.ws);
    EXPECT_LE(loops.ws.closures.Phi.cwiseAbs().maxCoeff(), loops.settings.tolerance);
    // one projection divides the errors before it (1e-1 m/s here) by about kappa = 1e6
    EXPECT_LE(loops.ws.closures.Phid.cwiseAbs().maxCoeff(), 1e-6);
    EXPECT_LE(loops.ws.closures.Phidd.cwiseAbs().maxCoeff(), 1e-3);
  }
  EXPECT_NEAR(loops.state.t, 0.1, 1e-12);
}

TEST(Step, SecondProjectionIsTighter) {
  Loops one;
  Loops two;
  two.settings.projections = 2;
  double worst_one = 0.0;
  double worst_two = 0.0;
  for (int k = 0; k < 20; ++k) {
    ASSERT_EQ(step(one.model, one.settings, one.state, one.ws).status, StepStatus::converged);
    ASSERT_EQ(step(two.model, two.settings, two.state, two.ws).status, StepStatus::converged);
    evaluate_state(one.model, one.state, one.ws);
    evaluate_state(two.model, two.state, two.ws);
    worst_one = std::max(worst_one, one.ws.closures.Phidd.cwiseAbs().maxCoeff());
    worst_two = std::max(worst_two, two.ws.closures.Phidd.cwiseAbs().maxCoeff());
  }
  EXPECT_LT(worst_two, 0.1 * worst_one);
}

TEST(Step, MultipliersAreThoseOfTheProjectedAccelerations) {
  // against fresh index-1 solutions at the same states, root mean square over the run. Bushings
  // whose damping outweighs the mass at these steps (h C/2 against M) hold the second order back,
  // which tests/oracle/order.cpp shows without them: here the error is small and falls at least
  // like the step
  double error[2];
  double size = 0.0;
  for (const int halving : {0, 1}) {
    Loops loops;
    const int stride = halving == 0 ? 1 : 2;
    loops.settings.h = 4e-3 / stride;
    double sum = 0.0;
    for (int k = 1; k <= 50 * stride; ++k) {
      ASSERT_EQ(step(loops.model, loops.settings, loops.state, loops.ws).status,
                StepStatus::converged);
      if (k % stride != 0) continue;
      State exact = loops.state;
      ASSERT_TRUE(find_accelerations(loops.model, exact, loops.ws));
      sum += (loops.state.multipliers - exact.multipliers).squaredNorm();
      size = std::max(size, exact.multipliers.norm());
    }
    error[halving] = std::sqrt(sum / 50.0);
  }
  EXPECT_LE(error[1], 1e-5 * size);
  EXPECT_GT(error[0] / error[1], 2.0);
}

TEST(Step, LeavesTheStateAloneUnlessItConverges) {
  Loops loops;
  const State before = loops.state;
  loops.settings.max_iterations = 1;
  loops.settings.tolerance = 1e-15;
  const StepReport report = step(loops.model, loops.settings, loops.state, loops.ws);
  EXPECT_EQ(report.status, StepStatus::iteration_limit);
  EXPECT_EQ(report.iterations, 1);
  EXPECT_TRUE(same_bits(before, loops.state));
}

TEST(Step, InConstantWorkModeDoesExactlyTheIterationsAskedFor) {
  for (const int iterations : {1, 2, 3}) {
    Loops loops;
    loops.settings.iterations = iterations;
    loops.settings.tolerance = 1e-15;  // has no say
    for (int k = 0; k < 20; ++k) {
      const StepReport report = step(loops.model, loops.settings, loops.state, loops.ws);
      EXPECT_EQ(report.status, StepStatus::converged);
      EXPECT_EQ(report.iterations, iterations);
      EXPECT_EQ(report.factorizations, iterations);
      // the closures stay shut without any test for it
      EXPECT_LE(report.Phi, 1e-5);
    }
    EXPECT_NEAR(loops.state.t, 0.04, 1e-12);
  }
}

TEST(Step, TwoIterationsAreAsGoodAsConvergence) {
  // the second-order predictor leaves 2 iterations nothing visible to do
  Loops converged;
  Loops fixed;
  fixed.settings.iterations = 2;
  for (int k = 0; k < 50; ++k) {
    ASSERT_EQ(step(converged.model, converged.settings, converged.state, converged.ws).status,
              StepStatus::converged);
    ASSERT_EQ(step(fixed.model, fixed.settings, fixed.state, fixed.ws).status,
              StepStatus::converged);
  }
  const auto a = find_body_poses(converged.model, converged.state, converged.ws);
  const auto b = find_body_poses(fixed.model, fixed.state, fixed.ws);
  // the error of the rule itself is about 1e-5 m at this step
  for (std::size_t k = 0; k < a.size(); ++k) expect_close(b[k].p, a[k].p, 0.0, 1e-5);
}

// A force that the tangent takes for one of another size: Newton's corrections shrink by a tenth an
// iteration only, and a small one says nothing of how many are to come. Expected by the momentum:
// what a constant push makes of a free mass, whatever the law that holds it to nothing.
TEST(Step, ASmallCorrectionAmongMoreOfItsSizeIsNotTheLast) {
  constexpr double kHeld = 2e6;  // N s/m in the tangent, and nowhere else
  Mechanism mechanism;
  Body body;
  body.name = "mass";
  body.mass = 100.0;
  body.inertia.setIdentity();
  mechanism.bodies = {body};
  Joint slide;
  slide.name = "slide";
  slide.type = JointType::prismatic;
  slide.b.body = 0;
  mechanism.joints = {slide};
  const Model model = compile_with(mechanism, [](ForceSink& out, int connection) {
    Vector6 line = Vector6::Zero();
    line[2] = 1.0;  // the joint's axis
    out.add_wrench(1, 1000.0 * line);
    out.add_line_force(connection, line, 0.0, 0.0, kHeld);
  });
  State state = make_initial_state(model);
  Workspace ws(model);
  StepSettings settings;
  settings.h = 1e-3;
  settings.max_iterations = 500;
  const double push = 1000.0 / body.mass + model.tree.gravity.z();
  state.zdd[0] = 0.0;  // the rule takes the mean with it in the first step
  for (int k = 0; k < 100; ++k)
    ASSERT_EQ(step(model, settings, state, ws).status, StepStatus::converged) << k;
  const double expected = push * (0.1 - 0.5 * settings.h);
  EXPECT_NEAR(state.zd[0], expected, 1e-2 * expected);
}

TEST(Step, TangentThatIsNotPositiveDefiniteIsReported) {
  const Mechanism mechanism = make_pendulum();
  double inertia = 0.0;
  const Model model = compile_with(mechanism, [&](ForceSink& out, int connection) {
    out.add_six_axis_tangent(connection, -inertia * Matrix6::Identity());
  });
  for (const int iterations : {0, 2}) {
    State state = make_initial_state(model);
    Workspace ws(model);
    inertia = 0.0;
    initialize(model, {}, state, ws);
    inertia = 1e6;  // takes more mass away than there is
    const State before = state;
    StepSettings settings;
    settings.iterations = iterations;
    EXPECT_EQ(step(model, settings, state, ws).status, StepStatus::tangent_not_positive_definite);
    EXPECT_TRUE(same_bits(before, state));
  }
}

TEST(Step, NumbersThatAreNotFiniteAreReported) {
  const Mechanism mechanism = make_pendulum();
  double bad = 0.0;
  const Model model = compile_with(
      mechanism, [&](ForceSink& out, int) { out.add_coordinate_force(0, -bad, 0.0, 0.0); });
  for (const double value :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    for (const int iterations : {0, 1, 2}) {
      State state = make_initial_state(model);
      Workspace ws(model);
      bad = 0.0;
      initialize(model, {}, state, ws);
      bad = value;
      const State before = state;
      StepSettings settings;
      settings.iterations = iterations;
      EXPECT_EQ(step(model, settings, state, ws).status, StepStatus::non_finite) << iterations;
      EXPECT_TRUE(same_bits(before, state));
    }
  }
}

TEST(Step, StructureThatCannotMoveIsLegal) {
  // no coordinate at all: a body welded to the ground, held by a spring besides
  Mechanism m;
  m.name = "post";
  Frame X;
  X.p = V(0.0, 0.0, 1.0);
  add_body(m, "post", 1.0, X, Eigen::Matrix3d::Identity());
  add_joint(m, "weld", JointType::fixed, kGround, 0, {});
  add_spring(m, "stay", kGround, 0, V(1, 0, 0), X.p, 100.0, 1.0, 2.0);
  const Model model = compile(m);
  EXPECT_EQ(model.n(), 0);
  State state = make_initial_state(model);
  Workspace ws(model);
  initialize(model, {}, state, ws);
  EXPECT_EQ(step(model, {}, state, ws).status, StepStatus::converged);
  EXPECT_EQ(state.t, StepSettings{}.h);
}

TEST(Step, EachStatusHasAName) {
  EXPECT_STREQ(name_of(StepStatus::converged), "converged");
  EXPECT_STREQ(name_of(StepStatus::iteration_limit), "iteration limit");
  EXPECT_STREQ(name_of(StepStatus::tangent_not_positive_definite), "tangent not positive definite");
  EXPECT_STREQ(name_of(StepStatus::non_finite), "not finite");
}

TEST(Rebase, MovesNothing) {
  const Model model = compile(make_tree_of_all_joints(4));
  State state = make_random_state(model, 5);
  // increments of half a radian in the triads, the origin some metres from the reference body
  for (const JointMotion& motion : model.tree.motions)
    if (motion.kind == JointMotion::Kind::triad)
      state.z.segment<3>(motion.z) = 0.5 * V(1.0, -0.5, 0.3);
  Workspace ws(model);
  const auto before = find_body_poses(model, state, ws);
  rebase(model, state);
  const auto after = find_body_poses(model, state, ws);
  for (std::size_t b = 0; b < before.size(); ++b) {
    expect_close(after[b].A, before[b].A, 0.0, 1e-14);
    expect_close(after[b].p, before[b].p, 0.0, 1e-14);
  }
  for (const JointMotion& motion : model.tree.motions)
    if (motion.kind == JointMotion::Kind::triad)
      expect_close(Eigen::VectorXd(state.z.segment<3>(motion.z)), V::Zero(), 0.0, 0.0);
  const TreeBody& reference =
      model.tree.bodies[static_cast<std::size_t>(model.tree.reference_body)];
  // the origin lies on a grid of 2^-10 m; z keeps the rest, at most half a cell along each axis
  EXPECT_LE(Eigen::VectorXd(state.z.segment<3>(reference.z)).norm(), std::sqrt(3.0) * 0x1p-11);
}

TEST(State, CopyGoesOnBitForBit) {
  Loops loops;
  for (int k = 0; k < 10; ++k)
    ASSERT_EQ(step(loops.model, loops.settings, loops.state, loops.ws).status,
              StepStatus::converged);
  State copy = loops.state;
  Workspace other(loops.model);  // knows nothing of the steps before
  for (int k = 0; k < 10; ++k) {
    ASSERT_EQ(step(loops.model, loops.settings, loops.state, loops.ws).status,
              StepStatus::converged);
    ASSERT_EQ(step(loops.model, loops.settings, copy, other).status, StepStatus::converged);
    ASSERT_TRUE(same_bits(loops.state, copy)) << "step " << k;
  }
}

TEST(State, RetryWithASmallerStepStartsFromTheSamePlace) {
  Loops loops;
  StepSettings hopeless = loops.settings;
  hopeless.max_iterations = 1;
  hopeless.tolerance = 1e-16;
  State copy = loops.state;
  ASSERT_EQ(step(loops.model, hopeless, loops.state, loops.ws).status, StepStatus::iteration_limit);
  ASSERT_EQ(step(loops.model, loops.settings, loops.state, loops.ws).status, StepStatus::converged);
  Workspace fresh(loops.model);
  ASSERT_EQ(step(loops.model, loops.settings, copy, fresh).status, StepStatus::converged);
  EXPECT_TRUE(same_bits(loops.state, copy));
}

// A point on a massless rod of 1 m, free in x and y. One Newton iteration a step closes the rod
// while it turns slowly; at 1e5 m/s, a hundred metres a step, it does not.
TEST(Step, RefusesWhatNoClosureHoldsTogetherAnyMore) {
  Mechanism m;
  m.name = "sling";
  Frame start;
  start.p = V::UnitX();
  add_body(m, "cart", 1.0, start, Eigen::Matrix3d::Zero());
  add_body(m, "bob", 1.0, start, Eigen::Matrix3d::Zero());
  add_joint(m, "along", JointType::prismatic, kGround, 0, make_frame(V::UnitX(), V::UnitX()));
  add_joint(m, "across", JointType::prismatic, 0, 1, make_frame(V::UnitX(), V::UnitY()));
  add_massless_rod(m, "rod", kGround, 1, V::Zero(), V::UnitX());
  const Model model = compile(m);
  Workspace ws(model);
  StepSettings settings;
  settings.iterations = 1;
  const auto start_at = [&](double speed) {
    State state = make_initial_state(model);
    state.zd[1] = speed;
    initialize(model, settings, state, ws);
    return state;
  };
  State slow = start_at(1.0);
  EXPECT_EQ(step(model, settings, slow, ws).status, StepStatus::converged);
  const State fast = start_at(1e5);
  State tried = fast;
  const StepReport lost = step(model, settings, tried, ws);
  EXPECT_EQ(lost.status, StepStatus::closures_lost);
  EXPECT_GT(lost.Phi, kLostClosure);
  EXPECT_EQ(name_of_row(model, lost.worst_row), "rod");
  EXPECT_TRUE(same_bits(fast, tried));
}

/// A body of 2 kg that slides along x, pushed by an input.
Mechanism make_pushed(const Curve& force) {
  Mechanism m;
  m.name = "pushed";
  add_body(m, "wagon", 2.0, {}, Eigen::Matrix3d::Zero());
  add_joint(m, "rail", JointType::prismatic, kGround, 0, make_frame(V::Zero(), V::UnitX()));
  const InputIndex push = add_input(m, "push", force);
  AppliedLoad load;
  load.name = "load";
  load.at.body = 0;
  load.input = push;
  m.loads.push_back(load);
  return m;
}

struct Ran {
  RunReport report;
  State state;
};
Ran run_from_start(const Model& model, const RunSettings& settings) {
  Ran ran;
  Workspace ws(model);
  ran.state = make_initial_state(model);
  initialize(model, settings.step, ran.state, ws);
  ran.report = run(model, settings, ran.state, ws);
  return ran;
}

TEST(Run, CutsItsStepsWhereAnInputJumps) {
  // 0 N up to t = 0.0105, then 10 N: constant accelerations are exact for the trapezoidal rule when
  // the jump lies on the end of a step, so x = 1/2 5 (t - 0.0105)^2 to round-off
  const Model model =
      compile(make_pushed(Curve::table({{0.0, 0.0}, {0.0105, 0.0}, {0.0105, 10.0}})));
  RunSettings settings;
  settings.step.h = 1e-3;
  settings.until = 0.1;
  const Ran ran = run_from_start(model, settings);
  EXPECT_EQ(ran.report.status, RunStatus::finished);
  EXPECT_EQ(ran.report.steps, 100);
  EXPECT_EQ(ran.report.substeps, 1);
  expect_close(ran.state.t, 0.1, 1e-14, 0.0);
  const double since = 0.1 - 0.0105;
  expect_close(ran.state.z[0], 2.5 * since * since, 1e-10,
               0.0);  // 100 steps, each solved to eps 4 / h^2 of its increment
  expect_close(ran.state.zd[0], 5.0 * since, 1e-10, 0.0);
}

TEST(Run, AuditClosesAcrossAJumpOfAForce) {
  // 20 N on the moving wagon until 0.0505, then 5 N: work = kinetic energy. The trapezoid of the
  // power is exact where it grows linearly, if the power at the jump is taken from the step's own
  // side
  const Model model =
      compile(make_pushed(Curve::table({{0.0, 20.0}, {0.0505, 20.0}, {0.0505, 5.0}})));
  RunSettings settings;
  settings.step.h = 1e-3;
  settings.until = 0.1;
  const Ran ran = run_from_start(model, settings);
  EXPECT_GT(ran.report.end.kinetic, 0.1);
  EXPECT_LE(ran.report.energy_error, 1e-10 * ran.report.end.kinetic);
}

TEST(Run, AuditClosesAcrossABlowOfADriver) {
  // the way starts with 2 m/s at t = 0.0505: the blow does the work 1/2 m v^2 at once
  Mechanism m = make_pushed(Curve::constant(0.0));
  const InputIndex way = add_input(m, "way", Curve::table({{0.0505, 0.0}, {1.0505, 2.0}}));
  m.motions.push_back({"drive", 0, 0, way, {}});
  RunSettings settings;
  settings.step.h = 1e-3;
  settings.until = 0.1;
  const Ran ran = run_from_start(compile(m), settings);
  EXPECT_EQ(ran.report.status, RunStatus::finished);
  expect_close(ran.state.zd[0], 2.0, 1e-9, 0.0);
  expect_close(ran.report.end.kinetic, 4.0, 1e-9, 0.0);
  EXPECT_LE(ran.report.energy_error, 1e-8 * ran.report.end.kinetic);
}

TEST(Run, AuditClosesWithTheSquareOfTheStep) {
  // every force element, a driver and two loops; stops at +-0.3 rad are not reached in this time
  Mechanism m = make_loop_mechanism(1);
  m.coordinate_forces[0].lower = -10.0;
  m.coordinate_forces[0].upper = 10.0;
  const Model model = compile(m);
  double error[2];
  for (const int halving : {0, 1}) {
    RunSettings settings;
    settings.step.h = halving == 0 ? 4e-3 : 2e-3;
    settings.step.tolerance = 1e-10;
    settings.until = 0.2;
    const Ran ran = run_from_start(model, settings);
    ASSERT_EQ(ran.report.status, RunStatus::finished);
    EXPECT_GT(ran.report.end.dissipated, 0.1);
    EXPECT_NE(ran.report.end.input, 0.0);
    error[halving] = ran.report.energy_error / ran.report.start.kinetic;
  }
  EXPECT_LT(error[0], 2e-3);
  EXPECT_NEAR(std::log2(error[0] / error[1]), 2.0, 0.3);  // 0.3: next order at these steps
}

TEST(Run, RetriesFailedStepsInHalves) {
  const Model model = compile(make_pendulum());
  RunSettings settings;
  settings.step.h = 0.1;
  settings.step.tolerance = 1e-10;
  settings.step.max_iterations = 4;  // too few for 0.1 s near the bottom
  settings.until = 1.0;
  const Ran ran = run_from_start(model, settings);
  EXPECT_EQ(ran.report.status, RunStatus::finished);
  EXPECT_EQ(ran.report.steps, 10);
  EXPECT_GT(ran.report.substeps, 0);
  expect_close(ran.state.t, 1.0, 1e-14, 0.0);

  settings.max_halvings = 0;
  const Ran given_up = run_from_start(model, settings);
  EXPECT_EQ(given_up.report.status, RunStatus::failed);
  EXPECT_EQ(given_up.report.failure, StepStatus::iteration_limit);
  EXPECT_THAT(given_up.report.message, HasSubstr("iteration limit"));
  EXPECT_LT(given_up.state.t, 1.0);
}

// The third step fails behind its first half: the energies are those where the run has ended, of
// 1 kg at 1 m from the hinge: w^2/2, and g sin z below the start.
TEST(Run, ThatFailsWithinAStepHasTheEnergiesOfItsLastState) {
  const Model model = compile(make_pendulum());
  RunSettings settings;
  settings.step.h = 0.12;
  settings.step.tolerance = 1e-10;
  settings.step.max_iterations = 4;  // too few for 0.06 s on the way down
  settings.max_halvings = 1;
  settings.until = 1.0;
  const Ran ran = run_from_start(model, settings);
  ASSERT_EQ(ran.report.status, RunStatus::failed);
  ASSERT_NEAR(ran.state.t, 2.5 * settings.step.h, 1e-12);
  EXPECT_EQ(ran.report.end_time, ran.state.t);
  const double w = ran.state.zd[0];
  EXPECT_NEAR(ran.report.end.kinetic, 0.5 * w * w, 1e-12);
  EXPECT_NEAR(ran.report.start.potential - ran.report.end.potential,
              9.81 * std::sin(ran.state.z[0]), 1e-12);
}

TEST(Run, SaysHowManyTimesRealTimeItsStepsTook) {
  // two seconds in half a second, however long the steps were and however many
  RunReport report;
  report.start_time = 1.0;
  report.end_time = 3.0;
  report.step_time = 0.5;
  report.steps = 7;
  EXPECT_EQ(times_real_time(report), 4.0);
  EXPECT_EQ(times_real_time(RunReport{}), 0.0);
}

TEST(Run, RecordsOnItsIntervalAndStopsWhenAsked) {
  const Model model = compile(make_pendulum());
  Workspace ws(model);
  State state = make_initial_state(model);
  RunSettings settings;
  settings.step.h = 1e-3;
  settings.until = 0.05;
  settings.record = 0.01;
  initialize(model, settings.step, state, ws);
  const State start = state;
  std::vector<double> times;
  RunObserver observer;
  observer.record = [&](const State& s, const Energy&) {
    times.push_back(s.t);
    return true;
  };
  EXPECT_EQ(run(model, settings, state, ws, observer).status, RunStatus::finished);
  ASSERT_EQ(times.size(), 6U);
  for (std::size_t k = 0; k < times.size(); ++k)
    EXPECT_NEAR(times[k], 0.01 * static_cast<double>(k), 1e-12);

  state = start;
  observer.keep_going = [](double t) { return t < 0.0205; };
  const RunReport stopped = run(model, settings, state, ws, observer);
  EXPECT_EQ(stopped.status, RunStatus::stopped);
  EXPECT_NEAR(state.t, 0.021, 1e-12);

  state = start;
  observer.keep_going = nullptr;
  int left = 3;
  observer.record = [&](const State&, const Energy&) { return --left > 0; };
  EXPECT_EQ(run(model, settings, state, ws, observer).status, RunStatus::stopped);
  EXPECT_NEAR(state.t, 0.02, 1e-12);
}

TEST(Run, OfStepsThatDoNotComeToItsEndFailsAndSaysSo) {
  const Model model = compile(make_pendulum());
  Workspace ws(model);
  const double infinite = std::numeric_limits<double>::infinity();
  const double none = std::numeric_limits<double>::quiet_NaN();
  for (const auto& [h, until] : {std::pair{0.0, 1.0},
                                 {-1e-3, 1.0},
                                 {none, 1.0},
                                 {infinite, 1.0},
                                 {1e-3, none},
                                 {1e-3, infinite},
                                 {1e-300, 1.0}}) {
    SCOPED_TRACE(std::to_string(h) + " " + std::to_string(until));
    State state = make_initial_state(model);
    RunSettings settings;
    settings.step.h = h;
    settings.until = until;
    const RunReport report = run(model, settings, state, ws, {});
    EXPECT_EQ(report.status, RunStatus::failed);
    EXPECT_EQ(report.failure, StepStatus::non_finite);
    EXPECT_THAT(report.message, HasSubstr("expected a length above 0"));
    EXPECT_EQ(state.t, 0.0);
    if (h > 0.0 && std::isfinite(h)) continue;
    EXPECT_EQ(step(model, settings.step, state, ws).status, StepStatus::non_finite);
    EXPECT_EQ(state.t, 0.0);
  }
}

TEST(Recorder, OfABodyThatIsNotThereIsRefused) {
  const Model model = compile(make_pendulum());
  for (const BodyIndex body : {-5, static_cast<BodyIndex>(model.mechanism.bodies.size())}) {
    RecorderSettings settings;
    settings.main_body = body;
    EXPECT_THROW(Recorder(model, settings), ModelError) << body;
  }
}

TEST(Run, EndsOnTimeWhenTheStepDoesNotDivideIt) {
  const Model model = compile(make_pushed(Curve::constant(10.0)));
  RunSettings settings;
  settings.step.h = 3e-3;
  settings.until = 0.1;
  const Ran ran = run_from_start(model, settings);
  EXPECT_EQ(ran.report.steps, 34);
  expect_close(ran.state.t, 0.1, 1e-14, 0.0);
  expect_close(ran.state.z[0], 2.5 * 0.01, 1e-10, 0.0);
  EXPECT_EQ(ran.report.step_us.size(), 34U);
  EXPECT_LE(step_quantile(ran.report, 0.5), step_quantile(ran.report, 1.0));
}

}  // namespace
}  // namespace semirec::test
