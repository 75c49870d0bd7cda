// Manoeuvres against closed forms of the bicycle model, against one another, and against what a
// driver must do.

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

#include "topology/mechanism.hpp"
#include "vehicles/files/xml/reader.hpp"
#include "vehicles/manoeuvre/manoeuvre.hpp"
#include "vehicles/manoeuvre/method.hpp"
#include "vehicles/manoeuvre/open_loop.hpp"

namespace semirec {
namespace {

const std::string kVehicles = std::string(SEMIREC_SOURCE_DIR) + "/vehicles/";

Manoeuvre shipped(const std::string& name, const std::vector<ManoeuvreChange>& changes = {}) {
  return read_manoeuvre(kVehicles + "manoeuvres/" + name + ".xml", changes);
}

double value(const Answer& answer, const std::string& name) {
  const int k = find_quantity(answer, name);
  EXPECT_GE(k, 0) << name;
  return k < 0 ? std::nan("") : answer.quantities[static_cast<std::size_t>(k)].value;
}

/// Four wheels with linear tyres on a rigid body, the front ones turned by the steering wheel
/// itself: the bicycle of m = 1500 kg, a = 1.2 m, b = 1.5 m, Cf = 80000 N, Cr = 90000 N an axle.
/// The centre of mass is low and the rims weigh next to nothing. `more` elements come last.
Vehicle bicycle(const std::string& more = {}) {
  std::string text =
      "<vehicle name=\"bicycle\" version=\"1\" gravity=\"0 0 -9.81\">"
      "<body name=\"chassis\" chassis=\"yes\" mass=\"1497\" com=\"0 0 0.3\" inertia=\"500 2000 "
      "2500\"/>"
      "<joint name=\"chassis_joint\" type=\"free\" a=\"ground\" b=\"chassis\"/>"
      "<input name=\"steering\" value=\"0\"/>";
  // load of a wheel: m g b / L / 2 in front, m g a / L / 2 behind
  const auto tyre = [](const char* name, double load, double cornering) {
    return "<tyre name=\"" + std::string(name) +
           "\"><linear radius=\"0.3\" stiffness=\"400000\" damping=\"8000\" nominal_load=\"" +
           std::to_string(load) + "\" slip_stiffness=\"100000\" cornering_stiffness=\"" +
           std::to_string(cornering) + "\" relaxation_x=\"0.1\" relaxation_y=\"0.1\"/></tyre>";
  };
  text += tyre("front", 1500 * 9.81 * 1.5 / 2.7 / 2, 40000.0);
  text += tyre("rear", 1500 * 9.81 * 1.2 / 2.7 / 2, 45000.0);
  for (const bool front : {true, false})
    for (const double y : {0.75, -0.75}) {
      const std::string id = std::string(front ? "f" : "r") + (y > 0 ? "l" : "r");
      const std::string place = (front ? "1.2 " : "-1.5 ") + std::to_string(y) + " 0.3";
      const std::string carrier = front ? "hub_" + id : "chassis";
      if (front) {
        text += "<body name=\"hub_" + id + "\" mass=\"0.5\" com=\"" + place +
                "\" inertia=\"0.01 0.01 0.01\"/>";
        text += "<joint name=\"steer_" + id + "\" type=\"revolute\" a=\"chassis\" b=\"hub_" + id +
                "\" point=\"" + place + "\" axis=\"0 0 1\"/>";
        text += "<motion name=\"rod_" + id + "\" joint=\"steer_" + id +
                "\" coordinate=\"angle\" input=\"steering\"/>";
      }
      text += "<body name=\"rim_" + id + "\" mass=\"0.5\" com=\"" + place +
              "\" inertia=\"0.01 0.01 0.01\"/>";
      text += "<joint name=\"spin_" + id + "\" type=\"revolute\" a=\"" + carrier + "\" b=\"rim_" +
              id + "\" point=\"" + place + "\" axis=\"0 1 0\"/>";
      text += "<wheel name=\"wheel_" + id + "\" body=\"" + carrier + "\" rim=\"rim_" + id +
              "\" centre=\"" + place + "\" axis=\"0 1 0\" tyre=\"" + (front ? "front" : "rear") +
              "\"/>";
    }
  return read_vehicle_text(text + more + "</vehicle>", "bicycle.xml");
}

// m/L (b/Cf - a/Cr) = 1500/2.7 (1.5/80000 - 1.2/90000)
constexpr double kUndersteer = 0.00300925925925926;

TEST(SteadyCircle, UndersteerOfALinearCarIsTheBicyclesInEveryMethod) {
  const Vehicle car = bicycle();
  ManoeuvreOptions quick;
  quick.quick = true;
  const std::vector<ManoeuvreChange> low{{"ay", "1.5"}, {"fit_from", "0.2"}, {"fit_to", "1.5"}};
  const auto with = [&](std::vector<ManoeuvreChange> more) {
    more.insert(more.end(), low.begin(), low.end());
    return more;
  };
  const Answer radius = run_manoeuvre(
      car,
      shipped("steady_circle_radius", with({{"radius", "200"}, {"speed", "6"}, {"rise", "0.15"}})),
      quick);
  const Answer wheel =
      run_manoeuvre(car,
                    shipped("steady_circle_steering_wheel",
                            with({{"radius", "200"}, {"speed", "6"}, {"rise", "0.15"}})),
                    quick);
  const Answer speed = run_manoeuvre(
      car, shipped("steady_circle_speed", with({{"speed", "20"}, {"rate", "0.002"}})), quick);
  for (const Answer* answer : {&radius, &wheel, &speed}) {
    // 1 %: while the speed rises the sideslip moves, by 2 m a/(Cr L) rise = 0.2 % of ay
    EXPECT_NEAR(value(*answer, "understeer_gradient"), kUndersteer, 0.01 * kUndersteer)
        << answer->title;
    // the steering wheel is the front wheels' angle
    EXPECT_NEAR(value(*answer, "steering_ratio"), 1.0, 2e-3) << answer->title;
    // of the linear car sideslip at v is (b - m a v^2 / (Cr L)) kappa: at constant radius
    // d(beta)/d(ay) = -m a / (Cr L)
    if (answer == &radius) {
      const double gradient = -1500.0 * 1.2 / (90000.0 * 2.7);
      EXPECT_NEAR(value(*answer, "sideslip_gradient"), gradient, 0.01 * std::abs(gradient));
    }
  }
}

// The sedan's motor ends at 59 m/s: its gradients were given as those of 64 m/s without a word.
TEST(SteadyCircle, SaysThatTheSpeedIsNotKept) {
  ManoeuvreOptions quick;
  quick.quick = true;
  const auto said = [&](const std::string& speed, const std::string& what) {
    const Answer answer =
        run_manoeuvre(read_vehicle(kVehicles + "models/sedan.xml"),
                      shipped("steady_circle_speed", {{"speed", speed}, {"rate", "0.01"}}), quick);
    return std::any_of(answer.notes.begin(), answer.notes.end(), [&](const std::string& note) {
      return note.find(what) != std::string::npos;
    });
  };
  for (const char* what : {"the speed is not kept", "N are missing"}) {
    EXPECT_TRUE(said("64", what)) << what;
    EXPECT_FALSE(said("50", what)) << what;
  }
}

// Preload holds the wheels together in the creeping turn from which the ratio of other cars is
// known, and slides from some m/s^2 on. Expected: the gradients of the car with an open one.
TEST(SteadyCircle, KnowsTheSteeringOfACarWhoseDifferentialHolds) {
  ManoeuvreOptions quick;
  quick.quick = true;
  const auto drive = [&](const std::vector<Override>& differential) {
    return run_manoeuvre(read_vehicle(kVehicles + "models/sedan.xml", differential),
                         shipped("steady_circle_speed", {}), quick);
  };
  const Answer open = drive({});
  const Answer held = drive(
      {{"driveline", "differential", "limited_slip", {}}, {"driveline", "preload", "60", {}}});
  EXPECT_NEAR(value(held, "steering_ratio"), value(open, "steering_ratio"), 0.05);
  EXPECT_NEAR(value(held, "understeer_gradient"), value(open, "understeer_gradient"), 5e-5);
  ASSERT_FALSE(held.notes.empty());
  EXPECT_NE(held.notes.back().find("wheels that are held together"), std::string::npos)
      << held.notes.back();
  for (const std::string& note : open.notes) EXPECT_EQ(note.find("holds"), std::string::npos);
}

TEST(SteadyCircle, TheThreeMethodsAgree) {
  // the Iltis as it is, the sedan pushed in neutral: on its own wheels the driving forces, which
  // differ from course to course, are a part of the answer
  Vehicle iltis = read_vehicle(kVehicles + "models/iltis.xml");
  Vehicle sedan = read_vehicle(kVehicles + "models/sedan.xml", {{"gear", "value", "0", {}}});
  sedan.controls.throttle.clear();
  sedan.controls.brake.clear();
  sedan.controls.gear.clear();
  ManoeuvreOptions quick;
  quick.quick = true;
  const std::vector<ManoeuvreChange> low{{"ay", "2.2"}, {"fit_from", "0.5"}, {"fit_to", "2"}};
  for (const Vehicle* car : {&iltis, &sedan}) {
    const auto drive = [&](const char* name, std::vector<ManoeuvreChange> more) {
      more.insert(more.end(), low.begin(), low.end());
      return run_manoeuvre(*car, shipped(name, more), quick);
    };
    const Answer radius = drive("steady_circle_radius", {{"rise", "0.2"}});
    const Answer wheel = drive("steady_circle_steering_wheel", {{"rise", "0.2"}});
    const Answer speed = drive("steady_circle_speed", {{"speed", "15"}});
    const double roll = value(radius, "roll_gradient");
    EXPECT_GT(roll, 0.002);
    EXPECT_NEAR(value(wheel, "roll_gradient"), roll, 0.03 * roll);
    EXPECT_NEAR(value(speed, "roll_gradient"), roll, 0.03 * roll);
    // 1e-4 rad/(m/s^2) is 0.06 degrees per g
    const double understeer = value(radius, "understeer_gradient");
    EXPECT_NEAR(value(wheel, "understeer_gradient"), understeer, 1e-4) << wheel.title;
    EXPECT_NEAR(value(speed, "understeer_gradient"), understeer, 1e-4) << speed.title;
  }
}

TEST(SteadyCircle, UncertaintiesHoldWhatTheRiseHasChanged) {
  // expected: the same drive at a fifth of the rise, whose own bias is a fifth
  const Vehicle car = read_vehicle(kVehicles + "models/sedan.xml");
  const auto drive = [&](const char* rise, bool quick) {
    ManoeuvreOptions options;
    options.quick = quick;
    return run_manoeuvre(
        car,
        shipped("steady_circle_radius",
                {{"ay", "2.2"}, {"fit_from", "0.5"}, {"fit_to", "2"}, {"rise", rise}}),
        options);
  };
  const Answer slow = drive("0.05", true);
  const Answer usual = drive("0.25", false);
  for (const char* name : {"understeer_gradient", "steering_wheel_gradient", "roll_gradient",
                           "sideslip_gradient", "torque_gradient", "characteristic_speed"}) {
    const Quantity& quantity = usual.quantities[at(find_quantity(usual, name))];
    EXPECT_NEAR(quantity.value, value(slow, name), quantity.uncertainty) << name;
    // and it says something
    EXPECT_LT(quantity.uncertainty, 0.05 * std::abs(quantity.value)) << name;
  }
}

TEST(FollowPath, AnIdealDriverKeepsACircleToAMillimetre) {
  for (const char* model : {"sedan", "iltis"}) {
    const Vehicle car = read_vehicle(kVehicles + "models/" + model + ".xml");
    const Manoeuvre circle = read_manoeuvre_text(
        "<manoeuvre name=\"circle\" version=\"1\" method=\"follow_path\">"
        "<value name=\"speed\" value=\"12\"/>"
        "<path><segment length=\"30\"/><segment length=\"30\" end_curvature=\"0.02\"/>"
        "<segment length=\"250\" curvature=\"0.02\"/></path>"
        "<driver limits=\"off\"/></manoeuvre>",
        "circle.xml");
    ManoeuvreOptions quick;
    quick.quick = true;
    const Answer answer = run_manoeuvre(car, circle, quick);
    // late on the circle, before its end comes into view: the distance from its centre, 50 m
    const Path& path = circle.path;
    const PathPoint end = path.at(path.length());
    const double x0 = end.x - 50.0 * std::sin(end.heading);
    const double y0 = end.y + 50.0 * std::cos(end.heading);
    const Table& table = answer.tables.front();
    std::size_t x = 0;
    for (std::size_t k = 0; k < table.columns.size(); ++k)
      if (table.columns[k].name == "chassis.x") x = k;
    for (std::size_t k = table.rows.size() - 300; k < table.rows.size() - 100; ++k)
      EXPECT_NEAR(std::hypot(table.rows[k][x] - x0, table.rows[k][x + 1] - y0), 50.0, 2e-3)
          << model;
  }
}

TEST(FollowPath, StaysOnItsCourseFrom5To40MetresPerSecond) {
  for (const char* model : {"sedan", "iltis"}) {
    const Vehicle car = read_vehicle(kVehicles + "models/" + model + ".xml");
    for (const double speed : {5.0, 20.0, 40.0}) {
      // 3.5 m to the left within 4 s by clothoids (2 k v^2), then straight on for 6 s: a driver who
      // is not stable swings there
      const std::string v = std::to_string(speed);
      const Manoeuvre lane = read_manoeuvre_text(
          "<manoeuvre name=\"lane\" version=\"1\" method=\"follow_path\">"
          "<value name=\"speed\" value=\"" +
              v +
              "\"/><parameter name=\"k\" value=\"{1.75/speed^2}\"/>"
              "<path><segment length=\"{speed}\"/>"
              "<segment length=\"{speed}\" end_curvature=\"{k}\"/>"
              "<segment length=\"{speed}\" curvature=\"{k}\" end_curvature=\"0\"/>"
              "<segment length=\"{speed}\" end_curvature=\"{-k}\"/>"
              "<segment length=\"{speed}\" curvature=\"{-k}\" end_curvature=\"0\"/>"
              "<segment length=\"{6*speed}\"/></path></manoeuvre>",
          "lane.xml");
      ManoeuvreOptions quick;
      quick.quick = true;
      const Answer answer = run_manoeuvre(car, lane, quick);
      EXPECT_LT(value(answer, "largest_offset"), 0.3) << model << " at " << speed;
      // in the last 2 s the steering wheel has come to rest, to a tenth of what it took
      const Table& table = answer.tables.front();
      std::size_t wheel = 0;
      for (std::size_t k = 0; k < table.columns.size(); ++k)
        if (table.columns[k].name == "driver.steering_wheel") wheel = k;
      double most = 0.0;
      for (std::size_t k = table.rows.size() - 200; k < table.rows.size(); ++k)
        most = std::max(most, std::abs(table.rows[k][wheel]));
      EXPECT_LT(most, 0.1 * value(answer, "largest_steering_wheel")) << model << " at " << speed;
    }
  }
}

// What a differential holds in small turns it does not in those of the path: a driver whose picture
// of the car came from small ones would be two times farther off than with an open one.
TEST(FollowPath, KnowsACarOfLimitedSlip) {
  ManoeuvreOptions quick;
  quick.quick = true;
  const auto offset = [&](const std::vector<std::pair<std::string, std::string>>& values,
                          const char* speed) {
    std::vector<Override> overrides;
    for (const auto& [name, text] : values) overrides.push_back({"front_axle", name, text, {}});
    const Vehicle car = read_vehicle(kVehicles + "models/sedan.xml", overrides);
    return value(run_manoeuvre(car, shipped("follow_path", {{"speed", speed}}), quick),
                 "largest_offset");
  };
  for (const char* speed : {"12", "20"}) {
    const double open = offset({}, speed);
    for (const char* preload : {"60", "150"})
      EXPECT_LT(
          offset({{"differential", "limited_slip"}, {"preload", preload}, {"bias", "0.2"}}, speed),
          1.5 * open)
          << preload << " N m at " << speed;
  }
}

// A driver who took the yaw rate by which a jump of the steering wheel's rate turns the chassis for
// a turn of the car would swing from step to step: more at smaller steps, and roll the car over.
TEST(FollowPath, AnswersAlikeAtSmallerSteps) {
  const Vehicle car = read_vehicle(kVehicles + "models/iltis_spinning.xml");
  ManoeuvreOptions quick;
  quick.quick = true;
  for (const bool limits : {true, false}) {
    const auto drive = [&](double step) {
      Manoeuvre path = shipped("follow_path");
      path.driver.limits.on = limits;
      path.step = step;
      return value(run_manoeuvre(car, path, quick), "largest_ay");
    };
    const double fine = drive(0.25e-3);
    // the driver acts once a step: an error of first order, 0.1 % at 1 ms
    EXPECT_NEAR(drive(0.5e-3), fine, 1e-3 * fine) << limits;
    EXPECT_NEAR(drive(1e-3), fine, 2e-3 * fine) << limits;
  }
}

TEST(SteadyCircle, AnswersAlikeAtSmallerSteps) {
  const Vehicle car = read_vehicle(kVehicles + "models/iltis.xml");
  ManoeuvreOptions quick;
  quick.quick = true;
  const auto drive = [&](double step) {
    Manoeuvre circle = shipped("steady_circle_radius", {{"ay", "2.2"}, {"fit_to", "2"}});
    circle.step = step;
    return value(run_manoeuvre(car, circle, quick), "understeer_gradient");
  };
  const double usual = drive(1e-3);
  EXPECT_NEAR(drive(0.5e-3), usual, 1e-3 * usual);
}

// A loader that bends in its middle: the hands' own speed turns the front frame, its driver takes
// that for a turn of the car, and within 30 steps it is nowhere. It has not rolled over.
TEST(SteadyCircle, SaysThatTheStepsDoNotFollowTheCar) {
  std::string text =
      "<vehicle name=\"loader\" version=\"1\"><tyre name=\"t\"><linear radius=\"0.7\" "
      "stiffness=\"6e5\" damping=\"8000\" nominal_load=\"30000\" slip_stiffness=\"3e5\" "
      "cornering_stiffness=\"1.5e5\" relaxation_x=\"0.2\" relaxation_y=\"0.3\"/></tyre>"
      "<body name=\"front\" mass=\"6000\" com=\"1.3 0 1\" inertia=\"4000 5000 6000\" "
      "chassis=\"yes\"/><body name=\"rear\" mass=\"8000\" com=\"-1.6 0 1.1\" inertia=\"5000 "
      "8000 9000\"/><joint name=\"free\" type=\"free\" a=\"ground\" b=\"front\"/><joint "
      "name=\"middle\" type=\"revolute\" a=\"front\" b=\"rear\" point=\"0 0 0.8\" axis=\"0 0 "
      "-1\"/><input name=\"steering\"/><motion name=\"m\" joint=\"middle\" "
      "coordinate=\"angle\" input=\"steering\"/><controls steering=\"steering\" "
      "steering_ratio=\"0.08\"/>";
  for (const char* frame : {"front", "rear"})
    for (const char* y : {"1", "-1"}) {
      const std::string id = std::string(frame) + y;
      const std::string place = std::string(frame[0] == 'f' ? "1.5 " : "-1.5 ") + y + " 0.7";
      text += "<body name=\"rim_" + id + "\" mass=\"100\" com=\"" + place +
              "\" inertia=\"15 25 15\"/><joint name=\"spin_" + id + "\" type=\"revolute\" a=\"" +
              frame + "\" b=\"rim_" + id + "\" point=\"" + place +
              "\" axis=\"0 1 0\"/><wheel name=\"wheel_" + id + "\" body=\"" + frame +
              "\" rim=\"rim_" + id + "\" centre=\"" + place + "\" axis=\"0 1 0\" tyre=\"t\"/>";
    }
  const Vehicle car = read_vehicle_text(text + "</vehicle>", "loader.xml");
  ManoeuvreOptions quick;
  quick.quick = true;
  try {
    static_cast<void>(
        run_manoeuvre(car, shipped("steady_circle_radius", {{"radius", "15"}}), quick));
    ADD_FAILURE() << "a circle";
  } catch (const AnalysisError& error) {
    EXPECT_NE(std::string(error.what()).find("the car runs away"), std::string::npos)
        << error.what();
  }
}

// A lift axle that is up carries nothing: its wheels stand from the start and lock nothing.
TEST(Braking, DoesNotCountWheelsInTheAir) {
  std::string more = "<input name=\"brake\"/><controls steering=\"steering\" brake=\"brake\"/>";
  for (const char* id : {"fl", "fr", "rl", "rr"})
    more += "<brake name=\"brake_" + std::string(id) + "\" wheel=\"wheel_" + id +
            "\" torque=\"1000\" input=\"brake\"/>";
  const std::string plain = more;
  for (const char* y : {"0.75", "-0.75"}) {
    const std::string id = y[0] == '-' ? "right" : "left";
    const std::string place = "-2.5 " + std::string(y) + " 0.6";
    more += "<body name=\"rim_" + id + "\" mass=\"0.01\" com=\"" + place +
            "\" inertia=\"1e-3 1e-3 1e-3\"/><joint name=\"spin_" + id +
            "\" type=\"revolute\" a=\"chassis\" b=\"rim_" + id + "\" point=\"" + place +
            "\" axis=\"0 1 0\"/><wheel name=\"up_" + id + "\" body=\"chassis\" rim=\"rim_" + id +
            "\" centre=\"" + place + "\" axis=\"0 1 0\" tyre=\"rear\"/><brake name=\"brake_" + id +
            "\" wheel=\"up_" + id + "\" torque=\"1000\" input=\"brake\"/>";
  }
  ManoeuvreOptions quick;
  quick.quick = true;
  const Manoeuvre stop = shipped("straight_braking", {{"speed", "15"}, {"pedal", "0.5"}});
  const Answer without = run_manoeuvre(bicycle(plain), stop, quick);
  const Answer with = run_manoeuvre(bicycle(more), stop, quick);
  EXPECT_EQ(value(with, "locked_wheels"), value(without, "locked_wheels"));
  EXPECT_NEAR(value(with, "distance"), value(without, "distance"), 1e-3);
  EXPECT_TRUE(std::any_of(with.notes.begin(), with.notes.end(), [](const std::string& note) {
    return note.rfind("the wheels of 'up_left', 'up_right' carry nothing", 0) == 0;
  }));
}

TEST(FollowPath, SaysWhereTheCarLeavesThePath) {
  const Vehicle sedan = read_vehicle(kVehicles + "models/sedan.xml");
  ManoeuvreOptions quick;
  quick.quick = true;
  try {
    static_cast<void>(run_manoeuvre(sedan, shipped("follow_path", {{"speed", "30"}}), quick));
    FAIL() << "30 m/s around 60 m are 15 m/s^2";
  } catch (const AnalysisError& error) {
    EXPECT_NE(std::string(error.what()).find("leaves the path"), std::string::npos);
  }
}

TEST(LaneChange, IsPassedBelowTheFastestSpeedAndNotAbove) {
  const Vehicle sedan = read_vehicle(kVehicles + "models/sedan.xml");
  ManoeuvreOptions quick;
  quick.quick = true;
  const auto drive = [&](const std::vector<ManoeuvreChange>& changes) {
    Manoeuvre lanes = shipped("lane_change_1", changes);
    lanes.step = 1e-3;
    return run_manoeuvre(sedan, lanes, quick);
  };
  const Answer search =
      drive({{"least_speed", "15"}, {"most_speed", "39"}, {"resolution", "1"}, {"lines", "2"}});
  const double good = value(search, "speed");
  const double bad = value(search, "failed_speed");
  // the resolution, or the last step of the second look, which the doubt tells
  EXPECT_GT(bad, good);
  EXPECT_LE(bad - good, 4.0);
  const auto found = static_cast<std::size_t>(find_quantity(search, "speed"));
  EXPECT_EQ(search.quantities[found].uncertainty, std::max(bad - good, 0.01 * good));
  const auto hits = [&](double speed) {
    const Answer one = drive({{"speed", std::to_string(speed)}});
    return value(one, "cones_hit") + value(one, "missed");
  };
  EXPECT_EQ(hits(15.0), 0.0);
  EXPECT_GT(hits(bad + 4.0), 0.0);
  // a passenger car and an attentive driver: between 60 and 140 km/h
  EXPECT_GT(good, 60.0 / 3.6);
  EXPECT_LT(good, 140.0 / 3.6);
}

/// ISO 3888-2 on a road of this friction.
Manoeuvre obstacle_on(double friction, const std::vector<ManoeuvreChange>& changes) {
  std::ifstream file(kVehicles + "manoeuvres/lane_change_2.xml");
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  text.insert(text.find("<driver"),
              "<road><flat/><friction mu=\"" + std::to_string(friction) + "\"/></road>");
  return read_manoeuvre_text(text, "obstacle.xml", changes);
}

bool notes_say(const Answer& answer, const std::string& words) {
  return std::any_of(answer.notes.begin(), answer.notes.end(), [&](const std::string& note) {
    return note.find(words) != std::string::npos;
  });
}

// A passenger car with road tyres passes faster than an off-road car of less grip, and what ends
// it is its tyres. No car of this grip goes much faster: what the least demanding of all lines asks
// for there is beyond g.
TEST(LaneChange, IsPassedByTheSedanUpToTheLimitOfItsTyres) {
  ManoeuvreOptions quick;
  quick.quick = true;
  const auto search = [&](const char* car) {
    Manoeuvre obstacle = shipped(
        "lane_change_2", {{"least_speed", "14"}, {"most_speed", "22"}, {"resolution", "0.5"}});
    obstacle.step = 1e-3;
    return run_manoeuvre(read_vehicle(kVehicles + "models/" + car), obstacle, quick);
  };
  const Answer sedan = search("sedan.xml");
  const Answer iltis = search("iltis.xml");
  EXPECT_GT(value(sedan, "speed"), value(iltis, "speed"));
  // the same driver on a line through the middles fails at 15.0 (sedan) and 15.4 m/s (Iltis)
  EXPECT_GT(value(sedan, "speed"), 18.0);
  EXPECT_GT(value(iltis, "speed"), 15.9);
  EXPECT_TRUE(notes_say(sedan, "limited by the car: "));
  EXPECT_GT(value(sedan, "front.grip"), 0.95);
  EXPECT_GT(value(sedan, "least_line_ay"), 0.9 * 9.81);
  EXPECT_NE(notes_say(iltis, "limited by the car: "), notes_say(iltis, "limited by the driver: "));
}

TEST(LaneChange, IsPassedFasterOnMoreGrip) {
  const Vehicle sedan = read_vehicle(kVehicles + "models/sedan.xml");
  ManoeuvreOptions quick;
  quick.quick = true;
  double slower = 0.0;
  for (const double friction : {0.4, 0.7, 1.0}) {
    Manoeuvre obstacle = obstacle_on(
        friction,
        {{"least_speed", "10"}, {"most_speed", "22"}, {"resolution", "2"}, {"lines", "2"}});
    obstacle.step = 1e-3;
    const Answer answer = run_manoeuvre(sedan, obstacle, quick);
    EXPECT_GT(value(answer, "speed"), slower) << friction;
    EXPECT_TRUE(notes_say(answer, "limited by the car: ")) << friction;
    slower = value(answer, "speed");
  }
}

TEST(LaneChange, SaysThatSlowHandsAreTheDrivers) {
  const Vehicle sedan = read_vehicle(kVehicles + "models/sedan.xml");
  ManoeuvreOptions quick;
  quick.quick = true;
  Manoeuvre slow = shipped("lane_change_2", {{"speed", "14"}});
  const Answer passed = run_manoeuvre(sedan, slow, quick);
  EXPECT_EQ(value(passed, "cones_hit") + value(passed, "missed"), 0.0);
  EXPECT_FALSE(notes_say(passed, "limited by"));
  slow.driver.limits.steering_wheel_rate = 2.5;
  const Answer failed = run_manoeuvre(sedan, slow, quick);
  EXPECT_GT(value(failed, "cones_hit") + value(failed, "missed"), 0.0);
  EXPECT_TRUE(notes_say(failed, "limited by the driver: "));
  // and a speed at which no hands help
  const Answer fast = run_manoeuvre(sedan, shipped("lane_change_2", {{"speed", "25"}}), quick);
  EXPECT_TRUE(notes_say(fast, "limited by the car: "));
}

TEST(Braking, StopsShorterWithMorePedalUntilWheelsLock) {
  const Vehicle sedan = read_vehicle(kVehicles + "models/sedan.xml");
  ManoeuvreOptions quick;
  quick.quick = true;
  const auto stop = [&](const char* pedal) {
    return run_manoeuvre(sedan, shipped("straight_braking", {{"pedal", pedal}}), quick);
  };
  const Answer light = stop("0.2");
  const Answer firm = stop("0.4");
  const Answer locked = stop("1");
  EXPECT_GT(value(light, "distance"), value(firm, "distance"));
  EXPECT_EQ(value(firm, "locked_wheels"), 0.0);
  EXPECT_EQ(value(locked, "locked_wheels"), 4.0);
  // 0.4 of 7800 N m on loaded radii of 0.307 m slow 1500 kg and four wheels of 1 kg m^2 that roll
  // on 0.32 m; the air's drag is that of the mean of v^2 over the way, (0.8^2 + 0.1^2)/2 of the
  // first one. 1.5 %: rolling resistance, and radii that change
  const double force =
      0.4 * 7800.0 / 0.307 + 0.5 * 1.2041 * 2.2 * 0.29 * 27.778 * 27.778 * 0.5 * (0.64 + 0.01);
  const double expected = force / (1500.0 + 4.0 / (0.307 * 0.32));
  EXPECT_NEAR(value(firm, "developed_deceleration"), expected, 0.015 * expected);
  // the same both ways: v^2/(2 s) of the whole stop lies below the developed one
  EXPECT_LT(value(firm, "mean_deceleration"), value(firm, "developed_deceleration"));
}

// Its drag link lies beside the leaf, as long and parallel: an axle that winds up does not steer.
TEST(Braking, TruckGoesStraight) {
  const Vehicle truck = read_vehicle(kVehicles + "models/truck.xml");
  ManoeuvreOptions quick;
  quick.quick = true;
  const Answer stop =
      run_manoeuvre(truck, shipped("straight_braking", {{"speed", "15"}, {"pedal", "0.6"}}), quick);
  EXPECT_NEAR(value(stop, "heading"), 0.0, 1e-9);  // expected: by symmetry
}

TEST(Braking, BeginsAtTheSpeedAskedForThoughTheCarCannotHoldIt) {
  // air that takes 71 kW at 100 km/h, more than the motor gives in the gear of this speed
  Override air;
  air.element = "aero";
  air.attribute = "drag";
  air.value = "2.5";
  const Vehicle sedan = read_vehicle(kVehicles + "models/sedan.xml", {air});
  ManoeuvreOptions quick;
  quick.quick = true;
  const Answer stop = run_manoeuvre(sedan, shipped("straight_braking", {{"pedal", "0.4"}}), quick);
  EXPECT_NEAR(value(stop, "initial_speed"), 27.778, 0.005 * 27.778);
  EXPECT_TRUE(std::any_of(stop.notes.begin(), stop.notes.end(), [](const std::string& note) {
    return note.find("does not hold 27.778 m/s") != std::string::npos;
  }));
}

TEST(Braking, SplitFrictionTurnsTheCarToItsGrippingSide) {
  const Vehicle sedan = read_vehicle(kVehicles + "models/sedan.xml");
  ManoeuvreOptions quick;
  quick.quick = true;
  const auto turn = [&](const char* left, const char* right) {
    return run_manoeuvre(
        sedan,
        shipped("split_mu_braking", {{"pedal", "0.15"}, {"mu_left", left}, {"mu_right", right}}),
        quick);
  };
  const Answer left = turn("1", "0.1");
  const Answer right = turn("0.1", "1");
  const Answer even = turn("1", "1");
  EXPECT_GT(value(left, "yaw_rate_1s"), 1e-3);
  // mirrored exactly but for rounding
  EXPECT_NEAR(value(right, "yaw_rate_1s"), -value(left, "yaw_rate_1s"),
              1e-3 * value(left, "yaw_rate_1s"));
  EXPECT_NEAR(value(even, "yaw_rate_1s"), 0.0, 1e-5);
  // After 1 s the wheels on the right slide, with the 0.71 of the friction that is left of it
  // there, on half of 1500 kg; those on the left hold 0.15 of brakes of 2600 and 1300 N m on radii
  // of 0.307 m. Track 1.55 m
  const double gripping = 0.15 * (2600.0 + 1300.0) / 0.307;
  const double sliding = 0.1 * 0.71 * 0.5 * 1500.0 * 9.81;
  const double expected = 0.775 * (gripping - sliding);
  EXPECT_NEAR(value(left, "yaw_moment_1s"), expected, 0.03 * expected);
}

TEST(Braking, ATrailerStandsOnBothFrictionsWhenThePedalMoves) {
  const Vehicle car = read_vehicle(kVehicles + "models/trailer.xml");
  ManoeuvreOptions quick;
  quick.quick = true;
  for (const char* speed : {"5", "27.778"})
    EXPECT_FALSE(notes_say(
        run_manoeuvre(car, shipped("split_mu_braking", {{"speed", speed}}), quick), "stand"))
        << speed;
  // frictions that begin 5 m behind the centre of mass, 1.5 m before the trailer's axle
  std::ifstream file(kVehicles + "manoeuvres/split_mu_braking.xml");
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const std::string usual = "{max(4*speed - 15, 2*speed)}";
  ASSERT_NE(text.find(usual), std::string::npos);
  text.replace(text.find(usual), usual.size(), "{4*speed - 5}");
  const Answer answer = run_manoeuvre(car, read_manoeuvre_text(text, "late.xml"), quick);
  // on the left both frictions are 1
  EXPECT_TRUE(notes_say(answer, "when the pedal begins to move, 'wheel_tr' stand on another"));
}

// The valves of an anti-lock system pulse some four times a second, and at every step they open at
// another instant: what the answer says of its doubt must hold that.
TEST(Braking, TheYawMomentAfterASecondIsAsSureAsThePulsesOfValvesLet) {
  const Vehicle car = read_vehicle(kVehicles + "models/sedan_abs_esc.xml");
  ManoeuvreOptions quick;
  quick.quick = true;
  const auto drive = [&](double step) {
    Manoeuvre split = shipped("split_mu_braking", {{"pedal", "1"}});
    split.step = step;
    const Answer answer = run_manoeuvre(car, split, quick);
    return answer.quantities[at(find_quantity(answer, "yaw_moment_1s"))];
  };
  const Quantity usual = drive(1e-3);
  EXPECT_NEAR(drive(0.25e-3).value, usual.value, usual.uncertainty);
  // the moment of one row of the pulses is up to 6000 N m
  EXPECT_LT(usual.uncertainty, 300.0);
}

// Expected: the speed asked for; coasting for the second before it would take a tenth of it.
TEST(Acceleration, BeginsAtTheSpeedAskedFor) {
  ManoeuvreOptions quick;
  quick.quick = true;
  const Vehicle sedan = read_vehicle(kVehicles + "models/sedan.xml");
  for (const char* speed : {"0", "3", "10", "20"}) {
    const Answer answer = run_manoeuvre(
        sedan,
        shipped("acceleration", {{"speed", speed}, {"end_speed", "25"}, {"course_length", "10"}}),
        quick);
    EXPECT_NEAR(value(answer, "initial_speed"), std::stod(speed), 0.02);
  }
}

// Expected: a mass under a constant force. The foot takes 0.2 s to full throttle, as if all of it
// came after 0.1 s.
TEST(Acceleration, UnderAConstantForceIsThatOfAMass) {
  const Vehicle car = bicycle(
      "<input name=\"throttle\" value=\"0\"/><driveline name=\"drive\">"
      "<motor type=\"electric\" inertia=\"0.05\" throttle=\"throttle\"><full><point speed=\"0\" "
      "torque=\"150\"/></full></motor>"
      "<axle name=\"rear_axle\" wheels=\"wheel_rl wheel_rr\" ratio=\"6\" "
      "differential=\"locked\"/></driveline>"
      "<controls throttle=\"throttle\" steering=\"steering\"/>");
  ManoeuvreOptions quick;
  quick.quick = true;
  const Answer answer = run_manoeuvre(
      car, shipped("acceleration", {{"end_speed", "20"}, {"course_length", "100"}}), quick);
  // tyres of 400000 N/m and radius 0.3 m are pressed in by less than 10 mm: 900 N m act on a lever
  // of 0.2918 m behind
  const double pressed = 1500 * 9.81 * 1.2 / 2.7 / 2 / 400000;
  const double force = 6.0 * 150.0 / (0.3 - pressed);
  // four rims of 0.01 kg m^2, and the motor's 0.05 kg m^2 six times as fast, on 0.3 m or the lever
  const double mass = 1500.0 + (4 * 0.01 + 36 * 0.05) / (0.3 * 0.3);
  const double a = force / mass;
  EXPECT_NEAR(value(answer, "time"), 20.0 / a + 0.1, 0.002 * 20.0 / a);
  EXPECT_NEAR(value(answer, "distance_to_speed"), 200.0 / a, 0.002 * 200.0 / a);
  EXPECT_NEAR(value(answer, "time_over_distance"), std::sqrt(200.0 / a) + 0.1,
              0.002 * std::sqrt(200.0 / a));
  EXPECT_NEAR(value(answer, "speed_at_distance"), std::sqrt(200.0 * a),
              0.002 * std::sqrt(200.0 * a));
}

TEST(Acceleration, SaysThatASpeedIsOutOfReach) {
  ManoeuvreOptions quick;
  quick.quick = true;
  EXPECT_THROW(static_cast<void>(run_manoeuvre(
                   read_vehicle(kVehicles + "models/sedan.xml"),
                   shipped("acceleration", {{"end_speed", "120"}, {"duration", "20"}}), quick)),
               AnalysisError);
}

// A manoeuvre begins at the origin along x, wherever the file has the car.
TEST(Manoeuvres, BeginWhereTheyAreMeantTo) {
  ManoeuvreOptions quick;
  quick.quick = true;
  const auto turned = [](const std::string& position) {
    Override change;
    change.element = "chassis_joint";
    change.attribute = "position";
    change.value = position;
    return read_vehicle(kVehicles + "models/trailer.xml", {change});
  };
  for (const Manoeuvre& manoeuvre :
       {shipped("straight_braking", {{"pedal", "0.3"}}), shipped("bump")}) {
    const Answer plain =
        run_manoeuvre(read_vehicle(kVehicles + "models/trailer.xml"), manoeuvre, quick);
    for (const char* const position : {"0 0 0.56 0 0 1.2", "40 -30 0.56 0 0 3"}) {
      const Answer moved = run_manoeuvre(turned(position), manoeuvre, quick);
      for (const Quantity& quantity : plain.quantities) {
        const double other = value(moved, quantity.name);
        if (std::isnan(quantity.value) && std::isnan(other)) continue;
        EXPECT_NEAR(other, quantity.value, 1e-5 * std::max(1.0, std::abs(quantity.value)))
            << manoeuvre.name << ", " << position << ": " << quantity.name;
      }
    }
  }
}

TEST(Manoeuvres, RefuseACarThatIsTiedToAnotherPlace) {
  std::ifstream file(kVehicles + "models/sedan.xml");
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  text.insert(text.rfind("</vehicle>"),
              "<spring name=\"rope\" a=\"ground\" b=\"chassis\" point_a=\"-9 0 1\" "
              "point_b=\"-1 0 1\"><stiffness k=\"1\" preload=\"0\"/></spring>");
  Override change;
  change.element = "chassis_joint";
  change.attribute = "position";
  change.value = "0 0 0.56 0 0 1";
  const Vehicle tied = read_vehicle_text(text, kVehicles + "models/sedan.xml", {change});
  ManoeuvreOptions quick;
  quick.quick = true;
  try {
    static_cast<void>(run_manoeuvre(tied, shipped("coast_down"), quick));
    ADD_FAILURE() << "a rope holds it";
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find("vehicle 'sedan': is held to its place in the world"),
              std::string::npos)
        << error.what();
  }
}

// A slow ramp finds a steering wheel by rows at even intervals, the last one too: it does not
// depend on how many there are.
TEST(Manoeuvres, FindASteeringWheelWhateverTheRows) {
  const Vehicle sedan = read_vehicle(kVehicles + "models/sedan.xml");
  const auto drive = [&](double record) {
    Manoeuvre sine = shipped("single_sine");
    sine.record = record;
    return find_steering_wheel(sedan, sine, 27.778, 8.0, 4.0, {}, 0.0, 1.0);
  };
  const double fine = drive(0.002);
  EXPECT_NEAR(drive(0.02), fine, 1e-5 * fine);  // curvature between rows of the slow ramp
}

TEST(Manoeuvres, SayWhatACarLacks) {
  const Vehicle iltis = read_vehicle(kVehicles + "models/iltis.xml");
  for (const char* name : {"straight_braking", "split_mu_braking", "acceleration"}) {
    try {
      static_cast<void>(run_manoeuvre(iltis, shipped(name)));
      ADD_FAILURE() << name;
    } catch (const ModelError& error) {
      EXPECT_NE(std::string(error.what()).find("which '" + std::string(name) + "' needs"),
                std::string::npos)
          << error.what();
    }
  }
}

TEST(Manoeuvres, TwiceTheStepTellsHowSureTheNumbersAre) {
  const Vehicle sedan = read_vehicle(kVehicles + "models/sedan.xml");
  const Answer answer = run_manoeuvre(sedan, shipped("coast_down", {{"duration", "4"}}));
  for (const Quantity& quantity : answer.quantities)
    EXPECT_TRUE(std::isfinite(quantity.uncertainty)) << quantity.name;
  // a smooth drive: far below a thousandth
  const int k = find_quantity(answer, "mean_deceleration");
  EXPECT_LT(answer.quantities[static_cast<std::size_t>(k)].uncertainty, 1e-3 * 0.3);
}

}  // namespace
}  // namespace semirec
