// The suspension rig's contract: what it takes, what it gives, what it says when it cannot.

#include "vehicles/analysis/kc/kc.hpp"

#include <cmath>
#include <functional>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "vehicles/analysis/kc/axles.hpp"
#include "vehicles/files/xml/reader.hpp"

namespace semirec {
namespace {

using testing::Contains;
using testing::HasSubstr;

const std::string kModels = std::string(SEMIREC_SOURCE_DIR) + "/vehicles/models/";

Vehicle shipped(const std::string& file, const std::vector<std::string>& overrides = {}) {
  std::vector<Override> parsed;
  for (const std::string& text : overrides) parsed.push_back(parse_override(text));
  return read_vehicle(kModels + file, parsed);
}

template <class Error>
std::string message(const Vehicle& vehicle, const KcOptions& options) {
  try {
    find_kinematics_and_compliance(vehicle, options);
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing thrown";
}

TEST(Kc, RefusesVehiclesWithoutAxles) {
  EXPECT_THAT(message<ModelError>(shipped("double_four_bar.xml"), {}),
              HasSubstr("'double_four_bar': has no wheels"));
  // one corner of the Iltis
  EXPECT_THAT(message<ModelError>(shipped("iltis_suspension.xml"), {}),
              HasSubstr("element 'wheel': stands alone"));
}

TEST(Kc, RefusesOptionsThatMakeNoSense) {
  const Vehicle sedan = shipped("sedan.xml");
  const auto refuses = [&](const std::function<void(KcOptions&)>& set, const std::string& words) {
    KcOptions options;
    set(options);
    EXPECT_THAT(message<ModelError>(sedan, options), HasSubstr(words));
  };
  refuses([](KcOptions& o) { o.tests = {"roal"}; }, "no test 'roal', nearest known name is 'roll'");
  refuses([](KcOptions& o) { o.axle = "reer"; }, "no axle 'reer', nearest known name is 'rear'");
  refuses([](KcOptions& o) { o.travel = std::nan(""); }, "option 'travel'");
  refuses([](KcOptions& o) { o.travel = -0.1; }, "option 'travel'");
  refuses([](KcOptions& o) { o.steering = 1e9; }, "option 'steering'");
  refuses([](KcOptions& o) { o.load = std::numeric_limits<double>::infinity(); }, "option 'load'");
  refuses([](KcOptions& o) { o.points = 4; }, "option 'points'");
  refuses([](KcOptions& o) { o.points = 1; }, "option 'points'");
}

TEST(Kc, StopsWhenProgressSaysSo) {
  KcOptions options;
  EXPECT_THROW(find_kinematics_and_compliance(shipped("sedan.xml"), options,
                                              [](double, const std::string&) { return false; }),
               Interrupted);
}

TEST(Kc, DoesTheTestsThatWereAskedFor) {
  KcOptions options;
  options.tests = {"roll", "steering"};
  options.axle = "front";
  options.points = 5;
  const Answer answer = find_kinematics_and_compliance(shipped("sedan.xml"), options);
  ASSERT_EQ(answer.tables.size(), 2U);
  EXPECT_EQ(answer.tables[0].name, "front_roll");
  EXPECT_EQ(answer.tables[1].name, "front_steering");
  for (const Table& table : answer.tables) {
    ASSERT_EQ(table.rows.size(), 5U);
    EXPECT_EQ(table.rows[2][0], 0.0);  // the design position is the middle
    for (const std::vector<double>& row : table.rows) EXPECT_EQ(row.size(), table.columns.size());
  }
  EXPECT_EQ(find_quantity(answer, "front.toe"), -1);
  EXPECT_GE(find_quantity(answer, "front.turning_circle"), 0);
}

/// Central difference over 1.3 mrad, good to 2e-6 of it; the changing track's part is 7e-4.
constexpr double kRollSlope = 2e-5;

// the track changes under loads that differ: a part of the slope that equal springs do not show
TEST(Kc, RollStiffnessIsTheSlopeOfTheMomentOfUnequalSprings) {
  KcOptions options;
  options.tests = {"design", "roll"};
  options.axle = "front";
  options.travel = 0.0005;
  options.points = 3;
  const Answer answer = find_kinematics_and_compliance(
      shipped("sedan.xml", {"load_fl.value=*1.8", "load_fr.value=*0.2"}), options);
  ASSERT_EQ(answer.tables.size(), 1U);
  const Table& table = answer.tables[0];
  const auto column = [&](const std::string& name) {
    for (std::size_t k = 0; k < table.columns.size(); ++k)
      if (table.columns[k].name == name) return k;
    throw std::out_of_range(name);
  };
  const std::size_t roll = column("roll");
  const std::size_t moment = column("moment");
  const double slope =
      (table.rows[2][moment] - table.rows[0][moment]) / (table.rows[2][roll] - table.rows[0][roll]);
  const auto quantity = [&](const std::string& name) {
    return answer.quantities[static_cast<std::size_t>(find_quantity(answer, name))].value;
  };
  const double stiffness = quantity("front.roll_stiffness");
  EXPECT_NEAR(stiffness, slope, kRollSlope * slope);
  const double track = quantity("front.track");
  EXPECT_NEAR(quantity("front.wheel_rate_roll"), 2.0 * slope / (track * track),
              kRollSlope * stiffness);
}

// The lower arm of 0.35 m cannot go down by half a metre.
TEST(Kc, EndsACurveWhereTheLinkageLocks) {
  KcOptions options;
  options.tests = {"parallel"};
  options.axle = "front";
  options.travel = 0.5;
  const Answer answer = find_kinematics_and_compliance(shipped("sedan.xml"), options);
  ASSERT_FALSE(answer.notes.empty());
  EXPECT_THAT(answer.notes[0], HasSubstr("front parallel: ends at -0."));
  const Table& table = answer.tables.at(0);
  EXPECT_GT(table.rows.front()[0], -0.3);
  for (std::size_t k = 1; k < table.rows.size(); ++k) {
    EXPECT_GT(table.rows[k][0], table.rows[k - 1][0]);
    // no jump to another way of assembling it: toe and camber go on
    EXPECT_LT(std::abs(table.rows[k][3] - table.rows[k - 1][3]), 0.3);
  }
}

// Without its tie rods the front wheels stand as nothing holds them, and the rig says so; the car
// as it is drawn has no such line.
TEST(Kc, NamesCarriersThatHaveTurnedAway) {
  KcOptions options;
  options.tests = {"design"};
  Vehicle car = shipped("car26.xml");
  EXPECT_THAT(find_kinematics_and_compliance(car, options).notes,
              Not(Contains(HasSubstr("from how it is drawn"))));
  for (Constraint& rod : car.mechanism.constraints)
    if (rod.name == "tie_rod_fl") rod.length += 0.04;  // the wheel turns by some 0.3 rad
  EXPECT_THAT(find_kinematics_and_compliance(car, options).notes,
              Contains(HasSubstr("in the design position the carrier of wheel 'wheel_fl' is "
                                 "turned by 0.3")));
}

std::vector<std::string> notes_of_design(const Vehicle& vehicle, KcPosition position) {
  KcOptions options;
  options.tests = {"design"};
  options.position = position;
  return find_kinematics_and_compliance(vehicle, options).notes;
}

// A car of four times its mass folds its springs: what the equilibrium says of its rest belongs to
// numbers about the rest.
TEST(Kc, SaysThatTheCarFoldsWhereItRests) {
  EXPECT_THAT(notes_of_design(shipped("car26.xml", {"chassis.mass=*4"}), KcPosition::rest),
              Contains(HasSubstr("the equilibrium at the start is far from the design position")));
  EXPECT_THAT(notes_of_design(shipped("sedan.xml"), KcPosition::rest),
              testing::Not(Contains(HasSubstr("at the start"))));
}

// of other masses on springs that carry the sedan as it is drawn
TEST(Kc, SaysThatTheCarRidesLowerThanDrawn) {
  EXPECT_THAT(notes_of_design(shipped("sedan.xml", {"chassis.mass=*2"}), KcPosition::drawn),
              Contains(HasSubstr(
                  "N that it weighs: it rides lower than drawn, and all numbers are about")));
  EXPECT_THAT(notes_of_design(shipped("sedan.xml", {"chassis.mass=*0.5"}), KcPosition::drawn),
              Contains(HasSubstr("N that it weighs: it rides higher than drawn")));
  for (const char* car : {"sedan.xml", "iltis.xml", "truck.xml", "car26.xml"})
    EXPECT_THAT(notes_of_design(shipped(car), KcPosition::drawn),
                testing::Not(Contains(HasSubstr("than drawn"))))
        << car;
}

// A knuckle and its mirror image turn opposite ways by one input: their mean is zero.
TEST(Kc, WheelsThatTurnOppositeWaysHaveNoSteeringRatio) {
  const Vehicle vehicle = read_vehicle_text(
      R"(<vehicle name="bike" version="1">
        <input name="steering"/>
        <tyre name="t"><linear radius="0.3" stiffness="2e5" damping="500" nominal_load="3000"
          slip_stiffness="8e4" cornering_stiffness="6e4" relaxation_x="0.01" relaxation_y="0.01"/>
        </tyre>
        <body name="chassis" chassis="yes" mass="1200" com="0 0 0.4" inertia="400 1600 1800"/>
        <joint name="cj" type="free" a="ground" b="chassis"/>
        <template name="front">
          <body name="kn" mass="1" com="1.4 0.75 0.3" inertia="0.1 0.1 0.1"/>
          <joint name="kp" type="revolute" a="chassis" b="kn" point="1.4 0.75 0.3" axis="0 0 1"/>
          <motion name="st" joint="kp" coordinate="angle" input="steering"/>
          <body name="rim" mass="1" com="1.4 0.75 0.3" inertia="0.1 0.15 0.1"/>
          <joint name="ax" type="revolute" a="kn" b="rim" point="1.4 0.75 0.3" axis="0 1 0"/>
          <wheel name="w" body="kn" rim="rim" centre="1.4 0.75 0.3" axis="0 1 0" tyre="t"/>
        </template>
        <template name="rear">
          <body name="rim" mass="1" com="-1.2 0.75 0.3" inertia="0.1 0.15 0.1"/>
          <joint name="ax" type="revolute" a="chassis" b="rim" point="-1.2 0.75 0.3" axis="0 1 0"/>
          <wheel name="w" body="chassis" rim="rim" centre="-1.2 0.75 0.3" axis="0 1 0" tyre="t"/>
        </template>
        <use template="front" name="fl"/><use template="front" name="fr" mirror="yes"/>
        <use template="rear" name="rl"/><use template="rear" name="rr" mirror="yes"/>
        <controls steering="steering"/>
      </vehicle>)",
      "bike.xml");
  KcOptions options;
  options.tests = {"design", "steering"};
  options.axle = "front";
  options.points = 5;
  const Answer answer = find_kinematics_and_compliance(vehicle, options);
  for (const char* name : {"front.steering_ratio", "front.ackermann"}) {
    const int k = find_quantity(answer, name);
    ASSERT_GE(k, 0) << name;
    EXPECT_FALSE(std::isfinite(answer.quantities[static_cast<std::size_t>(k)].value)) << name;
  }
  EXPECT_THAT(answer.notes, Contains(HasSubstr("so there is no steering ratio")));
  EXPECT_THAT(answer.notes, Contains(HasSubstr("Ackermann's percentage is not defined")));
  EXPECT_LT(find_quantity(answer, "front.turning_circle"), 0);
  // nothing holds these knuckles: what ends their curve is a wheel across the car
  options.steering = 3.0;
  const Answer far = find_kinematics_and_compliance(vehicle, options);
  EXPECT_THAT(far.notes, Contains(HasSubstr("a wheel stands across")));
  EXPECT_THAT(far.notes, Not(Contains(HasSubstr("locks"))));
}

TEST(Kc, NamesAxlesFromTheFront) {
  const std::vector<Axle> axles = find_axles(shipped("sedan.xml"));
  ASSERT_EQ(axles.size(), 2U);
  EXPECT_EQ(axles[0].name, "front");
  EXPECT_EQ(axles[1].name, "rear");
  EXPECT_GT(axles[0].x, axles[1].x);
}

TEST(Kc, NamesAxlesInItsCharts) {
  KcOptions options;
  options.tests = {"parallel"};
  options.axle = "axle_2";
  options.points = 3;
  const Answer answer = find_kinematics_and_compliance(shipped("truck.xml"), options);
  ASSERT_FALSE(answer.charts.empty());
  for (const Chart& chart : answer.charts)
    for (const Series& series : chart.series)
      EXPECT_TRUE(series.name.starts_with("axle_2 ")) << series.name;
}

InputIndex add_input(Mechanism& mechanism, const std::string& name, InputIndex of, double factor) {
  Input input;
  input.name = name;
  input.curve = Curve::constant(0.0);
  input.of = of;
  input.factor = factor;
  mechanism.inputs.push_back(input);
  return static_cast<InputIndex>(mechanism.inputs.size()) - 1;
}

/// Of the driving force, with the reaction on the chassis.
double by_shafts(const Vehicle& vehicle, const ForceShare& share) {
  double sum = 0.0;
  for (const DrivenWheel& wheel : share.driven)
    if (wheel.reaction == vehicle.chassis) sum += wheel.share;
  return sum;
}

// Brakes of the sedan: 2600 N m in front, 1300 N m behind, equal radii; driven in front.
TEST(Kc, FindsTheSharesOfBrakingAndDriving) {
  const Vehicle sedan = shipped("sedan.xml");
  const std::vector<Axle> axles = find_axles(sedan);
  std::vector<double> radius(4, 0.3);
  std::string note;
  std::vector<ForceShare> shares = find_force_shares(sedan, axles, radius, note);
  EXPECT_NEAR(shares[0].braking, 2.0 / 3.0, 1e-12);
  EXPECT_NEAR(shares[1].braking, 1.0 / 3.0, 1e-12);
  // on tyres that give way more in front the same torque is more force
  radius[at(axles[0].left)] = radius[at(axles[0].right)] = 0.24;
  shares = find_force_shares(sedan, axles, radius, note);
  EXPECT_NEAR(shares[0].braking, 2600.0 / 0.24 / (2600.0 / 0.24 + 1300.0 / 0.3), 1e-12);
  EXPECT_EQ(by_shafts(sedan, shares[0]), 1.0);
  EXPECT_EQ(shares[0].driving(), 1.0);
  EXPECT_EQ(shares[1].driving(), 0.0);
  EXPECT_EQ(note, "");
}

// Motors of 100 and 300 N m in the first gears of 2 and 3 behind axles of 3.7; hub torques of 50
// and 150 N m at full throttle behind and in front, those that nothing moves left out and named.
TEST(Kc, SharesDrivingByWhatMotorsAndHubsGive) {
  Vehicle car = shipped("sedan.xml");
  const std::vector<Axle> axles = find_axles(car);
  const std::vector<double> radius(4, 0.3);
  const auto electric = [&](Driveline line, double torque, double gear) {
    line.motor = {};
    line.motor.type = MotorType::electric;
    line.motor.full = Curve::constant(torque);
    line.gearbox.gears.resize(1);
    line.gearbox.gears[0].ratio = gear;
    return line;
  };
  Driveline behind = electric(car.drivelines[0], 300.0, 3.0);
  behind.axles[0].wheels = {axles[1].left, axles[1].right};
  car.drivelines = {electric(car.drivelines[0], 100.0, 2.0), behind};
  std::string note;
  std::vector<ForceShare> shares = find_force_shares(car, axles, radius, note);
  EXPECT_NEAR(by_shafts(car, shares[0]), 200.0 / 1100.0, 1e-12);
  EXPECT_NEAR(by_shafts(car, shares[1]), 900.0 / 1100.0, 1e-12);
  EXPECT_EQ(note, "");

  Mechanism& mechanism = car.mechanism;
  InputIndex throttle = kNoInput;
  for (std::size_t k = 0; k < mechanism.inputs.size(); ++k)
    if (mechanism.inputs[k].name == car.controls.throttle) throttle = static_cast<InputIndex>(k);
  ASSERT_NE(throttle, kNoInput);
  const auto add = [&](const std::string& name, int wheel, InputIndex of, double factor) {
    car.hub_torques.push_back({name, wheel, add_input(mechanism, name, of, factor), {}});
  };
  add("front", axles[0].left, throttle, 150.0);
  add("rear", axles[1].right, throttle, 50.0);
  add("free", axles[1].left, kNoInput, 1.0);
  shares = find_force_shares(car, axles, radius, note);
  const double whole = 3.7 * 1100.0 + 200.0;
  EXPECT_NEAR(by_shafts(car, shares[0]), 3.7 * 200.0 / whole, 1e-12);
  EXPECT_NEAR(shares[1].driving() - by_shafts(car, shares[1]), 50.0 / whole, 1e-12);
  EXPECT_NEAR(shares[0].driving(), (3.7 * 200.0 + 150.0) / whole, 1e-12);
  EXPECT_EQ(note,
            "what the throttle makes of 'free' is not known: they are left out in anti-squat and "
            "anti-lift");
}

// At full pedal the rear brakes get 0.4 of their torque by their input's factor, and the hand
// brake, as strong as the front brakes, none: 2600 to 0.4 * 1300.
TEST(Kc, SharesBrakingByWhatThePedalMoves) {
  Vehicle sedan = shipped("sedan.xml");
  Mechanism& mechanism = sedan.mechanism;
  InputIndex pedal = kNoInput;
  for (std::size_t k = 0; k < mechanism.inputs.size(); ++k)
    if (mechanism.inputs[k].name == sedan.controls.brake) pedal = static_cast<InputIndex>(k);
  ASSERT_NE(pedal, kNoInput);
  const InputIndex rear = add_input(mechanism, "rear_brake", pedal, 0.4);
  const InputIndex hand = add_input(mechanism, "hand_brake", kNoInput, 1.0);
  const int rear_left = find_axles(sedan)[1].left;
  const int rear_right = find_axles(sedan)[1].right;
  std::vector<Brake> by_hand;
  for (Brake& brake : sedan.brakes) {
    if (brake.wheel != rear_left && brake.wheel != rear_right) continue;
    brake.input = rear;
    by_hand.push_back(brake);
    by_hand.back().input = hand;
    by_hand.back().torque = 2600.0;
  }
  sedan.brakes.insert(sedan.brakes.end(), by_hand.begin(), by_hand.end());
  std::string note;
  const std::vector<ForceShare> shares =
      find_force_shares(sedan, find_axles(sedan), {0.3, 0.3, 0.3, 0.3}, note);
  EXPECT_NEAR(shares[0].braking, 2600.0 / (2600.0 + 520.0), 1e-12);
  EXPECT_NEAR(shares[1].braking, 520.0 / (2600.0 + 520.0), 1e-12);
}

// A wheel of the sedan on bushings leans and has toe: its heading is that of its axle, not the
// carrier's turn about z. The small loads of `compliance` against equilibria under 1 N and more.
TEST(Kc, ComplianceSteerIsTheSlopeOfItsTable) {
  KcOptions options;
  options.tests = {"compliance", "longitudinal", "lateral", "aligning"};
  options.load = 2.0;
  options.points = 3;
  const Answer answer =
      find_kinematics_and_compliance(shipped("sedan.xml", {"form.value=bushing"}), options);
  const auto slope = [&](const std::string& name, const std::string& left, double to_left,
                         const std::string& right, double to_right) {
    for (const Table& table : answer.tables) {
      if (table.name != name) continue;
      std::vector<double> change;
      for (const std::string& column : {left, right})
        for (std::size_t k = 0; k < table.columns.size(); ++k)
          if (table.columns[k].name == column)
            change.push_back((table.rows[2][k] - table.rows[0][k]) /
                             (table.rows[2][0] - table.rows[0][0]));
      return 0.5 * (to_left * change.at(0) + to_right * change.at(1));
    }
    ADD_FAILURE() << name;
    return 0.0;
  };
  const auto expect = [&](const std::string& quantity, double expected) {
    const int k = find_quantity(answer, quantity);
    ASSERT_GE(k, 0) << quantity;
    // 1e-5: equilibria to 1e-7 N of 2 N, and the curve's own curvature
    EXPECT_NEAR(answer.quantities[static_cast<std::size_t>(k)].value, expected,
                1e-5 * std::abs(expected) + 1e-13)
        << quantity;
  };
  for (const std::string axle : {"front", "rear"}) {
    expect(axle + ".brake_compliance_toe",
           slope(axle + "_longitudinal_contact_same", "toe_left", 1.0, "toe_right", 1.0));
    expect(axle + ".drive_compliance_toe",
           slope(axle + "_longitudinal_centre_same", "toe_left", 1.0, "toe_right", 1.0));
    expect(axle + ".lateral_compliance_steer",
           slope(axle + "_lateral_contact_same", "steer_left", 1.0, "steer_right", 1.0));
    expect(axle + ".lateral_compliance_camber",
           slope(axle + "_lateral_contact_same", "camber_left", -1.0, "camber_right", 1.0));
    expect(axle + ".aligning_compliance_steer",
           slope(axle + "_aligning_same", "steer_left", 1.0, "steer_right", 1.0));
  }
}

/// A car on air springs, upright over wheels that slide upright, with more elements.
Vehicle airy_car(const std::string& more = {}) {
  return read_vehicle_text(
      R"(<vehicle name="airy" version="1">
        <include file="lagging_springs.xml"/>
        <body name="chassis" chassis="yes" mass="1200" com="0 0 0.4" inertia="400 1600 1800"/>
        <joint name="cj" type="free" a="ground" b="chassis"/>
        <template name="corner">
          <argument name="x"/>
          <body name="carrier" mass="10" com="{x} 0.75 0.3" inertia="0.1 0.1 0.1"/>
          <joint name="slide" type="prismatic" a="chassis" b="carrier" point="{x} 0.75 0.3" axis="0 0 1"/>
          <use template="air_spring" name="air">
            <with name="a" value="chassis"/><with name="b" value="carrier"/>
            <with name="point_a" value="{x} 0.75 0.8"/><with name="point_b" value="{x} 0.75 0.3"/>
            <with name="preload" value="3000"/>
          </use>
          <wheel name="w" body="carrier" centre="{x} 0.75 0.3" axis="0 1 0" radius="0.3" stiffness="2e5"/>
        </template>
        <use template="corner" name="fl"><with name="x" value="1.3"/></use>
        <use template="corner" name="fr" mirror="yes"><with name="x" value="1.3"/></use>
        <use template="corner" name="rl"><with name="x" value="-1.3"/></use>
        <use template="corner" name="rr" mirror="yes"><with name="x" value="-1.3"/></use>
      )" + more +
          "</vehicle>",
      kModels + "templates/airy.xml");
}

// Slow, an air spring has the stiffness p A^2 n/(V + V_extra), upright over wheels that slide
// upright.
TEST(Kc, EquationsOfTheVehicleActOnTheRig) {
  const Vehicle vehicle = airy_car();
  KcOptions options;
  options.tests = {"design"};
  const Answer answer = find_kinematics_and_compliance(vehicle, options);
  const double pressure = 101325.0 + 3000.0 / 0.008;
  const double rate = pressure * 0.008 * 0.008 * 1.4 / (0.0015 + 0.001);
  const int k = find_quantity(answer, "front.wheel_rate");
  ASSERT_GE(k, 0);
  // 1e-6: differences of 1e-5 m
  EXPECT_NEAR(answer.quantities[static_cast<std::size_t>(k)].value, rate, 1e-6 * rate);
  for (const std::string& note : answer.notes)
    EXPECT_EQ(note.find("equations"), std::string::npos) << note;
}

// A pump that goes on for ever: its 0.02 m of the start push by 1000 N/m on one wheel's pad.
TEST(Kc, StatesThatDoNotSettleKeepTheirStart) {
  const Vehicle vehicle = airy_car(R"(
        <state name="pumped" unit="m" initial="0.02" rate="= (slide_fl.z + 0.3)/2"/>
        <actuator name="pump" a="chassis" b="carrier_fl" point_a="1.3 0.75 0.8"
                  point_b="1.3 0.75 0.3" input="= -1000*pumped"/>)");
  KcOptions options;
  options.tests = {"design"};
  const Answer answer = find_kinematics_and_compliance(vehicle, options);
  const int left = find_quantity(answer, "front.left.wheel_load");
  const int right = find_quantity(answer, "front.right.wheel_load");
  ASSERT_GE(left, 0);
  ASSERT_GE(right, 0);
  EXPECT_NEAR(answer.quantities[static_cast<std::size_t>(left)].value -
                  answer.quantities[static_cast<std::size_t>(right)].value,
              20.0, 1e-6);  // N: equilibria to 1e-7
  EXPECT_THAT(answer.notes, Contains(HasSubstr("keep their values of the start: 'pumped'")));
}

TEST(Kc, TakesAllShippedCarsWithEquations) {
  KcOptions options;
  options.tests = {"design"};
  for (const char* file : {"sedan_abs_esc.xml", "sedan_active_anti_roll.xml", "sedan_driver.xml",
                           "sedan_eps.xml", "sedan_skyhook.xml"}) {
    const Answer answer = find_kinematics_and_compliance(shipped(file), options);
    // the sedan's own springs, and its wheels on rods of its own: 30 to 60 kN/m or so
    const int k = find_quantity(answer, "front.wheel_rate");
    ASSERT_GE(k, 0) << file;
    EXPECT_GT(answer.quantities[static_cast<std::size_t>(k)].value, 1e4) << file;
    // a power steering's rack gives a little, no more
    const int steer = find_quantity(answer, "front.roll_steer");
    ASSERT_GE(steer, 0) << file;
    EXPECT_LT(std::abs(answer.quantities[static_cast<std::size_t>(steer)].value), 0.3) << file;
  }
}

// What reads a tyre has nothing to read on the rig, and says so.
TEST(Kc, NamesEquationsThatMissWhatTheyRead) {
  Vehicle sedan = shipped("sedan_eps.xml");
  KcOptions options;
  options.tests = {"design"};
  const Answer with = find_kinematics_and_compliance(sedan, options);
  for (const std::string& note : with.notes)
    EXPECT_EQ(note.find("equations"), std::string::npos) << note;
  for (Equation& equation : sedan.equations)
    if (equation.name == "assist") equation.formula.code.names[0] = "wheel_fl.Fz";
  const Answer without = find_kinematics_and_compliance(sedan, options);
  EXPECT_THAT(without.notes, Contains(HasSubstr("equations are left out")));
  EXPECT_THAT(without.notes, Contains(HasSubstr("(reads 'wheel_fl.Fz')")));
}

// Every template, with ideal joints and on bushings, with rods and with links as bodies: all tests
// run to their ends, and a symmetric car has the same answer on both sides.

struct TemplateCase {
  std::string name, files, corner, both;
};

std::string spring(const std::string& part, const std::string& top, const std::string& bottom) {
  return "<use template=\"spring_unit\"><with name=\"part\" value=\"" + part +
         "\"/><with name=\"top\" value=\"" + top + "\"/><with name=\"bottom\" value=\"" + bottom +
         "\"/></use>";
}

const std::string kForm =
    R"(<with name="form" value="{form}"/><with name="links" value="{links}"/>)";
const std::string kRack = R"(<use template="rack_and_pinion"/>)";

std::vector<TemplateCase> template_cases() {
  const std::string end = R"(<use template="wheel_end"/>)";
  const std::string rim = R"(<use template="rim"><with name="carrier" value="axle"/></use>)";
  const auto use = [](const std::string& name, const std::string& more = {}) {
    return "<use template=\"" + name + "\">" + kForm + more + "</use>";
  };
  const std::string steer = R"(<with name="steer" value="rack"/>)";
  return {
      {"DoubleWishbone", "double_wishbone rack_and_pinion",
       end + use("double_wishbone", steer) + spring("lower_arm", "0 0.50 0.64", "0.005 0.59 0.20"),
       kRack},
      {"PitmanArm", "double_wishbone pitman_arm",
       end + use("double_wishbone", R"(<with name="tie_frame" value="relay"/>
         <with name="tie_inner" value="0.125 0.345 0.265"/>)") +
           spring("lower_arm", "0 0.50 0.64", "0.005 0.59 0.20"),
       R"(<use template="pitman_arm"><with name="links" value="{links}"/></use>)"},
      {"MacPherson", "macpherson rack_and_pinion",
       end + use("macpherson", steer) +
           spring("carrier", "-0.035 0.575 0.860", "-0.012 0.630 0.430"),
       kRack},
      {"FiveLink", "five_link",
       end + use("five_link") + spring("carrier", "0 0.60 0.70", "0 0.68 0.20"), ""},
      {"Multilink", "multilink anti_roll_bar",
       end + use("multilink") + spring("arm", "0.01 0.50 0.59", "0.005 0.575 0.195"),
       R"(<use template="anti_roll_bar" name="b"><with name="part_left" value="arm_l"/>
            <with name="part_right" value="arm_r"/></use>)"},
      {"SemiTrailingArm", "semi_trailing_arm",
       end + R"(<use template="semi_trailing_arm"><with name="form" value="{form}"/></use>)" +
           spring("carrier", "0 0.60 0.70", "0.05 0.62 0.25"),
       ""},
      {"SolidAxle", "solid_axle", rim + spring("axle", "0 0.50 0.62", "0 0.50 0.24"),
       use("solid_axle")},
      {"LeafAxle", "solid_axle", rim, use("leaf_axle")},
      {"Subframe", "double_wishbone rack_and_pinion subframe",
       end + use("double_wishbone", steer + R"(<with name="frame" value="subframe"/>)") +
           spring("lower_arm", "0 0.50 0.64", "0.005 0.59 0.20"),
       kRack + R"(<use template="subframe"><with name="form" value="{form}"/></use>)"}};
}

Vehicle car(const TemplateCase& the, const std::string& form, const std::string& links) {
  std::string includes;
  for (std::size_t from = 0; from < the.files.size();) {
    const std::size_t to = std::min(the.files.find(' ', from), the.files.size());
    includes += "<include file=\"" + the.files.substr(from, to - from) + ".xml\"/>";
    from = to + 1;
  }
  return read_vehicle_text("<vehicle name=\"car\" version=\"1\">" + includes +
                               "<parameter name=\"form\" value=\"" + form +
                               "\"/><parameter name=\"links\" value=\"" + links + R"("/>
  <body name="chassis" chassis="yes" mass="1000" com="-1 0 0.5" inertia="300 900 1000"/>
  <joint name="chassis_joint" type="free" a="ground" b="chassis"/>
  <template name="corner">)" + the.corner +
                               R"(</template>
  <use template="corner" name="l"/>
  <use template="corner" name="r" mirror="yes"/>)" +
                               the.both + "</vehicle>",
                           kModels + "templates/car.xml");
}

class KcTemplate : public testing::TestWithParam<TemplateCase> {};

TEST_P(KcTemplate, RunsAllTests) {
  const TemplateCase& the = GetParam();
  // a Panhard rod and a pitman arm tell left from right
  const bool symmetric = the.name != "SolidAxle" && the.name != "PitmanArm";
  const bool steered = the.both.find("rack_and_pinion") != std::string::npos ||
                       the.both.find("pitman") != std::string::npos;
  for (const std::string form : {"ideal", "bushing"}) {
    for (const std::string links : {"rod", "body"}) {
      const std::string where = form + " " + links;
      KcOptions options;
      options.points = 5;
      options.travel = 0.06;
      options.steering = 4.0;
      const Answer answer = find_kinematics_and_compliance(car(the, form, links), options);
      for (const std::string& note : answer.notes)
        EXPECT_EQ(note.find(": ends at"), std::string::npos) << where << ": " << note;
      for (const Quantity& quantity : answer.quantities) {
        EXPECT_TRUE(std::isfinite(quantity.value)) << where << " " << quantity.name;
        const bool one_sided = quantity.name.find(".left.") != std::string::npos;
        EXPECT_FALSE(symmetric && one_sided) << where << " " << quantity.name;
      }
      // four load tests with two points and senses, moments with one point, three kinds of travel
      EXPECT_EQ(answer.tables.size(), steered ? 16U : 15U) << where;
      for (const Table& table : answer.tables)
        // five points, or twelve loads
        EXPECT_EQ(table.rows.size(), table.name.find("compliance") == std::string::npos ? 5U : 12U)
            << where << " " << table.name;
      EXPECT_EQ(find_quantity(answer, "front.caster") >= 0, steered) << where;
      const int rate = find_quantity(answer, "front.wheel_rate");
      ASSERT_GE(rate, 0);
      // springs of a passenger car
      EXPECT_GT(answer.quantities[static_cast<std::size_t>(rate)].value, 8000.0) << where;
      EXPECT_LT(answer.quantities[static_cast<std::size_t>(rate)].value, 80000.0) << where;
      const int asymmetry = find_quantity(answer, "front.compliance_asymmetry");
      ASSERT_GE(asymmetry, 0);
      // a bushing's moment over a finite rotation vector is not quite a gradient
      EXPECT_LT(answer.quantities[static_cast<std::size_t>(asymmetry)].value, 1e-4) << where;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, KcTemplate, testing::ValuesIn(template_cases()),
                         [](const auto& the) { return the.param.name; });

}  // namespace
}  // namespace semirec
