// A file with several errors tells them all in one reading, each on a line with its place. Expected
// lines: counted in the texts below, which stand here from line 1 on.

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "vehicles/files/xml/reader.hpp"
#include "vehicles/study/study.hpp"

namespace semirec {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// What the reader says of a vehicle.
std::vector<std::string> faults_of(const std::string& text) {
  try {
    static_cast<void>(read_vehicle_text(text, "several.xml"));
  } catch (const ModelError& error) {
    return lines_of(error.what());
  }
  return {};
}

void expect_lines(const std::vector<std::string>& said, const std::vector<std::string>& expected) {
  ASSERT_EQ(said.size(), expected.size()) << testing::PrintToString(said);
  for (std::size_t i = 0; i < said.size(); ++i)
    EXPECT_EQ(said[i].rfind(expected[i], 0), 0U) << said[i] << "\nexpected: " << expected[i];
}

TEST(XmlSeveral, ValuesOutOfRangeAndMissing) {
  expect_lines(faults_of(R"(<mechanism name="m" version="1">
  <body name="one" mass="-1" com="0 0 0" inertia="1 1 1"/>
  <body name="two" mass="1 kg" com="0 0" inertia="1 1 1"/>
  <joint name="pin" type="hinge" a="ground" b="one" point="0 0 0" axis="0 2 0"/>
  <joint name="pin" type="revolute" a="one" point="0 0 0" axis="0 1 0"/>
  <spring name="strut" a="one" b="two" point_a="0 0 0" point_b="1 0 0">
    <stiffness k="-100" free_length="1"/>
  </spring>
</mechanism>)"),
               {"several.xml:5: element 'pin': this name is used twice",
                "several.xml:2: element 'one': attribute 'mass' is -1",
                "several.xml:3: element 'two': attribute 'mass' is '1 kg'",
                "several.xml:3: element 'two': attribute 'com' holds 2 numbers",
                "several.xml:4: element 'pin': attribute 'type' is 'hinge'",
                "several.xml:4: element 'pin': attribute 'axis' has the length 2",
                "several.xml:5: element 'pin': attribute 'b' is missing",
                "several.xml:7: element 'strut': attribute 'k' of <stiffness> is -100"});
}

TEST(XmlSeveral, UnknownWords) {
  expect_lines(faults_of(R"(<mechanism name="m" version="1">
  <body name="one" mas="1" com="0 0 0" inerti="1 1 1"/>
  words
  <jiont name="pin" wrong="1"/>
  <spring name="strut" a="one" b="one"><stifness k="1"/></spring>
</mechanism>)"),
               {"several.xml:2: element 'one': <body> has the unknown attribute 'mas'",
                "several.xml:2: element 'one': <body> has the unknown attribute 'inerti'",
                "several.xml:3: element 'm': holds loose text",
                "several.xml:4: element 'pin': <jiont> is unknown inside <mechanism>",
                "several.xml:5: element 'strut': <stifness> is unknown inside <spring>"});
}

TEST(XmlSeveral, NamesThatNobodyHas) {
  expect_lines(
      faults_of(R"(<mechanism name="m" version="1">
  <body name="one" mass="1" com="0 0 0" inertia="1 1 1"/>
  <joint name="pin" type="revolute" a="grond" b="oen" point="0 0 0" axis="0 1 0"/>
  <motion name="drive" joint="pinn" coordinate="0" input="nothing"/>
</mechanism>)"),
      {"several.xml:3: element 'pin': attribute 'a' refers to 'grond', which does not exist",
       "several.xml:3: element 'pin': attribute 'b' refers to 'oen', which does not exist",
       "several.xml:4: element 'drive': attribute 'joint' refers to 'pinn', which does not exist",
       "several.xml:4: element 'drive': attribute 'input' refers to 'nothing', which does not"});
}

TEST(XmlSeveral, AnErrorInATemplateIsToldOnce) {
  expect_lines(faults_of(R"(<mechanism name="m" version="1">
  <template name="arm"><body name="bar" mass="0" com="0 1 0" inertia="1 1 1"/></template>
  <use template="arm" name="left"/>
  <use template="arm" name="right" mirror="yes"/>
</mechanism>)"),
               {"several.xml:2: element 'bar_left': attribute 'mass' is 0"});
}

TEST(XmlSeveral, AScreenAtMost) {
  std::string text = "<mechanism name=\"m\" version=\"1\">\n";
  for (int i = 0; i < 50; ++i)
    text +=
        "<body name=\"b" + std::to_string(i) + "\" mass=\"0\" com=\"0 0 0\" inertia=\"1 1 1\"/>\n";
  const auto said = faults_of(text + "</mechanism>");
  ASSERT_EQ(said.size(), 21U);
  EXPECT_EQ(said.back(), "and 30 more errors, expected none");
}

TEST(XmlSeveral, OtherFilesToo) {
  try {
    static_cast<void>(read_study_text(R"(<study name="s" version="1" vehicle="car.xml">
  <sample count="0"/>
  <vary element="a" attribute="b" distribution="gaussian"/>
</study>)",
                                      "study.xml"));
    FAIL() << "is read";
  } catch (const ModelError& error) {
    const auto said = lines_of(error.what());
    ASSERT_EQ(said.size(), 2U) << error.what();
    EXPECT_EQ(said[0].rfind("study.xml:2: ", 0), 0U) << said[0];
    EXPECT_EQ(said[1].rfind("study.xml:3: ", 0), 0U) << said[1];
  }
}

}  // namespace
}  // namespace semirec
