// Points of a description that look wrong.

#include "apps/report/suspects.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "vehicles/files/xml/reader.hpp"

namespace semirec::report {
namespace {

const std::string kModels = std::string(SEMIREC_SOURCE_DIR) + "/vehicles/models/";

TEST(Suspects, OfShippedModelsAreNone) {
  for (const char* model : {"sedan.xml", "iltis.xml", "trailer.xml", "truck.xml", "car26.xml",
                            "double_four_bar.xml", "puma.xml"})
    for (const Suspect& suspect : find_suspects(read_vehicle(kModels + model)))
      ADD_FAILURE() << model << ": " << suspect.text;
}

/// Four rods on each side, the last one on the right with the outer end given.
std::vector<Suspect> of_rods(const std::string& last_end) {
  std::string text = R"(<mechanism name='m' version='1'>
    <body name='bob' mass='1' com='0 0 1' inertia='1 1 1'/>
    <joint name='free' type='free' a='ground' b='bob'/>)";
  for (int k = 0; k < 4; ++k)
    for (const std::string side : {"l", "r"}) {
      const std::string i = std::to_string(k);
      const std::string sign = side == "l" ? "" : "-";
      const std::string end = k == 3 && side == "r" ? last_end : i + " " + sign + "0.7 0.2";
      text += "\n<rod name='rod" + i + "_" + side + "' a='ground' b='bob' point_a='" + i + " " +
              sign + "0.3 0.2' point_b='" + end + "' attached='no'/>";
    }
  return find_suspects(read_vehicle_text(text + "</mechanism>", "rods.xml"));
}

TEST(Suspects, AreEndsThatTheOtherSideDoesNotMirror) {
  EXPECT_TRUE(of_rods("3 -0.7 0.2").empty());
  EXPECT_TRUE(of_rods("3 -0.7005 0.2").empty());
  const auto typed = of_rods("3 -0.7 0.25");
  ASSERT_EQ(typed.size(), 1U);
  EXPECT_EQ(typed[0].text,
            "'rod3_r', end b (line 11) is 50 mm from the mirror image of 'rod3_l' (line 10)");
  EXPECT_EQ(typed[0].body, 1);
  const auto signs = of_rods("3 0.7 0.2");
  ASSERT_EQ(signs.size(), 1U);
  EXPECT_NE(signs[0].text.find(": y has the other sign"), std::string::npos) << signs[0].text;
}

// The halves of a bar are joined in the middle, by a joint that bears the name of one side.
TEST(Suspects, AreNoPointsOfElementsThatReachToTheOtherSide) {
  std::string text = R"(<mechanism name='m' version='1'>
    <body name='bob' mass='1' com='0 0 1' inertia='1 1 1'/>
    <joint name='free' type='free' a='ground' b='bob'/>)";
  for (const std::string side : {"l", "r"})
    text += "<body name='half_" + side + "' mass='1' com='0 " + (side == "l" ? "" : "-") +
            "0.4 0' inertia='1 1 1'/>";
  text += R"(<joint name='bar_l' type='revolute' a='bob' b='half_l' point='0 0.3 0' axis='0 1 0'/>
    <joint name='bar_r' type='revolute' a='half_l' b='half_r' point='0 0 0' axis='0 1 0'/>)";
  for (int k = 0; k < 4; ++k)
    for (const std::string sign : {"", "-"}) {
      const std::string y = " " + sign + "0.2 ";
      text += "<rod name='rod" + std::to_string(k) + (sign.empty() ? "_l" : "_r") +
              "' a='ground' b='bob' point_a='1" + y + "3' point_b='1" + y + "4' attached='no'/>";
    }
  for (const Suspect& suspect : find_suspects(read_vehicle_text(text + "</mechanism>", "bar.xml")))
    ADD_FAILURE() << suspect.text;
}

TEST(Suspects, AreRodsWithoutLength) {
  const auto suspects = find_suspects(read_vehicle_text(R"(<mechanism name='m' version='1'>
    <body name='bob' mass='1' com='0 0 1' inertia='1 1 1'/>
    <joint name='free' type='free' a='ground' b='bob'/>
    <spring name='strut' a='ground' b='bob' point_a='1 2 3' point_b='1 2 3'>
      <stiffness k='9' free_length='0.1'/></spring></mechanism>)",
                                                        "short.xml"));
  ASSERT_EQ(suspects.size(), 1U);
  EXPECT_EQ(suspects[0].text, "spring 'strut' (line 4) is 0 mm long");
}

}  // namespace
}  // namespace semirec::report
