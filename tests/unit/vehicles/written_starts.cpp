// What a file writes of a start is kept: joints that hold, also where they are cut; and a chassis
// that is put elsewhere takes its car along.

#include <cmath>
#include <string>

#include <Eigen/Core>
#include <gtest/gtest.h>

#include "integrator/statics/written_values.hpp"
#include "tests/support/text_drive.hpp"
#include "topology/indices.hpp"
#include "vehicles/files/xml/reader.hpp"
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

}  // namespace
}  // namespace semirec::test
