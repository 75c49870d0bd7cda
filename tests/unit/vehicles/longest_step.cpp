// Steps of a length of their own: how long they may become, and rows inside of them.

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "integrator/outputs/recorder.hpp"
#include "integrator/simulation.hpp"
#include "integrator/step_controller.hpp"
#include "tests/support/text_drive.hpp"
#include "vehicles/files/xml/reader.hpp"
#include "vehicles/session/drive.hpp"

namespace semirec::test {
namespace {

const std::string kShippedModels = std::string(SEMIREC_SOURCE_DIR) + "/vehicles/models/";

Drive drive_of(const std::string& run, const std::string& inside) {
  return make_drive(read_vehicle(kShippedModels + "sedan.xml", {}),
                    read_scenario_text(
                        "<scenario name='s' version='1'><run until='1' step='0.001' scheme='hht' " +
                            run + "/>" + inside + "</scenario>",
                        "s.xml"));
}

// 5 cm at 20 m/s are 2.5 ms.
TEST(LongestStep, IsAShortWayWhereTheRoadMayHaveObstacles) {
  const std::string tolerance = "error_tolerance='1e-5'";
  const std::string fast = "<start from='equilibrium' speed='20'/>";
  const std::string plank = "<road><plank start='60' length='0.4' height='0.02'/></road>";
  EXPECT_DOUBLE_EQ(drive_of(tolerance, fast + plank).settings.control.longest, 0.0025);
  EXPECT_EQ(drive_of(tolerance, fast + plank).notes.size(), 1U);
  EXPECT_DOUBLE_EQ(drive_of(tolerance, plank).settings.control.longest, 0.01);  // at 5 m/s
  EXPECT_EQ(drive_of(tolerance + " longest_step='0.1'", fast + plank).settings.control.longest,
            0.1);
  EXPECT_TRUE(std::isinf(drive_of(tolerance, fast).settings.control.longest));
  EXPECT_TRUE(drive_of(tolerance, fast).notes.empty());
  EXPECT_THROW(drive_of("longest_step='0.1'", fast), ModelError);
}

// By hand: a quarter of 1/50 s and of 0.03 s, or what the scenario says, with a note of what is not
// resolved then.
TEST(LongestStep, IsAPartOfTheIntervalsAndDelaysOfEquations) {
  const auto drive_with = [](const std::string& equations, const std::string& run) {
    const DriveDescription read{
        read_vehicle_text("<vehicle name='car' version='1'><include file='sedan.xml'/>" +
                              equations + "</vehicle>",
                          kShippedModels + "car.xml"),
        read_scenario_text("<scenario name='s' version='1'><run until='1' step='0.001' "
                           "error_tolerance='1e-5' " +
                               run + "/></scenario>",
                           "s.xml")};
    return make_drive(read);
  };
  const std::string hold = "<hold name='seen' of='= chassis.z' rate='50'/>";
  const std::string delay = "<delay name='late' of='= chassis.z' time='0.03'/>";
  EXPECT_DOUBLE_EQ(drive_with(hold, "").settings.control.longest, 0.005);
  EXPECT_DOUBLE_EQ(drive_with(delay, "").settings.control.longest, 0.0075);
  EXPECT_DOUBLE_EQ(drive_with(hold + delay, "").settings.control.longest, 0.005);
  EXPECT_EQ(drive_with(hold + delay, "").notes.size(), 1U);
  EXPECT_EQ(drive_with(hold, "longest_step='0.1'").settings.control.longest, 0.1);
}

// Expected by closed forms: a hold changes at the first end of a step at or after its instants and
// never in between, a logic is 0 or 1, and a delay shows what was there before.
TEST(LongestStep, RowsInsideOfAStepKeepWhatIsHeld) {
  ShippedDrive drive = start_text(R"(<mechanism name="m" version="1">
  <body name="mass" mass="2" com="0 0 0" inertia="1 1 1"/>
  <joint name="slide" type="prismatic" a="ground" b="mass" point="0 0 0" axis="0 0 1"/>
  <hold name="held" of="= time" rate="10"/><delay name="late" of="= time" time="0.2" initial="0"/>
  <logic name="on" on="= sin(3*time) &gt; 0.5" off="= sin(3*time) &lt; -0.5"/></mechanism>)",
                                  "step=\"0.001\" record=\"0.0013\" "
                                  "error_tolerance=\"1e-4\"");
  const Recorder recorder(drive.drive.model, drive.drive.recorder);
  const auto column = [&](const std::string& name) {
    std::size_t k = 0;
    while (recorder.channels()[k].name != name) ++k;
    return k;
  };
  Workspace looking(drive.drive.model);
  std::vector<double> values;
  const double longest = drive.drive.settings.control.longest;
  EXPECT_DOUBLE_EQ(longest, 0.025);  // a quarter of an interval
  int rows = 0;
  RunObserver observer;
  observer.record = [&](const State& state, const Energy&) {
    recorder.record(drive.drive.model, state, looking, values);
    const double held = values[column("held.value")];
    const double t = state.t;
    const double instant = std::floor(10.0 * held + 1e-9) / 10.0;
    EXPECT_LT(held - instant, longest) << t;
    EXPECT_LT(t - instant, 0.1 + longest) << t;
    const double on = values[column("on.value")];
    EXPECT_TRUE(on == 0.0 || on == 1.0) << t;
    const double late = values[column("late.value")];
    EXPECT_NEAR(late, std::max(0.0, t - 0.2), t < 0.2 + longest ? longest : 1e-9) << t;
    ++rows;
    return true;
  };
  const RunReport report =
      run(drive.drive.model, drive.drive.settings, drive.state, drive.ws, observer);
  EXPECT_EQ(report.status, RunStatus::finished);
  EXPECT_GT(rows, 700);
}

/// Two bodies on a hinge that turn freely for 2 s.
RunReport turn_freely(const std::string& tolerance, Closing closing) {
  ShippedDrive drive =
      start_text(R"(<mechanism name="m" version="1" gravity="0 0 0">
  <body name="a" mass="2" com="0 0 0" inertia="0.3 0.5 0.6"/>
  <joint name="free" type="free" a="ground" b="a" velocity="0 0 0 0.5 -0.4 0.7"/>
  <body name="b" mass="1.5" com="-0.8 0.1 0" inertia="0.1 0.2 0.25"/>
  <joint name="hinge" type="revolute" a="a" b="b" point="-0.4 0 0" axis="0 0 1" velocity="0.8"/>
  </mechanism>)",
                 "step=\"0.001\" error_tolerance=\"" + tolerance + "\"", Formulation::hybrid,
                 [&](Scenario& scenario) { scenario.closing = closing; });
  RunSettings settings = drive.drive.settings;
  settings.until = 2.0;
  return run(drive.drive.model, settings, drive.state, drive.ws);
}

// A factor that is kept converges linearly: a small correction is no small error then. What was
// left of it went into the rates and grew as the steps became shorter. Expected: what the steps
// leave that factor their tangent each time (with multipliers), and less the tighter the bound.
TEST(ErrorTolerance, BoundsWhatAKeptFactorLeaves) {
  double last = 1e300;
  for (const char* tolerance : {"1e-7", "1e-8", "1e-9"}) {
    const RunReport kept = turn_freely(tolerance, Closing::penalty);
    const RunReport renewed = turn_freely(tolerance, Closing::multipliers);
    ASSERT_EQ(kept.status, RunStatus::finished);
    EXPECT_LT(kept.factorizations, renewed.factorizations / 3) << tolerance;
    EXPECT_LT(kept.energy_error, 1.5 * renewed.energy_error + 1e-6) << tolerance;
    EXPECT_LT(kept.energy_error, 0.5 * last) << tolerance;
    last = kept.energy_error;
  }
}

// A state whose rate is that of time alone, cos(7 t): the integral over a step is known, whatever
// was before it. After a change of length an alpha method's auxiliary rate was that of the old one,
// an error of second order that the estimate did not see: 39 times the tolerance of hht at 1e-7,
// 578 of generalized_alpha with rho = 0.
TEST(ErrorTolerance, HoldsForStatesWithEveryScheme) {
  for (const SchemeChoice& scheme :
       {SchemeChoice{}, choose_scheme("hht", {{"alpha", -0.05}}),
        choose_scheme("hht", {{"alpha", -0.3}}), choose_scheme("generalized_alpha", {{"rho", 0.0}}),
        choose_scheme("generalized_alpha", {{"rho", 0.9}}), choose_scheme("nstiff", {})})
    for (const double tolerance : {1e-5, 1e-7}) {
      ShippedDrive drive = start_text(
          R"x(<mechanism name="m" version="1" gravity="0 0 0">
          <body name="a" mass="1" com="0 0 0" inertia="1 1 1"/>
          <joint name="j" type="prismatic" a="ground" b="a" point="0 0 0" axis="1 0 0"/>
          <state name="x" rate="= cos(7*time)" initial="0"/>
          <force name="f" body="a" point="0 0 0" direction="1 0 0" input="= 1e-3*x"/></mechanism>)x",
          "step=\"0.001\" record=\"0\"", Formulation::hybrid, [&](Scenario& scenario) {
            scenario.scheme = scheme;
            scenario.error_tolerance = tolerance;
          });
      drive.drive.settings.until = 3.0;
      double largest = 0.0;
      double t = 0.0;
      double x = 0.0;
      int steps = 0;
      RunObserver observer;
      observer.record = [&](const State& state, const Energy&) {
        const double way = (std::sin(7.0 * state.t) - std::sin(7.0 * t)) / 7.0;
        // the first steps are judged by a bound
        if (++steps > 5) largest = std::max(largest, std::abs(state.x[0] - x - way));
        t = state.t;
        x = state.x[0];
        return true;
      };
      const RunReport report =
          run(drive.drive.model, drive.drive.settings, drive.state, drive.ws, observer);
      EXPECT_EQ(report.status, RunStatus::finished) << report.message;
      EXPECT_GT(steps, 50);
      EXPECT_LT(largest, 2.5 * tolerance) << describe(scheme) << " " << tolerance;
    }
}

/// The audit of a drive with a scheme.
RunReport audit_of(ShippedDrive drive, double until) {
  drive.drive.settings.until = until;
  return run(drive.drive.model, drive.drive.settings, drive.state, drive.ws);
}

// A spring that relaxes keeps energy in a state, of which a scheme that damps takes its part, too.
// Expected: the balance of the trapezoidal rule.
TEST(BalanceOfSchemes, CountsWhatTheyTakeOfStates) {
  const auto error_of = [](const SchemeChoice& scheme) {
    return audit_of(start_text(R"(<mechanism name="m" version="1" gravity="0 0 0">
               <body name="b" mass="1" com="0 0 0" inertia="1 1 1"/>
               <joint name="s" type="prismatic" a="ground" b="b" point="0 0 0" axis="0 0 1"
                 velocity="1"/>
               <bushing name="r" a="ground" b="b" point="0 0 0" axis="0 0 1" axis_x="1 0 0"
                 stiffness="0 0 100 0 0 0" damping="0 0 0 0 0 0"
                 relaxing_stiffness="1e4 1e4 1e4 1 1 1" relaxation_time="0.1"/></mechanism>)",
                               "step=\"0.0025\"", Formulation::hybrid,
                               [&](Scenario& scenario) { scenario.scheme = scheme; }),
                    1.0)
        .energy_error;
  };
  const double plain = error_of(SchemeChoice{});
  for (const SchemeChoice& scheme :
       {choose_scheme("hht", {{"alpha", -0.05}}), choose_scheme("hht", {{"alpha", -0.3}}),
        choose_scheme("generalized_alpha", {{"rho", 0.0}}), choose_scheme("nstiff", {})})
    EXPECT_LT(error_of(scheme), 1.1 * plain) << describe(scheme);
}

// What projections take of the rates is no doing of the scheme: next to no damping leaves the
// balance of none, but for the auxiliary accelerations, which are not projected.
TEST(BalanceOfSchemes, CountsWhatProjectionsTakeAsTheTrapezoidalRuleDoes) {
  const auto report_of = [](double alpha) {
    return audit_of(start_shipped("seven_body.xml", "let_go.xml", {},
                                  [&](Scenario& scenario) {
                                    scenario.scheme = choose_scheme("hht", {{"alpha", alpha}});
                                    scenario.step = 3e-4;
                                  }),
                    0.03);
  };
  const RunReport none = report_of(0.0);
  const RunReport little = report_of(-1e-9);
  EXPECT_GT(none.energy_error, 1e-6);
  EXPECT_NEAR(little.energy_error, none.energy_error, 0.2 * none.energy_error);
  EXPECT_NEAR(little.end.scheme, 0.0, 0.2 * none.energy_error);
}

/// The end of a mass on a slide along `axis`, with what else the mechanism has, after steps of
/// their own.
State slide_until(double until, const std::string& axis, const std::string& more,
                  const std::string& run_says, const std::string& tolerance) {
  ShippedDrive drive = start_text(
      "<mechanism name=\"m\" version=\"1\"><body name=\"a\" mass=\"1\" com=\"0 0 0\" "
      "inertia=\"1 1 1\"/><joint name=\"j\" type=\"prismatic\" a=\"ground\" b=\"a\" "
      "point=\"0 0 0\" axis=\"" +
          axis + "\"/>" + more + "</mechanism>",
      run_says + " error_tolerance=\"" + tolerance + "\"");
  drive.drive.settings.until = until;
  const RunReport report = run(drive.drive.model, drive.drive.settings, drive.state, drive.ws);
  EXPECT_EQ(report.status, RunStatus::finished) << report.message;
  return drive.state;
}

// The V8 let go for a tenth of a second: what the projections leak along aged rows made this a
// motion of first order (at 1e-8 fifteen times the error). Expected: no more than with multipliers,
// whose rows are those of each iterate.
TEST(ErrorTolerance, ProjectsAlongTheRowsOfTheStep) {
  const auto error_of = [](const std::string& tolerance, Closing closing) {
    ShippedDrive drive = start_shipped("v8.xml", "let_go.xml", {}, [&](Scenario& scenario) {
      scenario.closing = closing;
      scenario.step = 1e-3;
      scenario.until = 0.1;
      scenario.error_tolerance = std::stod(tolerance);
    });
    const RunReport report = run(drive.drive.model, drive.drive.settings, drive.state, drive.ws);
    EXPECT_EQ(report.status, RunStatus::finished) << report.message;
    return report.energy_error;
  };
  for (const char* tolerance : {"1e-6", "1e-8"})
    EXPECT_LT(error_of(tolerance, Closing::penalty),
              1.2 * error_of(tolerance, Closing::multipliers))
        << tolerance;
}

// A state that follows straight pieces of an input, each no longer than a step: w' = 100 (u - w).
// Expected: w by the closed form on each piece, w = u - s/100 + (w0 - u0 + s/100) exp(-100 t).
TEST(ErrorTolerance, JudgesStatesInTheFirstStepAfterABend) {
  std::string points;
  std::vector<double> u;
  for (int k = 0; k <= 20; ++k) {
    u.push_back(k % 3 == 0 ? 0.0 : k % 3 == 1 ? 1.0 : 0.4);
    points += "<point t=\"" + std::to_string(0.02 * k) + "\" value=\"" + std::to_string(u.back()) +
              "\"/>";
  }
  double w = 0.0;
  for (std::size_t k = 1; k < u.size(); ++k) {
    const double lag = (u[k] - u[k - 1]) / 0.02 / 100.0;
    w = u[k] - lag + (w - u[k - 1] + lag) * std::exp(-2.0);
  }
  double last = 1e300;
  for (const char* tolerance : {"1e-4", "1e-6", "1e-8"}) {
    const State end =
        slide_until(0.4, "1 0 0",
                    "<input name=\"u\"><table>" + points +
                        "</table></input><state name=\"w\" rate=\"= 100*(u - w)\" initial=\"0\"/>",
                    "step=\"0.02\"", tolerance);
    ASSERT_EQ(end.x.size(), 1);
    const double error = std::abs(end.x[0] - w);
    EXPECT_LT(error, 30.0 * std::pow(std::stod(tolerance), 2.0 / 3.0)) << tolerance;
    EXPECT_LT(error, 0.3 * last) << tolerance;
    last = error;
  }
}

// A state that settles within a microsecond: the bound of its first step asks for less than the
// smallest length, and the steps after it need no more than some nanoseconds.
TEST(ErrorTolerance, TakesFastStatesThroughTheirFirstStep) {
  const State end = slide_until(
      0.1, "1 0 0", "<state name=\"w\" rate=\"= -1e6*(w - sin(10*time))\" initial=\"1\"/>",
      "step=\"0.001\"", "1e-9");
  ASSERT_EQ(end.x.size(), 1);
  EXPECT_NEAR(end.x[0], std::sin(1.0) - 1e-5 * std::cos(1.0), 1e-8);
}

// Euler's step begins BDF2; free fall has no change of acceleration by which to judge it. Expected:
// -g t^2/2.
TEST(ErrorTolerance, JudgesTheFirstStepOfTwoStepFormulas) {
  for (const char* tolerance : {"1e-4", "1e-7"}) {
    const State end = slide_until(1.0, "0 0 1", "", "step=\"0.1\" scheme=\"nstiff\"", tolerance);
    EXPECT_NEAR(end.z[0], -0.5 * 9.81, 30.0 * std::stod(tolerance)) << tolerance;
  }
}

// A state that stays has no error: steps double until they may not.
TEST(LongestStep, BoundsWhatTheControllerProposes) {
  State state;
  state.z = state.zd = state.zdd = Eigen::VectorXd::Ones(3);
  const SchemeChoice scheme = choose_scheme("trapezoid", {});
  for (const double longest : {0.01, std::numeric_limits<double>::infinity()}) {
    StepController controller({.tolerance = 1e-5, .longest = longest}, state, 1e-3);
    for (int k = 0; k < 10; ++k)
      ASSERT_TRUE(controller.judge(scheme.make(controller.length()), state, state));
    if (std::isfinite(longest))
      EXPECT_EQ(controller.length(), longest);
    else
      EXPECT_DOUBLE_EQ(controller.length(), 1e-3 * 1024.0);
  }
}

}  // namespace
}  // namespace semirec::test
