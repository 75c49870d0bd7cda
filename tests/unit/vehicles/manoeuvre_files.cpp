#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "topology/mechanism.hpp"
#include "vehicles/manoeuvre/manoeuvre.hpp"
#include "vehicles/manoeuvre/method.hpp"

namespace semirec {
namespace {

const std::string kFolder = std::string(SEMIREC_SOURCE_DIR) + "/vehicles/manoeuvres/";

std::string file(const std::string& children, const std::string& method = "coast_down") {
  return "<manoeuvre name=\"test\" version=\"1\" method=\"" + method + "\">" + children +
         "</manoeuvre>";
}

/// The message of what is refused; empty where nothing is.
std::string refusal(const std::string& text, const std::vector<ManoeuvreChange>& changes = {}) {
  try {
    static_cast<void>(read_manoeuvre_text(text, "m.xml", changes));
  } catch (const ModelError& error) {
    const std::string what = error.what();
    EXPECT_EQ(what.find('\n'), std::string::npos) << what;
    return what;
  }
  return {};
}

bool holds(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

TEST(ManoeuvreFile, EveryShippedOneIsReadAndBearsItsFilesName) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    if (entry.path().extension() != ".xml") continue;
    const Manoeuvre manoeuvre = read_manoeuvre(entry.path().string());
    EXPECT_EQ(manoeuvre.name, entry.path().stem().string());
    EXPECT_FALSE(manoeuvre.about.empty()) << manoeuvre.name;
    EXPECT_NE(find_method(manoeuvre.method), nullptr);
    // load and side force in the wheel's middle plane, whatever tyres the car has
    EXPECT_EQ(manoeuvre.scenario.contact, ContactLaw::normal) << manoeuvre.name;
    ++count;
  }
  EXPECT_GE(count, 10);
}

TEST(ManoeuvreFile, EveryMethodHasAFile) {
  for (const Method& method : all_methods()) {
    bool found = false;
    for (const auto& entry : std::filesystem::directory_iterator(kFolder))
      if (entry.path().extension() == ".xml")
        found = found || read_manoeuvre(entry.path().string()).method == method.name;
    EXPECT_TRUE(found) << method.name;
  }
}

TEST(ManoeuvreFile, DefaultsAreThoseOfTheMethod) {
  const Manoeuvre manoeuvre = read_manoeuvre_text(file(""), "m.xml");
  EXPECT_EQ(manoeuvre.value("speed"), 30.0);  // coast_down_method()
  EXPECT_EQ(manoeuvre.step, 1e-3);
  EXPECT_TRUE(manoeuvre.driver.limits.on);
  EXPECT_THROW(static_cast<void>(manoeuvre.value("nothing")), ModelError);
}

TEST(ManoeuvreFile, ValuesAreReplacedAndKnownToExpressions) {
  const std::string text = file(
      "<value name=\"speed\" value=\"10\"/>"
      "<path><segment length=\"{2*speed}\"/></path>",
      "follow_path");
  EXPECT_NEAR(read_manoeuvre_text(text, "m.xml").path.length(), 20.0, 1e-12);
  const Manoeuvre changed = read_manoeuvre_text(text, "m.xml", {{"speed", "15"}});
  EXPECT_EQ(changed.value("speed"), 15.0);
  EXPECT_NEAR(changed.path.length(), 30.0, 1e-12);
  // which the file does not write
  EXPECT_EQ(read_manoeuvre_text(file(""), "m.xml", {{"gear", "1"}}).value("gear"), 1.0);
}

TEST(ManoeuvreFile, RefusesWithOneLineThatHelps) {
  EXPECT_TRUE(holds(refusal(file("", "coast_dwn")), "nearest known name is 'coast_down'"));
  EXPECT_TRUE(holds(refusal(file("<value name=\"sped\" value=\"1\"/>")), "'speed'"));
  EXPECT_TRUE(holds(refusal(file(""), {{"sped", "1"}}), "nearest known name is 'speed'"));
  EXPECT_TRUE(holds(refusal(file("<value name=\"speed\" value=\"1000\"/>")), "expected 1 to 100"));
  EXPECT_TRUE(holds(refusal(file("<value name=\"gear\" value=\"1.5\"/>")), "a whole number"));
  // what is counted or chosen is not rounded
  for (const auto& [method, name] :
       {std::pair("ride_random", "road_class"), std::pair("ride_random", "seeds"),
        std::pair("ride_random", "steer"), std::pair("ride_obstacle", "keep_speed"),
        std::pair("straight_braking", "correct"), std::pair("weave", "periods"),
        std::pair("sine_sweep", "count"), std::pair("four_post", "periods"),
        std::pair("steady_circle_speed", "direction")}) {
    const double most = std::string(name) == "direction" || std::string(name) == "steer" ||
                                std::string(name) == "keep_speed" || std::string(name) == "correct"
                            ? 0.5
                            : 2.5;
    EXPECT_TRUE(holds(refusal(file("", method), {{name, std::to_string(most)}}), "a whole number"))
        << method << ' ' << name;
  }
  EXPECT_TRUE(holds(refusal(file("<value name=\"speed\" value=\"nan\"/>")), "m.xml:1"));
  EXPECT_TRUE(holds(refusal(file(""), {{"speed", "fast"}}), "speed"));
  EXPECT_TRUE(holds(refusal(file("<value name=\"speed\" value=\"1 2 3\"/>")), "a point"));
  EXPECT_TRUE(holds(refusal(file("<value name=\"speed\" value=\"5\" unit=\"km/h\"/>")), "'m/s'"));
  EXPECT_TRUE(holds(refusal(file("<value name=\"speed\" value=\"5\"/><value name=\"speed\" "
                                 "value=\"6\"/>")),
                    "twice"));
  EXPECT_TRUE(holds(refusal(file("<run step=\"1\"/>")), "0.1 s"));
  EXPECT_TRUE(holds(refusal(file("<run step=\"0.001\"/><run step=\"0.001\"/>")), "second time"));
  EXPECT_TRUE(holds(refusal(file("<path/>", "follow_path")), "expected <point>s or <segment>s"));
  EXPECT_TRUE(
      holds(refusal(file("<path><point x=\"0\" y=\"0\"/></path>", "follow_path")), "two points"));
  EXPECT_TRUE(holds(
      refusal(file("<path><point x=\"0\" y=\"0\"/><segment length=\"1\"/></path>", "follow_path")),
      "both"));
  EXPECT_TRUE(holds(refusal(file("<driver limits=\"maybe\"/>", "follow_path")), "limits"));
  EXPECT_TRUE(holds(refusal(file("<driver preview=\"0.01\"/>", "follow_path")), "preview"));
  EXPECT_TRUE(holds(refusal(file("<driver delay=\"100\"/>", "follow_path")), "delay"));
  EXPECT_TRUE(holds(refusal(file("<driver delay=\"1\"/>")), "is not read by method 'coast_down'"));
  EXPECT_TRUE(holds(refusal(file("<path><segment length=\"1\"/></path>", "lane_change_1")),
                    "expected only with follow_path"));
  EXPECT_TRUE(holds(refusal(file("<start speed=\"1\"/>")), "unknown inside"));
  EXPECT_TRUE(holds(refusal("<manoeuvre name=\"a\" version=\"1\"/>"), "method"));
  EXPECT_TRUE(holds(refusal("<scenario name=\"a\" version=\"1\"/>"), "<manoeuvre>"));
}

TEST(ManoeuvreChanges, AreWordsAndNumbers) {
  const ManoeuvreChange change = parse_change("speed=20");
  EXPECT_EQ(change.name, "speed");
  EXPECT_EQ(change.value, "20");
  for (const char* bad : {"", "speed", "=5", "speed=", "spe*d=5", "a.b=5"})
    EXPECT_THROW(parse_change(bad), ModelError) << bad;
}

}  // namespace
}  // namespace semirec
