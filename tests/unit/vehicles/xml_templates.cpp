#include <filesystem>
#include <fstream>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "tests/support/text_drive.hpp"
#include "vehicles/files/xml/reader.hpp"

namespace semirec {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

/// Products and quotients of a handful of numbers of order one.
constexpr double kTemplateRounding = 1e-14;

std::string write(const std::string& name, const std::string& text) {
  const auto folder = std::filesystem::path(testing::TempDir()) /
                      testing::UnitTest::GetInstance()->current_test_info()->name();
  std::filesystem::create_directories((folder / name).parent_path());
  std::ofstream(folder / name) << text;
  return (folder / name).string();
}

Vehicle read(const std::string& content, const std::vector<Override>& overrides = {}) {
  return read_vehicle(
      write("main.xml", "<vehicle name=\"car\" version=\"1\">" + content + "</vehicle>"),
      overrides);
}

template <typename List>
const auto& named(const List& list, const std::string& name) {
  for (const auto& entry : list)
    if (entry.name == name) return entry;
  throw std::out_of_range("nothing is called " + name);
}

Frame in_world(const Mechanism& mechanism, const Marker& marker) {
  if (marker.body == kGround) return marker.X_BF;
  return mechanism.bodies[static_cast<std::size_t>(marker.body)].X_WB * marker.X_BF;
}

const std::string kChassis = R"(
  <body name="chassis" chassis="yes" mass="1000" com="0 0 0.5" inertia="300 900 1000"/>
  <joint name="chassis_joint" type="free" a="ground" b="chassis"/>)";

const std::string kCorner = R"(
  <template name="corner">
    <argument name="x"/>
    <argument name="mass" default="5"/>
    <parameter name="half" value="{x/2}"/>
    <body name="arm" mass="{mass}" com="{half} 0.5 0.2" inertia="0.3 0.2 0.4" products="0.01 0.02 0.03"
          rotation="0.1 0.2 0.3"/>
    <joint name="pivot" type="revolute" a="chassis" b="arm" point="{x} 0.3 0.2" axis="0.8 0.6 0" position="0.1"/>
    <spring name="strut" a="chassis" b="arm" point_a="{x} 0.4 0.6" point_b="{x} 0.5 0.2" along="0 0.6 -0.8">
      <stiffness k="100" free_length="0.5"/>
    </spring>
    <input name="push_size" value="3"/>
    <force name="push" body="arm" point="{x} 0.5 0.2" direction="0 1 0" input="push_size"/>
    <torque name="twist" body="arm" direction="0 0 1" input="push_size"/>
    <wheel name="wheel" body="arm" centre="{x} 0.7 0.3" axis="0 1 0" radius="0.3" stiffness="2e5"/>
    <marker name="tip" body="arm" point="0 {0.7*side} 0.3"/>
  </template>)";

const std::string kBothSides = R"(
  <use template="corner" name="left"><with name="x" value="1"/></use>
  <use template="corner" name="right" mirror="yes"><with name="x" value="1"/></use>)";

TEST(XmlTemplate, SuffixesNamesInsideAndReferencesToThem) {
  const Vehicle car = read(kChassis + kCorner + kBothSides);
  const Mechanism& m = car.mechanism;
  const Joint& pivot = named(m.joints, "pivot_right");
  EXPECT_EQ(m.bodies[static_cast<std::size_t>(pivot.a.body)].name, "chassis");
  EXPECT_EQ(m.bodies[static_cast<std::size_t>(pivot.b.body)].name, "arm_right");
  EXPECT_EQ(m.inputs[static_cast<std::size_t>(named(m.loads, "push_left").input)].name,
            "push_size_left");
  EXPECT_EQ(car.chassis, 0);
  ASSERT_EQ(car.wheels.size(), 2U);
  EXPECT_EQ(car.wheels[1].name, "wheel_right");
}

TEST(XmlTemplate, TakesArgumentsDefaultsAndItsOwnParameters) {
  const Vehicle car = read(kChassis + kCorner + R"(
    <use template="corner" name="a"><with name="x" value="{4/2}"/></use>
    <use template="corner" name="b"><with name="x" value="-1"/><with name="mass" value="7"/></use>)");
  EXPECT_EQ(named(car.mechanism.bodies, "arm_a").X_WB.p.x(), 1.0);
  EXPECT_EQ(named(car.mechanism.bodies, "arm_a").mass, 5.0);
  EXPECT_EQ(named(car.mechanism.bodies, "arm_b").X_WB.p.x(), -0.5);
  EXPECT_EQ(named(car.mechanism.bodies, "arm_b").mass, 7.0);
}

TEST(XmlTemplate, MayUseAnotherOneWithoutASuffixOfItsOwn) {
  const Vehicle car = read(kChassis + kCorner + R"(
    <template name="front">
      <use template="corner"><with name="x" value="1.5"/></use>
      <marker name="hub" body="arm" point="1.5 0.7 0.3"/>
    </template>
    <use template="front" name="fl"/>
    <use template="front" name="fr" mirror="yes"/>)");
  const Marker& hub = named(car.mechanism.markers, "hub_fr");
  EXPECT_EQ(car.mechanism.bodies[static_cast<std::size_t>(hub.body)].name, "arm_fr");
  EXPECT_NEAR((in_world(car.mechanism, hub).p - Vector3d(1.5, -0.7, 0.3)).norm(), 0.0,
              kTemplateRounding);
}

TEST(XmlMirror, ReflectsPointsAndTheInertiaSeenFromTheWorld) {
  const Mechanism m = read(kChassis + kCorner + kBothSides).mechanism;
  const Body& left = named(m.bodies, "arm_left");
  const Body& right = named(m.bodies, "arm_right");
  const Matrix3d mirror = Vector3d(1.0, -1.0, 1.0).asDiagonal();
  EXPECT_NEAR((right.X_WB.p - mirror * left.X_WB.p).norm(), 0.0, kTemplateRounding);
  const Matrix3d J_left = left.X_WB.A * left.inertia * left.X_WB.A.transpose();
  const Matrix3d J_right = right.X_WB.A * right.inertia * right.X_WB.A.transpose();
  EXPECT_NEAR((J_right - mirror * J_left * mirror).norm(), 0.0, kTemplateRounding);
  EXPECT_EQ(right.inertia(0, 1), -left.inertia(0, 1));
  EXPECT_EQ(right.inertia(0, 2), left.inertia(0, 2));
  EXPECT_EQ(right.inertia(1, 2), -left.inertia(1, 2));
}

TEST(XmlMirror, ReflectsArrowsAsArrowsAndTurnsAsTurns) {
  const Vehicle car = read(kChassis + kCorner + kBothSides);
  const Mechanism& m = car.mechanism;
  EXPECT_EQ(named(m.loads, "push_right").direction, Vector3d(0.0, -1.0, 0.0));
  EXPECT_EQ(named(m.loads, "twist_right").direction, Vector3d(0.0, 0.0, -1.0));
  EXPECT_NEAR((named(m.springs, "strut_right").axis - Vector3d(0.0, -0.6, -0.8)).norm(), 0.0,
              kTemplateRounding);
  const Frame pivot = in_world(m, named(m.joints, "pivot_right").a);
  EXPECT_NEAR((pivot.A.col(2) - Vector3d(-0.8, 0.6, 0.0)).norm(), 0.0, kTemplateRounding);
  EXPECT_NEAR(pivot.A.determinant(), 1.0, kTemplateRounding);
  // side undoes the mirror for a point that is the same on both sides
  EXPECT_NEAR(in_world(m, named(m.markers, "tip_right")).p.y(), 0.7, kTemplateRounding);
  // an axle points to the left on both sides
  for (const Wheel& wheel : car.wheels)
    EXPECT_NEAR((in_world(m, wheel.centre).A - Matrix3d::Identity()).norm(), 0.0, kTemplateRounding)
        << wheel.name;
}

// The same joint coordinate moves a point of both sides to mirrored places.
TEST(XmlMirror, EqualCoordinatesMeanSymmetricMotion) {
  const std::string parts = kChassis + R"(
    <template name="side">
      <body name="turned" mass="1" com="1 0.5 0" inertia="1 1 1"/>
      <joint name="turned_joint" type="revolute" a="chassis" b="turned" point="1 0.5 0" axis="0.6 0 0.8"/>
      <body name="slid" mass="1" com="1 0.5 0" inertia="1 1 1"/>
      <joint name="slid_joint" type="prismatic" a="chassis" b="slid" point="1 0.5 0" axis="0 0.6 0.8"/>
      <body name="plane" mass="1" com="1 0.5 0" inertia="1 1 1"/>
      <joint name="plane_joint" type="planar" a="chassis" b="plane" point="1 0.5 0" axis="0 0.6 0.8"/>
      <body name="crossed" mass="1" com="1 0.5 0" inertia="1 1 1"/>
      <joint name="crossed_joint" type="universal" a="chassis" b="crossed" point="1 0.5 0" axis="0 0.6 0.8"
             axis_b="1 0 0"/>
    </template>
    <use template="side" name="l"/>
    <use template="side" name="r" mirror="yes"/>)";
  const Mechanism m = read(parts).mechanism;
  const Matrix3d mirror = Vector3d(1.0, -1.0, 1.0).asDiagonal();
  const auto frame = [&](const std::string& name) {
    return in_world(m, named(m.joints, name).a).A;
  };
  const auto turn = [](const Vector3d& axis) {
    return Eigen::AngleAxisd(0.3, axis).toRotationMatrix();
  };
  // turns: R' = M R M
  for (const char* name : {"turned_joint", "plane_joint", "crossed_joint"}) {
    const Matrix3d left = turn(frame(std::string(name) + "_l").col(2));
    const Matrix3d right = turn(frame(std::string(name) + "_r").col(2));
    EXPECT_NEAR((right - mirror * left * mirror).norm(), 0.0, kTemplateRounding) << name;
  }
  EXPECT_NEAR((turn(frame("crossed_joint_r").col(0)) -
               mirror * turn(frame("crossed_joint_l").col(0)) * mirror)
                  .norm(),
              0.0, kTemplateRounding);
  // slides: d' = M d
  EXPECT_NEAR((frame("slid_joint_r").col(2) - mirror * frame("slid_joint_l").col(2)).norm(), 0.0,
              kTemplateRounding);
  for (const int k : {0, 1})
    EXPECT_NEAR((frame("plane_joint_r").col(k) - mirror * frame("plane_joint_l").col(k)).norm(),
                0.0, kTemplateRounding);
}

// Nothing turns the axes of a translational joint: they are the world's on both sides, and what is
// written along y goes the other way in the mirror.
TEST(XmlMirror, ReversesYOfATranslationalJoint) {
  const Mechanism m = read(kChassis + R"(
    <template name="side">
      <body name="block" mass="1" com="1 0.5 0" inertia="1 1 1"/>
      <joint name="slide" type="translational" a="chassis" b="block" point="1 0.5 0" position="0.1 0.2 0.3"
             velocity="4 5 6"/>
    </template>
    <use template="side" name="l"/>
    <use template="side" name="r" mirror="yes"/>)")
                          .mechanism;
  const Joint& left = named(m.joints, "slide_l");
  const Joint& right = named(m.joints, "slide_r");
  for (const Joint* joint : {&left, &right})
    EXPECT_NEAR((in_world(m, joint->a).A - Matrix3d::Identity()).norm(), 0.0, kTemplateRounding);
  EXPECT_EQ(in_world(m, right.a).p, Vector3d(1.0, -0.5, 0.0));
  EXPECT_EQ(left.position, (std::vector<double>{0.1, 0.2, 0.3}));
  EXPECT_EQ(right.position, (std::vector<double>{0.1, -0.2, 0.3}));
  EXPECT_EQ(left.velocity, (std::vector<double>{4.0, 5.0, 6.0}));
  EXPECT_EQ(right.velocity, (std::vector<double>{4.0, -5.0, 6.0}));
}

TEST(XmlInclude, IsRelativeToTheIncludingFile) {
  write("parts/deeper/corner.xml",
        "<mechanism name=\"c\" version=\"1\">" + kCorner + "</mechanism>");
  write("parts/parts.xml", "<mechanism name=\"p\" version=\"1\">" + kChassis +
                               "<include file=\"deeper/corner.xml\"/></mechanism>");
  const Vehicle car = read("<include file=\"parts/parts.xml\"/>" + kBothSides);
  EXPECT_EQ(car.mechanism.name, "car");
  EXPECT_EQ(car.mechanism.bodies.size(), 3U);
  const std::string& file = named(car.mechanism.bodies, "arm_left").source.file;
  EXPECT_EQ(std::filesystem::path(file).filename(), "corner.xml");
}

TEST(XmlOverride, ReachesParametersElementsChildrenAndAttributesNotWritten) {
  const std::string content = "<parameter name=\"load\" value=\"5\"/>" + kChassis + kCorner + R"(
    <use template="corner" name="left"><with name="x" value="1"/><with name="mass" value="{load}"/></use>
    <use template="corner" name="right" mirror="yes"><with name="x" value="1"/></use>)";
  const Mechanism m = read(content, {{"load", "value", "9", {}},
                                     {"strut_left", "k", "{50*4}", {}},
                                     {"strut_*", "active", "no", {}},
                                     {"strut_right", "active", "yes", {}},
                                     {"car", "gravity", "0 0 -1.62", {}},
                                     {"half_left", "value", "0.7", {}}})
                          .mechanism;
  EXPECT_EQ(named(m.bodies, "arm_left").mass, 9.0);
  EXPECT_EQ(named(m.bodies, "arm_right").mass, 5.0);
  EXPECT_EQ(named(m.springs, "strut_left").spring.value(1.5), 200.0);
  EXPECT_EQ(named(m.springs, "strut_right").spring.value(1.5), 100.0);
  EXPECT_FALSE(named(m.springs, "strut_left").active);
  EXPECT_TRUE(named(m.springs, "strut_right").active);
  EXPECT_EQ(m.gravity.z(), -1.62);
  EXPECT_EQ(named(m.bodies, "arm_left").X_WB.p.x(), 0.7);
}

std::string complaint(const std::vector<Override>& overrides) {
  try {
    read(kChassis + kCorner + kBothSides, overrides);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "none";
}

TEST(XmlOverride, WithoutAMatchNamesTheNearestAndItsOwnPlace) {
  EXPECT_EQ(complaint({{"strut_lefft", "k", "1", {"race.xml", 7}}}),
            "race.xml:7: element 'strut_lefft': is to be changed but there is no such element, "
            "nearest known "
            "name is 'strut_left'");
  EXPECT_EQ(complaint({{"strut_left", "kk", "1", {}}}),
            "element 'strut_left': has no attribute 'kk' to be changed, nearest known name is 'k'");
  EXPECT_EQ(complaint({{"strut_left", "k", "1 N/m", {"race.xml", 7}}}),
            "race.xml:7: element 'strut_left': attribute 'k' of <stiffness> is '1 N/m', which "
            "carries a unit, "
            "expected a bare number in SI units");
  EXPECT_NE(complaint({{"strut_left", "name", "other", {}}}), "none");
}

TEST(XmlOverride, IsParsedFromOneWord) {
  const Override change = parse_override("shock_*.c1=-1.5e3");
  EXPECT_EQ(change.element, "shock_*");
  EXPECT_EQ(change.attribute, "c1");
  EXPECT_EQ(change.value, "-1.5e3");
  for (const char* text : {"", "=", ".=", "a.=1", ".b=1", "a.b", "a.b=", "ab=1.5"})
    EXPECT_THROW(parse_override(text), ModelError) << text;
}

// Coordinates that no frame makes equal on both sides: the mirrored law gives the mirrored force,
// -f(-z) of the law as written, so that both sides are at rest or pushed alike.
TEST(Templates, MirrorLawsOfCoordinatesThatChangeTheirSign) {
  test::ShippedDrive drive = test::start_text(
      R"(<mechanism name="m" version="1">
        <template name="side">
          <body name="turner" mass="2" com="0.3 0.5 0.1" inertia="0.3 0.4 0.5"/>
          <joint name="pin" type="cylindrical" a="ground" b="turner" point="0 0.5 0" axis="0 1 0" position="0 0.4"/>
          <joint_force name="at_rest" joint="pin" coordinate="angle" stiffness="50" free="0.4"/>
          <joint_force name="bent" joint="pin" coordinate="angle"><law>
            <piece c1="25" origin="0.2"/><piece from="0.2" c1="50" origin="0.2"/></law></joint_force>
          <joint_force name="straight" joint="pin" coordinate="angle"><law><piece c1="10"/></law></joint_force>
          <joint_force name="held" joint="pin" coordinate="angle" lower="-1" upper="0.3" stop_stiffness="100"/>
          <joint_force name="along" joint="pin" coordinate="displacement" stiffness="50" free="0.1"/>
        </template>
        <use template="side" name="l"/><use template="side" name="r" mirror="yes"/></mechanism>)",
      "step=\"0.001\"");
  const auto at = [&](const std::string& name) { return test::channel(drive, name); };
  EXPECT_NEAR(at("pin_r.z[1]"), -at("pin_l.z[1]"), kTemplateRounding);
  EXPECT_NEAR(at("at_rest_l.force"), 0.0, kTemplateRounding);
  EXPECT_NEAR(at("at_rest_r.force"), 0.0, kTemplateRounding);
  EXPECT_NEAR(at("bent_l.force"), -10.0, 1e-12);  // 50 (0.4 - 0.2), against the angle
  EXPECT_NEAR(at("bent_r.force"), 10.0, 1e-12);
  EXPECT_NEAR(at("straight_l.force"), -4.0, 1e-12);  // 10 * 0.4: one piece for all angles
  EXPECT_NEAR(at("straight_r.force"), 4.0, 1e-12);
  EXPECT_NEAR(at("held_l.force"), -10.0, 1e-12);  // 100 (0.4 - 0.3)
  EXPECT_NEAR(at("held_r.force"), 10.0, 1e-12);
  EXPECT_NEAR(at("along_l.force"), 5.0, 1e-12);  // -50 (0 - 0.1), equal on both sides
  EXPECT_NEAR(at("along_r.force"), 5.0, 1e-12);
  test::drive_to(drive, 0.5);
  EXPECT_NEAR(at("pin_r.z[1]"), -at("pin_l.z[1]"), 1e-9);
  EXPECT_NEAR(at("pin_r.z[0]"), at("pin_l.z[0]"), 1e-9);
}

}  // namespace
}  // namespace semirec
