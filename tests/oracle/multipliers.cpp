// The multipliers as unknowns beside the coordinates: the same motion as by the penalty, the same
// order, on every mechanism that all formulations share; redundant rows are found and named.

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "integrator/compile.hpp"
#include "integrator/event.hpp"
#include "integrator/formulation/evaluate.hpp"
#include "integrator/method/methods.hpp"
#include "integrator/simulation.hpp"
#include "integrator/statics/initial_conditions.hpp"
#include "integrator/step.hpp"
#include "tests/support/expect_close.hpp"
#include "tests/support/levels.hpp"
#include "tests/support/mechanisms.hpp"
#include "tests/support/motion.hpp"
#include "tests/support/shared_cases.hpp"

namespace semirec::test {
namespace {

// hht_add needs a regular mass matrix
const auto kRegularMass = testing::Values(Formulation::hybrid, Formulation::global);
const auto kTangentFormulations =
    testing::Values(Formulation::hybrid, Formulation::global, Formulation::cartesian);

bool has_redundant_rows(Simulation& run) {
  const ClosureRank rank = find_closure_rank(run.model, run.state, run.ws);
  return rank.rank < rank.rows;
}

class Multipliers : public testing::TestWithParam<std::tuple<Formulation, SharedCase>> {};

TEST_P(Multipliers, GiveTheMotionOfThePenalty) {
  const auto& [formulation, c] = GetParam();
  Simulation penalty(c.make(), c.h, formulation);
  Simulation unknowns(c.make(), c.h, formulation);
  unknowns.settings.closing = Closing::multipliers;
  penalty.settings.projections =
      2;  // the compliance squared: 1e-6 is too much for the random trees
  penalty.settings.tolerance = unknowns.settings.tolerance = 1e-12;
  const bool redundant = has_redundant_rows(unknowns);
  const auto steps = std::lround(c.until / c.h);
  double Phi = 0.0;
  double Phid = 0.0;
  for (long k = 0; k < steps; ++k) {
    static_cast<void>(penalty.advance());
    const StepReport report = unknowns.advance();
    Phi = std::max(Phi, report.Phi);
    EXPECT_EQ(report.dependent > 0, redundant && unknowns.model.m() > 0);
    evaluate_state(unknowns.model, unknowns.state, unknowns.ws);
    if (unknowns.model.m() > 0)
      Phid = std::max(Phid, unknowns.ws.closures.Phid.cwiseAbs().maxCoeff());
  }
  Levels expected;
  Levels found;
  append_motion(penalty, expected);
  append_motion(unknowns, found);
  // the same discrete equations: what is left is the penalty's compliance, 1e-6 of the projections'
  // corrections, and 4/h^2 times Newton's rest
  expect_close(found.position, expected.position, 1e-9, 1e-9);
  expect_close(found.rate, expected.rate, 1e-7, 1e-7);
  expect_close(found.acceleration, expected.acceleration, 1e-5, 1e-5);
  if (!redundant) expect_close(found.multipliers, expected.multipliers, 1e-5, 1e-5);
  // closures at round-off, Newton's rest once squared
  EXPECT_LT(Phi, 1e-13);
  EXPECT_LT(Phid, 1e-11);
}

INSTANTIATE_TEST_SUITE_P(SharedCases, Multipliers,
                         testing::Combine(kTangentFormulations, testing::ValuesIn(shared_cases())),
                         [](const auto& test) {
                           return std::string(name_of(std::get<0>(test.param))) + "_" +
                                  std::get<1>(test.param).name;
                         });

struct OrderCase {
  const char* name;
  Mechanism (*make)();
  double h, until;
};

class MultiplierOrder : public testing::TestWithParam<std::tuple<Formulation, OrderCase>> {};

Levels find_levels(const OrderCase& c, Formulation formulation, double h, bool reference) {
  Simulation run(c.make(), h, formulation);
  run.settings.closing = Closing::multipliers;
  run.settings.tolerance = 1e-13;
  Levels levels;
  for (const double part : {0.25, 0.5, 0.75, 1.0}) {
    run.run_to(part * c.until);
    const State before = run.state;
    if (reference && !find_accelerations(run.model, run.state, run.ws)) ADD_FAILURE();
    append_motion(run, levels);
    run.state = before;
  }
  return levels;
}

TEST_P(MultiplierOrder, IsTwoInPositionsRatesAccelerationsAndMultipliers) {
  const auto& [formulation, c] = GetParam();
  const Levels reference = find_levels(c, formulation, c.h / 16.0, true);
  const Levels coarse = find_levels(c, formulation, c.h, false);
  const Levels fine = find_levels(c, formulation, 0.5 * c.h, false);
  const auto check = [&](const char* what, Eigen::VectorXd Levels::*level, double slope_error) {
    SCOPED_TRACE(what);
    const Eigen::VectorXd& exact = reference.*level;
    const double slope = std::log2((coarse.*level - exact).norm() / (fine.*level - exact).norm());
    RecordProperty(what, std::to_string(slope));
    expect_close(slope, 2.0, 0.0, slope_error);
  };
  // 0.017 by the reference's own error, the rest by the next term of the error
  check("position", &Levels::position, 0.1);
  check("rate", &Levels::rate, 0.1);
  check("acceleration", &Levels::acceleration, 0.15);
  check("multipliers", &Levels::multipliers, 0.15);
}

INSTANTIATE_TEST_SUITE_P(
    Mechanisms, MultiplierOrder,
    testing::Combine(
        kTangentFormulations,
        testing::Values(OrderCase{"slider_crank",
                                  [] {
                                    return make_slider_crank({.crank_angle = 1.0,
                                                              .crank_rate = 8.0,
                                                              .free_length = 0.5,
                                                              .gravity = 0.0});
                                  },
                                  2e-3, 0.4},
                        OrderCase{"spatial_slider_crank", make_spatial_slider_crank, 2e-3, 0.4},
                        OrderCase{"rssr", [] { return make_rssr(Coupler::body); }, 1e-3, 0.8})),
    [](const auto& test) {
      return std::string(name_of(std::get<0>(test.param))) + "_" + std::get<1>(test.param).name;
    });

/// The stabilised methods: velocities meet the closures to round-off, everything is of second
/// order.
class Stabilised : public testing::TestWithParam<std::tuple<Formulation, OrderCase, SchemeChoice>> {
};

struct StabilisedAnswer {
  Levels levels;
  double Phi = 0.0, Phid = 0.0;  ///< largest over the run
};

StabilisedAnswer find_stabilised(const OrderCase& c, Formulation formulation,
                                 const SchemeChoice& scheme, double h) {
  Simulation run(c.make(), h, formulation);
  run.settings.closing = Closing::multipliers;
  run.settings.scheme = scheme;
  run.settings.tolerance = 1e-13;
  find_effective_masses(run.model, run.settings, run.state, run.ws);
  StabilisedAnswer answer;
  for (const double part : {0.25, 0.5, 0.75, 1.0}) {
    while (run.state.t < part * c.until - 0.5 * h) {
      static_cast<void>(run.advance());
      evaluate_state(run.model, run.state, run.ws);
      answer.Phi = std::max(answer.Phi, run.ws.closures.Phi.cwiseAbs().maxCoeff());
      answer.Phid = std::max(answer.Phid, run.ws.closures.Phid.cwiseAbs().maxCoeff());
    }
    append_motion(run, answer.levels);
  }
  return answer;
}

TEST_P(Stabilised, AreOfSecondOrderAndMeetTheVelocitiesOfTheClosures) {
  const auto& [formulation, c, scheme] = GetParam();
  {
    Simulation start(c.make(), c.h, formulation);
    start.settings.scheme = scheme;
    const std::string fault = mass_fault(start.model, start.settings, start.state, start.ws);
    if (!fault.empty()) GTEST_SKIP() << fault;
  }
  // the trapezoidal rule at a sixteenth of the step and less, one for all schemes
  static std::map<std::pair<Formulation, std::string>, Levels> references;
  const auto key = std::pair{formulation, std::string(c.name)};
  if (!references.contains(key))
    references[key] = find_levels(c, formulation, c.until / 51200.0, true);
  const Levels& reference = references[key];
  const StabilisedAnswer coarse = find_stabilised(c, formulation, scheme, c.h);
  const StabilisedAnswer fine = find_stabilised(c, formulation, scheme, 0.5 * c.h);
  const auto check = [&](const char* what, Eigen::VectorXd Levels::*level, double slope_error) {
    SCOPED_TRACE(what);
    const Eigen::VectorXd& exact = reference.*level;
    const double slope =
        std::log2((coarse.levels.*level - exact).norm() / (fine.levels.*level - exact).norm());
    RecordProperty(what, std::to_string(slope));
    expect_close(slope, 2.0, 0.0, slope_error);
  };
  check("position", &Levels::position, 0.1);
  check("rate", &Levels::rate, 0.1);
  check("acceleration", &Levels::acceleration, 0.15);
  check("multipliers", &Levels::multipliers, 0.15);
  // some ulps of 1 m and of rates of 10 rad/s
  EXPECT_LT(std::max(coarse.Phi, fine.Phi), 1e-14);
  EXPECT_LT(std::max(coarse.Phid, fine.Phid), 1e-13);
}

const auto kStabilisedCases = testing::Values(
    OrderCase{"slider_crank",
              [] {
                return make_slider_crank(
                    {.crank_angle = 1.0, .crank_rate = 8.0, .free_length = 0.5, .gravity = 0.0});
              },
              0.5e-3, 0.4},
    OrderCase{"spatial_slider_crank", make_spatial_slider_crank, 0.5e-3, 0.4},
    OrderCase{"rssr", [] { return make_rssr(Coupler::body); }, 0.25e-3, 0.8});

std::string name_of_stabilised(
    const testing::TestParamInfo<std::tuple<Formulation, OrderCase, SchemeChoice>>& test) {
  return std::string(name_of(std::get<0>(test.param))) + "_" + std::get<1>(test.param).name + "_" +
         std::get<2>(test.param).family->name +
         (std::get<2>(test.param).parameters[0] < -0.1 ? "_strong" : "");
}

INSTANTIATE_TEST_SUITE_P(
    Mechanisms, Stabilised,
    testing::Combine(kRegularMass, kStabilisedCases,
                     testing::Values(choose_scheme("nstiff_si2", {}),
                                     choose_scheme("hht_si2", {{"alpha", -0.05}}),
                                     choose_scheme("hht_si2", {{"alpha", -0.3}}),
                                     choose_scheme("hht_add", {{"alpha", -0.05}}))),
    name_of_stabilised);
INSTANTIATE_TEST_SUITE_P(
    InEulerParameters, Stabilised,
    testing::Combine(testing::Values(Formulation::cartesian), kStabilisedCases,
                     testing::Values(choose_scheme("nstiff_si2", {}),
                                     choose_scheme("hht_si2", {{"alpha", -0.05}}),
                                     choose_scheme("hht_si2", {{"alpha", -0.3}}))),
    name_of_stabilised);

TEST(RedundantClosures, AreFoundNamedAndSwungThrough) {
  for (const Formulation formulation : {Formulation::hybrid, Formulation::global}) {
    SCOPED_TRACE(name_of(formulation));
    // a planar four-bar closed by a spatial revolute joint: three of its five rows say nothing new
    Simulation bars(make_four_bars(1, LoopKind::redundant), 4e-3, formulation);
    bars.settings.closing = Closing::multipliers;
    const StepReport report = bars.advance();
    EXPECT_EQ(report.dependent, 3);
    EXPECT_EQ(find_dependent_owners(bars.model, bars.ws), std::vector<std::string>{"right0"});
    // and the motion is that of the loop without them
    Simulation planar(make_four_bars(1, LoopKind::planar), 4e-3, formulation);
    planar.settings.closing = Closing::multipliers;
    bars.run_to(0.4);
    planar.run_to(0.4);
    expect_close(bars.com("coupler0").X.p, planar.com("coupler0").X.p, 0.0, 1e-10);
    expect_close(bars.com("coupler0").acceleration, planar.com("coupler0").acceleration, 0.0, 1e-6);
  }
}

TEST(RedundantClosures, AreNamedInTheReportOfARun) {
  Simulation bars(make_four_bars(1, LoopKind::redundant), 4e-3);
  RunSettings settings;
  settings.step = bars.settings;
  settings.step.closing = Closing::multipliers;
  settings.until = 0.1;
  const RunReport report = run(bars.model, settings, bars.state, bars.ws);
  EXPECT_EQ(report.dependent_owners, std::vector<std::string>{"right0"});
  EXPECT_EQ(report.pivotings, 1);
}

TEST(ReleasedClosures, CarryNothingAndHoldAgainWhenTheyAreAttached) {
  for (const Formulation formulation : {Formulation::hybrid, Formulation::global}) {
    SCOPED_TRACE(name_of(formulation));
    const auto drive = [&](Closing closing) {
      Simulation bars(make_four_bars(1, LoopKind::redundant), 4e-3, formulation);
      RunSettings settings;
      settings.step = bars.settings;
      settings.step.closing = closing;
      settings.step.tolerance = 1e-12;
      settings.until = 0.6;
      Event release;
      release.name = "open";
      release.time = 0.2;
      release.actions = {{0, false, false}};
      Event attach;
      attach.name = "close";
      attach.time = 0.4;
      attach.actions = {{0, true, true}};
      settings.events = {release, attach};
      const RunReport report = run(bars.model, settings, bars.state, bars.ws);
      EXPECT_EQ(report.status, RunStatus::finished) << report.message;
      EXPECT_EQ(report.events.size(), 2u);
      return bars.com("coupler0");
    };
    const Motion expected = drive(Closing::penalty);
    const Motion found = drive(Closing::multipliers);
    expect_close(found.X.p, expected.X.p, 0.0, 1e-7);
    expect_close(found.velocity, expected.velocity, 0.0, 1e-6);
    expect_close(found.acceleration, expected.acceleration, 0.0, 1e-4);
  }
}

TEST(MultiplierSteps, AreRefusedWhereTheFormulationHasNoMatrixOrNoMultipliers) {
  for (const auto& [formulation, why] :
       {std::pair{Formulation::recursive, "recursive, which forms no matrix"},
        {Formulation::topological,
         "topological, which closes the loops by independent coordinates"}}) {
    Simulation bars(make_four_bars(1), 4e-3, formulation);
    bars.settings.closing = Closing::multipliers;
    EXPECT_EQ(step(bars.model, bars.settings, bars.state, bars.ws).status,
              StepStatus::closing_unfit);
    try {
      initialize(bars.model, bars.settings, bars.state, bars.ws);
      ADD_FAILURE() << "not refused";
    } catch (const ModelError& error) {
      EXPECT_EQ(std::string(error.what()),
                std::string("the closing 'multipliers' is given with the formulation ") + why +
                    ": expected it with hybrid, global or cartesian only");
    }
  }
}

}  // namespace
}  // namespace semirec::test
