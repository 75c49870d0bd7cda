// Points, words and conditions of the template language.

#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>

#include <gtest/gtest.h>

#include "vehicles/files/xml/conditions.hpp"
#include "vehicles/files/xml/numbers.hpp"
#include "vehicles/files/xml/reader.hpp"

namespace semirec {
namespace {

using Eigen::Vector3d;

Scope hardpoints() {
  Scope scope;
  scope.define("hub", Vector3d(1.0, 2.0, 3.0));
  scope.define("ball", Vector3d(1.0, 2.0, 5.0));
  scope.define("k", 2.0);
  scope.define("form", std::string("bushing"));
  return scope;
}

std::vector<double> numbers(const std::string& text) { return parse_numbers(text, hardpoints()); }

using Numbers = std::vector<double>;

TEST(XmlPoints, StandForThreeNumbersAndHaveComponents) {
  EXPECT_EQ(numbers("{hub}"), (Numbers{1, 2, 3}));
  EXPECT_EQ(numbers(" { hub } "), (Numbers{1, 2, 3}));
  EXPECT_EQ(numbers("{hub.z} 0 {2*hub.x + k}"), (Numbers{3, 0, 4}));
  EXPECT_EQ(numbers("{hub} {ball}"), (Numbers{1, 2, 3, 1, 2, 5}));
}

TEST(XmlPoints, AreAddedAndScaledByComponent) {
  EXPECT_EQ(numbers("{0.5*(hub + ball)}"), (Numbers{1, 2, 4}));
  EXPECT_EQ(numbers("{hub - k*ball}"), (Numbers{-1, -2, -7}));
  EXPECT_EQ(numbers("{-hub}"), (Numbers{-1, -2, -3}));
  EXPECT_EQ(numbers("{1e1*hub}"), (Numbers{10, 20, 30}));
}

TEST(XmlPoints, HaveFunctionsOfTheirOwn) {
  EXPECT_EQ(numbers("{unit(ball - hub)}"), (Numbers{0, 0, 1}));
  EXPECT_EQ(numbers("{distance(hub, ball)}"), (Numbers{2}));
  // (1, 2, 3) x (1, 2, 5) = (4, -2, 0); (1, 2, 3) . (1, 2, 5) = 20
  EXPECT_EQ(numbers("{cross(hub, ball)}"), (Numbers{4, -2, 0}));
  EXPECT_EQ(numbers("{dot(hub, ball)/k}"), (Numbers{10}));
  // within each other, beside numbers, with components
  EXPECT_EQ(numbers("{3*unit(cross(unit(ball - hub), cross(ball, hub))) + 0*hub}").size(), 3U);
  EXPECT_EQ(numbers("{unit(2*(ball - hub)).z + distance(0.5*(hub + ball), ball)}"), (Numbers{2}));
  EXPECT_EQ(numbers("{max(distance(hub, ball), 1)}"), (Numbers{2}));
}

TEST(XmlPoints, AreRefusedWhereOneNumberIsExpected) {
  const Scope scope = hardpoints();
  for (const char* text : {"{hub}", "{hub + 1}", "{hub.w}", "{hub.}", "{hub.xy}", "{k.x}", "{form}",
                           "{form.x}", "{2*form}", "{unit}", "{unit(k)}", "{distance(hub, k)}",
                           "{distance(hub)}", "{cross(hub, ball}", "{unit()}", "{nowhere.x}"})
    EXPECT_THROW(parse_number(text, scope), std::invalid_argument) << text;
  for (const char* text : {"{form}", "{unit(hub - hub)}", "{hub/0}", "{unit(hub, ball)}"})
    EXPECT_THROW(parse_numbers(text, scope), std::invalid_argument) << text;
}

TEST(XmlValues, AreNumbersPointsOrWords) {
  const Scope scope = hardpoints();
  EXPECT_EQ(parse_value("2e3", scope), Value(2000.0));
  EXPECT_EQ(parse_value("1 2 {k}", scope), Value(Vector3d(1, 2, 2)));
  EXPECT_EQ(parse_value("{hub}", scope), Value(Vector3d(1, 2, 3)));
  EXPECT_EQ(parse_value("lower_arm_fl", scope), Value(std::string("lower_arm_fl")));
  EXPECT_EQ(parse_value("{form}", scope), Value(std::string("bushing")));
  for (const char* text : {"", "1 2", "1 2 3 4", "nan", "NaN", "inf", "12 kg", "two words", "a,b"})
    EXPECT_THROW(parse_value(text, scope), std::invalid_argument) << text;
}

TEST(XmlConditions, CompareNamesWithNumbersAndWords) {
  const Scope scope = hardpoints();
  for (const char* text :
       {"form = bushing", "form=bushing", "form != ideal", "k = 2", "k > 1.5", "k >= 2", "k < {pi}",
        "k <= {hub.y}", "{hub.z - 1} = k", "1 = 1", "form = ideal or k = 2",
        "form = ideal and k = 3 or k = 2", "k = 2 or k = 3 and form = ideal", "form = {form}"})
    EXPECT_TRUE(holds(text, scope)) << text;
  for (const char* text :
       {"form = ideal", "k != 2", "k > 2", "form = bushing and k = 3", "k = 3 or k = 4", "1 > 2"})
    EXPECT_FALSE(holds(text, scope)) << text;
  for (const char* text :
       {"", "  ", "form", "form =", "= bushing", "form bushing", "form == bushing",
        "from = bushing", "form = 2", "k = two", "form > ideal", "hub = ball", "k = 2 and",
        "and k = 2", "k = 2 also", "{k = 2", "k = 2 = 2", "{1/0} = 1", "k + 1 = 3"})
    EXPECT_THROW(holds(text, scope), std::invalid_argument) << text;
}

std::string write(const std::string& text) {
  const auto folder = std::filesystem::path(testing::TempDir()) /
                      testing::UnitTest::GetInstance()->current_test_info()->name();
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "main.xml")
      << "<mechanism name=\"m\" version=\"1\">" << text << "</mechanism>";
  return (folder / "main.xml").string();
}

Mechanism read(const std::string& text, const std::vector<Override>& overrides = {}) {
  return read_vehicle(write(text), overrides).mechanism;
}

const std::string kArm = R"(
  <template name="arm">
    <argument name="frame" default="ground"/>
    <argument name="tip" default="0.5 0.3 0.1"/>
    <argument name="form" default="ideal" choices="ideal bushing"/>
    <point name="root" value="{tip.x} 0.1 {tip.z}"/>
    <body name="bar" mass="{2*distance(root, tip)}" com="{0.5*(root + tip)}" inertia="1 1 1"/>
    <joint name="pin" when="form = ideal" type="revolute" a="{frame}" b="bar" point="{root}"
           axis="{unit(cross(tip - root, 0*tip + up))}"/>
    <joint name="pin" when="form = bushing" type="free" a="ground" b="bar"/>
    <bushing name="bush" when="form = bushing" a="{frame}" b="bar" point="{root}" axis="1 0 0"
             stiffness="{soft} {soft}"/>
  </template>
  <point name="up" value="0 0 1"/>
  <point name="soft" value="100 200 300"/>)";

TEST(XmlTemplate, PutsPointsAndWordsIntoTheirPlaces) {
  const Mechanism m = read(kArm + R"(
    <use template="arm" name="l"/>
    <use template="arm" name="r" mirror="yes"><with name="frame" value="bar_l"/>
      <with name="tip" value="0.5 0.3 0.4"/></use>)");
  ASSERT_EQ(m.bodies.size(), 2U);
  EXPECT_NEAR(m.bodies[0].mass, 0.4, 1e-15);  // twice the distance 0.2
  EXPECT_NEAR((m.bodies[0].X_WB.p - Vector3d(0.5, 0.2, 0.1)).norm(), 0.0, 1e-15);
  // mirrored as written points are
  EXPECT_NEAR((m.bodies[1].X_WB.p - Vector3d(0.5, -0.2, 0.4)).norm(), 0.0, 1e-15);
  EXPECT_EQ(m.joints[1].a.body, 0);
  EXPECT_TRUE(m.bushings.empty());
}

TEST(XmlTemplate, LeavesOutWhatItsConditionForbids) {
  const Mechanism m =
      read(kArm + "<use template=\"arm\"><with name=\"form\" value=\"bushing\"/></use>");
  ASSERT_EQ(m.joints.size(), 1U);
  EXPECT_EQ(m.joints[0].type, JointType::free);
  ASSERT_EQ(m.bushings.size(), 1U);
  EXPECT_EQ(m.bushings[0].stiffness[5], 300.0);
}

TEST(XmlTemplate, TakesArgumentsFromOverrides) {
  const Mechanism m = read(kArm + "<use template=\"arm\" name=\"l\"/>",
                           {{"form_l", "value", "bushing", {}}, {"tip_l", "value", "0 1 0", {}}});
  EXPECT_EQ(m.joints[0].type, JointType::free);
  EXPECT_EQ(m.bodies[0].X_WB.p.y(), 0.55);  // between 0.1 and 1
}

TEST(XmlTemplate, IsIncludedOnceHoweverOftenItIsAskedFor) {
  const std::string main = write("<body name=\"bob\" mass=\"1\" com=\"0 0 0\" inertia=\"1 1 1\"/>");
  const auto folder = std::filesystem::path(main).parent_path();
  for (const char* name : {"a", "b"})
    std::ofstream(folder / (std::string(name) + ".xml"))
        << "<mechanism name=\"part\" version=\"1\"><include file=\"main.xml\"/></mechanism>";
  std::ofstream(folder / "all.xml")
      << "<mechanism name=\"all\" version=\"1\"><include file=\"a.xml\"/><include file=\"b.xml\"/>"
         "<joint name=\"pin\" type=\"free\" a=\"ground\" b=\"bob\"/></mechanism>";
  EXPECT_EQ(read_vehicle((folder / "all.xml").string()).mechanism.bodies.size(), 1U);
}

TEST(XmlTemplate, TakesParametersOfTheFileAroundForThoseOfAnIncludedOne) {
  const std::string main = write(
      "<parameter name=\"m\" value=\"1\"/><parameter name=\"twice\" value=\"{2*m}\"/>"
      "<body name=\"bob\" mass=\"{twice}\" com=\"0 0 0\" inertia=\"1 1 1\"/>");
  const auto folder = std::filesystem::path(main).parent_path();
  const auto around = [&](const std::string& before, const std::string& behind) {
    const std::string path = (folder / "around.xml").string();
    std::ofstream(path) << "<mechanism name=\"around\" version=\"1\">" << before
                        << "<include file=\"main.xml\"/>"
                           "<joint name=\"pin\" type=\"free\" a=\"ground\" b=\"bob\"/>"
                        << behind << "</mechanism>";
    return path;
  };
  const std::string other = "<parameter name=\"m\" value=\"3\"/>";
  const auto mass = [](const std::string& path, const std::vector<Override>& overrides = {}) {
    return read_vehicle(path, overrides).mechanism.bodies[0].mass;
  };
  EXPECT_EQ(mass(around("", "")), 2.0);
  EXPECT_EQ(mass(around(other, "")), 6.0);
  EXPECT_EQ(mass(around(other, ""), {parse_override("m.value=5")}), 10.0);
  // below the include it comes too late
  EXPECT_THROW(mass(around("", other)), ModelError);
}

std::string complaint(const std::string& text) {
  try {
    read(text);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "none";
}

TEST(XmlTemplate, EndsInOneLineWhereItWouldNotEnd) {
  const std::string bob = R"(
    <body name="bob" mass="1" com="0 0 0" inertia="1 1 1"/>
    <joint name="pin" type="free" a="ground" b="bob"/>)";
  // a chain of templates, and one in which each uses the one before ten times: 1e30 uses of nothing
  for (const int uses : {1, 10}) {
    const int count = uses == 1 ? 150 : 30;
    std::string text = bob + "<template name=\"t0\"/>";
    for (int k = 1; k < count; ++k) {
      text += "<template name=\"t" + std::to_string(k) + "\">";
      for (int i = 0; i < uses; ++i) text += "<use template=\"t" + std::to_string(k - 1) + "\"/>";
      text += "</template>";
    }
    const std::string message =
        complaint(text + "<use template=\"t" + std::to_string(count - 1) + "\"/>");
    EXPECT_NE(message.find("expected no more than"), std::string::npos) << message;
  }
  EXPECT_EQ(complaint(bob), "none");
}

TEST(XmlText, IsReadAsAFileIs) {
  const std::string text =
      "<mechanism name=\"m\" version=\"1\"><body name=\"bob\" mass=\"1\" com=\"0 0 0\" inertia=\"1 "
      "1 1\"/><joint name=\"pin\" type=\"free\" a=\"ground\" b=\"bob\"/></mechanism>";
  EXPECT_EQ(read_vehicle_text(text, "here.xml").mechanism.bodies.size(), 1U);
  try {
    read_vehicle_text("<mechanism", "here.xml");
    FAIL() << "was read without complaint";
  } catch (const ModelError& error) {
    EXPECT_EQ(std::string(error.what()).rfind("here.xml:1: ", 0), 0U) << error.what();
  }
}

// vehicle_file.md: an element that knows the attribute takes it itself, whether it writes it or
// not; else its first child that does.
TEST(XmlOverrides, GoToTheElementThatKnowsTheAttribute) {
  const std::string inputs = R"(
    <body name="b" mass="1" com="0 0 0" inertia="1 1 1"/><joint name="j" type="free" a="ground" b="b"/>
    <input name="held"><constant value="1"/></input>
    <input name="listed"><table><point t="0" value="1"/><point t="1" value="1"/></table></input>
    <input name="swung"><ramp from="0" to="1" start="1" end="2"/><sine amplitude="1" frequency="1"/></input>)";
  EXPECT_EQ(read(inputs, {parse_override("held.value=5")}).inputs[0].curve.value(3.0), 5.0);
  EXPECT_THROW(read(inputs, {parse_override("listed.value=5")}), ModelError);
  EXPECT_EQ(read(inputs, {parse_override("swung.start=3"), parse_override("swung.end=4")})
                .inputs[2]
                .curve.value(2.5),
            0.0 + std::sin(2.0 * M_PI * 2.5));
}

// A number of the scenario's own, in a change of the vehicle whose parameter has the same name.
TEST(XmlOverrides, OfAScenarioKnowItsParameters) {
  const Scenario scenario = read_scenario_text(
      "<scenario name=\"s\" version=\"1\"><run step=\"0.001\" until=\"1\"/>"
      "<parameter name=\"k\" value=\"7\"/><set element=\"b\" attribute=\"mass\" value=\"{2*k}\"/>"
      "<set element=\"b\" attribute=\"com\" value=\"0 0 {theirs}\"/></scenario>",
      "s.xml");
  ASSERT_EQ(scenario.overrides.size(), 2U);
  EXPECT_EQ(scenario.overrides[0].value, "14");
  EXPECT_EQ(scenario.overrides[1].value, "0 0 {theirs}");
  // its own errors are its own
  EXPECT_THROW(
      read_scenario_text("<scenario name=\"s\" version=\"1\"><run step=\"0.001\" until=\"1\"/>"
                         "<parameter name=\"k\" value=\"7\"/>"
                         "<set element=\"b\" attribute=\"mass\" value=\"{k/0}\"/></scenario>",
                         "s.xml"),
      ModelError);
}

TEST(XmlInput, MayFollowAnotherOneByAFactor) {
  const Mechanism m = read(R"(
    <body name="bob" mass="1" com="0 0 0" inertia="1 1 1"/>
    <joint name="pin" type="free" a="ground" b="bob"/>
    <input name="steering"/>
    <input name="rack" of="steering" factor="0.008"/>)");
  EXPECT_EQ(m.inputs[1].of, 0);
  EXPECT_EQ(m.inputs[1].factor, 0.008);
  EXPECT_EQ(m.inputs[0].of, kNoInput);
}

TEST(XmlTemplates, ShippedOnesAreRead) {
  const std::filesystem::path folder =
      std::filesystem::path(SEMIREC_SOURCE_DIR) / "vehicles/models/templates";
  std::string includes;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    includes += "<include file=\"" + entry.path().string() + "\"/>";
  const std::string chassis = R"(
    <body name="chassis" mass="100" com="0 0 0" inertia="1 1 1"/>
    <joint name="chassis_joint" type="free" a="ground" b="chassis"/>)";
  EXPECT_EQ(read(includes + chassis).bodies.size(), 1U);
}

}  // namespace
}  // namespace semirec
