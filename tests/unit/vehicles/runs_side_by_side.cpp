// Runs side by side against run() of each car by itself, which shares the grid, the breakpoints and
// the halving with them, but not the step.

#include <algorithm>
#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "integrator/batch/run_side_by_side.hpp"
#include "tests/support/fleet.hpp"
#include "tests/support/state_numbers.hpp"
#include "tests/support/text_drive.hpp"

namespace semirec::test {
namespace {

using testing::HasSubstr;

/// What an observer has seen.
struct Seen {
  std::vector<State> states;
  RunObserver observer;
};

/// Runs that are not audited, to `until`.
RunSettings settings_of(const Fleet& fleet, double h, double until, double record) {
  RunSettings settings = fleet.cars.front().drive.settings;
  settings.step.h = h;
  settings.until = until;
  settings.record = record;
  settings.audit = false;
  return settings;
}

std::vector<RunOfCar> runs_of(Fleet& fleet, std::vector<Seen>& seen) {
  seen = std::vector<Seen>(fleet.cars.size());
  std::vector<RunOfCar> runs;
  for (std::size_t k = 0; k < fleet.cars.size(); ++k) {
    seen[k].observer.record = [own = &seen[k]](const State& at, const Energy& /*none*/) {
      own->states.push_back(at);
      return true;
    };
    ShippedDrive& car = fleet.cars[k];
    runs.push_back({&car.drive.model, &car.state, &car.ws, &seen[k].observer});
  }
  return runs;
}

double largest_difference(const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
  return a.size() > 0 ? (a - b).cwiseAbs().maxCoeff() : 0.0;
}

/// Both ways, from the same starts. Gives the reports of the runs side by side.
std::vector<RunReport> expect_equal_runs(Fleet& fleet, const RunSettings& settings, double bound,
                                         int lanes) {
  std::vector<State> starts;
  for (const ShippedDrive& car : fleet.cars) starts.push_back(car.state);
  std::vector<Seen> alone;
  std::vector<RunReport> expected;
  for (const RunOfCar& car : runs_of(fleet, alone))
    expected.push_back(run(*car.model, settings, *car.state, *car.ws, *car.observer));
  std::vector<State> ends;
  for (std::size_t k = 0; k < starts.size(); ++k) {
    ends.push_back(fleet.cars[k].state);
    fleet.cars[k].state = starts[k];
  }
  std::vector<Seen> beside;
  const std::vector<RunReport> reports = run_side_by_side(settings, runs_of(fleet, beside), lanes);
  for (std::size_t k = 0; k < reports.size(); ++k) {
    SCOPED_TRACE("car " + std::to_string(k));
    EXPECT_EQ(reports[k].status, expected[k].status);
    EXPECT_EQ(reports[k].steps, expected[k].steps);
    EXPECT_EQ(reports[k].substeps, expected[k].substeps);
    EXPECT_EQ(reports[k].halved, expected[k].halved);
    EXPECT_EQ(reports[k].iterations_total, expected[k].iterations_total);
    EXPECT_EQ(reports[k].end_time, expected[k].end_time);
    EXPECT_EQ(reports[k].message, expected[k].message);
    const State& end = fleet.cars[k].state;
    EXPECT_LT(largest_difference(end.z, ends[k].z), bound);
    EXPECT_LT(largest_difference(end.zd, ends[k].zd), 1e2 * bound);
    EXPECT_EQ(beside[k].states.size(), alone[k].states.size());
    for (std::size_t i = 0; i < std::min(beside[k].states.size(), alone[k].states.size()); ++i) {
      EXPECT_EQ(beside[k].states[i].t, alone[k].states[i].t);
      EXPECT_LT(largest_difference(beside[k].states[i].z, alone[k].states[i].z), bound);
    }
    if (testing::Test::HasFailure()) break;
  }
  return reports;
}

class RunsOfShippedCars : public testing::TestWithParam<int> {};

// A step of steering in the middle of a grid step, records between steps, an end beside the grid.
TEST_P(RunsOfShippedCars, EqualThoseOfEachCar) {
  Fleet fleet("sedan.xml", "step_steer.xml", 6, numbers_of_tyres, change_speed);
  const RunSettings settings = settings_of(fleet, 2e-3, 1.2007, 5e-3);
  expect_equal_runs(fleet, settings, 1e-10, GetParam());
}

// Each car begins to be steered at a time of its own: there it takes its steps alone.
TEST_P(RunsOfShippedCars, EqualThoseOfEachCarWithInputsOfTheirOwn) {
  double when = 0.1007;
  Fleet fleet("sedan.xml", "step_steer.xml", 5, numbers_of_sedan,
              [&](Random& /*none*/, Scenario& scenario) {
                Curve steer;
                steer.add_piece(-1e300, 0.0, {0.0});
                steer.add_piece(when, when, {0.0, 0.5});
                steer.add_piece(when + 0.2, when + 0.2, {0.1});
                when += 0.0337;
                for (Input& input : scenario.inputs) input.curve = steer;
                ASSERT_FALSE(scenario.inputs.empty());
              });
  const RunSettings settings = settings_of(fleet, 2e-3, 0.5, 0.0);
  for (const RunReport& report : expect_equal_runs(fleet, settings, 1e-10, GetParam()))
    EXPECT_GT(report.substeps, 0);
}

// Few iterations are allowed at a hard edge: some steps of some cars are halved.
TEST_P(RunsOfShippedCars, EqualThoseOfEachCarWhereStepsAreHalved) {
  Fleet fleet("iltis.xml", "ramp_and_stairs.xml", 4, [](Random& random) {
    return std::vector<std::string>{set("chassis.mass", random.number(1000.0, 1500.0))};
  });
  RunSettings settings = settings_of(fleet, 1e-2, 4.0, 0.1);
  settings.step.max_iterations = 4;
  long halved = 0;
  for (const RunReport& report : expect_equal_runs(fleet, settings, 1e-10, GetParam()))
    halved += report.halved;
  EXPECT_GT(halved, 0);
}

// One of them cannot be stepped at all: it fails as run() does, the others reach their ends.
TEST_P(RunsOfShippedCars, FailAsThoseOfEachCar) {
  Fleet fleet("car26.xml", "shaker.xml", 3, numbers_of_car26);
  fleet.cars[1].state.zdd[6] = std::numeric_limits<double>::infinity();
  const RunSettings settings = settings_of(fleet, 1e-3, 0.1, 0.01);
  const std::vector<RunReport> reports = expect_equal_runs(fleet, settings, 1e-11, GetParam());
  EXPECT_EQ(reports[0].status, RunStatus::finished);
  EXPECT_EQ(reports[1].status, RunStatus::failed);
  EXPECT_THAT(reports[1].message, HasSubstr("step from t = 0 s"));
  EXPECT_EQ(reports[2].status, RunStatus::finished);
}

TEST_P(RunsOfShippedCars, DoNotDependOnOneAnotherToTheBit) {
  const auto make = [] {
    return Fleet("iltis.xml", "ramp_and_stairs.xml", 5, [](Random& random) {
      return std::vector<std::string>{set("chassis.mass", random.number(1000.0, 1500.0))};
    });
  };
  Fleet fleet = make();
  RunSettings settings = settings_of(fleet, 1e-2, 3.0, 0.0);
  settings.step.max_iterations = 4;
  std::vector<Seen> together;
  run_side_by_side(settings, runs_of(fleet, together), GetParam());
  Fleet other = make();
  for (ShippedDrive& car : other.cars) {
    Seen own;
    own.observer = {};
    run_side_by_side(settings, {{&car.drive.model, &car.state, &car.ws, &own.observer}},
                     GetParam());
  }
  for (std::size_t k = 0; k < 5; ++k)
    EXPECT_TRUE(same_bits(fleet.cars[k].state, other.cars[k].state)) << "car " << k;
}

// Inputs begin to move at a grid time but for its last digit, 9 h and 18 h: there a car's time may
// differ from that of the others in that digit.
TEST_P(RunsOfShippedCars, DoNotDependOnOthersWhoseInputsBeginOnTheGrid) {
  const auto make = [] {
    double when = 0.009;
    return Fleet("sedan.xml", "step_steer.xml", 3, numbers_of_sedan,
                 [when](Random& /*none*/, Scenario& scenario) mutable {
                   Curve steer;
                   steer.add_piece(-1e300, 0.0, {0.0});
                   steer.add_piece(when, when, {0.0, 0.5});
                   when += 0.009;
                   for (Input& input : scenario.inputs) input.curve = steer;
                 });
  };
  Fleet fleet = make();
  const RunSettings settings = settings_of(fleet, 1e-3, 0.05, 0.0);
  std::vector<Seen> together;
  run_side_by_side(settings, runs_of(fleet, together), GetParam());
  Fleet other = make();
  for (std::size_t k = 0; k < other.cars.size(); ++k) {
    ShippedDrive& car = other.cars[k];
    const RunObserver nobody;
    run_side_by_side(settings, {{&car.drive.model, &car.state, &car.ws, &nobody}}, GetParam());
    EXPECT_TRUE(same_bits(fleet.cars[k].state, car.state)) << "car " << k;
  }
}

TEST_P(RunsOfShippedCars, StopByThemselves) {
  Fleet fleet("car26.xml", "shaker.xml", 2, numbers_of_car26);
  const RunSettings settings = settings_of(fleet, 1e-3, 0.1, 0.03);
  ShippedDrive& first = fleet.cars.front();
  State stopped = first.state;
  RunSettings until_there = settings;
  until_there.until = 0.05;
  static_cast<void>(run(first.drive.model, until_there, stopped, first.ws));
  std::vector<Seen> seen;
  const std::vector<RunOfCar> runs = runs_of(fleet, seen);
  seen[0].observer.keep_going = [](double t) { return t < 0.05 - 1e-9; };
  const std::vector<RunReport> reports = run_side_by_side(settings, runs, GetParam());
  EXPECT_EQ(reports[0].status, RunStatus::stopped);
  EXPECT_EQ(fleet.cars[0].state.t, 0.05);
  EXPECT_LT(largest_difference(fleet.cars[0].state.z, stopped.z), 1e-11);
  EXPECT_EQ(reports[1].status, RunStatus::finished);
  EXPECT_EQ(fleet.cars[1].state.t, 0.1);
}

INSTANTIATE_TEST_SUITE_P(Lanes, RunsOfShippedCars, testing::ValuesIn(find_lanes()));

TEST(RunsSideBySide, RefuseWhatDoesNotFit) {
  Fleet fleet("car26.xml", "shaker.xml", 2, numbers_of_car26);
  RunSettings settings = settings_of(fleet, 1e-3, 0.1, 0.0);
  EXPECT_EQ(side_by_side_fault(settings), "");
  const auto fault_with = [&](const std::function<void(RunSettings&)>& change) {
    RunSettings changed = settings;
    change(changed);
    std::vector<Seen> seen;
    const std::string fault = side_by_side_fault(changed);
    EXPECT_THROW(run_side_by_side(changed, runs_of(fleet, seen)), std::invalid_argument);
    return fault;
  };
  EXPECT_THAT(fault_with([](RunSettings& own) { own.audit = true; }), HasSubstr("audited"));
  EXPECT_THAT(fault_with([](RunSettings& own) { own.events.emplace_back(); }), HasSubstr("events"));
  EXPECT_THAT(fault_with([](RunSettings& own) { own.cut_contacts = true; }),
              HasSubstr("cut at contacts"));
  EXPECT_THAT(fault_with([](RunSettings& own) { own.control.tolerance = 1e-6; }),
              HasSubstr("an error tolerance"));
  EXPECT_THAT(fault_with([](RunSettings& own) { own.step.closing = Closing::multipliers; }),
              HasSubstr("not 'penalty'"));
  fleet.cars[1].state.t = 0.5;
  std::vector<Seen> seen;
  EXPECT_THROW(run_side_by_side(settings, runs_of(fleet, seen)), std::invalid_argument);
  fleet.cars[1].state.t = fleet.cars[0].state.t;
  std::vector<RunOfCar> twice = runs_of(fleet, seen);
  twice[1].state = twice[0].state;
  EXPECT_THROW(run_side_by_side(settings, twice), std::invalid_argument);
}

/// A cart on a rail that is tilted by an angle of its own, with an arm on it.
ShippedDrive tilted_cart(double tilt) {
  const std::string along = std::to_string(std::cos(tilt)) + " 0 " + std::to_string(std::sin(tilt));
  return start_text(R"(<mechanism name="cart" version="1">
  <body name="cart" mass="2" com="0 0 0" inertia="0.1 0.1 0.1"/>
  <body name="arm" mass="3" com="0.5 0 0.2" inertia="0.1 0.2 0.1"/>
  <joint name="slide" type="prismatic" a="ground" b="cart" point="0 0 0" axis=")" +
                        along + R"("/>
  <joint name="pin" type="revolute" a="cart" b="arm" point="0 0 0" axis="0 1 0"/>
</mechanism>)",
                    "step=\"0.001\" iterations=\"2\"");
}

// What slides along an axis of the world in one car need not in another one.
TEST_P(RunsOfShippedCars, EqualThoseOfEachMechanismWhoseRailIsTilted) {
  for (const bool reversed : {false, true}) {
    std::vector<double> tilts{0.0, 0.7, 1.2, -0.4, 1.5707963267948966};
    if (reversed) std::reverse(tilts.begin(), tilts.end());
    std::vector<ShippedDrive> alone;
    std::vector<ShippedDrive> beside;
    for (const double tilt : tilts) {
      alone.push_back(tilted_cart(tilt));
      beside.push_back(tilted_cart(tilt));
    }
    RunSettings settings = alone.front().drive.settings;
    settings.until = 0.5;
    settings.audit = false;
    std::vector<RunOfCar> runs;
    const RunObserver nobody;
    for (ShippedDrive& car : beside)
      runs.push_back({&car.drive.model, &car.state, &car.ws, &nobody});
    run_side_by_side(settings, runs, GetParam());
    for (std::size_t k = 0; k < tilts.size(); ++k) {
      ShippedDrive& own = alone[k];
      run(own.drive.model, settings, own.state, own.ws, nobody);
      EXPECT_LT(largest_difference(own.state.z, beside[k].state.z), 1e-11) << tilts[k];
      EXPECT_LT(largest_difference(own.state.zd, beside[k].state.zd), 1e-10) << tilts[k];
    }
  }
}

// The last step of a run may be a rest, whose accelerations are found anew in both ways.
TEST_P(RunsOfShippedCars, EqualThoseOfEachCarWhoseLastStepIsShort) {
  Fleet fleet("sedan.xml", "step_steer.xml", 4, numbers_of_sedan, change_speed);
  const RunSettings settings = settings_of(fleet, 2e-3, 0.1 + 2e-11, 0.0);
  std::vector<State> starts;
  for (const ShippedDrive& car : fleet.cars) starts.push_back(car.state);
  std::vector<Seen> seen;
  std::vector<State> ends;
  for (const RunOfCar& car : runs_of(fleet, seen)) {
    run(*car.model, settings, *car.state, *car.ws, *car.observer);
    ends.push_back(*car.state);
  }
  for (std::size_t k = 0; k < starts.size(); ++k) fleet.cars[k].state = starts[k];
  run_side_by_side(settings, runs_of(fleet, seen), GetParam());
  for (std::size_t k = 0; k < starts.size(); ++k) {
    const State& end = fleet.cars[k].state;
    EXPECT_EQ(end.t, ends[k].t);
    const double size = ends[k].zdd.cwiseAbs().maxCoeff();
    EXPECT_LT(largest_difference(end.zdd, ends[k].zdd), 1e-6 * size) << k;
  }
}

}  // namespace
}  // namespace semirec::test
