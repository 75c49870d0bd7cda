// States of a file's equations where a car stands, turns and is linearized, and accelerations at a
// start beside a light link: against the same system written otherwise.

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "integrator/scheme/schemes.hpp"
#include "integrator/statics/initial_conditions.hpp"
#include "integrator/step.hpp"
#include "tests/support/text_drive.hpp"
#include "vehicles/analysis/modes.hpp"
#include "vehicles/analysis/steady_state.hpp"
#include "vehicles/files/xml/reader.hpp"

namespace semirec {
namespace {

const std::string kModels = SEMIREC_SOURCE_DIR "/vehicles/models/";

/// A mass of 300 kg on a spring of 20 kN/m, without damper or with one of 1 kN s/m, and `more`.
Vehicle mass_on_spring(const std::string& damper, const std::string& more) {
  return read_vehicle_text(
      "<vehicle name='quarter' version='1'>"
      "<body name='mass' mass='300' com='0 0 0.5' inertia='10 10 10'/>"
      "<joint name='slide' type='prismatic' a='ground' b='mass' point='0 0 0.5' axis='0 0 1'/>"
      "<spring name='s' a='ground' b='mass' point_a='0 0 0' point_b='0 0 0.5'>"
      "<stiffness k='20000' free_length='0.6'/>" +
          damper + "</spring>" + more + "</vehicle>",
      "quarter.xml");
}

/// The shipped sedan with more elements.
Vehicle sedan_with(const std::string& more) {
  return read_vehicle_text(
      "<vehicle name='car' version='1'><include file='sedan.xml'/>" + more + "</vehicle>",
      kModels + "car.xml");
}

/// The sedan whose chassis is pushed up by 20 kN/m below a height of 0.6 m, as `height` has it.
Vehicle levelled_sedan(const std::string& height) {
  return sedan_with(height +
                    "<force name='pusher' body='chassis' point='0 0 0.5' direction='0 0 1' "
                    "input='= -20000*(height - 0.60)'/>");
}

double channel_of(SteadyCar& car, const SteadyTurn& turn, const std::string& name) {
  const std::vector<double> values = car.channels(turn);
  const std::vector<Channel>& channels = car.recorder().channels();
  for (std::size_t k = 0; k < channels.size(); ++k)
    if (channels[k].name == name) return values[k];
  ADD_FAILURE() << name;
  return std::numeric_limits<double>::quiet_NaN();
}

// A state that grows as a joint's angle does: over one step by the trapezoid of the angles at its
// ends, by h times the one at its end, in whatever coordinates and after whatever is left of an
// iteration.
TEST(StatesOfEquations, FollowAJointWhereTheStepEnds) {
  const std::string swing = R"(<mechanism name="swing" version="1">
    <body name="bar" mass="2" com="0.5 0 0" inertia="0.1 0.2 0.2"/>
    <joint name="pin" type="revolute" a="ground" b="bar" point="0 0 0" axis="0 1 0" velocity="3"/>
    <state name="turned" rate="= pin.z" initial="0.1"/></mechanism>)";
  constexpr double h = 0.02;
  for (const Formulation formulation : all_formulations())
    for (const bool implicit : {false, true}) {
      if (implicit && formulation != Formulation::hybrid && formulation != Formulation::global &&
          formulation != Formulation::cartesian)
        continue;  // those that close by multipliers
      test::ShippedDrive drive =
          test::start_text(swing, "step=\"0.02\"", formulation, [&](Scenario& scenario) {
            scenario.iterations = implicit ? 0 : 1;
            if (!implicit) return;
            scenario.scheme = choose_scheme("linearly_implicit_euler", {});
            scenario.closing = Closing::multipliers;
          });
      for (int k = 0; k < 5; ++k) {
        const double before = drive.state.x[0];
        const double angle = test::channel(drive, "pin.z");
        const StepReport report =
            step(drive.drive.model, drive.drive.settings.step, drive.state, drive.ws);
        ASSERT_EQ(report.status, StepStatus::converged);
        const double now = test::channel(drive, "pin.z");
        const double rate = implicit ? now : 0.5 * (angle + now);
        EXPECT_NEAR(drive.state.x[0], before + h * rate, 1e-10)
            << name_of(formulation) << (implicit ? ", implicit Euler" : "");
      }
    }
}

// Closed form: pressure' = (2000 push - pressure)/0.1, z'' = pressure/300 - ...
TEST(StatesOfEquations, ThatFollowAnInputAloneAreStatesOfTheLinearSystem) {
  const Vehicle vehicle = mass_on_spring(
      "",
      "<input name='push' value='0.3'/>"
      "<state name='pressure' unit='N' rate='= (2000*push - pressure)/0.1'/>"
      "<force name='pusher' body='mass' point='0 0 0.5' direction='0 0 1' input='= pressure'/>");
  SteadyCar car(vehicle, {});
  const LinearSystem system = find_modes(car, car.rest(), {}).system;
  ASSERT_EQ(system.A.rows(), 3);
  EXPECT_NEAR(system.A(2, 2), -10.0, 1e-6);
  EXPECT_NEAR(system.A(1, 2), 1.0 / 300.0, 1e-9);
  ASSERT_GE(system.B.cols(), 1);
  EXPECT_NEAR(system.B(2, 0), 20000.0, 1e-3);
}

// The integral of an input is one, too: x' = push, z'' = 2 x/300.
TEST(StatesOfEquations, ThatIntegrateAnInputAreStatesOfTheLinearSystem) {
  const Vehicle vehicle = mass_on_spring(
      "",
      "<input name='push' value='0'/><state name='area' unit='N' initial='0' rate='= push'/>"
      "<force name='pusher' body='mass' point='0 0 0.5' direction='0 0 1' input='= 2*area'/>");
  SteadyCar car(vehicle, {});
  const LinearSystem system = find_modes(car, car.rest(), {}).system;
  ASSERT_EQ(system.A.rows(), 3);
  EXPECT_NEAR(system.A(1, 2), 2.0 / 300.0, 1e-9);
  EXPECT_NEAR(system.B(2, 0), 1.0, 1e-6);
}

// One system whose state counts in units of 1 and of 1e-5.
TEST(StatesOfEquations, GiveTheSameModesInAnyUnit) {
  const auto modes = [](const std::string& unit) {
    const Vehicle vehicle =
        mass_on_spring("<damping c='1000'/>",
                       "<state name='lagged' initial='0' rate='= (" + unit +
                           "*slide.rate - lagged)/0.1'/>"
                           "<force name='pusher' body='mass' point='0 0 0.5' direction='0 0 1' "
                           "input='= -3000/" +
                           unit + "*lagged'/>");
    SteadyCar car(vehicle, {});
    return find_modes(car, car.rest(), {}).modes;
  };
  const std::vector<Mode> one = modes("1");
  const std::vector<Mode> small = modes("1e-5");
  ASSERT_EQ(one.size(), 2U);  // a pair that swings, and the lag
  ASSERT_EQ(small.size(), one.size());
  for (std::size_t k = 0; k < one.size(); ++k)
    EXPECT_NEAR(std::abs(one[k].eigen.value - small[k].eigen.value), 0.0, 1e-4);
}

// An integral of the motion has no rate of its own to show it: one system in units of 1 and of
// 1e-5.
TEST(StatesOfEquations, ThatIntegrateTheMotionAreSeenInAnyUnit) {
  const auto integral = [](const std::string& unit) {
    const Vehicle vehicle = mass_on_spring(
        "<damping c='1000'/>",
        "<state name='area' initial='0' rate='= " + unit +
            "*slide.z'/><force name='pusher' body='mass' point='0 0 0.5' direction='0 0 1' "
            "input='= -3000/" +
            unit + "*area'/>");
    SteadyCar car(vehicle, {});
    return find_modes(car, car.rest(), {}).system;
  };
  for (const char* unit : {"1", "1e-5", "1e5"}) {
    const LinearSystem system = integral(unit);
    ASSERT_EQ(system.A.rows(), 3) << unit;
    EXPECT_NEAR(system.A(1, 2) * system.A(2, 0), -10.0, 1e-6) << unit;  // -3000/300
  }
}

// Closed form: the hold follows at once, so that the integral's rate is 2000 push.
TEST(StatesOfEquations, BehindAHoldAreStatesOfTheLinearSystem) {
  const Vehicle vehicle = mass_on_spring(
      "",
      "<input name='push' value='0'/><hold name='seen' of='= push' rate='100'/>"
      "<state name='pressure' unit='N' initial='0' rate='= 2000*seen'/>"
      "<force name='pusher' body='mass' point='0 0 0.5' direction='0 0 1' input='= pressure'/>");
  SteadyCar car(vehicle, {});
  const LinearSystem system = find_modes(car, car.rest(), {}).system;
  ASSERT_EQ(system.A.rows(), 3);
  EXPECT_NEAR(system.B(2, 0), 2000.0, 1e-3);
}

// The motor of a car in neutral is moved by nothing in the car, and no mode of it.
TEST(StatesOfEquations, OfADrivelineInNeutralStayOutOfTheLinearSystem) {
  SteadyCar car(sedan_with(""), {});
  EXPECT_EQ(find_modes(car, car.rest(), {}).system.A.rows(), 29);
}

// Oracle: the same height as a variable, which follows at once. Both at rest and at speed.
TEST(StatesOfEquations, OfACarThatStandsComeToRestWithIt) {
  SteadyCar variable(levelled_sedan("<variable name='height' unit='m' value='= chassis.z'/>"), {});
  const SteadyTurn exact = variable.rest();
  const double z = channel_of(variable, exact, "chassis.z");
  for (const char* height : {"<state name='height' unit='m' rate='= (chassis.z - height)/0.1'/>",
                             "<hold name='height' unit='m' of='= chassis.z' rate='100'/>",
                             "<delay name='height' unit='m' of='= chassis.z' time='0.05'/>"}) {
    SCOPED_TRACE(height);
    SteadyCar car(levelled_sedan(height), {});
    const SteadyTurn rest = car.rest();
    EXPECT_NEAR(channel_of(car, rest, "chassis.z"), z, 1e-7);
    EXPECT_NEAR(channel_of(car, rest, "height.value"), z, 1e-7);
    EXPECT_NEAR(channel_of(car, rest, "pusher.load"), -20000.0 * (z - 0.60), 1e-2);
    const SteadyTurn rolling = car.turn(10.0, 0.0);
    EXPECT_NEAR(channel_of(car, rolling, "height.value"), channel_of(car, rolling, "chassis.z"),
                1e-7);
  }
}

// The same height counted otherwise: a unit is the file's own affair.
TEST(StatesOfEquations, ComeToRestInAnyUnit) {
  SteadyCar variable(levelled_sedan("<variable name='height' unit='m' value='= chassis.z'/>"), {});
  const double z = channel_of(variable, variable.rest(), "chassis.z");
  for (const std::string unit : {"1e-7", "1e-5", "1e4"}) {
    SCOPED_TRACE(unit);
    SteadyCar car(
        sedan_with("<state name='height' rate='= (" + unit +
                   "*chassis.z - height)/0.1'/>"
                   "<force name='pusher' body='chassis' point='0 0 0.5' direction='0 0 1' "
                   "input='= -20000*(height/" +
                   unit + " - 0.60)'/>"),
        {});
    EXPECT_NEAR(channel_of(car, car.rest(), "chassis.z"), z, 1e-6);
  }
}

// An integral that carries: it moves until the chassis stands at 0.57 m, whatever the springs do.
TEST(StatesOfEquations, OfAnIntegralCarryWhatIsMissing) {
  SteadyCar car(sedan_with("<state name='area' unit='N' rate='= 5000*(0.57 - chassis.z)'/>"
                           "<force name='pusher' body='chassis' point='0 0 0.56' "
                           "direction='0 0 1' input='= area'/>"),
                {});
  const SteadyTurn rest = car.rest();
  EXPECT_NEAR(channel_of(car, rest, "chassis.z"), 0.57, 1e-9);
  EXPECT_GT(channel_of(car, rest, "area.value"), 100.0);
}

// Oracle: the lag has caught up, so it is the steering itself.
TEST(StatesOfEquations, OfASteadyTurnFollowTheSteering) {
  SteadyCar car(sedan_with("<state name='late' unit='1' rate='= (steering - late)/0.03'/>"
                           "<force name='pusher' body='chassis' point='1.2 0 0.5' "
                           "direction='0 1 0' input='= 1000*late'/>"),
                {});
  const SteadyTurn turn = car.turn(20.0, 4.0);
  EXPECT_GT(turn.steering, 0.1);
  EXPECT_NEAR(channel_of(car, turn, "late.value"), turn.steering, 1e-6);
  EXPECT_NEAR(channel_of(car, turn, "pusher.load"), 1000.0 * turn.steering, 1e-3);
}

// What stands still where the search begins, straight ahead, and follows the steering beyond 0.1
// rad. Oracle: the variable that the state comes to.
TEST(StatesOfEquations, ThatWakeInATurnAreSolvedFor) {
  const auto turn = [](const std::string& late) {
    SteadyCar car(sedan_with(late + "<force name='pusher' body='chassis' point='1.2 0 0.5' "
                                    "direction='0 1 0' input='= 1000*late'/>"),
                  {});
    return car.turn(20.0, 4.0).steering;
  };
  EXPECT_NEAR(turn("<variable name='T' unit='s' value='= 1'/><state name='late' unit='1' "
                   "rate='= steering &gt; 0.1 ? (steering - 0.1 - late)/0.05 : 0/T'/>"),
              turn("<variable name='late' unit='1' "
                   "value='= steering &gt; 0.1 ? steering - 0.1 : 0'/>"),
              1e-7);
}

// Oracle: the global formulation, and -1.12307 m/s^2 of the rod without mass (found with it).
TEST(StartAccelerations, BesideALightLinkAreThoseOfARod) {
  const auto tip = [](const std::string& link, Formulation formulation) {
    const DriveDescription read{
        read_vehicle_text("<mechanism name='light_bar' version='1'>"
                          "<body name='b' mass='3' com='0.1 0 0.05' inertia='0.05 0.08 0.06' "
                          "products='0.005 -0.004 0.003'/>"
                          "<joint name='j' type='spherical' a='ground' b='b' point='0 0 0'/>" +
                              link +
                              "<marker name='tip' body='b' point='0.4 0.1 0.2'/></mechanism>",
                          "light_bar.xml"),
        read_scenario_text("<scenario name='s' version='1'><run step='0.0005' until='1'/>"
                           "<output><marker name='tip'/></output></scenario>",
                           "s.xml")};
    CompileSettings settings;
    settings.formulation = formulation;
    const Drive drive = make_drive(read, settings);
    Workspace ws(drive.model);
    StartReport report;
    const State state = start_drive(drive, ws, report);
    const Recorder recorder(drive.model, drive.recorder);
    std::vector<double> row;
    recorder.record(drive.model, state, ws, row);
    for (std::size_t k = 0; k < row.size(); ++k)
      if (recorder.channels()[k].name == "tip.az") return row[k];
    return std::numeric_limits<double>::quiet_NaN();
  };
  const auto bar = [](const std::string& mass) {
    return "<body name='d0' mass='" + mass +
           "' com='0.25 0.15 -0.2' inertia='5e-8 5e-8 5e-8'/>"
           "<joint name='k' type='spherical' a='ground' b='d0' point='0.1 0.2 -0.6'/>"
           "<joint name='l' type='spherical' a='d0' b='b' point='0.4 0.1 0.2'/>";
  };
  const double rod =
      tip("<rod name='r' a='ground' b='b' point_a='0.1 0.2 -0.6' point_b='0.4 0.1 0.2'/>",
          Formulation::hybrid);
  EXPECT_NEAR(rod, -1.12307, 1e-5);
  for (const Formulation formulation :
       {Formulation::hybrid, Formulation::topological, Formulation::recursive, Formulation::global})
    EXPECT_NEAR(tip(bar("5e-7"), formulation), rod, 1e-5) << static_cast<int>(formulation);
}

}  // namespace
}  // namespace semirec
