// What is said about a start: folded linkages, no steady motion; and that the sedan rests.

#include "vehicles/session/start_faults.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "integrator/formulation/evaluate.hpp"
#include "integrator/formulation/formulation_state.hpp"
#include "tests/support/drives.hpp"
#include "tests/support/sessions.hpp"
#include "tests/support/text_drive.hpp"
#include "vehicles/analysis/modes.hpp"
#include "vehicles/analysis/steady_state.hpp"
#include "vehicles/files/xml/reader.hpp"
#include "vehicles/manoeuvre/method.hpp"
#include "vehicles/session/input_faults.hpp"
#include "vehicles/session/input_unit.hpp"
#include "vehicles/session/input_watch.hpp"
#include "vehicles/tyre/linear_tyre.hpp"

namespace semirec::test {
namespace {

using Eigen::Vector2d;

bool holds(const std::vector<std::string>& lines, const std::string& words) {
  return std::any_of(lines.begin(), lines.end(), [&](const std::string& line) {
    return line.find(words) != std::string::npos;
  });
}

/// The line of the ModelError that a call throws; empty where it throws none.
std::string refusal_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const ModelError& error) {
    return error.what();
  }
  return {};
}

const std::string kFolder = std::string(SEMIREC_SOURCE_DIR) + "/vehicles/";

Drive shipped(const std::string& model, const std::string& scenario, double speed,
              const std::vector<std::pair<std::string, double>>& inputs = {}) {
  DriveDescription read =
      read_drive(kFolder + "models/" + model, kFolder + "scenarios/" + scenario);
  read.scenario.speed = speed;
  for (const auto& [name, value] : inputs)
    read.scenario.inputs.push_back({name, Curve::constant(value), {}});
  return make_drive(read);
}

TEST(StartReport, HasNothingToSayAboutSoundStarts) {
  for (const auto& [model, scenario, speed] :
       {std::tuple("sedan.xml", "step_steer.xml", 22.0), std::tuple("sedan.xml", "rest.xml", 0.0),
        std::tuple("iltis.xml", "rest.xml", 0.0),
        std::tuple("iltis_spinning.xml", "rest.xml", 5.0)}) {
    const Drive drive = shipped(model, scenario, speed);
    Workspace ws(drive.model);
    StartReport report;
    (void)start_drive(drive, ws, report);
    EXPECT_TRUE(report.notes.empty()) << model << ": " << report.notes.front();
    EXPECT_TRUE(report.equilibrium.found) << model;
    EXPECT_EQ(report.rolls, report.motion.found) << model;
  }
}

// A linear tyre has no friction that a road could scale.
TEST(StartReport, NamesTheWheelsThatDoNotFeelTheRoadsFriction) {
  DriveDescription read{read_vehicle(kFolder + "models/sedan.xml"),
                        read_scenario_text(R"(<scenario name="wet" version="1">
      <run step="0.001" until="0.1"/><road><friction mu="0.4"/></road></scenario>)",
                                           "wet.xml")};
  LinearTyreParameters linear;
  linear.radial.radius = read.vehicle.wheels[0].law->unloaded_radius();
  read.vehicle.wheels[2].law = std::make_shared<LinearTyre>(linear);
  const Drive drive = make_drive(read);
  Workspace ws(drive.model);
  StartReport report;
  static_cast<void>(start_drive(drive, ws, report));
  EXPECT_TRUE(holds(report.notes, "the friction of the road does not reach '" +
                                      read.vehicle.wheels[2].name + "':"));
}

TEST(SplitMuBraking, IsNotDrivenOnTyresThatFeelNoFriction) {
  Vehicle vehicle = read_vehicle(kFolder + "models/sedan.xml");
  LinearTyreParameters linear;
  linear.radial.radius = vehicle.wheels[0].law->unloaded_radius();
  for (Wheel& wheel : vehicle.wheels) wheel.law = std::make_shared<LinearTyre>(linear);
  const Manoeuvre manoeuvre = read_manoeuvre(kFolder + "manoeuvres/split_mu_braking.xml");
  EXPECT_NE(refusal_of([&] {
              static_cast<void>(run_manoeuvre(vehicle, manoeuvre));
            }).find("no tyre of this vehicle feels that of the road"),
            std::string::npos);
}

std::vector<std::string> notes_with(const std::string& input, const Curve& curve) {
  DriveDescription read =
      read_drive(kFolder + "models/sedan.xml", kFolder + "scenarios/step_steer.xml");
  std::erase_if(read.scenario.inputs, [&](const Input& other) { return other.name == input; });
  read.scenario.inputs.push_back({input, curve, {}});
  const Drive drive = make_drive(read);
  return find_input_faults(drive.model, drive.settings.until);
}

TEST(InputFaults, NameTheValueThatDoesNotAct) {
  const auto constant = [](double value) { return Curve::constant(value); };
  using Lines = std::vector<std::string>;
  EXPECT_EQ(notes_with("brake", constant(7)), Lines{"input 'brake' is 7 at t = 0 s and acts as 1"});
  EXPECT_EQ(notes_with("throttle", constant(-3)),
            Lines{"input 'throttle' is -3 at t = 0 s and acts as 0"});
  EXPECT_EQ(notes_with("brake", Curve::table({{0.0, 0.0}, {0.5, 1.5}, {0.6, 1.0}})),
            Lines{"input 'brake' is 1.5 at t = 0.5 s and acts as 1"});
  EXPECT_EQ(notes_with("brake", constant(1)), Lines{});
}

TEST(InputFaults, NameAGearThatIsNone) {
  using Lines = std::vector<std::string>;
  const auto notes_of = [](bool automatic, const Curve& curve) {
    DriveDescription read =
        read_drive(kFolder + "models/sedan.xml", kFolder + "scenarios/step_steer.xml");
    Gearbox& gearbox = read.vehicle.drivelines[0].gearbox;
    gearbox.automatic = automatic;
    gearbox.shift_latency = 0.0;
    read.scenario.inputs.push_back({"gear", curve, {}});
    const Drive drive = make_drive(read);
    return find_input_faults(drive.model, drive.settings.until);
  };
  // 1 and more are drive
  EXPECT_EQ(notes_of(true, Curve::constant(9.0)), Lines{});
  EXPECT_EQ(notes_of(true, Curve::constant(0.3)),
            Lines{"input 'gear' is 0.3 at t = 0 s and acts as 0"});
  EXPECT_EQ(notes_of(false, Curve::constant(9.0)),
            Lines{"input 'gear' is 9 at t = 0 s and acts as 5"});
  EXPECT_EQ(notes_of(false, Curve::constant(1.4)),
            Lines{"input 'gear' is 1.4 at t = 0 s and acts as 1"});
  // on the way from one to another
  EXPECT_EQ(notes_of(false, Curve::table({{0.0, 1.0}, {0.5, 1.0}, {0.6, 2.0}})), Lines{});
}

// One pedal that an electric motor reads from -1 and a brake from 0: whose end it is, is said.
TEST(InputFaults, NameTheElementWhereOthersReadTheInputFurther) {
  DriveDescription read = read_drive(kFolder + "models/sedan.xml", kFolder + "scenarios/rest.xml");
  read.vehicle.drivelines[0].motor.type = MotorType::electric;
  for (Brake& brake : read.vehicle.brakes) brake.input = read.vehicle.drivelines[0].motor.throttle;
  std::erase_if(read.scenario.inputs, [](const Input& other) { return other.name == "throttle"; });
  read.scenario.inputs.push_back({"throttle", Curve::constant(-0.5), {}});
  const Drive drive = make_drive(read);
  const std::vector<std::string> told = find_input_faults(drive.model, drive.settings.until);
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0].rfind("input 'throttle' is -0.5 at t = 0 s and acts as 0 in 'brake_", 0), 0U)
      << told[0];
  EXPECT_EQ(std::count(told[0].begin(), told[0].end(), ','), 3) << told[0];  // four brakes
}

// Expected by hand: an equation of 2 at a throttle that ends at 1.
TEST(InputFaults, OfEquationsAreToldAsTheyCome) {
  DriveDescription read = read_drive(kFolder + "models/sedan.xml", kFolder + "scenarios/rest.xml",
                                     {{"driveline", "throttle", "= 2*time", {}}});
  const Drive drive = make_drive(read);
  EXPECT_TRUE(find_input_faults(drive.model, drive.settings.until).empty());
  Workspace ws(drive.model);
  State state = make_initial_state(drive.model);
  InputWatch watch(drive.model);
  for (const double t : {0.2, 1.0, 0.4}) {
    state.t = t;
    evaluate_state(drive.model, state, ws);
    watch.see(ws, t);
  }
  const std::vector<std::string> told = watch.notes();
  ASSERT_EQ(told.size(), 1U);
  EXPECT_NE(told[0].find(" is 2 at t = 1 s and acts as 1"), std::string::npos) << told[0];
}

// A rack cannot follow a step: said of inputs that move joints or rods, not of forces.
TEST(InputFaults, NameAJumpThatMovesTheMechanism) {
  const Curve jump = Curve::table({{0.0, 0.0}, {0.5, 0.0}, {0.5, -0.6}, {0.7, 0.1}});
  const std::vector<std::string> told = notes_with("steering", jump);
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0].rfind("input 'steering' jumps by 0.6 at t = 0.5 s and moves joints or rods", 0),
            0U)
      << told[0];
  EXPECT_TRUE(notes_with("brake", Curve::table({{0.0, 0.0}, {0.5, 0.0}, {0.5, 0.6}})).empty());
  EXPECT_TRUE(notes_with("steering", Curve::table({{0.5, 0.0}, {0.501, 0.6}})).empty());
}

// Wind from the left of a car that faces y comes from behind once it drives along x.
TEST(SteadyFaults, SayWhereTheHeadingIsLeftOut) {
  for (const double brake : {0.0, 0.3})
    for (const bool windy : {true, false}) {
      std::vector<Override> turned{
          {"chassis_joint", "position", "0 0 0.56 0 0 1.5707963267948966", {}}};
      if (windy) turned.push_back({"wind_x", "value", "10", {}});
      const Vehicle vehicle = read_vehicle(kFolder + "models/sedan.xml", turned);
      Scenario scenario;
      scenario.inputs.push_back({"brake", Curve::constant(brake), {}});
      SteadyCar car(vehicle, scenario, SpeedHold::force);
      static_cast<void>(car.turn(10.0, 0.0));
      EXPECT_EQ(holds(car.rest_faults(), "the heading that it has at the start, 1.57"), windy)
          << brake;
    }
}

TEST(InputFaults, AreSaidOfASteadyStateAndItsModes) {
  DriveDescription read = read_drive(kFolder + "models/sedan.xml", kFolder + "scenarios/rest.xml");
  read.scenario.inputs.push_back({"brake", Curve::constant(7.0), {}});
  const std::string line = "input 'brake' is 7 at t = 0 s and acts as 1";
  const Answer at_rest = analyse_steady_state(read.vehicle, read.scenario, {});
  EXPECT_EQ(std::count(at_rest.notes.begin(), at_rest.notes.end(), line), 1);
  SteadyCar car(read.vehicle, read.scenario);
  const Answer modes = analyse_modes(car, {}, {});
  EXPECT_EQ(std::count(modes.notes.begin(), modes.notes.end(), line), 1);
}

TEST(InputFaults, AreNoneOfAnInputWithoutARange) {
  EXPECT_TRUE(notes_with("steering", Curve::constant(0.01)).empty());
}

TEST(StartReport, NamesTheJointThatHasMovedTooFar) {
  const Drive drive = shipped("sedan.xml", "rest.xml", 0.0);
  Workspace ws(drive.model);
  const State design = start_drive(drive, ws);
  State now = design;
  const Model& model = drive.model;
  const auto coordinate = [&](const std::string& name) {
    for (std::size_t t = 1; t < model.tree.bodies.size(); ++t) {
      const auto joint = static_cast<std::size_t>(model.tree.tree.branches[t].joint);
      if (model.mechanism.joints[joint].name == name) return model.tree.bodies[t].z;
    }
    ADD_FAILURE() << "no joint " << name;
    return 0;
  };
  const int spin = coordinate("spin_fl");
  now.z[0] += 100.0;  // far along the road
  now.z[spin] += 50.0;
  EXPECT_TRUE(find_start_faults(model, drive.chassis, design, now, {spin}, ws).empty());
  EXPECT_TRUE(holds(find_start_faults(model, drive.chassis, design, now, {}, ws),
                    "joint 'spin_fl' has turned"));
  const int arm = coordinate("hinge_lower_fl");
  now.z[arm] += 1.0;
  const auto faults = find_start_faults(model, drive.chassis, design, now, {spin}, ws);
  EXPECT_TRUE(holds(faults, "joint 'hinge_lower_fl' has turned by 1 rad, expected at most 0.8"))
      << (faults.empty() ? "" : faults.front());
}

// A carrier on a free joint of its own, as between five links, counts by its turn against the
// chassis: the whole car may stand anyhow.
TEST(StartReport, SeesACarrierThatHasTurnedBetweenItsLinks) {
  DriveDescription read = read_drive(kFolder + "models/sedan.xml", kFolder + "scenarios/rest.xml");
  const Vehicle vehicle =
      read_vehicle(kFolder + "models/sedan.xml", {parse_override("form.value=bushing")});
  Drive drive = make_drive(vehicle, read.scenario);
  const Model& model = drive.model;
  Workspace ws(model);
  const State design = start_drive(drive, ws);
  const auto free_joint = [&](const std::string& body) {
    for (std::size_t b = 0; b < model.mechanism.bodies.size(); ++b)
      if (model.mechanism.bodies[b].name == body) {
        const TreeBody& own = model.tree.bodies[static_cast<std::size_t>(
            model.tree.tree.tree_index(static_cast<BodyIndex>(b)))];
        EXPECT_TRUE(own.floats) << body;
        return own.z;
      }
    ADD_FAILURE() << "no body " << body;
    return 0;
  };
  State now = design;
  now.z[free_joint("chassis") + 5] += 2.0;  // alone: all others turn against it
  const auto all = find_start_faults(model, drive.chassis, design, now, {}, ws);
  EXPECT_TRUE(holds(all, "has turned by 2 rad"));
  now = design;
  now.z[free_joint("lower_arm_fl") + 4] += 1.0;
  EXPECT_TRUE(holds(find_start_faults(model, drive.chassis, design, now, {}, ws),
                    "body 'lower_arm_fl' has turned by 1 rad, expected at most 0.8"));
  EXPECT_TRUE(find_start_faults(model, kGround, design, now, {}, ws).empty());
  EXPECT_TRUE(find_start_faults(model, drive.chassis, design, design, {}, ws).empty());
}

// An arm that points up by 0.6 rad carries its wheel some 0.2 m higher; the whole car may stand
// anywhere.
TEST(StartReport, SeesAWheelFarFromWhereItIsDrawn) {
  const Drive drive = shipped("sedan.xml", "rest.xml", 0.0);
  const Model& model = drive.model;
  Workspace ws(model);
  const State design = start_drive(drive, ws);
  State now = design;
  now.z.head<3>() += Eigen::Vector3d(100.0, 3.0, 1.0);
  const auto line = [&] {
    return describe_wheel_travel(model, drive.wheels, drive.units, design, now, ws);
  };
  EXPECT_EQ(line(), "");
  for (std::size_t t = 1; t < model.tree.bodies.size(); ++t) {
    const auto joint = static_cast<std::size_t>(model.tree.tree.branches[t].joint);
    if (model.mechanism.joints[joint].name == "hinge_lower_fl")
      now.z[model.tree.bodies[t].z] += 0.6;
  }
  EXPECT_NE(line().find("wheel 'wheel_fl' stands 0.2"), std::string::npos) << line();
  EXPECT_NE(line().find(" m higher in its unit than drawn, expected"), std::string::npos) << line();
}

// A four-bar and its mirror image across the line from the end of the crank to the rocker's pivot:
// both are assemblies of the same lengths.
TEST(StartReport, SeesALoopInItsOtherBranch) {
  const Vector2d A(0.0, 0.0), B(0.3, -0.8), C(0.2, 0.2), D(1.2, 0.5);  // x, z
  const std::string path =
      (std::filesystem::temp_directory_path() / "semirec_start_faults.xml").string();
  std::ofstream(path) << R"(<mechanism name="four_bar" version="1">
    <body name="crank" mass="1" com="0.15 0 -0.4" inertia="1 1 1"/>
    <body name="coupler" mass="1" com="0.25 0 -0.3" inertia="1 1 1"/>
    <body name="rocker" mass="1" com="0.7 0 0.35" inertia="1 1 1"/>
    <joint name="a" type="revolute" a="ground" b="crank" point="0 0 0" axis="0 1 0"/>
    <joint name="b" type="revolute" a="crank" b="coupler" point="0.3 0 -0.8" axis="0 1 0"/>
    <joint name="d" type="revolute" a="ground" b="rocker" point="1.2 0 0.5" axis="0 1 0"/>
    <joint name="c" type="revolute" a="coupler" b="rocker" point="0.2 0 0.2" axis="0 1 0" placement="cut"/>
    </mechanism>)";
  const Drive drive = make_drive(read_vehicle(path), Scenario{});
  std::filesystem::remove(path);
  Workspace ws(drive.model);
  const State design = start_drive(drive, ws);
  ASSERT_EQ(drive.model.n(), 3);
  const Vector2d along = (D - B).normalized();
  const Vector2d flipped = B + 2.0 * along * along.dot(C - B) - (C - B);
  // turns about y take z to x
  const auto angle = [](const Vector2d& v) { return std::atan2(v.x(), v.y()); };
  const auto wrapped = [](double a) { return std::remainder(a, 2.0 * std::acos(-1.0)); };
  State now = design;
  now.z[1] += wrapped(angle(flipped - B) - angle(C - B));
  now.z[2] += wrapped(angle(flipped - D) - angle(C - D));
  evaluate_state(drive.model, now, ws);
  ASSERT_LT(ws.closures.Phi.cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_TRUE(holds(find_start_faults(drive.model, drive.chassis, design, now, {}, ws),
                    "stands in another branch"));
  EXPECT_FALSE(holds(find_start_faults(drive.model, drive.chassis, design, design, {}, ws),
                     "stands in another branch"));
  (void)A;
}

// A car that rolls at a speed with its wheels held by the brakes moves steadily in no way.
TEST(StartReport, SaysThatThereIsNoSteadyMotion) {
  const Drive drive = shipped("sedan.xml", "rest.xml", 20.0, {{"brake", 1.0}});
  Workspace ws(drive.model);
  StartReport report;
  (void)start_drive(drive, ws, report);
  EXPECT_TRUE(report.rolls);
  EXPECT_TRUE(report.equilibrium.found);
  EXPECT_EQ(report.motion.found, report.notes.empty());
  if (!report.motion.found) {
    EXPECT_TRUE(holds(report.notes, "no steady motion at 20 m/s was found")) << report.notes[0];
  }
}

// Wheels that roll find no rest on the slopes of a rough road; the start is then in balance but for
// the way along it.
TEST(StartReport, StartsOnRoughRoads) {
  for (const char* road : {"class=\"B\" seed=\"1\"", "class=\"C\" seed=\"1\"",
                           "class=\"D\" seed=\"3\"", "class=\"E\" seed=\"2\""}) {
    const std::string path =
        (std::filesystem::temp_directory_path() / "semirec_rough_road.xml").string();
    std::ofstream(path) << R"(<scenario name="rough" version="1">
      <run step="0.001" until="0.1"/><start from="equilibrium" speed="10"/>
      <contact law="normal" contact="cams"/><road><iso8608 )"
                        << road << "/></road></scenario>";
    const Scenario scenario = read_scenario(path);
    std::filesystem::remove(path);
    const Vehicle sedan = read_vehicle(kFolder + "models/sedan.xml");
    EXPECT_TRUE(holds(Session(sedan, scenario).notes(), "the vehicle cannot rest where it starts"));
    Drive drive = make_drive(sedan, scenario);
    Workspace ws(drive.model);
    StartReport report;
    State state = start_drive(drive, ws, report);
    EXPECT_TRUE(report.equilibrium.found) << road;
    EXPECT_TRUE(report.motion.found) << road;
    EXPECT_TRUE(holds(report.notes, "the vehicle cannot rest where it starts")) << road;
    ShippedDrive car{std::move(drive), std::move(ws), std::move(state)};
    double load = 0.0;
    for (const char* wheel : {"wheel_fl", "wheel_fr", "wheel_rl", "wheel_rr"})
      load += channel(car, std::string(wheel) + ".Fz");
    // 1500 kg less the lift of sedan.xml, 0.5 1.2 2.2 (0.05 + 0.08) 10^2 = 17 N, with a percent of
    // it for the density
    const double az = channel(car, "chassis.az");
    EXPECT_NEAR(load, 1500.0 * (9.81 + az) - 17.2, 1.0) << road;
    // free along the plane under the wheels only, which is all but level
    EXPECT_LT(std::abs(az),
              0.02 * std::hypot(channel(car, "chassis.ax"), channel(car, "chassis.ay")))
        << road;
  }
}

// Rotations of balls count from a reference that moves with them: what has turned is told by both.
TEST(StartReport, SeesHowFarABallHasTurned) {
  const Drive drive = shipped("trailer.xml", "rest.xml", 0.0);
  Workspace ws(drive.model);
  const State design = start_drive(drive, ws);
  State now = design;
  for (std::size_t t = 1; t < drive.model.tree.bodies.size(); ++t) {
    const auto joint = static_cast<std::size_t>(drive.model.tree.tree.branches[t].joint);
    if (drive.model.mechanism.joints[joint].name != "hitch") continue;
    now.z[drive.model.tree.bodies[t].z + 1] += 1.0;
  }
  rebase(drive.model, now);
  EXPECT_TRUE(holds(find_start_faults(drive.model, drive.chassis, design, now, {}, ws),
                    "joint 'hitch' has turned by 1 rad"));
  EXPECT_TRUE(find_start_faults(drive.model, drive.chassis, design, design, {}, ws).empty());
}

// A load before the ball, or far before the axle, tips the trailer over its nose.
TEST(StartReport, RefusesAnOverturnedTrailer) {
  for (const char* change : {"trailer_com.value=5 0 0.7", "trailer.com=0.25 0 0.7"}) {
    DriveDescription read =
        read_drive(kFolder + "models/trailer.xml", kFolder + "scenarios/step_steer.xml");
    read.vehicle = read_vehicle(kFolder + "models/trailer.xml", {parse_override(change)});
    const Drive drive = make_drive(read);
    Workspace ws(drive.model);
    const std::string line = refusal_of([&] { (void)start_drive(drive, ws); });
    EXPECT_TRUE(holds({line}, "no static equilibrium")) << change << ": " << line;
  }
}

// A spring so soft that its free length overflows.
TEST(StartReport, SaysWhereForcesAreNoNumbers) {
  DriveDescription read =
      read_drive(kFolder + "models/sedan.xml", kFolder + "scenarios/step_steer.xml");
  read.vehicle = read_vehicle(kFolder + "models/sedan.xml", {parse_override("spring_fl.k=1e-320")});
  const Drive drive = make_drive(read);
  Workspace ws(drive.model);
  const std::string line = refusal_of([&] { (void)start_drive(drive, ws); });
  EXPECT_TRUE(holds({line}, "the forces of the search are no numbers")) << line;
}

// A level road is not uneven: its rounding is no reason why a wheel hangs.
TEST(StartReport, NamesTheWarpOfTheRoadOnlyWhereItIsOne) {
  DriveDescription read = read_drive(kFolder + "models/sedan.xml", kFolder + "scenarios/rest.xml");
  read.vehicle =
      read_vehicle(kFolder + "models/sedan.xml", {parse_override("chassis.com=0.9 0.55 0.55")});
  const Drive drive = make_drive(read);
  Workspace ws(drive.model);
  StartReport report;
  (void)start_drive(drive, ws, report);
  EXPECT_TRUE(holds(report.notes, "at the start nothing rests on '"));
  EXPECT_FALSE(holds(report.notes, "off the plane"));
}

TEST(Sedan, RestsWhereNobodyDrives) {
  const auto session = make_session("vehicles/models/sedan.xml", "vehicles/scenarios/rest.xml");
  std::vector<double> values(session->outputs().size());
  const auto output = [&](const char* name) {
    session->read_outputs(values.data());
    return values[static_cast<std::size_t>(session->find_output(name))];
  };
  EXPECT_LT(std::abs(output("chassis.ax")), 1e-10);
  EXPECT_LT(std::abs(output("chassis.az")), 1e-10);
  const double there = output("chassis.x");
  for (int k = 0; k < 2000; ++k) ASSERT_EQ(session->step(), StepStatus::converged);
  EXPECT_NEAR(output("chassis.x"), there, 1e-10);
  EXPECT_LT(std::abs(output("wheel_fl.omega")), 1e-9);
}

// steering wheel -> rack by m/rad; what pedals and levers do has no unit
TEST(Sedan, KnowsTheUnitsOfItsInputs) {
  const auto session = make_session("vehicles/models/sedan.xml", "vehicles/scenarios/rest.xml");
  for (const auto& [input, unit] :
       {std::pair("steering", "rad"), std::pair("rack", "m"), std::pair("throttle", "1"),
        std::pair("brake", "1"), std::pair("gear", "1"), std::pair("wind_x", "m/s")}) {
    const int index = session->find_input(input);
    if (std::string(input) == "rack" && index < 0) continue;
    ASSERT_GE(index, 0) << input;
    EXPECT_EQ(find_input_unit(*session, index), unit) << input;
  }
}

// A jack whose screw moves it by some factor is no steering wheel; one that it turns round is as
// long as the other.
TEST(Inputs, HaveTheUnitOfWhatFollowsThemWhereTheFactorTells) {
  const auto units_of = [](const std::string& factor) {
    return start_text(
               "<mechanism name=\"j\" version=\"1\"><input name=\"jack\"/><input name=\"lift\" "
               "of=\"jack\" factor=\"" +
                   factor +
                   "\"/><body name=\"b\" mass=\"1\" com=\"0 0 0\" inertia=\"1 1 1\"/><joint "
                   "name=\"s\" "
                   "type=\"prismatic\" a=\"ground\" b=\"b\" point=\"0 0 0\" axis=\"0 0 "
                   "1\"/><motion "
                   "name=\"m\" joint=\"s\" coordinate=\"displacement\" "
                   "input=\"lift\"/></mechanism>",
               "step=\"0.001\"")
        .drive.recorder.input_units;
  };
  EXPECT_EQ(units_of("2"), (std::vector<std::string>{"", "m"}));
  EXPECT_EQ(units_of("-1"), (std::vector<std::string>{"m", "m"}));
}

std::vector<std::string> notes_of(const std::string& model, const std::string& inside) {
  const Drive drive =
      make_drive(read_vehicle(kFolder + "models/" + model, {}),
                 read_scenario_text("<scenario name='s' version='1'><run until='1' step='0.001'/>" +
                                        inside + "</scenario>",
                                    "s.xml"));
  Workspace ws(drive.model);
  StartReport report;
  (void)start_drive(drive, ws, report);
  return report.notes;
}

// The Iltis' tyres are asked by load and slip angle alone, whatever the road.
TEST(StartReport, SaysWhichWheelsTheFrictionOfTheRoadDoesNotReach) {
  const std::string ice = "<start from='equilibrium'/><road><friction mu='0.1'/></road>";
  const std::string words = "friction of the road does not reach";
  EXPECT_TRUE(holds(notes_of("iltis.xml", ice), words));
  EXPECT_FALSE(holds(notes_of("sedan.xml", ice), words));
  EXPECT_FALSE(holds(notes_of("iltis.xml", "<start/><road><flat height='0.1'/></road>"), words));
}

// The wheels of a trailer pull at it, whichever body takes the moment about their axle.
TEST(StartReport, SaysThatATrailersHalfShaftsPushBackOnTheCar) {
  std::ifstream file(kFolder + "models/trailer.xml");
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  const auto notes = [&](const std::string& body) {
    std::string driven = text;
    driven.insert(driven.rfind("</vehicle>"),
                  "<driveline name='aid'><motor type='electric' inertia='0.1' throttle='throttle'>"
                  "<full><point speed='0' torque='50'/></full></motor><axle name='axle' "
                  "wheels='wheel_tl wheel_tr' ratio='5'" +
                      body + "/></driveline>");
    const Drive drive = make_drive(read_vehicle_text(driven, kFolder + "models/trailer.xml"), {});
    return drive.notes;
  };
  const std::string words = "axle 'axle' turn wheels of 'trailer' and push back on body 'chassis'";
  EXPECT_TRUE(holds(notes(""), words));
  EXPECT_FALSE(holds(notes(" body='trailer'"), words));
}

// What is held along x alone is no speed of a car that turns away from x.
TEST(StartReport, SaysThatAHeldSpeedIsNotThatOfACarThatTurns) {
  const std::string hold = "<start from='equilibrium' speed='15'/><speed mode='hold'/>";
  const std::string steer =
      "<input name='steering'><ramp from='0' to='0.5' start='0' end='1'/></input>";
  const std::string words = "held along the world's x";
  EXPECT_TRUE(holds(notes_of("sedan.xml", hold + steer), words));
  EXPECT_FALSE(holds(notes_of("sedan.xml", hold), words));
  EXPECT_FALSE(
      holds(notes_of("sedan.xml", "<start from='equilibrium' speed='15'/>" + steer), words));
}

TEST(StartReport, NamesASlopeOnlyWhereThereIsOne) {
  const std::string start = "<start from='equilibrium'/>";
  const auto wind = notes_of("sedan.xml", start + "<input name='wind_x' value='-20'/>");
  EXPECT_TRUE(holds(wind, "pushed along the road"));
  EXPECT_FALSE(holds(wind, "slope"));
  EXPECT_TRUE(holds(notes_of("sedan.xml", start + "<road><slope angle='0.05'/></road>"),
                    "on a slope of the road"));
}

// Not the linkage that it tears.
TEST(StartFaults, NameAnInputThatIsNoNumber) {
  const std::string line = refusal_of(
      [] { (void)notes_of("sedan.xml", "<start/><input name='steering' value='= 1/time'/>"); });
  EXPECT_TRUE(holds({line}, "element 'steering': is inf at the start")) << line;
}

// A centre that is 10 mm off the bearing turns with the rim; a carrier that nothing but the rim
// leads is the rim.
TEST(WheelFaults, AreNamed) {
  const std::string sedan = kFolder + "models/sedan.xml";
  EXPECT_TRUE(
      holds(read_vehicle(sedan, {parse_override("wheel_fl.centre=1.2375 0.775 0.329")}).notes,
            "runs out of round"));
  EXPECT_TRUE(read_vehicle(sedan, {}).notes.empty());
  const std::string line = refusal_of([&] {
    (void)read_vehicle(
        sedan, {parse_override("wheel_rl.body=rim_rl"), parse_override("wheel_rl.rim=carrier_rl")});
  });
  EXPECT_TRUE(holds({line}, "look exchanged")) << line;
}

}  // namespace
}  // namespace semirec::test
