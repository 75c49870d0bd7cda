// Events that set each other off again and again.
#include <fstream>

#include <gtest/gtest.h>

#include "tests/regression/program.hpp"

namespace semirec::test {
namespace {

class EventsInTurn : public ProgramTest {};

int count_of(const std::string& text, const std::string& words) {
  int found = 0;
  for (std::size_t at = text.find(words); at != std::string::npos; at = text.find(words, at + 1))
    ++found;
  return found;
}

// A weight that is held and let go in turn: each at most a thousand times a step, and not all of it
// on the screen.
TEST_F(EventsInTurn, HappenAThousandTimesAStepAtMost) {
  const std::string mechanism = (folder_ / "weight.xml").string();
  std::ofstream(mechanism) << R"(<mechanism name="w" version="1">
  <body name="weight" mass="2" com="0 0 0" inertia="1 1 1"/>
  <joint name="slide" type="prismatic" a="ground" b="weight" point="0 0 0" axis="0 0 1"/>
  <joint name="pin" type="fixed" a="ground" b="weight" point="0 0 0" attached="no"/>
  <marker name="p" body="weight" point="0 0 0"/>
</mechanism>)";
  const std::string scenario = (folder_ / "turns.xml").string();
  std::ofstream(scenario) << R"(<scenario name="turns" version="1">
  <run step="0.001" until="0.002" record="0.001"/>
  <output><marker name="p"/><reaction name="pin"/></output>
  <event name="slip" channel="pin.Rz" rises_above="10" repeat="yes"><release closure="pin"/></event>
  <event name="stick" channel="p.vz" falls_below="-1e-9" repeat="yes"><attach closure="pin" at="current"/></event>
</scenario>)";
  const Result result =
      call_program("run '" + mechanism + "' '" + scenario + "' --out " + results());
  EXPECT_EQ(result.code, 0) << result.error;
  const std::string summary = text_of(results() + "/summary.json");
  const int events = count_of(summary, "\"event\"");
  EXPECT_GT(events, 20);
  EXPECT_LE(events, 2 * 2 * 1000);
  EXPECT_LE(count_of(result.out, "  event       "), 21) << result.out;
  EXPECT_TRUE(holds(result.out, "  event       and ")) << result.out;
}

}  // namespace
}  // namespace semirec::test
