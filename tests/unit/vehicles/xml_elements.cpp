#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

#include <gtest/gtest.h>

#include "vehicles/files/xml/reader.hpp"

namespace semirec {
namespace {

using Eigen::Vector3d;

constexpr double kElementRounding = 1e-14;

std::string write(const std::string& text) {
  const auto path =
      std::filesystem::path(testing::TempDir()) /
      (std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) + ".xml");
  std::ofstream(path) << text;
  return path.string();
}

const std::string kBob = R"(<body name="bob" mass="2" com="1 0 0" inertia="0.1 0.2 0.25"/>)";
const std::string kPin =
    R"(<joint name="pin" type="revolute" a="ground" b="bob" point="0 0 0" axis="0 1 0"/>)";

Mechanism read(const std::string& content) {
  return read_vehicle(write("<mechanism name=\"m\" version=\"1\">" + content + "</mechanism>"))
      .mechanism;
}

Scenario read_course(const std::string& content) {
  return read_scenario(write("<scenario name=\"s\" version=\"1\">" + content + "</scenario>"));
}

TEST(XmlBody, SitsAtItsCentreOfMassWithTheWorldsAxes) {
  const Mechanism m = read(kBob + kPin);
  EXPECT_EQ(m.bodies[0].X_WB.p, Vector3d(1.0, 0.0, 0.0));
  EXPECT_EQ(m.bodies[0].com, Vector3d::Zero());
  EXPECT_TRUE(m.bodies[0].X_WB.A.isIdentity());
  EXPECT_EQ(m.gravity, Vector3d(0.0, 0.0, -9.81));
  EXPECT_EQ(m.bodies[0].source.line, 1);
}

// Moments of link 3 of the PUMA as published, and those of a plane body with nothing but Iyy.
TEST(XmlBody, MayBreakTheTriangleInequalityWithANote) {
  const auto notes = [](const std::string& inertia) {
    return read_vehicle(write(R"(<mechanism name="m" version="1">
      <body name="bob" mass="2" com="1 0 0" inertia=")" +
                              inertia + "\"/>" + kPin + "</mechanism>"))
        .notes;
  };
  for (const char* inertia : {"0.066 0.0125 0.086", "0 0.1 0"}) {
    const std::vector<std::string> said = notes(inertia);
    ASSERT_EQ(said.size(), 1U) << inertia;
    EXPECT_NE(said[0].find(".xml:2: element 'bob': inertia breaks the triangle inequality"),
              std::string::npos)
        << said[0];
  }
  EXPECT_TRUE(notes("0.066 0.02 0.086").empty());
  EXPECT_THROW(notes("0.066 -0.0125 0.086"), ModelError);
}

TEST(XmlBody, SlenderRodHasNoInertiaAboutItself) {
  const Mechanism m =
      read(R"(<slender_rod name="bob" mass="3" from="0 0 0" to="0 1.2 1.6"/>)" + kPin);
  const Vector3d along(0.0, 0.6, 0.8);
  EXPECT_NEAR((m.bodies[0].inertia * along).norm(), 0.0, kElementRounding);
  EXPECT_NEAR(m.bodies[0].inertia(0, 0), 3.0 * 4.0 / 12.0, kElementRounding);
  EXPECT_EQ(m.bodies[0].X_WB.p, Vector3d(0.0, 0.6, 0.8));
}

TEST(XmlJoint, FramesCoincideInTheDesignPosition) {
  const Mechanism m = read(kBob + R"(
    <joint name="cross" type="universal" a="ground" b="bob" point="0 0 1" axis="0 0 1" axis_b="0 1 0"
           position="0.1 0.2" velocity="1 2" hold="yes" placement="tree"/>)");
  const Joint& joint = m.joints[0];
  EXPECT_EQ(joint.a.X_BF.A.col(2), Vector3d::UnitZ());
  EXPECT_EQ(joint.a.X_BF.A.col(0), Vector3d::UnitY());
  EXPECT_EQ(joint.b.X_BF.p, Vector3d(-1.0, 0.0, 1.0));
  EXPECT_EQ(joint.b.X_BF.A, joint.a.X_BF.A);
  EXPECT_EQ(joint.position, (std::vector<double>{0.1, 0.2}));
  EXPECT_EQ(joint.velocity, (std::vector<double>{1.0, 2.0}));
  EXPECT_TRUE(joint.held);
  EXPECT_EQ(joint.placement, Placement::tree);
}

TEST(XmlJoint, FreeJointCountsWorldCoordinatesOfTheCentreOfMass) {
  const Mechanism m = read(R"(
    <body name="bob" mass="2" com="1 2 3" inertia="0.1 0.2 0.25" rotation="0 0 0.5"/>
    <joint name="float" type="free" a="ground" b="bob"/>)");
  const Joint& joint = m.joints[0];
  EXPECT_TRUE(joint.a.X_BF.A.isIdentity());
  EXPECT_TRUE(joint.a.X_BF.p.isZero());
  EXPECT_TRUE(joint.b.X_BF.A.isIdentity(kElementRounding));
  EXPECT_TRUE(joint.b.X_BF.p.isZero());
  ASSERT_EQ(joint.position.size(), 6U);
  const std::vector<double> expected{1.0, 2.0, 3.0, 0.0, 0.0, 0.5};
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(joint.position[i], expected[i], kElementRounding);
}

TEST(XmlJoint, AxisMayBeAThousandthOff) {
  const Mechanism m = read(kBob + R"(
    <joint name="pin" type="revolute" a="ground" b="bob" point="0 0 0" axis="0.707 0 0.707"/>)");
  EXPECT_NEAR(m.joints[0].a.X_BF.A.col(2).x(), std::sqrt(0.5), kElementRounding);
}

TEST(XmlConstraint, RodTakesItsLengthFromTheDesign) {
  const Mechanism m = read(kBob + kPin + R"(
    <input name="rack"/>
    <rod name="tie" a="ground" b="bob" point_a="1 3 4" point_b="1 0 0" slide_axis="0 1 0" slide_input="rack"/>
    <rod name="long" a="ground" b="bob" point_a="1 3 4" point_b="1 0 0" length="6"/>
    <point_on_line name="line" a="ground" b="bob" point="0 0 0" axis="1 0 0" point_b="2 0 0"/>
    <point_in_plane name="plane" a="ground" b="bob" point="0 0 0" axis="1 0 0" point_b="2 0 0"/>)");
  EXPECT_DOUBLE_EQ(m.constraints[0].length, 5.0);
  EXPECT_EQ(m.constraints[0].slide_axis, Vector3d::UnitY());
  EXPECT_EQ(m.constraints[0].slide_input, 0);
  EXPECT_EQ(m.constraints[1].length, 6.0);
  EXPECT_EQ(m.constraints[1].slide_input, kNoInput);
  EXPECT_EQ(m.constraints[2].type, ConstraintType::point_on_line);
  EXPECT_EQ(m.constraints[2].a.X_BF.A.col(2), Vector3d::UnitX());
  EXPECT_DOUBLE_EQ(m.constraints[3].length, 2.0);
}

TEST(XmlDriver, FindsCoordinatesByNameOrIndex) {
  const Mechanism m = read(R"(
    <motion name="first" joint="float" coordinate="z" input="signal"/>
    <motion name="second" joint="float" coordinate="0" input="signal"/>
    <input name="signal"/>
    <joint name="float" type="free" a="ground" b="bob"/>)" +
                           kBob);
  EXPECT_EQ(m.motions[0].coordinate, 2);
  EXPECT_EQ(m.motions[1].coordinate, 0);
}

const std::string kEnds = R"( a="ground" b="bob" point_a="1 0 2" point_b="1 0 0")";

TEST(XmlSpring, IsPositiveInTension) {
  const Mechanism m =
      read(kBob + kPin + "<spring name=\"free\"" + kEnds +
           R"(><stiffness k="100" free_length="1.5"/><damping c="7"/></spring>)" +
           "<spring name=\"loaded\"" + kEnds +
           R"( active="no"><stiffness k="100" preload="-30"/></spring>)" +
           "<spring name=\"upright\"" + kEnds + R"( along="0 0 -1"><damping c="1"/></spring>)");
  EXPECT_DOUBLE_EQ(m.springs[0].spring.value(2.0), 50.0);
  EXPECT_DOUBLE_EQ(m.springs[0].damper.value(2.0), 14.0);
  EXPECT_NEAR(m.springs[1].spring.value(2.0), -30.0, 100.0 * kElementRounding);
  EXPECT_NEAR(m.springs[1].spring.value(2.1), -20.0, 100.0 * kElementRounding);
  EXPECT_FALSE(m.springs[1].active);
  EXPECT_TRUE(m.springs[2].along_axis);
  EXPECT_EQ(m.springs[2].axis, -Vector3d::UnitZ());
}

TEST(XmlSpring, TakesPiecesAndTables) {
  const Mechanism m = read(kBob + kPin + "<spring name=\"s\"" + kEnds + R"(>
    <law><piece c0="1" c2="2"/><piece from="3" origin="3" c5="1"/></law>
    <damper><table extrapolate="yes"><point x="0" f="0"/><point x="1" f="10"/></table></damper></spring>)");
  EXPECT_DOUBLE_EQ(m.springs[0].spring.value(-1.0), 3.0);
  EXPECT_DOUBLE_EQ(m.springs[0].spring.value(5.0), 32.0);
  EXPECT_DOUBLE_EQ(m.springs[0].damper.value(-2.0), -20.0);
  const Mechanism late = read(kBob + kPin + "<spring name=\"s\"" + kEnds + R"(>
    <law><piece from="0.1" origin="0.1" c1="1000"/></law></spring>)");
  EXPECT_EQ(late.springs[0].spring.value(0.05), 0.0);
  EXPECT_NEAR(late.springs[0].spring.value(0.3), 200.0, 1e-12);
}

TEST(XmlStop, PushesBelowAndPullsAbove) {
  const Mechanism m =
      read(kBob + kPin + "<stop name=\"low\"" + kEnds + R"( below="1" stiffness="1e5"/>)" +
           "<stop name=\"high\"" + kEnds + R"( above="3" stiffness="1e5"/>)");
  EXPECT_DOUBLE_EQ(m.springs[0].spring.value(0.75), -25e3);
  EXPECT_EQ(m.springs[0].spring.value(1.1), 0.0);
  EXPECT_EQ(m.springs[1].spring.value(2.9), 0.0);
  EXPECT_DOUBLE_EQ(m.springs[1].spring.value(3.25), 25e3);
}

// The halves of a twist beam on hinges that point outward and inward: they turn against one another
// about any axis in the plane of both.
TEST(XmlElements, ARotationalSpringActsInThePlaneOfTwoHinges) {
  const Vehicle beam = read_vehicle_text(R"(<mechanism name="m" version="1">
    <body name="left" mass="1" com="-0.4 0.5 0" inertia="1 1 1"/>
    <body name="right" mass="1" com="-0.4 -0.5 0" inertia="1 1 1"/>
    <joint name="hl" type="revolute" a="ground" b="left" point="0 0.5 0" axis="0.196 0.981 0"/>
    <joint name="hr" type="revolute" a="ground" b="right" point="0 -0.5 0" axis="-0.196 0.981 0"/>
    <rotational_spring name="twist" a="left" b="right" point="-0.2 0 0" axis="0 1 0" stiffness="9"/>
    </mechanism>)",
                                         "beam.xml");
  EXPECT_EQ(beam.mechanism.rotational_springs.size(), 1U);
}

// A spherical four-bar: over the ground its cranks turn against one another in the plane of y and
// z, over the coupler in that of x and z.
TEST(XmlElements, ARotationalSpringActsWhereAllWaysOfHingesMeet) {
  const auto read = [](const std::string& axis) {
    return read_vehicle_text(R"(<mechanism name="m" version="1">
    <body name="l" mass="1" com="0.1 0 0" inertia="1 1 1"/>
    <body name="r" mass="1" com="0 0.1 0" inertia="1 1 1"/>
    <body name="c" mass="1" com="0 0 0.1" inertia="1 1 1"/>
    <joint name="a" type="revolute" a="ground" b="l" point="0 0 0" axis="0 1 0"/>
    <joint name="b" type="revolute" a="ground" b="r" point="0 0 0" axis="0 0.6 0.8"/>
    <joint name="p" type="revolute" a="l" b="c" point="0 0 0" axis="1 0 0"/>
    <joint name="q" type="revolute" a="c" b="r" point="0 0 0" axis="0 0 1" placement="cut"/>
    <rotational_spring name="s" a="l" b="r" point="0 0 0" stiffness="9" axis=")" +
                                 axis + R"("/></mechanism>)",
                             "bar.xml");
  };
  EXPECT_EQ(read("0 0 1").mechanism.rotational_springs.size(), 1U);
  EXPECT_THROW(read("0 1 0"), ModelError);
  EXPECT_THROW(read("1 0 0"), ModelError);
}

TEST(XmlForces, TakeTheirPlaceAndSize) {
  const Mechanism m = read(kBob + kPin + R"(
    <input name="size" value="4"/>
    <rotational_spring name="coil" a="ground" b="bob" point="0 0 0" axis="0 1 0" stiffness="10" free_angle="0.5"
                       damping="2"/>
    <bushing name="rubber" a="ground" b="bob" point="1 0 0" axis="0 0 1" axis_x="0 1 0" stiffness="1 2 3 4 5 6"/>
    <force name="push" body="bob" point="2 0 0" direction="0 0 1" axes="body" input="size"/>
    <joint_force name="limit" joint="pin" coordinate="angle" stiffness="3" free="1" damping="5" lower="-1" upper="2"
                 stop_stiffness="1000" stop_damping="10" input="size"/>
    <marker name="tip" body="bob" point="2 0 0"/>)");
  EXPECT_DOUBLE_EQ(m.rotational_springs[0].spring.value(1.5), 10.0);
  EXPECT_DOUBLE_EQ(m.rotational_springs[0].damper.value(1.5), 3.0);
  EXPECT_EQ(m.bushings[0].stiffness[5], 6.0);
  EXPECT_EQ(m.bushings[0].a.X_BF.A.col(0), Vector3d::UnitY());
  EXPECT_TRUE(m.loads[0].body_axes);
  EXPECT_EQ(m.loads[0].at.X_BF.p, Vector3d(1.0, 0.0, 0.0));
  EXPECT_EQ(m.coordinate_forces[0].upper, 2.0);
  EXPECT_EQ(m.coordinate_forces[0].stop_damping, 10.0);
  EXPECT_DOUBLE_EQ(m.coordinate_forces[0].spring.value(2.0), 3.0);
  EXPECT_EQ(m.markers[0].X_BF.p, Vector3d(1.0, 0.0, 0.0));
}

TEST(XmlInput, AddsSinesToOneFunction) {
  const Mechanism m = read(kBob + kPin + R"(
    <input name="wave"><ramp from="1" to="3" start="0" end="2"/><sine amplitude="2" frequency="0.25"/>
      <sine amplitude="1" omega="{pi}" phase="{pi/2}" start="1" rise="1" end="3"/></input>
    <input name="step"><kerb time="3" height="-0.1"/></input>
    <input name="table"><table><point t="0" value="1"/><point t="1" value="2"/><point t="1" value="5"/></table></input>
    <input name="nothing"/>)");
  const Curve& wave = m.inputs[0].curve;
  const double pi = std::numbers::pi;
  for (const double t : {0.5, 1.5, 2.5, 3.5}) {
    const double window = t < 1.0 || t >= 3.0 ? 0.0
                          : t < 2.0           ? 0.5 * (1.0 - std::cos(pi * (t - 1.0)))
                                              : 1.0;
    const double expected =
        std::min(1.0 + t, 3.0) + 2.0 * std::sin(0.5 * pi * t) + window * std::cos(pi * t);
    EXPECT_NEAR(wave.value(t), expected, kElementRounding * 10.0) << t;
  }
  EXPECT_EQ(m.inputs[1].curve.value(2.999), 0.0);
  EXPECT_EQ(m.inputs[1].curve.value(3.0), -0.1);
  EXPECT_DOUBLE_EQ(m.inputs[2].curve.value(0.5), 1.5);
  EXPECT_EQ(m.inputs[2].curve.value(1.0), 5.0);
  EXPECT_EQ(m.inputs[3].curve.value(1.0), 0.0);
}

TEST(XmlScenario, ReadsEverySetting) {
  const Scenario s = read_course(R"(
    <parameter name="v" value="4"/>
    <run step="0.002" until="3" record="0.1" iterations="3" tolerance="1e-6"/>
    <start from="equilibrium" speed="{v/2}"/>
    <speed mode="control" gain="500"/>
    <contact law="vertical" lateral="no"/>
    <road><left><flat height="0.1"/></left><right><flat/></right></road>
    <input name="rack" value="0.01"/>
    <excitation wheel="wheel_fl"><kerb time="1" height="0.2"/></excitation>
    <set element="leaf_*" attribute="active" value="no"/>
    <output><marker name="nose"/><reaction name="pin"/></output>)");
  EXPECT_EQ(s.step, 0.002);
  EXPECT_EQ(s.until, 3.0);
  EXPECT_EQ(s.record, 0.1);
  EXPECT_EQ(s.iterations, 3);
  EXPECT_EQ(s.tolerance, 1e-6);
  EXPECT_EQ(s.start, StartMode::equilibrium);
  EXPECT_EQ(s.speed, 2.0);
  EXPECT_EQ(s.speed_mode, SpeedMode::control);
  EXPECT_EQ(s.speed_gain, 500.0);
  EXPECT_EQ(s.contact, ContactLaw::vertical);
  EXPECT_EQ(read_course("<run step=\"0.001\" until=\"1\"/>").contact, ContactLaw::normal);
  EXPECT_FALSE(s.lateral);
  EXPECT_EQ(s.road.left.value(3.0), 0.1);
  EXPECT_EQ(s.road.right.value(3.0), 0.0);
  EXPECT_EQ(s.inputs.at(0).curve.value(1.0), 0.01);
  EXPECT_EQ(s.excitations.at(0).wheel, "wheel_fl");
  EXPECT_EQ(s.overrides.at(0).element, "leaf_*");
  EXPECT_EQ(s.overrides.at(0).source.line, 10);
  EXPECT_EQ(s.markers, std::vector<std::string>{"nose"});
  EXPECT_EQ(s.reactions, std::vector<std::string>{"pin"});
}

TEST(XmlScenario, ReadsTheSchemeWithItsParameters) {
  const auto scheme = [](const std::string& attributes) {
    return describe(read_course("<run step=\"0.001\" until=\"1\" " + attributes + "/>").scheme);
  };
  EXPECT_EQ(scheme(""), "trapezoid");
  EXPECT_EQ(scheme("scheme=\"newmark\""), "newmark (gamma 0.5, beta 0.25)");
  EXPECT_EQ(scheme("scheme=\"newmark\" gamma=\"0.6\""), "newmark (gamma 0.6, beta 0.3025)");
  for (const auto& [attributes, words] :
       {std::pair{"gamma=\"0.6\"", "gamma is given with the scheme trapezoid"},
        {"scheme=\"newmark\" gamma=\"0.4\"", "gamma is 0.4, expected at least 0.5"},
        {"scheme=\"newmrak\"", "newmark"}}) {
    try {
      static_cast<void>(scheme(attributes));
      ADD_FAILURE() << attributes;
    } catch (const ModelError& error) {
      EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
  }
}

TEST(XmlRoad, CosineBumpsFollowTheirFormula) {
  const Scenario s = read_course(R"(<run step="0.001" until="1"/>
    <road><cosine_bump start="0.97" length="5" height="0.2"/><cosine_bump start="8" length="1" height="-0.1"/></road>)");
  for (const double x : {1.0, 2.0, 3.47, 5.9}) {
    const double expected = 0.1 * (1.0 - std::cos(2.0 * std::numbers::pi * (x - 0.97) / 5.0));
    EXPECT_NEAR(s.road.left.value(x), expected, kElementRounding) << x;
  }
  EXPECT_EQ(s.road.left.value(0.9), 0.0);
  EXPECT_NEAR(s.road.left.value(7.0), 0.0, kElementRounding);
  EXPECT_NEAR(s.road.right.value(8.5), -0.1, kElementRounding);
}

// 1 m from a down to b: lengths count along the axis, so one that points up makes them negative
TEST(VehicleXml, AnAxisFromBToAIsNamed) {
  const auto notes = [](const std::string& along) {
    return read_vehicle_text(
               "<mechanism name=\"m\" version=\"1\"><body name=\"b\" mass=\"1\" com=\"0 0 0\" "
               "inertia=\"1 1 1\"/><joint name=\"j\" type=\"prismatic\" a=\"ground\" b=\"b\" "
               "point=\"0 0 0\" axis=\"0 0 1\"/><spring name=\"s\" a=\"ground\" b=\"b\" "
               "point_a=\"0 0 1\" point_b=\"0 0 0\" along=\"" +
                   along + "\"><stiffness k=\"100\" free_length=\"1\"/></spring></mechanism>",
               "m.xml")
        .notes;
  };
  EXPECT_TRUE(notes("0 0 -1").empty());
  ASSERT_EQ(notes("0 0 1").size(), 1U);
  EXPECT_EQ(notes("0 0 1")[0].rfind("spring 's': its axis 'along' points from b to a", 0), 0U);
}

}  // namespace
}  // namespace semirec
