// What a file writes of a start is kept: joints that hold, also where they are cut; and a chassis
// that is put elsewhere takes its car along.

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include <Eigen/Core>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "integrator/statics/written_values.hpp"
#include "tests/support/random_mechanism.hpp"
#include "tests/support/text_drive.hpp"
#include "topology/indices.hpp"
#include "vehicles/files/xml/reader.hpp"
#include "vehicles/road/obstacles.hpp"
#include "vehicles/session/input_faults.hpp"
#include "vehicles/session/session.hpp"

namespace semirec::test {
namespace {

/// A four-bar linkage; `of_third`, `of_fourth`: attributes of its joints.
std::string four_bar(const std::string& of_third, const std::string& of_fourth) {
  return R"(<mechanism name="four_bar" version="1">
    <slender_rod name="a" mass="1" from="0 0 0" to="0 0 3"/>
    <slender_rod name="b" mass="2" from="0 0 3" to="5 0 7"/>
    <slender_rod name="c" mass="1.5" from="5 0 7" to="6 0 0"/>
    <joint name="j1" type="revolute" a="ground" b="a" point="0 0 0" axis="0 1 0" position="0.3"/>
    <joint name="j2" type="revolute" a="a" b="b" point="0 0 3" axis="0 1 0"/>
    <joint name="j3" type="revolute" a="b" b="c" point="5 0 7" axis="0 1 0" )" +
         of_third + R"(/>
    <joint name="j4" type="revolute" a="ground" b="c" point="6 0 0" axis="0 1 0" )" +
         of_fourth + R"(/>
  </mechanism>)";
}

double angle_of(const std::string& joint, const std::string& text) {
  ShippedDrive drive = start_text(text, R"(step="0.001")");
  const Model& model = drive.drive.model;
  for (const WrittenValue& value : read_written_values(model, drive.state, drive.ws))
    if (!value.is_rate && model.mechanism.joints[at(value.joint)].name == joint) return value.got;
  return -1.0;
}

// Whichever joint is cut, j3 keeps 0.2 rad and j1 gives way.
TEST(WrittenStart, HoldsACutJointAsATreeJoint) {
  const std::string holds = R"(position="0.2" hold="yes" )";
  for (const char* where : {R"(placement="cut")", R"(placement="tree")", ""})
    EXPECT_NEAR(angle_of("j3", four_bar(holds + where, "")), 0.2, 1e-9) << where;
  const double cut = angle_of("j1", four_bar(holds + R"(placement="cut")", ""));
  const double tree = angle_of("j1", four_bar(holds + R"(placement="tree")", ""));
  EXPECT_NEAR(cut, tree, 1e-7);
  EXPECT_GT(std::abs(cut - 0.3), 0.01) << "nothing had to give way";
}

// The rocker of lengths 3, sqrt(41), sqrt(50), 6 cannot turn by 0.2 rad from where it is drawn: a
// and b in one line reach 3 + sqrt(41) = 9.40, its end would be farther from the ground pivot.
TEST(WrittenStart, RefusesWhatACutJointCannotHold) {
  const double rocker = std::atan2(7.0, -1.0) - 0.2;  // from the x axis; turning about y lowers it
  const Eigen::Vector2d end = Eigen::Vector2d(6.0, 0.0) +
                              std::sqrt(50.0) * Eigen::Vector2d(std::cos(rocker), std::sin(rocker));
  ASSERT_GT(end.norm(), 3.0 + std::sqrt(41.0)) << "it can be reached";
  for (const char* where : {R"(placement="cut")", R"(placement="tree")"})
    EXPECT_THROW(angle_of("j4", four_bar("", std::string(R"(position="0.2" hold="yes" )") + where)),
                 ModelError)
        << where;
}

/// Height of the chassis of the sedan on bushings after a tenth of a second, from where it is
/// drawn.
double height_from(const std::string& position) {
  const std::string folder = std::string(SEMIREC_SOURCE_DIR) + "/vehicles/";
  std::vector<Override> overrides{parse_override("form.value=bushing")};
  if (!position.empty()) overrides.push_back(parse_override("chassis_joint.position=" + position));
  DriveDescription read =
      read_drive(folder + "models/sedan.xml", folder + "scenarios/rest.xml", overrides);
  read.scenario.start = StartMode::design;
  Session session(read, {.step = 1e-3, .iterations = 3});
  for (const std::string& note : session.notes())
    EXPECT_EQ(note.find("branch"), std::string::npos) << note;
  for (int k = 0; k < 100; ++k) EXPECT_EQ(session.step(), StepStatus::converged) << k;
  std::vector<double> values(session.outputs().size());
  session.read_outputs(values.data());
  return values[static_cast<std::size_t>(session.find_output("chassis.z"))];
}

TEST(WrittenStart, AChassisPutElsewhereTakesItsBodiesAlong) {
  const double drawn = height_from("");
  for (const char* elsewhere : {"5 0 0.56 0 0 0", "0 0 0.56 0 0 0.1", "-40 30 0.56 0 0 2.5"})
    EXPECT_NEAR(height_from(elsewhere), drawn, 1e-7) << elsewhere;
}

/// Length of the spring between a chassis, drawn at 0.6 m and put at 0.7 m, and an axle drawn at
/// 0.3 m, both on free joints.
double spring_length(const std::string& of_axle) {
  ShippedDrive drive = start_text(R"(<mechanism name="two" version="1" gravity="0 0 0">
    <body name="chassis" chassis="yes" mass="100" com="0 0 0.6" inertia="1 1 1"/>
    <body name="axle" mass="10" com="0 0 0.3" inertia="1 1 1"/>
    <joint name="chassis_joint" type="free" a="ground" b="chassis" position="0 0 0.7 0 0 0"/>
    <joint name="axle_joint" type="free" a="ground" b="axle" )" +
                                      of_axle +
                                      R"(/>
    <spring name="s" a="axle" b="chassis" point_a="0 0 0.3" point_b="0 0 0.6">
      <stiffness k="1e4" free_length="0.3"/>
    </spring>
  </mechanism>)",
                                  R"(step="0.001")");
  return channel(drive, "s.length");
}

TEST(WrittenStart, AChassisPutElsewhereLeavesWhatHolds) {
  EXPECT_NEAR(spring_length(""), 0.3, 1e-12);
  EXPECT_NEAR(spring_length(R"(hold="yes")"), 0.4, 1e-12);
  EXPECT_NEAR(spring_length(R"(position="0 0 0.2 0 0 0")"), 0.5, 1e-12);
}

TEST(WrittenStart, HoldsACutJointAsItIsDrawn) {
  for (const char* where : {R"(placement="cut")", R"(placement="tree")"})
    EXPECT_NEAR(angle_of("j1", four_bar(std::string(R"(hold="yes" )") + where, "")),
                angle_of("j1", four_bar(std::string(R"(position="0" hold="yes" )") + where, "")),
                1e-9)
        << where;
}

/// Notes of the sedan's start, from its design position, with these overrides.
std::vector<std::string> notes_of(const std::vector<std::string>& overrides,
                                  const std::function<void(Scenario&)>& change = {}) {
  const std::string folder = std::string(SEMIREC_SOURCE_DIR) + "/vehicles/";
  std::vector<Override> all;
  for (const std::string& each : overrides) all.push_back(parse_override(each));
  DriveDescription read =
      read_drive(folder + "models/sedan.xml", folder + "scenarios/rest.xml", all);
  read.scenario.start = StartMode::design;
  if (change) change(read.scenario);
  return Session(read, {.step = 1e-3}).notes();
}

bool says(const std::vector<std::string>& notes, const std::string& words) {
  return std::any_of(notes.begin(), notes.end(), [&](const std::string& note) {
    return note.find(words) != std::string::npos;
  });
}

TEST(DesignStart, SaysThatWheelsStandWhileTheCarGoes) {
  const std::string goes = "chassis_joint.velocity=33 0 0 0 0 0";
  EXPECT_TRUE(says(notes_of({goes}), "on wheels that stand: 'wheel_fl', 'wheel_fr'"));
  EXPECT_FALSE(says(notes_of({}), "wheels that stand"));
  EXPECT_FALSE(says(notes_of({goes}, [](Scenario& scenario) { scenario.speed = 33.0; }),
                    "wheels that stand"));
}

TEST(DesignStart, SaysThatTheCarIsPressedIntoTheRoadOrAboveIt) {
  const auto on = [](double height) {
    return notes_of({}, [height](Scenario& scenario) {
      scenario.surface = std::make_shared<InclinedPlane>(height, 0.0, 0.0);
    });
  };
  EXPECT_TRUE(says(on(0.2), "pressed into the road"));
  EXPECT_TRUE(says(on(-2.0), "above the road"));
  for (const double height : {-0.05, 0.0, 0.02}) {
    EXPECT_FALSE(says(on(height), "pressed into the road")) << height;
    EXPECT_FALSE(says(on(height), "above the road")) << height;
  }
}

// Four steps a period and more are enough.
TEST(FastInput, IsSaid) {
  Mechanism mechanism;
  mechanism.inputs.push_back({"shaken", Curve::constant(0.0), {}});
  mechanism.inputs.front().curve.add_sine({.amplitude = 1.0, .omega = 2.0 * M_PI * 400.0});
  EXPECT_EQ(find_fast_inputs(mechanism, 1e-3, 1.0).size(), 1U);
  EXPECT_TRUE(says(find_fast_inputs(mechanism, 1e-3, 1.0), "a sine of 400 Hz"));
  EXPECT_TRUE(find_fast_inputs(mechanism, 6e-4, 1.0).empty());
}

// A slender rod has no inertia about itself, which rounding shows as a little or less than nothing:
// turned however, on a joint about its end or free on bushings, it is refused.
TEST(WrittenStarts, OfARodThatTurnsAboutItselfIsRefusedInEveryDirection) {
  Random random(5);
  const auto refusal = [](const std::string& end, const std::string& rest) -> std::string {
    try {
      start_text(
          "<mechanism name=\"m\" version=\"1\"><slender_rod name=\"rod\" mass=\"2\" from=\"0 "
          "0 0\" to=\"" +
              end + "\"/>" + rest + "</mechanism>",
          "step=\"0.001\"");
    } catch (const ModelError& error) {
      return error.what();
    }
    return "started";
  };
  const auto numbers = [](const Eigen::Vector3d& v) {
    std::ostringstream text;
    text.precision(17);
    text << v.x() << ' ' << v.y() << ' ' << v.z();
    return text.str();
  };
  for (int k = 0; k < 60; ++k) {
    const Eigen::Vector3d along = random.unit();
    const std::string end = numbers(random.number(0.2, 2.0) * along);
    const std::string words = "a motion of this joint moves no inertia";
    EXPECT_THAT(refusal(end,
                        "<joint name=\"ball\" type=\"spherical\" a=\"ground\" b=\"rod\" "
                        "point=\"0 0 0\"/>"),
                testing::HasSubstr(words))
        << end;
    EXPECT_THAT(refusal(end,
                        "<joint name=\"pin\" type=\"revolute\" a=\"ground\" b=\"rod\" "
                        "point=\"0 0 0\" axis=\"" +
                            numbers(along) + "\"/>"),
                testing::HasSubstr(words))
        << end;
    EXPECT_THAT(refusal(end, "<joint name=\"way\" type=\"free\" a=\"ground\" b=\"rod\"/>"),
                testing::HasSubstr(words))
        << end;
  }
}

}  // namespace
}  // namespace semirec::test
