// Mechanisms without a degree of freedom are legal: they start, run and stand still, in every
// formulation. Whether they do is known without computing.

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "integrator/formulation/formulation_state.hpp"
#include "integrator/simulation.hpp"
#include "integrator/statics/initial_conditions.hpp"
#include "vehicles/analysis/modes.hpp"
#include "vehicles/files/xml/reader.hpp"
#include "vehicles/session/drive.hpp"

namespace semirec::test {
namespace {

struct Still {
  std::string name, elements;
  int coordinates, rows;
};

const std::string kWeld = R"(<joint name="weld" type="fixed" a="ground" b="bob" point="0 0 0"/>)";
const std::string kHinge =
    R"(<joint name="pin" type="revolute" a="ground" b="bob" point="0 0 1" axis="0 1 0"/>)";

const std::vector<Still>& still() {
  static const std::vector<Still> cases{
      {"OneWeld", kWeld, 0, 0},
      {"TwoWelds",
       kWeld + R"(<joint name="weld_2" type="fixed" a="ground" b="bob" point="1 0 0"/>)", 0, 6},
      // a cut hinge that closes a plane loop keeps two rows of five
      {"HingeAndWeld", kHinge + kWeld, 0, 2},
      {"WeldAndRod",
       kWeld + R"(<rod name="stay" a="ground" b="bob" point_a="0 0 1" point_b="1 0 0"/>)", 0, 1},
      {"HeldHinge", kHinge + R"(<input name="turned" value="0.3"/>
                   <motion name="hold" joint="pin" coordinate="angle" input="turned"/>)",
       1, 1}};
  return cases;
}

Vehicle read(const Still& mechanism) {
  return read_vehicle_text(R"(<mechanism name="still" version="1">
      <body name="bob" mass="2" com="1 0 0" inertia="0.1 0.1 0.1"/>)" +
                               mechanism.elements + "</mechanism>",
                           "still.xml");
}

class NothingMoves : public testing::TestWithParam<Still> {};

TEST_P(NothingMoves, AndStandsStillInEveryFormulation) {
  const Vehicle vehicle = read(GetParam());
  for (const Formulation formulation : all_formulations()) {
    CompileSettings settings;
    settings.formulation = formulation;
    Scenario scenario;
    scenario.step = 1e-3;
    scenario.until = 0.01;
    Drive drive = make_drive(vehicle, scenario, settings);
    const Model& relative = relative_model(drive.model);
    EXPECT_EQ(relative.n(), GetParam().coordinates);
    EXPECT_EQ(relative.m(), GetParam().rows);
    Workspace ws(drive.model);
    State state = start_drive(drive, ws);
    EXPECT_EQ(find_closure_rank(drive.model, state, ws).rank, drive.model.n());
    const Eigen::VectorXd z = state.z;
    const RunReport report = run(drive.model, drive.settings, state, ws);
    EXPECT_EQ(report.status, RunStatus::finished) << name_of(formulation) << report.message;
    EXPECT_EQ(report.steps, 10);
    // what the penalty leaves of the weight of 2 kg on the hinge, with room
    EXPECT_LE((state.z - z).norm(), 1e-12) << name_of(formulation);
    // where welded bodies have coordinates their rows hold them: 20 N of weight times the round-off
    // of a place of 1 m, a few times
    const double round_off = formulation == Formulation::cartesian ? 1e-14 : 0.0;
    EXPECT_LE(report.energy_error, round_off) << name_of(formulation);
  }
}

TEST_P(NothingMoves, AndHasAnEquilibriumButNoModes) {
  Scenario scenario;
  SteadyCar car(read(GetParam()), scenario, SpeedHold::force);
  const SteadyTurn rest = car.rest();
  EXPECT_LE(rest.residual, 1e-7);
  try {
    (void)find_modes(car, rest, {});
    FAIL() << "has modes";
  } catch (const ModelError& error) {
    EXPECT_EQ(std::string(error.what()),
              "mechanism 'still': nothing in it can move where it was to be linearized, expected "
              "at least one degree of freedom");
  }
}

INSTANTIATE_TEST_SUITE_P(Mechanisms, NothingMoves, testing::ValuesIn(still()),
                         [](const auto& test) { return test.param.name; });

// A body that slides freely has one shape for two states. Each mode still says how much of it is in
// what, and the shares are a whole.
TEST(FreeMotion, HasModesWhoseSharesAreNumbers) {
  const Vehicle vehicle = read_vehicle_text(R"(<mechanism name="slide" version="1">
      <body name="bob" mass="2" com="0 0 1" inertia="1 1 1"/>
      <joint name="rail" type="prismatic" a="ground" b="bob" point="0 0 0" axis="1 0 0"/>
      </mechanism>)",
                                            "slide.xml");
  Scenario scenario;
  SteadyCar car(vehicle, scenario, SpeedHold::force);
  const CarModes modes = find_modes(car, car.rest(), {});
  ASSERT_EQ(modes.modes.size(), 2U);
  for (const Mode& mode : modes.modes) {
    double sum = 0.0;
    for (const double share : mode.participation) sum += share;
    EXPECT_NEAR(sum, 1.0, 1e-12);
    EXPECT_EQ(std::abs(mode.eigen.value), 0.0);
  }
}

// A damper far stiffer than a fixed-point iteration can follow, h/2 c/m = 5000: the iterates grow
// until the damper's slope is no number, and that may not be written where no tangent has memory.
TEST(StiffDamper, EndsWithItsStatusAndNotByASignal) {
  const Vehicle vehicle = read_vehicle_text(R"(<mechanism name="bars" version="1">
      <body name="a" mass="1" com="0.5 0 0" inertia="0.01 0.1 0.1"/>
      <body name="b" mass="1" com="1.5 0 0" inertia="0.01 0.1 0.1"/>
      <joint name="j1" type="revolute" a="ground" b="a" point="0 0 0" axis="0 1 0"/>
      <joint name="j2" type="revolute" a="a" b="b" point="1 0 0" axis="0 1 0"/>
      <spring name="strut" a="ground" b="b" point_a="0 0 1" point_b="1.5 0 0"><damping c="1e7"/>
      </spring></mechanism>)",
                                            "bars.xml");
  CompileSettings settings;
  settings.formulation = Formulation::recursive;
  Scenario scenario;
  scenario.step = 1e-3;
  scenario.until = 0.1;
  Drive drive = make_drive(vehicle, scenario, settings);
  Workspace ws(drive.model);
  State state = start_drive(drive, ws);
  const RunReport report = run(drive.model, drive.settings, state, ws);
  EXPECT_EQ(report.status, RunStatus::failed);
  EXPECT_EQ(report.failure, StepStatus::non_finite);
}

}  // namespace
}  // namespace semirec::test
