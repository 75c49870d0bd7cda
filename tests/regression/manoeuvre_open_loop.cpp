// Open-loop manoeuvres from the command line: they are listed, shipped files are read, and what
// cannot be driven ends in one line and its exit code.

#include <algorithm>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "tests/regression/program.hpp"

namespace semirec::test {
namespace {

using ManoeuvreOpenLoop = ProgramTest;

const std::string kSedan = "vehicles/models/sedan.xml";

TEST_F(ManoeuvreOpenLoop, AreListedWithTheirStandards) {
  const Result result = call_program("manoeuvre --list");
  EXPECT_EQ(result.code, 0) << result.error;
  for (const char* name :
       {"step_steer", "single_sine", "random_steer", "sine_sweep", "weave", "ramp_steer",
        "sine_with_dwell", "bump", "bump_opposite", "plank", "half_round", "ride_random",
        "four_post", "iltis_ramp_steer", "iltis_sine_steer"})
    EXPECT_TRUE(holds(result.out, std::string("\n") + name) || result.out.rfind(name, 0) == 0)
        << name;
  EXPECT_TRUE(holds(result.out, "49 CFR 571.126"));
  EXPECT_TRUE(holds(result.out, "ISO 13674-1"));
}

TEST_F(ManoeuvreOpenLoop, StepSteerOfTheSedanWritesItsMetrics) {
  const Result result = call_program("manoeuvre step_steer " + kSedan +
                                     " --with steering_wheel=0.5 --with settle=4 --with hold=2 "
                                     "--with speed=20 --quick --out " +
                                     results());
  ASSERT_EQ(result.code, 0) << result.error;
  EXPECT_TRUE(holds(result.out, "yaw_rate.response_time"));
  EXPECT_TRUE(holds(result.out, "lateral_acceleration.overshoot"));
  EXPECT_TRUE(holds(text_of(fs::path(results()) / "answer.json"), "\"yaw_rate.gain\""));
  EXPECT_TRUE(fs::exists(fs::path(results()) / "history.csv"));
}

// The driver's throttle is there from the start, also where the road changes farther on: a car
// whose throttle opens at the start alone has lost 0.25 m/s after a second.
TEST_F(ManoeuvreOpenLoop, BeginsWithTheThrottleThatHoldsItsSpeedBeforeObstacles) {
  const Result result =
      call_program("manoeuvre half_round " + kSedan + " --quick --out " + results());
  ASSERT_EQ(result.code, 0) << result.error;
  const std::string history = text_of(fs::path(results()) / "history.csv");
  std::istringstream lines(history);
  std::string names, units, first;
  std::getline(lines, names);
  std::getline(lines, units);
  std::getline(lines, first);
  const auto field = [](const std::string& line, std::ptrdiff_t k) {
    std::istringstream fields(line);
    std::string value;
    for (std::ptrdiff_t i = 0; i <= k; ++i) std::getline(fields, value, ',');
    return value;
  };
  const std::size_t at = names.find("driver.throttle");
  ASSERT_NE(at, std::string::npos) << names;
  const auto before = names.begin() + static_cast<std::ptrdiff_t>(at);
  EXPECT_GT(std::stod(field(first, std::count(names.begin(), before, ','))), 0.1) << first;
}

TEST_F(ManoeuvreOpenLoop, ASpeedThatTheCarDoesNotHoldIsOneLine) {
  const Result result =
      call_program("manoeuvre step_steer " + kSedan + " --with speed=95 --with steering_wheel=0.1");
  EXPECT_EQ(result.code, 4) << result.out;
  EXPECT_TRUE(holds(result.error, "expected 95 m/s within 2 %")) << result.error;
  EXPECT_EQ(count(result.error, '\n'), 1) << result.error;
}

TEST_F(ManoeuvreOpenLoop, OldNamesAreReadWithOneNoteEach) {
  const Result result =
      call_program("manoeuvre step_steer " + kSedan + " --with speed=95 --with hand_wheel=0.1");
  EXPECT_EQ(result.code, 4) << result.out;
  EXPECT_TRUE(
      holds(result.error,
            "note: --with: 'hand_wheel' is now called 'steering_wheel'; the old name is read "
            "until the next release\n"))
      << result.error;
  EXPECT_EQ(count(result.error, '\n'), 2) << result.error;
  const Result circle =
      call_program("manoeuvre steady_circle_hand_wheel " + kSedan + " --with speed=1000");
  EXPECT_EQ(circle.code, 3) << circle.out;
  EXPECT_TRUE(holds(circle.error,
                    "'steady_circle_hand_wheel' is now called"
                    " 'steady_circle_steering_wheel'"))
      << circle.error;
  EXPECT_EQ(count(circle.error, '\n'), 2) << circle.error;
}

TEST_F(ManoeuvreOpenLoop, SchemasAndPageAreThoseInTheTree) {
  for (const char* kind : {"vehicle", "scenario", "manoeuvre", "study"})
    EXPECT_TRUE(call_program(std::string("schema ") + kind).out ==
                text_of(fs::path(kSource) / "vehicles/schema" / (std::string(kind) + ".xsd")))
        << kind;
  EXPECT_TRUE(call_program("schema page").out ==
              text_of(fs::path(kSource) / "docs/reference/elements.md"));
  EXPECT_EQ(call_program("schema car").code, 2);
}

TEST_F(ManoeuvreOpenLoop, ALateralAccelerationThatIsNotReachedIsOneLine) {
  const Result result =
      call_program("manoeuvre weave " + kSedan +
                   " --with speed=3 --with settle=3 --with lateral_acceleration=8");
  EXPECT_EQ(result.code, 4) << result.out;
  EXPECT_TRUE(holds(result.error, "is not reached")) << result.error;
  EXPECT_EQ(count(result.error, '\n'), 1) << result.error;
}

TEST_F(ManoeuvreOpenLoop, ValuesOutOfRangeAreOneLine) {
  for (const char* change :
       {"frequency=nan", "frequency=1e9", "speed=-3", "amplitude=1", "lateral_acceleration=0"}) {
    const Result result =
        call_program("manoeuvre single_sine " + kSedan + " --with " + std::string(change));
    EXPECT_EQ(result.code, 3) << change << result.out;
    EXPECT_EQ(count(result.error, '\n'), 1) << result.error;
    EXPECT_TRUE(holds(result.error, "expected") || holds(result.error, "nearest")) << result.error;
  }
}

TEST_F(ManoeuvreOpenLoop, AMechanismWithoutChassisIsRefused) {
  for (const char* name : {"step_steer", "four_post", "plank", "ride_random", "sine_with_dwell"}) {
    const Result result =
        call_program("manoeuvre " + std::string(name) + " vehicles/models/double_four_bar.xml");
    EXPECT_EQ(result.code, 3) << name << result.out;
    EXPECT_EQ(count(result.error, '\n'), 1) << result.error;
  }
}

}  // namespace
}  // namespace semirec::test
