// Starts from equilibrium: the standing car is found wherever the road lies.

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "integrator/step.hpp"
#include "tests/support/drives.hpp"
#include "tests/support/expect_close.hpp"
#include "tests/support/standing_roads.hpp"
#include "vehicles/files/xml/reader.hpp"
#include "vehicles/road/crg_file.hpp"
#include "vehicles/road/crg_surface.hpp"
#include "vehicles/road/obstacles.hpp"
#include "vehicles/road/profile_surface.hpp"

namespace semirec::test {
namespace {

constexpr double kGravity = 9.81;
const std::string kVehicles = std::string(SEMIREC_SOURCE_DIR) + "/vehicles/";

struct Started {
  ShippedDrive car;
  StartReport report;
};

Scenario on(std::shared_ptr<const RoadSurface> surface, double speed = 0.0) {
  Scenario scenario;
  scenario.start = StartMode::equilibrium;
  scenario.speed = speed;
  scenario.contact = ContactLaw::normal;
  scenario.surface = std::move(surface);
  return scenario;
}

Started start(const CarToStart& car, const Scenario& scenario) {
  Drive drive = make_drive(car.vehicle, scenario);
  Workspace ws(drive.model);
  StartReport report;
  State state = start_drive(drive, ws, report);
  return {{std::move(drive), std::move(ws), std::move(state)}, std::move(report)};
}

double total_mass(const CarToStart& car) {
  double mass = 0.0;
  for (const Body& body : car.vehicle.mechanism.bodies) mass += body.mass;
  return mass;
}

std::shared_ptr<const RoadSurface> flat(double height) {
  return std::make_shared<ProfileSurface>(Curve::constant(height), Curve::constant(height));
}

// A tenth of the roads of tests/slow/standing_starts.cpp, judged alike.
TEST(StandingStart, IsTheStandingCarOnTwentyRoads) {
  const std::vector<StandingRoad> roads = make_standing_roads();
  int refused = 0;
  for (const CarToStart& car : make_standing_cars())
    for (std::size_t k = 3; k < roads.size(); k += 10) {
      const StandingStart found = start_on(car, roads[k], k % 3 == 0 ? 0.0 : 20.0);
      EXPECT_EQ(found.wrong, "") << car.name << " on " << roads[k].name;
      refused += found.refused ? 1 : 0;
    }
  EXPECT_EQ(refused, 0);
}

// Expected: a car whose wheels roll slides down an inclined plane as a rigid body: its loads add up
// to m g cos(theta), it accelerates by g sin(theta) along the plane and by nothing off it.
TEST(StandingStart, OnASlopeCarriesTheWeightAcrossAndAcceleratesAlong) {
  for (const CarToStart& car : make_standing_cars())
    for (const double angle : {0.02, 0.1, 0.2}) {
      const bool sedan = car.name != "iltis";
      Started found = start(car, on(std::make_shared<InclinedPlane>(0.0, std::tan(angle), 0.0)));
      double load = 0.0;
      for (const Wheel& wheel : found.car.drive.wheels) {
        const double along = channel(found.car, wheel.name + ".Fx");
        const double up = channel(found.car, wheel.name + ".Fz");
        load += up * std::cos(angle) - along * std::sin(angle);
        EXPECT_GT(up, 1000.0) << car.name << ", " << wheel.name << ", " << angle;
      }
      // 1e-6: rounding of what Newton leaves, 1e-7 N, over loads of 1e4 N
      expect_close(load, total_mass(car) * kGravity * std::cos(angle), 1e-6, 0.0);
      const double ax = channel(found.car, "chassis.ax");
      const double az = channel(found.car, "chassis.az");
      EXPECT_NEAR(ax * std::cos(angle) + az * std::sin(angle), -kGravity * std::sin(angle), 1e-4)
          << car.name << ", " << angle;
      EXPECT_NEAR(az * std::cos(angle) - ax * std::sin(angle), 0.0, 1e-4) << car.name;
      EXPECT_NEAR(channel(found.car, "chassis.pitch"), -angle, 0.01) << car.name;
      EXPECT_FALSE(found.report.notes.empty()) << car.name;
      if (sedan) EXPECT_NEAR(channel(found.car, "chassis.roll"), 0.0, 1e-6);
    }
}

TEST(StandingStart, OnABankStandsOnAllWheels) {
  for (const CarToStart& car : make_standing_cars()) {
    Started found = start(car, on(std::make_shared<InclinedPlane>(0.0, 0.0, std::tan(0.03))));
    EXPECT_NEAR(channel(found.car, "chassis.roll"), 0.03, 0.005) << car.name;
    for (const Wheel& wheel : found.car.drive.wheels)
      EXPECT_GT(channel(found.car, wheel.name + ".Fz"), 1000.0) << car.name << ", " << wheel.name;
  }
}

// Expected: what a level road at height 0 gives, lifted; nothing else knows the height. At rest and
// rolling.
TEST(StandingStart, IsTheSameAtEveryHeightOfALevelRoad) {
  for (const CarToStart& car : make_standing_cars())
    for (const double speed : {0.0, 20.0}) {
      Started level = start(car, on(flat(0.0), speed));
      for (const double height : {-0.5, -0.1, -0.02, -0.019, 0.3}) {
        Started found = start(car, on(flat(height), speed));
        // 1e-9 m, rad, N/N: where the Newton iterations of the two end, from different poses
        for (const char* name : {"chassis.x", "chassis.y", "chassis.roll", "chassis.pitch",
                                 "chassis.yaw", "chassis.ax", "chassis.ay", "chassis.az"})
          EXPECT_NEAR(channel(found.car, name), channel(level.car, name), 1e-7)
              << car.name << ", " << height << ", " << name;
        EXPECT_NEAR(channel(found.car, "chassis.z") - height, channel(level.car, "chassis.z"), 1e-8)
            << car.name << ", " << height;
        EXPECT_EQ(found.report.notes.size(), level.report.notes.size()) << car.name;
      }
    }
}

// Expected: the same again, as far as the rounding of the height, 2^-52 of it, is felt in springs
// of some 1e6 N/m under 1e4 N.
TEST(StandingStart, IsFoundFarAboveAndBelowTheSea) {
  std::vector<CarToStart> cars = make_standing_cars();
  cars.push_back(make_standing_trailer());
  for (const CarToStart& car : cars) {
    Started level = start(car, on(flat(0.0)));
    for (const double height : {8000.0, -2e4, 1e6}) {
      Started found = start(car, on(flat(height)));
      for (const char* name : {"chassis.roll", "chassis.pitch", "chassis.yaw"})
        EXPECT_NEAR(channel(found.car, name), channel(level.car, name), 1e-7)
            << car.name << ", " << height << ", " << name;
      EXPECT_NEAR(channel(found.car, "chassis.z") - height, channel(level.car, "chassis.z"), 1e-8)
          << car.name << ", " << height;
      EXPECT_EQ(found.report.notes.size(), level.report.notes.size()) << car.name;
    }
  }
}

// Expected: an equilibrium has joints where they rest, and says so of those that are written
// elsewhere; place and heading stay.
TEST(StandingStart, SaysWhichWrittenJointPositionsItLeaves) {
  const auto sedan_with = [](const std::vector<std::string>& positions) {
    std::vector<Override> overrides;
    for (const std::string& position : positions) overrides.push_back(parse_override(position));
    return CarToStart{"sedan", read_vehicle(kVehicles + "models/sedan.xml", overrides)};
  };
  Started plain = start(sedan_with({}), on(flat(0.0)));
  Started found = start(sedan_with({"hinge_arm_rl.position=-0.15", "hinge_arm_rr.position=0.1"}),
                        on(flat(0.0)));
  for (const char* name : {"chassis.x", "chassis.y", "chassis.z", "chassis.roll", "chassis.yaw"})
    EXPECT_NEAR(channel(found.car, name), channel(plain.car, name), 1e-8) << name;
  EXPECT_TRUE(plain.report.notes.empty());
  ASSERT_EQ(found.report.notes.size(), 1U);
  EXPECT_NE(
      found.report.notes.front().find("position of joint 'hinge_arm_rl' is 0.00107 for -0.15"),
      std::string::npos)
      << found.report.notes.front();
  EXPECT_NE(found.report.notes.front().find("'hinge_arm_rr'"), std::string::npos);
}

// Expected: a car alike on both sides runs straight on.
TEST(StandingStart, RunsStraightOnARoadBelowTheDrawnCar) {
  const CarToStart sedan = make_standing_cars().front();
  Scenario scenario = on(flat(-0.02), 20.0);
  scenario.step = 2e-3;
  Started found = start(sedan, scenario);
  while (found.car.state.t < 3.0 - 1e-9)
    ASSERT_EQ(
        step(found.car.drive.model, found.car.drive.settings.step, found.car.state, found.car.ws)
            .status,
        StepStatus::converged);
  EXPECT_NEAR(channel(found.car, "chassis.y"), 0.0, 1e-6);
  EXPECT_NEAR(channel(found.car, "chassis.yaw"), 0.0, 1e-6);
  EXPECT_GT(channel(found.car, "chassis.x"), 55.0);
}

// The bend begins level and unbanked; its edge is 3 m from the middle.
TEST(StandingStart, StandsStraightAtTheBeginningOfABend) {
  const auto bend = std::make_shared<CrgSurface>(read_crg(kVehicles + "scenarios/roads/bend.crg"));
  for (const CarToStart& car : make_standing_cars()) {
    Started found = start(car, on(bend));
    EXPECT_NEAR(channel(found.car, "chassis.yaw"), 0.0, 1e-6) << car.name;
    EXPECT_NEAR(channel(found.car, "chassis.roll"), 0.0, 0.02) << car.name;
    for (const char* rate : {"chassis.vx", "chassis.vy", "chassis.vz", "chassis.wz"})
      EXPECT_EQ(channel(found.car, rate), 0.0) << car.name << ", " << rate;
  }
}

// Expected: the start of the same car drawn at the origin, moved there.
TEST(StandingStart, StartsWhereTheChassisIsWritten) {
  for (const char* form : {"ideal", "bushing"}) {
    const auto drawn_at = [&](const std::string& position) {
      std::vector<Override> overrides{parse_override(std::string("form.value=") + form)};
      if (!position.empty())
        overrides.push_back(parse_override("chassis_joint.position=" + position));
      return CarToStart{form, read_vehicle(kVehicles + "models/sedan.xml", overrides)};
    };
    Started here = start(drawn_at(""), on(flat(0.0), 20.0));
    Started there = start(drawn_at("40 -3 0 0 0 0.7"), on(flat(0.2), 20.0));
    EXPECT_NEAR(channel(there.car, "chassis.yaw"), 0.7, 1e-9) << form;
    EXPECT_NEAR(channel(there.car, "chassis.z") - 0.2, channel(here.car, "chassis.z"), 1e-8);
    EXPECT_NEAR(channel(there.car, "chassis.vx"), 20.0 * std::cos(0.7), 1e-6) << form;
    EXPECT_NEAR(channel(there.car, "chassis.vy"), 20.0 * std::sin(0.7), 1e-6) << form;
    for (const Wheel& wheel : here.car.drive.wheels)
      EXPECT_NEAR(channel(there.car, wheel.name + ".Fz"), channel(here.car, wheel.name + ".Fz"),
                  1e-3)
          << form;
  }
}

}  // namespace
}  // namespace semirec::test
