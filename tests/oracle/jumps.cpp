// Inputs that jump and events, where times and ends of steps are one but for rounding.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "integrator/outputs/recorder.hpp"
#include "integrator/simulation.hpp"
#include "tests/support/random_mechanism.hpp"
#include "tests/support/text_drive.hpp"

namespace semirec::test {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

std::string digits(double value) {
  std::string text(32, '\0');
  text.resize(static_cast<std::size_t>(std::snprintf(text.data(), text.size(), "%.17g", value)));
  return text;
}

/// 2 kg on a rail that two forces of 100 N push from these times on; a grip holds it when asked to.
std::string pushed_mass(double first, double second) {
  return R"(<mechanism name="mass" version="1" gravity="0 0 0">
  <body name="mass" mass="2" com="0 0 0" inertia="0.1 0.1 0.1"/>
  <joint name="slide" type="prismatic" a="ground" b="mass" point="0 0 0" axis="1 0 0"/>
  <joint name="grip" type="spherical" a="ground" b="mass" point="0 0 0" attached="no"/>
  <input name="one"><kerb time=")" +
         digits(first) + R"(" height="100"/></input>
  <input name="two"><kerb time=")" +
         digits(second) + R"(" height="100"/></input>
  <force name="first" body="mass" point="0 0 0" direction="1 0 0" input="one"/>
  <force name="second" body="mass" point="0 0 0" direction="1 0 0" input="two"/>
</mechanism>)";
}

RunReport run_to(ShippedDrive& drive, double until, const RunObserver& observer = {}) {
  drive.drive.settings.until = until;
  return run(drive.drive.model, drive.drive.settings, drive.state, drive.ws, observer);
}

/// The largest of a channel over a run.
double largest_of(ShippedDrive& drive, double until, const std::string& name) {
  const Recorder recorder(drive.drive.model, drive.drive.recorder);
  std::size_t at_channel = 0;
  while (at_channel < recorder.channels().size() && recorder.channels()[at_channel].name != name)
    ++at_channel;
  EXPECT_LT(at_channel, recorder.channels().size()) << name;
  Workspace ws(drive.drive.model);
  std::vector<double> values;
  double largest = 0.0;
  RunObserver observer;
  observer.see = [&](const State& state, const Energy& /*energy*/) {
    recorder.record(drive.drive.model, state, ws, values);
    largest = std::max(largest, std::abs(values[at_channel]));
  };
  const RunReport report = run_to(drive, until, observer);
  EXPECT_EQ(report.status, RunStatus::finished);
  return largest;
}

// A rail carries nothing along itself and a ball joint no moment, whatever has jumped at the end of
// a step: rows there had the new force beside the old accelerations, 50 N and 1000 N m of it.
TEST(Jumps, OfForcesLeaveReactionsWithoutWhatAJointCannotCarry) {
  const std::string held =
      "<mechanism name=\"h\" version=\"1\"><hold name=\"u\" unit=\"N\" of=\"= 100*sin(20*time)\" "
      "rate=\"100\"/><logic name=\"on\" on=\"= time &gt; 0.05\" off=\"= time &gt; 0.1\"/>"
      "<body name=\"b\" mass=\"2\" com=\"0 0 0\" inertia=\"1 1 1\"/>"
      "<joint name=\"s\" type=\"prismatic\" a=\"ground\" b=\"b\" point=\"0 0 0\" axis=\"1 0 0\"/>"
      "<force name=\"f\" body=\"b\" point=\"0 0 0\" direction=\"1 0 0\" input=\"u\"/>"
      "<force name=\"g\" body=\"b\" point=\"0 0 0\" direction=\"1 0 0\" input=\"= "
      "on*50\"/></mechanism>";
  for (const Formulation formulation :
       {Formulation::hybrid, Formulation::topological, Formulation::recursive, Formulation::global,
        Formulation::cartesian}) {
    ShippedDrive rail = start_text(held, "step=\"0.001\"", formulation,
                                   [](Scenario& scenario) { scenario.reactions = {"s"}; });
    EXPECT_LT(largest_of(rail, 0.2, "s.Rx"), 1e-6);  // of 100 N; multipliers end within 1e-8
  }
  // a small part far from the origin on a heavy one, turned by a moment from 0.05 s on
  for (const double x : {0.0, 30.0}) {
    const auto at = [&](double r) { return "\"" + std::to_string(x + r) + " 0 0\""; };
    ShippedDrive hinge = start_text(
        "<mechanism name=\"h\" version=\"1\" gravity=\"0 0 0\"><logic name=\"on\" on=\"= time &gt; "
        "0.05\" "
        "off=\"= time &lt; 0.01\"/><body name=\"a\" mass=\"1000\" com=\"0 0 0\" inertia=\"9 9 "
        "9\"/><body "
        "name=\"b\" mass=\"10\" com=" +
            at(0.1) +
            " inertia=\"0.2 0.2 0.2\"/><joint name=\"r\" type=\"prismatic\" a=\"ground\" b=\"a\" "
            "point=\"0 0 0\" axis=\"0 0 1\"/><joint name=\"h\" type=\"revolute\" a=\"a\" b=\"b\" "
            "point=" +
            at(0.0) +
            " axis=\"0 0 1\"/><torque name=\"m\" body=\"b\" direction=\"0 0 1\" input=\"= "
            "on*5\"/></mechanism>",
        "step=\"0.001\"", Formulation::hybrid,
        [](Scenario& scenario) { scenario.reactions = {"h"}; });
    EXPECT_LT(largest_of(hinge, 0.0515, "h.Mz"), 1e-6);
    // at rest yet: m r T/(I + m r^2)
    EXPECT_NEAR(std::abs(channel(hinge, "h.Ry")), 10.0 * 0.1 * 5.0 / (0.2 + 10.0 * 0.01), 1e-3);
  }
  ShippedDrive sedan = start_shipped("sedan.xml", "step_steer.xml", {}, [](Scenario& scenario) {
    scenario.reactions = {"lower_ball_fl"};
    scenario.speed = 8.0;
    scenario.inputs.push_back({"throttle", Curve::constant(1.0), {}});
  });
  EXPECT_LT(largest_of(sedan, 3.0, "lower_ball_fl.My"), 1.5);  // a ten-thousandth of the weight
}

TEST(Jumps, AtTheEndOfAStepAreMetWhateverTheTimesRoundTo) {
  Random random(1);
  int below = 0;
  for (int seed = 0; seed < 300; ++seed) {
    // a step and a time as people write them: the step's multiple may lie an ulp on either side
    const int ticks = 1 + random.index(400);
    const int steps = 1 + random.index(300);
    const double h = ticks / 10000.0;
    const double jump = ticks * steps / 10000.0;
    if (steps * h < jump) ++below;
    const double other = std::nextafter(jump, seed % 2 == 0 ? 0.0 : kNever);
    ShippedDrive drive =
        start_text(pushed_mass(jump, seed % 3 == 0 ? jump : other), "step=\"" + digits(h) + "\"");
    const double way = 20.0 * h;
    const RunReport report = run_to(drive, jump + way);
    ASSERT_EQ(report.status, RunStatus::finished) << report.message;
    // 200 N on 2 kg from the jump on: the trapezoidal rule has both without an error
    EXPECT_NEAR(drive.state.zd[0], 100.0 * way, 1e-9 * 100.0 * way) << h << ' ' << jump;
    EXPECT_NEAR(drive.state.z[0], 50.0 * way * way, 1e-9 * 50.0 * way * way) << h << ' ' << jump;
    // no step of rounding alone
    EXPECT_LE(report.substeps, 0) << h << ' ' << jump;
  }
  EXPECT_GE(below, 10);  // of 300
}

TEST(Jumps, EventsAtTimesThatAreOneHappenOnceEach) {
  for (const double h : {0.007, 0.01, 0.0003}) {
    for (const bool variable : {false, true}) {
      ShippedDrive drive = start_text(pushed_mass(0.3, 0.1 * 3.0), "step=\"" + digits(h) + "\"");
      const int grip = find_switch(drive.drive.model, "grip");
      Event grab;
      grab.name = "grab";
      grab.time = 0.1 * 3.0;
      ASSERT_GT(grab.time, 0.3);
      grab.actions.push_back({grip, true, true});
      Event let_go;
      let_go.name = "let go";
      let_go.time = 0.3;
      let_go.actions.push_back({grip, false, false});
      drive.drive.settings.events = {grab, let_go};
      if (variable) drive.drive.settings.control.tolerance = 1e-6;
      const RunReport report = run_to(drive, 0.5);
      ASSERT_EQ(report.status, RunStatus::finished) << report.message;
      ASSERT_EQ(report.events.size(), 2U) << h;
      EXPECT_EQ(report.events[0].event, "let go");
      EXPECT_EQ(report.events[1].event, "grab");
      EXPECT_NEAR(drive.state.zd[0], 0.0, 1e-9);
    }
  }
}

/// A rod that turns about its foot and leans on a loop: crank, rod and a slide, pushed at its end.
std::string pushed_slider_crank(double jump) {
  return R"(<mechanism name="slider_crank" version="1">
  <slender_rod name="crank" mass="3" from="0 0 0" to="0.3 0 0.1"/>
  <slender_rod name="rod" mass="0.9" from="0.3 0 0.1" to="0.9 0 0"/>
  <joint name="crank_pin" type="revolute" a="ground" b="crank" point="0 0 0" axis="0 -1 0"/>
  <joint name="rod_pin" type="revolute" a="crank" b="rod" point="0.3 0 0.1" axis="0 -1 0"/>
  <point_in_plane name="guide" a="ground" b="rod" point="0 0 0" axis="0 0 1" point_b="0.9 0 0" offset="0"/>
  <input name="push"><kerb time=")" +
         digits(jump) + R"(" height="50"/></input>
  <force name="first" body="rod" point="0.9 0 0" direction="-1 0 0" input="push"/>
</mechanism>)";
}

TEST(Jumps, JustBeforeTheEndOfAStepLeaveNoRoundOff) {
  const auto drive_with = [](double jump) {
    ShippedDrive drive = start_text(pushed_slider_crank(jump), "step=\"0.001\"");
    const RunReport report = run_to(drive, 0.3);
    EXPECT_EQ(report.status, RunStatus::finished) << report.message;
    EXPECT_LT(report.Phidd, 1e-6) << jump;  // m/s^2, of accelerations of some 100
    return std::pair(drive.state.zdd, drive.state.multipliers);
  };
  // what the jump moves in the last 1e-9 of 300 steps is below the tolerance of the iterations
  const auto [zdd, multipliers] = drive_with(0.3);
  for (const double before : {1e-8, 1e-9, 1e-10, 1e-11, 1e-12}) {
    const auto [near_zdd, near_multipliers] = drive_with(0.3 - before);
    const double bound = 1e-6 + 1e4 * before;
    EXPECT_LT((near_zdd - zdd).lpNorm<Eigen::Infinity>(), bound * zdd.lpNorm<Eigen::Infinity>())
        << before;
    EXPECT_LT((near_multipliers - multipliers).lpNorm<Eigen::Infinity>(),
              bound * multipliers.lpNorm<Eigen::Infinity>())
        << before;
  }
}

TEST(Jumps, NearOneAnotherAndNearTheEndsOfStepsAddUp) {
  // two pushes, now in one order, now in the other, by less and more than what counts as one time
  Random random(3);
  for (int n = 0; n < 400; ++n) {
    const std::vector<double> lengths{0.01, 0.007, 0.0003, 0.0006, 0.002, 0.03};
    const double h = lengths[static_cast<std::size_t>(random.index(6))];
    const std::vector<double> offsets{0.0,      1e-16,     -1e-16,   1e-9 * h,   -1e-9 * h,
                                      3e-9 * h, -1e-6 * h, 1e-4 * h, -h / 200.0, h / 3.0};
    const double grid = (3 + random.index(60)) * h;
    const auto time = [&] { return grid + offsets[static_cast<std::size_t>(random.index(10))]; };
    const double first = time();
    const double second = time();
    ShippedDrive drive = start_text(pushed_mass(first, second), "step=\"" + digits(h) + "\"");
    const double end = grid + (5 + random.index(5)) * h;
    const RunReport report = run_to(drive, end);
    ASSERT_EQ(report.status, RunStatus::finished) << report.message;
    // 50 m/s^2 of each; a time that counts as another is 1e-9 h off
    const double v = 50.0 * (end - first) + 50.0 * (end - second);
    EXPECT_NEAR(drive.state.zd[0], v, 1e-8 * v)
        << digits(h) << ' ' << digits(first) << ' ' << digits(second);
  }
}

TEST(Jumps, RowsAtThemAreOfAfterwardsWithStepsOfAnyLength) {
  for (const double tolerance : {0.0, 1e-6}) {
    ShippedDrive drive = start_text(pushed_mass(0.5, 0.5), "step=\"0.01\" record=\"0.1\"");
    drive.drive.settings.control.tolerance = tolerance;
    RunObserver observer;
    std::vector<std::pair<double, double>> rows;
    observer.record = [&](const State& state, const Energy& /*energy*/) {
      rows.emplace_back(state.t, state.zdd[0]);
      return true;
    };
    const RunReport report = run_to(drive, 1.0, observer);
    ASSERT_EQ(report.status, RunStatus::finished) << report.message;
    ASSERT_EQ(rows.size(), 11U);
    for (const auto& [t, a] : rows)
      EXPECT_NEAR(a, t > 0.49 ? 100.0 : 0.0, 1e-9) << t << ' ' << tolerance;
  }
}

TEST(Jumps, ConditionsThatCrossInARestComeBeforeWhatIsTimedAtItsEnd) {
  // a push from h/200 before the end of a step on: closed form v = 50 (t - 0.49995)
  ShippedDrive drive = start_text(pushed_mass(0.49995, 9.0), "step=\"0.01\"");
  const int grip = find_switch(drive.drive.model, "grip");
  Event fast;
  fast.name = "fast";
  fast.channel = "slide.rate";
  fast.level = 0.001;
  fast.rising = true;
  fast.actions.push_back({grip, true, true});
  Event timed;
  timed.name = "timed";
  timed.time = 0.5;
  timed.actions.push_back({grip, false, false});
  drive.drive.settings.events = {timed, fast};
  const RunReport report = run_to(drive, 0.6);
  ASSERT_EQ(report.status, RunStatus::finished) << report.message;
  ASSERT_EQ(report.events.size(), 2U);
  EXPECT_EQ(report.events[0].event, "fast");
  EXPECT_NEAR(report.events[0].t, 0.49997, 1e-9);
  EXPECT_EQ(report.events[1].event, "timed");
  // held for 30 us, then pushed for 0.1 s
  EXPECT_NEAR(drive.state.zd[0], 5.0, 1e-6);
}

TEST(Jumps, FarFromTheStartLeaveAsManySteps) {
  // an end that is a multiple of the step but for rounding
  for (const double end : {1000.000023, 1000.000024, 1000.000025}) {
    ShippedDrive drive = start_text(pushed_mass(2000.0, 2000.0), "step=\"1e-6\"");
    drive.state.t = 1000.0;
    int rows = 0;
    RunObserver observer;
    observer.record = [&](const State& /*state*/, const Energy& /*energy*/) {
      ++rows;
      return true;
    };
    drive.drive.settings.record = 0.0;
    const RunReport report = run_to(drive, end, observer);
    const auto steps = std::lround((end - 1000.0) * 1e6);
    EXPECT_EQ(report.steps, steps) << end;
    EXPECT_EQ(rows, steps + 1) << end;
  }
}

// A mass on a spring, pushed by what its sensor felt at the end of the last step and by a hold of
// its spring: the energy is audited with the forces that have acted, so the balance has the order
// of the scheme. With those that act from the end of each step on it is off by 1.5 % at 5 ms.
TEST(Jumps, OfWhatIsSampledLeaveTheBalanceItsOrder) {
  const std::string mass = R"(<mechanism name="mass" version="1">
  <body name="m" mass="2" com="0 0 0" inertia="0.1 0.1 0.1"/>
  <joint name="j" type="prismatic" a="ground" b="m" point="0 0 0" axis="1 0 0" position="0.5"/>
  <spring name="sp" a="ground" b="m" point_a="-1 0 0" point_b="0 0 0">
    <stiffness k="200" free_length="1"/></spring>
  <sensor name="s" body="m" point="0 0 0"/>
  <hold name="held" unit="N" of="= 0.3*sp.force" rate="50"/>
  <force name="a" body="m" point="0 0 0" direction="1 0 0" input="= 0.5*s.ax_felt"/>
  <force name="b" body="m" point="0 0 0" direction="1 0 0" input="= held"/>
</mechanism>)";
  double last = 0.0;
  for (const double h : {5e-3, 2.5e-3, 1.25e-3}) {
    ShippedDrive drive = start_text(mass, "step=\"" + digits(h) + "\"");
    const RunReport report = run_to(drive, 1.0);
    ASSERT_EQ(report.status, RunStatus::finished) << report.message;
    EXPECT_LT(report.energy_error, 1e-3 * report.energy_turned_over) << h;
    if (last > 0.0) EXPECT_NEAR(last / report.energy_error, 4.0, 1.0) << h;
    last = report.energy_error;
  }
  // accelerations that are found anew at the end of each step know of the jump: exact as before
  ShippedDrive drive =
      start_text(mass, "step=\"0.005\" scheme=\"linearly_implicit_euler\" closing=\"independent\"");
  const RunReport report = run_to(drive, 1.0);
  ASSERT_EQ(report.status, RunStatus::finished) << report.message;
  EXPECT_LT(report.energy_error, 1e-11 * report.energy_turned_over);
}

}  // namespace
}  // namespace semirec::test
