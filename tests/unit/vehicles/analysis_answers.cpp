// Answers about steady states, modes and single track models: what they hold where wheels behind
// steer, a wheel lifts, or the asking goes the other way round, and what they say.

#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "vehicles/analysis/bicycle/bicycle_answer.hpp"
#include "vehicles/analysis/kc/kc.hpp"
#include "vehicles/analysis/modes.hpp"
#include "vehicles/analysis/steady_state.hpp"
#include "vehicles/files/xml/reader.hpp"
#include "vehicles/manoeuvre/car.hpp"

namespace semirec {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

const std::string kSource = SEMIREC_SOURCE_DIR;

Vehicle shipped_model(const std::string& model) {
  return read_vehicle(kSource + "/vehicles/models/" + model, {});
}

Vehicle bicycle_with(const std::vector<std::string>& overrides = {}) {
  std::vector<Override> all;
  for (const std::string& text : overrides) all.push_back(parse_override(text));
  return read_vehicle(kSource + "/tests/data/bicycle.xml", all);
}

/// The bicycle of tests/data whose wheels turn by these factors of the steering input.
Vehicle bicycle_that_steers(double front, double rear) {
  Vehicle vehicle = bicycle_with();
  Mechanism& mechanism = vehicle.mechanism;
  const auto add = [&](const std::string& name, double factor) {
    Input input;
    input.name = name;
    input.curve = Curve::constant(0.0);
    input.of = 0;
    input.factor = factor;
    mechanism.inputs.push_back(input);
    return static_cast<InputIndex>(mechanism.inputs.size()) - 1;
  };
  EXPECT_EQ(mechanism.inputs.at(0).name, "steer");
  const InputIndex before = add("before", front);
  const InputIndex behind = add("behind", rear);
  for (PrescribedMotion& motion : mechanism.motions)
    motion.input = motion.name.starts_with("steer") ? before : behind;
  return vehicle;
}

double number(const Answer& answer, const std::string& name) {
  const int k = find_quantity(answer, name);
  EXPECT_GE(k, 0) << name;
  return k < 0 ? std::nan("") : answer.quantities[static_cast<std::size_t>(k)].value;
}

Answer turns_of(const Vehicle& vehicle, const std::vector<double>& lateral) {
  SteadyOptions options;
  options.speed = 20.0;
  options.lateral_accelerations = lateral;
  return analyse_steady_state(vehicle, {}, options);
}

template <class Error, class Ask>
std::string complaint(const Ask& ask) {
  try {
    ask();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing thrown";
}

// Closed form: m/l (b/C_f - a/C_r) = 0.00300925925925926 whichever wheels steer, since
// delta_f - delta_r = l/R + that times the lateral acceleration; the ratio is 1/(front - rear).
TEST(SteadyAnswer, UndersteerIsThatOfTheTyresWhicheverWheelsSteer) {
  struct Case {
    double front, rear;
  };
  for (const Case& each : {Case{1.0, 0.0}, Case{0.0, -1.0}, Case{1.0, -0.5}, Case{1.0, 0.25}}) {
    const Answer answer = turns_of(bicycle_that_steers(each.front, each.rear), {0.0, 0.5});
    EXPECT_NEAR(number(answer, "understeer_gradient") / 0.00300925925925926, 1.0, 1e-4)
        << each.front << " " << each.rear;
    EXPECT_NEAR(number(answer, "steering_ratio"), 1.0 / (each.front - each.rear), 1e-6);
  }
}

TEST(SteadyAnswer, WheelsThatAllSteerAlikeHaveNoUndersteer) {
  const Vehicle vehicle = bicycle_that_steers(1.0, 1.0);
  const SteeringTurn turn = SteadyCar(vehicle, {}).find_steering_turn();
  EXPECT_TRUE(turn.is_steered);
  EXPECT_NEAR(turn.front, 1.0, 1e-6);
  EXPECT_NEAR(turn.rear, 1.0, 1e-6);
  EXPECT_EQ(turn.ratio(), 0.0);
}

TEST(SteadyAnswer, OfRightTurnsTheLargestIsTheFarthest) {
  EXPECT_EQ(number(turns_of(bicycle_with(), {0.0, -0.2, -0.4}), "largest_lateral_acceleration"),
            -0.4);
}

// The front wheel inside of the truck's turn leaves the road at 6 m/s^2: it rolls on at V/R, as far
// as there are turns at all.
TEST(SteadyAnswer, AWheelOffTheGroundRollsOn) {
  SteadyCar car(shipped_model("truck.xml"), {});
  const Drive& drive = car.drive();
  int lifted = 0;
  for (const double lateral : {6.0, 6.25, 6.5, 6.75}) {
    SteadyTurn turn;
    try {
      turn = car.turn(20.0, lateral);
    } catch (const AnalysisError&) {
      break;  // it rolls over
    }
    for (const WheelSpin& spin :
         find_wheel_spins(drive.model, drive.wheels, car.workspace(), 20.0)) {
      lifted += turn.wheels[spin.wheel].load <= 0.0 ? 1 : 0;
      // 0.2: the inside of a turn of 60 m is 2 % slower, wheels under load have other radii
      EXPECT_NEAR(turn.state.zd[spin.z] / (20.0 * spin.rolling), 1.0, 0.2)
          << drive.wheels[spin.wheel].name << " at " << lateral;
    }
  }
  EXPECT_GT(lifted, 0);
}

TEST(SteadyAnswer, SaysThatItsSteeringOverrulesThatOfTheStart) {
  Scenario scenario;
  scenario.inputs.push_back({"steer", Curve::constant(0.01), {}});
  SteadyOptions options;
  const auto notes = [&](double speed) {
    options.speed = speed;
    return analyse_steady_state(bicycle_with(), scenario, options).notes;
  };
  EXPECT_THAT(notes(20.0), Contains(HasSubstr("'steer' is at the start, 0.01, is left out")));
  EXPECT_THAT(notes(0.0), Not(Contains(HasSubstr("is left out"))));
}

TEST(SteadyAnswer, RefusesASteeringThatNothingReads) {
  Vehicle vehicle = bicycle_with();
  for (PrescribedMotion& motion : vehicle.mechanism.motions)
    for (std::size_t k = 0; k < vehicle.mechanism.inputs.size(); ++k)
      if (vehicle.mechanism.inputs[k].name == "straight") motion.input = static_cast<InputIndex>(k);
  EXPECT_THAT(complaint<ModelError>([&] { SteadyCar(vehicle, {}).turn(20.0, 1.0); }),
              HasSubstr("its steering input 'steer' is read by no element"));
  Manoeuvre step_steer;
  step_steer.name = "step_steer";
  EXPECT_THAT(complaint<ModelError>([&] { need_steering(vehicle, step_steer); }),
              HasSubstr("has a steering input 'steer' that is read by no element"));
  need_steering(bicycle_with(), step_steer);
  // what follows by nothing reads nothing
  EXPECT_THROW(need_steering(bicycle_that_steers(0.0, 0.0), step_steer), ModelError);
}

// On one in ten a brake of a hundredth does not hold the car: what fails leaves newtons over, and
// partial shares that were solved do not count.
TEST(SteadyAnswer, OfWeakBrakesSaysWhatTheyLeaveOver) {
  Scenario slope;
  slope.road.left = slope.road.right = Curve::linear(0.1);
  slope.inputs.push_back({"brake", Curve::constant(0.05), {}});
  const std::string text =
      complaint<AnalysisError>([&] { SteadyCar(shipped_model("sedan.xml"), slope).rest(); });
  const std::string before = "forces stay unbalanced by ";
  const std::size_t from = text.find(before);
  ASSERT_NE(from, std::string::npos) << text;
  EXPECT_GT(std::stod(text.substr(from + before.size())), 1e-3) << text;
}

TEST(SteadyAnswer, DoesNotSolveARestOnASlopeWithoutBrakes) {
  const Scenario bank = read_scenario_text(
      R"(<scenario name="bank" version="1"><run step="0.001" until="1"/>
         <road><flat height="0"/><slope bank="0.1"/></road></scenario>)",
      "bank.xml");
  const std::string text =
      complaint<AnalysisError>([&] { SteadyCar(shipped_model("sedan.xml"), bank).rest(); });
  EXPECT_THAT(text, HasSubstr("without brakes a rest on a slope or in wind is not solved for"));
  EXPECT_THAT(text, Not(HasSubstr("nothing balances")));
}

Scenario with_input(const std::string& name, double value) {
  return read_scenario_text(
      "<scenario name=\"held\" version=\"1\"><run step=\"0.001\" until=\"1\"/>"
      "<contact contact=\"point\"/><input name=\"" +
          name + "\"><constant value=\"" + std::to_string(value) + "\"/></input></scenario>",
      "held.xml");
}

// No tyre of a wheel that rolls holds a side force at rest; at a speed slip angles do. The mirror
// image of the wind turns the steering wheel the other way: their mean is that in still air.
TEST(SteadyAnswer, TravelsInASideWindThatNothingHoldsAtRest) {
  double sum = 0.0;
  for (const double wind : {3.0, -3.0}) {
    SteadyCar car(shipped_model("sedan.xml"), with_input("wind_y", wind));
    EXPECT_THROW(car.rest(), AnalysisError);
    const SteadyTurn turn = car.turn(30.0, 0.0);
    EXPECT_LT(turn.residual, 1e-3);  // N: 1e-7 of the weight
    sum += turn.steering_wheel;
    // The tyres hold what the air takes across the heading: drag and side, q (c_d + c_y) of
    // sedan.xml's aero times the speed aside through the air. 1 %: what roll turns of loads and
    // lift
    double lateral = 0.0;
    for (const SteadyWheel& wheel : turn.wheels) lateral += wheel.lateral;
    const double aside = 30.0 * std::sin(turn.sideslip) - wind;
    const double density_area = 1.2041 * 2.2;
    const double expected = 0.5 * density_area * std::hypot(30.0, aside) * (0.29 + 0.85) * aside;
    EXPECT_NEAR(lateral, expected, 0.01 * std::abs(expected));
    // wind comes from one side of the world: it is that of the car in no turn
    EXPECT_THROW(car.turn(30.0, 4.0), AnalysisError);
    for (const double speed : {10.0, 30.0})
      EXPECT_EQ(find_modes(car, car.turn(speed, 0.0), {}).system.place, PlaceLeftOut::along);
  }
  SteadyCar still(shipped_model("sedan.xml"), {});
  EXPECT_NEAR(0.5 * sum, still.turn(30.0, 0.0).steering_wheel, 1e-5);
}

// On level ground a steady state is that of any other heading, at another place.
TEST(SteadyAnswer, DoesNotDependOnTheHeadingOfTheFile) {
  const auto turn = [](const std::string& heading, double ay) {
    Vehicle sedan =
        read_vehicle(kSource + "/vehicles/models/sedan.xml",
                     {parse_override("chassis_joint.position=30 -40 0.56 0 0 " + heading)});
    return SteadyCar(sedan, {}).turn(20.0, ay);
  };
  for (const double ay : {0.0, 3.0, -3.0}) {
    const SteadyTurn straight = turn("0", ay);
    for (const char* const heading : {"0.3", "1.2", "1.5707963", "3.1", "-2"}) {
      const SteadyTurn turned = turn(heading, ay);
      EXPECT_NEAR(turned.sideslip, straight.sideslip, 1e-8) << heading;
      EXPECT_NEAR(turned.steering_wheel, straight.steering_wheel, 1e-7) << heading;
      EXPECT_NEAR(turned.drive_force, straight.drive_force, 1e-4) << heading;
      EXPECT_NEAR(turned.roll, straight.roll, 1e-8) << heading;
    }
  }
  // wind keeps its side: it is that of a car along x
  const auto in_wind = [](const std::string& heading) {
    return SteadyCar(
               read_vehicle(kSource + "/vehicles/models/sedan.xml",
                            {parse_override("chassis_joint.position=0 0 0.56 0 0 " + heading)}),
               with_input("wind_y", 8.0))
        .turn(30.0, 0.0);
  };
  const SteadyTurn straight = in_wind("0");
  const SteadyTurn turned = in_wind("1.2");
  EXPECT_LT(turned.residual, 2e-3);  // N: 1e-7 of the weight
  EXPECT_NEAR(turned.steering_wheel, straight.steering_wheel, 1e-7);
}

// A driver in the file keeps the line y = 0, along x, wherever the file lets the car begin.
TEST(SteadyAnswer, OfADriverInTheFileGoesAlongItsLine) {
  for (const char* const heading : {"0", "1.2", "3.1"}) {
    SteadyCar car(read_vehicle(kSource + "/vehicles/models/sedan_driver.xml",
                               {parse_override(std::string("chassis_joint.position=0 0 0.56 0 0 ") +
                                               heading)}),
                  {});
    const SteadyTurn turn = car.turn(20.0, 0.0);
    EXPECT_NEAR(turn.yaw_rate, 0.0, 1e-9) << heading;
    EXPECT_NEAR(turn.heading + turn.sideslip, 0.0, 1e-6) << heading;
  }
}

// A lag that begins at the limit of its rate shows no slope there. The brakes' torque goes with the
// pressure, and so does the force that holds the speed: twenty to three of the pedal.
TEST(SteadyAnswer, FindsStatesThatBeginAtALimitOfTheirRates) {
  const auto force = [](double pedal) {
    SteadyCar car(shipped_model("sedan_abs_esc.xml"), with_input("pedal", pedal));
    return car.turn(20.0, 0.0).drive_force;
  };
  const double rolling = force(0.0);
  EXPECT_NEAR((force(0.2) - rolling) / (force(0.03) - rolling), 20.0 / 3.0, 0.1);
}

/// The sedan with these equations, and an input `asked` of 0.5.
Vehicle sedan_with(const std::string& equations) {
  std::ifstream file(kSource + "/vehicles/models/sedan.xml");
  std::string text((std::istreambuf_iterator<char>(file)), {});
  text.insert(text.rfind("</vehicle>"), "<input name=\"asked\" value=\"0.5\"/>" + equations);
  return read_vehicle_text(text, kSource + "/vehicles/models/sedan.xml");
}

// One that follows another goes on from where that one has come to, wherever the file has it. The
// quantities that are asked are those of an answer: states by their names.
TEST(SteadyAnswer, FindsChainsOfStatesAtLimitsInAnyOrder) {
  const std::string early =
      "<state name=\"early\" initial=\"0\" rate=\"= max(-1, min(1, (asked - early)/0.01))\"/>";
  const std::string late =
      "<state name=\"late\" initial=\"0\" rate=\"= max(-1, min(1, (early - late)/0.01))\"/>";
  for (const std::string& both : {early + late, late + early}) {
    SteadyOptions options;
    options.speed = 20.0;
    const Answer answer = analyse_steady_state(sedan_with(both), {}, options);
    EXPECT_NEAR(number(answer, "early.value"), 0.5, 1e-6);
    EXPECT_NEAR(number(answer, "late.value"), 0.5, 1e-6);
  }
}

// What only sums up, such as a way or a heading, has no part in the balance. Expected: the car
// without it, and its name.
TEST(SteadyAnswer, TakesNoNoticeOfWhatOnlySumsUp) {
  SteadyOptions options;
  options.speed = 20.0;
  options.lateral_accelerations = {3.0};
  const Answer plain = analyse_steady_state(sedan_with(""), {}, options);
  for (const std::string states :
       {"<state name=\"way\" initial=\"0\" rate=\"= chassis.vx\"/>",
        "<state name=\"way\" rate=\"= chassis.vx\"/>", "<state name=\"way\" rate=\"= cg.wz\"/>",
        "<state name=\"way\" rate=\"= chassis.vx\"/>"
        "<state name=\"seen\" rate=\"= 0.1*(way - seen)\"/>"}) {
    const Answer answer = analyse_steady_state(sedan_with(states), {}, options);
    EXPECT_THAT(answer.notes, Contains(AllOf(HasSubstr("go on changing"), HasSubstr("'way'"))))
        << states;
    // each search ends within 1e-9 of the weight
    for (const char* name : {"steering_wheel", "chassis.roll", "drive_force"})
      EXPECT_NEAR(number(answer, name), number(plain, name), 1e-6) << states << name;
  }
}

// A limited rate that the car feeds back: a force on the chassis that lifts it to a height, and a
// lag behind a lag that follows it. Expected: the set values.
TEST(SteadyAnswer, FindsLimitedStatesThroughTheCarAndEachOther) {
  SteadyOptions options;
  options.speed = 20.0;
  const std::string pair =
      "<state name=\"a\" initial=\"0\" rate=\"= max(-1, min(1, (30 - b)/0.01))\"/>"
      "<state name=\"b\" initial=\"0\" rate=\"= (a - b)/0.1\"/>"
      "<force name=\"up\" body=\"chassis\" point=\"0 0 0.5\" direction=\"0 0 1\" "
      "input=\"= 1*a\"/>";
  const Answer both = analyse_steady_state(sedan_with(pair), {}, options);
  EXPECT_NEAR(number(both, "a.value"), 30.0, 1e-5);
  EXPECT_NEAR(number(both, "b.value"), 30.0, 1e-5);
  for (const char* initial : {"", "initial=\"0\" "}) {
    const std::string levelling =
        std::string("<state name=\"f\" ") + initial +
        "rate=\"= max(-100, min(100, 2e6*(0.6 - chassis.z)))\"/>"
        "<force name=\"up\" body=\"chassis\" point=\"0 0 0.5\" direction=\"0 0 1\" "
        "input=\"= f\"/>";
    const Answer level = analyse_steady_state(sedan_with(levelling), {}, options);
    EXPECT_NEAR(number(level, "chassis.z"), 0.6, 1e-9);
  }
}

// At rest states without `initial` are found with the car, or left where nothing moves them.
// Expected: the same car as without them.
TEST(SteadyAnswer, RestsWithStatesWhoseRatesAreAtALimit) {
  const Answer plain = analyse_steady_state(sedan_with(""), {}, {});
  for (const std::string rate : {"max(-1, min(1, (asked - a)/0.01))", "tanh(15 - a)", "asked",
                                 "1 + 0*a", "4 - a^3", "2 - sqrt(abs(a))", "exp(-a)",
                                 "5*atan(asked - a)", "-(a - 2)^3", "chassis.vx", "chassis.wz"}) {
    const Answer answer =
        analyse_steady_state(sedan_with("<state name=\"a\" rate=\"= " + rate + "\"/>"), {}, {});
    for (const char* name : {"chassis.z", "chassis.pitch"})
      EXPECT_NEAR(number(answer, name), number(plain, name), 1e-9) << rate;
  }
}

// A hold follows at once in a steady motion; what never stands still is named.
TEST(SteadyAnswer, NamesStatesThatGoOnChangingAndNoOthers) {
  SteadyOptions options;
  options.speed = 20.0;
  options.lateral_accelerations = {4.0};
  const auto notes = [&](const std::string& equations) {
    return analyse_steady_state(sedan_with(equations), {}, options).notes;
  };
  const auto changes = Contains(HasSubstr("go on changing"));
  EXPECT_THAT(notes("<hold name=\"seen\" of=\"= cg.wz\" rate=\"100\"/>"
                    "<state name=\"lagged\" rate=\"= (seen - lagged)/0.1\"/>"),
              Not(changes));
  EXPECT_THAT(notes("<state name=\"clock\" initial=\"0\" rate=\"= 1 + 0*clock\"/>"), changes);
  // one that dies away has no place at which it does
  EXPECT_THAT(notes("<state name=\"fading\" initial=\"0\" "
                    "rate=\"= 1/(1 + exp(20*(fading - 50)))\"/>"),
              changes);
  // a rate that jumps vanishes nowhere
  EXPECT_THAT(notes("<logic name=\"high\" on=\"= level > 5\" off=\"= level < 5\"/>"
                    "<state name=\"level\" initial=\"0\" rate=\"= 1 - 2*high\"/>"),
              changes);
}

// What lasts bends relaxing rubber by its static stiffness alone, whatever it is when it is hit.
TEST(SteadyAnswer, RestsOnRelaxingRubberAsOnRubberThatDoesNot) {
  const auto rest = [](const std::string& dynamic) {
    const std::vector<Override> overrides{parse_override("form.value=bushing"),
                                          parse_override("dynamic.value=" + dynamic)};
    SteadyCar car(read_vehicle(kSource + "/vehicles/models/sedan.xml", overrides), {});
    return car.rest();
  };
  const SteadyTurn plain = rest("1");
  const SteadyTurn relaxing = rest("2");
  EXPECT_LT(relaxing.residual, 1e-5);
  ASSERT_EQ(relaxing.wheels.size(), plain.wheels.size());
  for (std::size_t w = 0; w < plain.wheels.size(); ++w)
    EXPECT_NEAR(relaxing.wheels[w].load, plain.wheels[w].load, 1e-5);
}

// At rest a chassis that is tied to the ground has its whole place as states. Expected: the modes
// of the same bodies where none is called the chassis.
TEST(ModesAnswer, OfAChassisThatIsTiedToTheGround) {
  const auto modes_of = [](const std::string& chassis) {
    SteadyCar car(read_vehicle_text(
                      "<vehicle name=\"tied\" version=\"1\"><body name=\"c\" " + chassis +
                          " mass=\"300\" com=\"0 0 0.6\" inertia=\"10 12 14\"/>"
                          "<joint name=\"f\" type=\"free\" a=\"ground\" b=\"c\"/>"
                          "<body name=\"u\" mass=\"30\" com=\"0 0 0.3\" inertia=\"1 1 1\"/>"
                          "<joint name=\"s\" type=\"prismatic\" a=\"c\" b=\"u\" point=\"0 0 0.3\" "
                          "axis=\"0 0 1\"/><spring name=\"sp\" a=\"c\" b=\"u\" point_a=\"0 0 0.8\" "
                          "point_b=\"0 0 0.3\"><stiffness k=\"2e4\" preload=\"-2943\"/></spring>"
                          "<bushing name=\"t\" a=\"ground\" b=\"u\" point=\"0 0 0\" axis=\"0 0 1\" "
                          "stiffness=\"1e5 1e5 2e5 1e4 1e4 1e4\"/></vehicle>",
                      "tied.xml"),
                  {});
    return find_modes(car, car.rest(), {});
  };
  const CarModes tied = modes_of("chassis=\"yes\"");
  const CarModes plain = modes_of("");
  ASSERT_EQ(tied.modes.size(), plain.modes.size());
  for (const Mode& mode : plain.modes) {
    double nearest = 1e300;
    for (const Mode& other : tied.modes)
      nearest = std::min(nearest, std::abs(other.eigen.value - mode.eigen.value));
    EXPECT_LT(nearest, 1e-5 * (1.0 + std::abs(mode.eigen.value)));
  }
}

TEST(ModesAnswer, NamesTheRatesThatItLeavesOut) {
  const auto notes_with = [](const std::string& change) {
    SteadyCar car(
        read_vehicle(kSource + "/vehicles/models/sedan_eps.xml", {parse_override(change)}), {});
    return analyse_modes(car, {}, {}).notes;
  };
  EXPECT_THAT(notes_with("column_joint.velocity=3"),
              Contains(HasSubstr("the rates that the file gives to joint 'column_joint' (3), in SI "
                                 "units, and gyroscopic moments of them are left out")));
  EXPECT_THAT(notes_with("column_joint.velocity=0"), Not(Contains(HasSubstr("gyroscopic"))));
}

// Centre of mass behind: V^2 = -l/K, K = m/l (b/C_f - a/C_r) with a = 1.5, b = 1.2.
TEST(ModesAnswer, FindsTheCriticalSpeedInAnyOrderOfSpeeds) {
  const double K = 1500.0 / 2.7 * (1.2 / 80000.0 - 1.5 / 90000.0);
  for (const std::vector<double>& speeds : {std::vector<double>{45.0, 65.0}, {65.0, 45.0}}) {
    SteadyCar car(bicycle_with({"a.value=1.5", "b.value=1.2"}), {});
    ModesOptions options;
    options.speeds = speeds;
    // 0.05 m/s: wheels of 10 g, a track of 0.2 m, growth counts from 1e-4 1/s or so
    EXPECT_NEAR(number(analyse_modes(car, options, {}), "critical_speed"), std::sqrt(-2.7 / K),
                0.05);
  }
}

// In a turn of 6 m/s^2, and on a trailer that is heavy behind at 40 m/s, the loops alone would make
// other coordinates independent: states are those that the car has at rest.
TEST(ModesAnswer, HaveTheSameStatesAtAllSpeedsAndInTurns) {
  const auto states_of = [](SteadyCar& car, double speed, double ay) {
    const CarModes modes = find_modes(car, car.turn(speed, ay), {});
    EXPECT_THAT(modes.notes, Not(Contains(HasSubstr("other states")))) << speed;
    std::vector<std::string> names;
    for (const Channel& state : modes.system.states) names.push_back(state.name);
    return names;
  };
  SteadyCar sedan(shipped_model("sedan.xml"), {});
  EXPECT_EQ(states_of(sedan, 22.2, 6.0), states_of(sedan, 22.2, 0.0));
  SteadyCar trailer(read_vehicle(kSource + "/vehicles/models/trailer.xml",
                                 {parse_override("trailer.com=-6.9 0 0.7")}),
                    {});
  const std::vector<std::string> slow = states_of(trailer, 20.0, 0.0);
  for (const double speed : {30.0, 40.0, 45.0})
    EXPECT_EQ(states_of(trailer, speed, 0.0), slow) << speed;
}

// docs/how_to/power_steering.md: at this damping what rolls at 20 m/s is the yaw swing at 36.1 m/s.
TEST(ModesAnswer, SaysWhichBranchIsNoLongerWhatItIsNamedAfter) {
  const auto notes = [](const std::string& damping, double speed) {
    std::vector<Override> overrides;
    for (const std::string& text :
         {std::string("hands.value=torque"), std::string("grip.value=0.001"),
          std::string("rack_friction.value=0"), std::string("column_friction.value=0"),
          "damping.value=" + damping})
      overrides.push_back(parse_override(text));
    SteadyCar car(read_vehicle(kSource + "/vehicles/models/sedan_eps.xml", overrides), {});
    return find_modes(car, car.turn(speed, 0.0), {}).notes;
  };
  const auto rolls = Contains(AllOf(HasSubstr("'roll' is named after its motion at 20 m/s"),
                                    HasSubstr("most of it is yaw and sideslip")));
  EXPECT_THAT(notes("1", 36.1111), rolls);
  EXPECT_THAT(notes("1", 20.0), Not(rolls));
}

// Steered by a rack in m, driven by a force in N; its tyres' states have no unit that is known
// here.
TEST(ModesAnswer, TellsTheUnitsOfInputs) {
  SteadyCar car(shipped_model("iltis.xml"), {});
  const CarModes modes = find_modes(car, car.turn(15.0, 0.0), {});
  std::map<std::string, std::string> units;
  for (const Channel& input : modes.system.inputs) units[input.name] = input.unit;
  EXPECT_EQ(units["rack"], "m");
  EXPECT_EQ(units["rack.rate"], "m/s");
  EXPECT_EQ(units["rack.acceleration"], "m/s^2");
  EXPECT_EQ(units["drive_force"], "N");
  for (const Channel& state : modes.system.states)
    if (state.name.find(".x[") != std::string::npos) EXPECT_EQ(state.unit, "") << state.name;
  SteadyOptions options;
  options.speed = 15.0;
  const Answer turn = analyse_steady_state(shipped_model("iltis.xml"), {}, options);
  const int steering = find_quantity(turn, "steering");
  ASSERT_GE(steering, 0);
  EXPECT_EQ(turn.quantities[static_cast<std::size_t>(steering)].unit, "m");
}

// A hop is in phase or opposed whichever way the axle's body lies off the middle by round-off.
TEST(ModesAnswer, NamesAxlesAlikeOnBothSidesOfTheMiddle) {
  const auto names = [](double aside) {
    Vehicle truck = shipped_model("truck.xml");
    int moved = 0;
    for (Body& body : truck.mechanism.bodies)
      if (std::abs(body.X_WB.p.y() + (body.X_WB.A * body.com).y()) < 1e-9 &&
          body.name.find("axle") != std::string::npos) {
        body.com.y() += aside;
        ++moved;
      }
    EXPECT_GT(moved, 0);
    SteadyCar car(truck, {});
    std::multiset<std::string> all;
    for (const Mode& mode : find_modes(car, car.turn(18.0, 0.0), {}).modes) all.insert(mode.name);
    return all;
  };
  EXPECT_EQ(names(1e-15), names(-1e-15));
}

// Friction that holds is no part of a bicycle model: with a note it is the model of the car without
// friction.
TEST(BicycleAnswer, LetsFrictionThatHoldsSlide) {
  const auto fit = [](const std::vector<std::string>& texts) {
    std::vector<Override> overrides;
    for (const std::string& text : texts) overrides.push_back(parse_override(text));
    SteadyCar car(read_vehicle(kSource + "/vehicles/models/sedan_eps.xml", overrides), {});
    return find_bicycle(car, {{20.0}, 1.0}, {});
  };
  const FittedBicycle held = fit({});
  const FittedBicycle free = fit({"rack_friction.value=0", "column_friction.value=0"});
  EXPECT_EQ(held.sliding, (std::vector<std::string>{"bristle_column", "bristle_rack"}));
  EXPECT_TRUE(free.sliding.empty());
  EXPECT_NEAR(held.model.C_f, free.model.C_f, 1e-4 * free.model.C_f);
  EXPECT_NEAR(held.model.C_r, free.model.C_r, 1e-4 * free.model.C_r);
  EXPECT_NEAR(held.model.understeer_gradient(), free.model.understeer_gradient(), 1e-6);
}

TEST(BicycleAnswer, RefusesWheelsThatAreLockedToOneAnother) {
  SteadyCar car(read_vehicle(kSource + "/vehicles/models/sedan.xml",
                             {parse_override("driveline.differential=locked")}),
                {});
  EXPECT_THAT(complaint<ModelError>([&] {
                analyse_bicycle(car, {{20.0}, 1.0}, {});
              }),
              HasSubstr("'driveline' locks to one another"));
}

// Expected: the car with an open differential.
TEST(BicycleAnswer, TakesLimitedSlipAsOpen) {
  const auto fit = [](const std::vector<std::string>& texts) {
    std::vector<Override> overrides;
    for (const std::string& text : texts) overrides.push_back(parse_override(text));
    return analyse_bicycle(read_vehicle(kSource + "/vehicles/models/sedan.xml", overrides),
                           {{20.0}, 1.0}, {});
  };
  const Answer held = fit({"driveline.differential=limited_slip", "driveline.preload=60"});
  const Answer open = fit({});
  EXPECT_THAT(held.notes, Contains(HasSubstr("'driveline' are taken as open")));
  EXPECT_THAT(open.notes, Not(Contains(HasSubstr("taken as open"))));
  for (const char* name : {"front_cornering_stiffness", "rear_cornering_stiffness"})
    EXPECT_DOUBLE_EQ(number(held, name), number(open, name)) << name;
}

// Where a differential that sticks weakly slides, the car is that with an open one but for the
// moment of its friction; without load and preload it is that to the last digit.
TEST(SteadyAnswer, SlidesInDifferentialsThatHoldLittle) {
  const auto turn_with = [](const std::vector<std::string>& texts) {
    std::vector<Override> overrides;
    for (const std::string& text : texts) overrides.push_back(parse_override(text));
    SteadyCar car(read_vehicle(kSource + "/vehicles/models/sedan.xml", overrides), {});
    return car.turn(15.0, 3.0);
  };
  const SteadyTurn open = turn_with({});
  for (const std::string bias : {"0", "0.3"})
    for (const std::string preload : {"0", "0.01", "0.1", "1", "5"}) {
      const SteadyTurn turn = turn_with({"driveline.differential=limited_slip",
                                         "driveline.bias=" + bias, "driveline.preload=" + preload});
      EXPECT_LT(turn.residual, 1e-5);
      const double less = 2e-4 * std::stod(preload);
      EXPECT_NEAR(turn.steering_wheel, open.steering_wheel, 1e-9 + less) << bias << preload;
      EXPECT_NEAR(turn.sideslip, open.sideslip, 1e-9 + less) << bias << preload;
    }
}

TEST(SteadyAnswer, NamesAClosureThatCannotFollow) {
  const Answer answer = analyse_steady_state(
      read_vehicle_text("<vehicle name=\"tied\" version=\"1\"><include file=\"" + kSource +
                            "/vehicles/models/sedan.xml\"/><rod name=\"rope\" a=\"ground\" "
                            "b=\"chassis\" point_a=\"-10 0 0.5\" point_b=\"-2 0 0.5\"/></vehicle>",
                        "tied.xml"),
      {}, {.speed = 20.0, .lateral_accelerations = {}, .hold = SpeedHold::force}, {});
  // straight away from where it is tied, along the rope
  EXPECT_THAT(answer.notes, Contains(HasSubstr("closure 'rope' opens by 20 m/s")));
}

TEST(SteadyAnswer, SaysThatADifferentialSticks) {
  const auto notes_at = [](double lateral) {
    return analyse_steady_state(
               read_vehicle(kSource + "/vehicles/models/sedan.xml",
                            {parse_override("driveline.differential=limited_slip"),
                             parse_override("driveline.preload=60")}),
               {}, {.speed = 15.0, .lateral_accelerations = {lateral}, .hold = SpeedHold::force},
               {})
        .notes;
  };
  EXPECT_THAT(notes_at(0.02), Contains(HasSubstr("'driveline' sticks by its friction")));
  EXPECT_THAT(notes_at(3.0), Not(Contains(HasSubstr("sticks"))));
}

// by its bias alone, as far as there is a torque
TEST(SteadyAnswer, SaysThatADifferentialSticksByItsBias) {
  const auto notes_with = [](SpeedHold hold) {
    return analyse_steady_state(read_vehicle(kSource + "/vehicles/models/sedan.xml",
                                             {parse_override("driveline.differential=limited_slip"),
                                              parse_override("driveline.bias=0.3")}),
                                {}, {.speed = 15.0, .lateral_accelerations = {0.02}, .hold = hold},
                                {})
        .notes;
  };
  EXPECT_THAT(notes_with(SpeedHold::throttle), Contains(HasSubstr("sticks by its friction")));
  EXPECT_THAT(notes_with(SpeedHold::force), Not(Contains(HasSubstr("sticks"))));
}

TEST(BicycleAnswer, RefusesCarsThatSteerBehind) {
  for (const double front : {0.0, 1.0}) {
    SteadyCar car(bicycle_that_steers(front, -0.5), {});
    EXPECT_THAT(complaint<ModelError>([&] {
                  analyse_bicycle(car, {{10.0, 20.0}, 1.0}, {});
                }),
                HasSubstr("steers wheels of its rear axle"));
  }
}

Answer steer_on_rig(const Vehicle& vehicle, const std::string& axle = {}) {
  KcOptions options;
  options.tests = {"steering"};
  options.points = 5;
  options.steering = 0.3;
  options.axle = axle;
  return find_kinematics_and_compliance(vehicle, options);
}

TEST(KcSteering, SaysWhichAxlesHaveNoTurningCircle) {
  // steered in front: the rear axle's line has the centre; parallel wheels turned by 0.3 rad
  const Answer front = steer_on_rig(bicycle_that_steers(1.0, 0.0));
  const double middle = 2.7 / std::tan(0.3);
  // 1e-6: the discs stand 1e-9 off
  EXPECT_NEAR(number(front, "front.turning_circle"), 2.0 * std::hypot(2.7, middle + 0.1), 1e-6);
  EXPECT_THAT(front.notes, Contains("rear axle: not steered"));
  const Answer both = steer_on_rig(bicycle_that_steers(1.0, -0.5));
  EXPECT_EQ(find_quantity(both, "front.turning_circle"), -1);
  EXPECT_THAT(both.notes, Contains(HasSubstr("front axle: axles at the other end are steered")));
  const Answer behind = steer_on_rig(bicycle_that_steers(0.0, -1.0));
  EXPECT_THAT(behind.notes, Contains(HasSubstr("rear axle: steered behind the car")));
  // a car turns to the left where its rear wheels turn to the right
  EXPECT_NEAR(number(behind, "rear.lock_inner"), -0.3, 1e-9);
}

TEST(KcSteering, OfAnUnsteeredAxleSaysSo) {
  const Answer answer = steer_on_rig(shipped_model("sedan.xml"), "rear");
  EXPECT_TRUE(answer.quantities.empty());
  EXPECT_THAT(answer.notes, Contains("rear axle: not steered"));
}

}  // namespace
}  // namespace semirec
