// Cars of other layouts than the usual one: what their wheels tell of the steering, and words that
// are said of spins and of twins. Expected: their geometry.

#include <cmath>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "vehicles/analysis/bicycle/bicycle_answer.hpp"
#include "vehicles/analysis/steady_state.hpp"
#include "vehicles/description/units.hpp"
#include "vehicles/files/xml/reader.hpp"
#include "vehicles/manoeuvre/departure.hpp"
#include "vehicles/session/drive.hpp"

namespace semirec::test {
namespace {

const std::string kChassis = R"(<vehicle name="layout" version="1">
  <input name="steering"/>
  <tyre name="t"><linear radius="0.3" stiffness="2e5" damping="500" nominal_load="3000"
    slip_stiffness="8e4" cornering_stiffness="6e4" relaxation_x="0.01" relaxation_y="0.01"/></tyre>
  <body name="chassis" chassis="yes" mass="1200" com="0.1 0 0.4" inertia="400 1600 1800"/>
  <joint name="cj" type="free" a="ground" b="chassis"/>
)";

/// Knuckles that the steering turns about the upright, one to one.
std::string front_wheels() {
  std::string text;
  for (const auto& [side, y] : {std::pair<std::string, std::string>("l", "0.75"), {"r", "-0.75"}})
    text += "<body name=\"knuckle_" + side + "\" mass=\"1\" com=\"1.4 " + y +
            " 0.3\" inertia=\"0.1 0.1 0.1\"/><joint name=\"king_" + side +
            "\" type=\"revolute\" a=\"chassis\" b=\"knuckle_" + side + "\" point=\"1.4 " + y +
            " 0.3\" axis=\"0 0 1\"/><motion name=\"steer_" + side + "\" joint=\"king_" + side +
            "\" coordinate=\"angle\" input=\"steering\"/><body name=\"rim_f" + side +
            "\" mass=\"1\" com=\"1.4 " + y +
            " 0.3\" inertia=\"0.1 0.15 0.1\"/><joint name=\"hub_f" + side +
            "\" type=\"revolute\" a=\"knuckle_" + side + "\" b=\"rim_f" + side + "\" point=\"1.4 " +
            y + " 0.3\" axis=\"0 1 0\"/><wheel name=\"wheel_f" + side + "\" body=\"knuckle_" +
            side + "\" rim=\"rim_f" + side + "\" centre=\"1.4 " + y +
            " 0.3\" axis=\"0 1 0\" tyre=\"t\"/>";
  return text;
}

/// Wheels behind swivels on which a <joint_force> acts.
std::string rear_castors(const std::string& force = "stiffness=\"1\" free=\"0\"") {
  std::string text;
  for (const auto& [side, y] : {std::pair<std::string, std::string>("l", "0.75"), {"r", "-0.75"}})
    text += "<body name=\"fork_" + side + "\" mass=\"1\" com=\"-1.2 " + y +
            " 0.3\" inertia=\"0.1 0.1 0.1\"/><joint name=\"swivel_" + side +
            "\" type=\"revolute\" a=\"chassis\" b=\"fork_" + side + "\" point=\"-1.2 " + y +
            " 0.3\" axis=\"0 0 1\"/><joint_force name=\"back_" + side + "\" joint=\"swivel_" +
            side + "\" coordinate=\"angle\" " + force + "/><body name=\"rim_r" + side +
            "\" mass=\"1\" com=\"-1.35 " + y +
            " 0.3\" inertia=\"0.1 0.15 0.1\"/><joint name=\"hub_r" + side +
            "\" type=\"revolute\" a=\"fork_" + side + "\" b=\"rim_r" + side + "\" point=\"-1.35 " +
            y + " 0.3\" axis=\"0 1 0\"/><wheel name=\"wheel_r" + side + "\" body=\"fork_" + side +
            "\" rim=\"rim_r" + side + "\" centre=\"-1.35 " + y +
            " 0.3\" axis=\"0 1 0\" tyre=\"t\"/>";
  return text;
}

/// Rear wheels on hubs of the chassis; `solid`: both on one shaft.
std::string rear_wheels(bool solid) {
  std::string text;
  for (const auto& [side, y] : {std::pair<std::string, std::string>("l", "0.75"), {"r", "-0.75"}}) {
    const std::string rim = solid ? "shaft" : "rim_r" + side;
    if (!solid || side == "l")
      text += "<body name=\"" + rim + "\" mass=\"1\" com=\"-1.2 " + (solid ? "0" : y) +
              " 0.3\" inertia=\"0.1 0.15 0.1\"/><joint name=\"hub_r" + side +
              "\" type=\"revolute\" a=\"chassis\" b=\"" + rim + "\" point=\"-1.2 " +
              (solid ? "0" : y) + " 0.3\" axis=\"0 1 0\"/>";
    text += "<wheel name=\"wheel_r" + side + "\" body=\"chassis\" rim=\"" + rim +
            "\" centre=\"-1.2 " + y + " 0.3\" axis=\"0 1 0\" tyre=\"t\"/>";
  }
  return text;
}

Vehicle make_layout(const std::string& rear) {
  return read_vehicle_text(
      kChassis + front_wheels() + rear + "<controls steering=\"steering\"/></vehicle>",
      "layout.xml");
}

// castors follow the lean of the car, by 0.002 rad a rad here, and not the steering wheel
TEST(OtherLayouts, CastorsAreNotSteered) {
  SteadyCar car(make_layout(rear_castors()), {});
  const SteeringTurn turn = car.find_steering_turn();
  EXPECT_FALSE(turn.rear_is_steered);
  EXPECT_NEAR(turn.ratio(), 1.0, 1e-6);
}

// a servo without a linkage: 0.3 against the front, which turns the car by 1.3 of its angle
TEST(OtherLayouts, WheelsThatAForceTurnsAreSteered) {
  SteadyCar car(make_layout(rear_castors("stiffness=\"1e5\" free=\"0\" input=\"= -3e4*steering\"")),
                {});
  const SteeringTurn turn = car.find_steering_turn();
  EXPECT_TRUE(turn.rear_is_steered);
  EXPECT_NEAR(turn.ratio(), 1.0 / 1.3, 1e-3);  // the tyres' weight on the trail yields by less
}

// castors turn over where the car stands, and trail where it rolls: an answer at a speed, with a
// line about the rest, and no start at rest
TEST(OtherLayouts, CastorsThatTurnOverAtRestAreAskedAtSpeed) {
  const Vehicle vehicle = make_layout(rear_castors("damping=\"30\""));
  SteadyCar car(vehicle, {});
  EXPECT_NO_THROW(static_cast<void>(car.rest()));
  EXPECT_THAT(car.rest_faults(), testing::Contains(testing::HasSubstr("unstable")));
  EXPECT_NO_THROW(static_cast<void>(car.turn(10.0, 0.0)));
  Scenario start;
  start.start = StartMode::equilibrium;
  start.name = "start";
  const Drive at_rest = make_drive(vehicle, start);
  Workspace ws(at_rest.model);
  StartReport said;
  EXPECT_THROW(static_cast<void>(start_drive(at_rest, ws, said)), ModelError);
  start.speed = 10.0;
  const Drive rolling = make_drive(vehicle, start);
  Workspace rolling_ws(rolling.model);
  EXPECT_NO_THROW(static_cast<void>(start_drive(rolling, rolling_ws, said)));
}

TEST(OtherLayouts, AShaftWithBothWheelsIsSeen) {
  for (const bool solid : {false, true}) {
    const Vehicle vehicle = make_layout(rear_wheels(solid));
    const std::vector<Unit> units = find_units(vehicle);
    ASSERT_EQ(units.front().axles.size(), 2U);
    EXPECT_FALSE(has_solid_axle(units.front().axles[0], vehicle.wheels));
    EXPECT_EQ(has_solid_axle(units.front().axles[1], vehicle.wheels), solid);
  }
  try {
    BicycleOptions options;
    options.speeds = {5.0};
    static_cast<void>(analyse_bicycle(make_layout(rear_wheels(true)), options, {}));
    ADD_FAILURE() << "fitted";
  } catch (const ModelError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("rear axle that turn as one body"));
  }
}

// a car whose wheels are all turned by 0.6 rad goes aside as they roll, one that slides spins
TEST(OtherLayouts, GoingAsideIsNoSpin) {
  History history;
  history.channels = {{"time", "s"},
                      {"car.sideslip", "rad"},
                      {"car.speed", "m/s"},
                      {"wheel_fl.alpha", "rad"},
                      {"wheel_rl.alpha", "rad"}};
  history.rows = {{0.0, 0.0, 10.0, 0.0, 0.0}, {1.0, -0.6, 10.0, 1e-4, 1e-4}};
  EXPECT_TRUE(std::isinf(find_spin(history)));
  history.rows.push_back({2.0, -0.6, 10.0, 0.02, 0.5});
  EXPECT_EQ(find_spin(history), 2.0);
}

}  // namespace
}  // namespace semirec::test
