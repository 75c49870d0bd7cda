// `semirec manoeuvre` from the command line.

#include "tests/regression/program.hpp"

namespace semirec::test {
namespace {

using ManoeuvreProgram = ProgramTest;

TEST_F(ManoeuvreProgram, ListTeaches) {
  const Result result = call_program("manoeuvre --list");
  EXPECT_EQ(result.code, 0);
  for (const char* words : {"ISO 4138", "ISO 3888-1", "ISO 3888-2", "lane_change_2", "m/s^2",
                            "coast_down", "of the car", "--with"})
    EXPECT_TRUE(holds(result.out, words)) << words;
}

TEST_F(ManoeuvreProgram, WritesItsAnswer) {
  const Result result = call_program(
      "manoeuvre coast_down vehicles/models/sedan.xml --with duration=1 --out '" + results() + "'");
  ASSERT_EQ(result.code, 0) << result.error;
  EXPECT_TRUE(holds(result.out, "mean_deceleration"));
  EXPECT_TRUE(holds(result.out, "+-"));
  EXPECT_TRUE(fs::exists(fs::path(results()) / "answer.json"));
  const std::string table = text_of(fs::path(results()) / "history.csv");
  EXPECT_EQ(table.rfind("time,chassis.x", 0), 0U);
  EXPECT_TRUE(holds(table, "car.ay"));
  EXPECT_TRUE(holds(table, "driver.steering_wheel"));
}

TEST_F(ManoeuvreProgram, TakesAFileOfItsOwn) {
  const fs::path file = folder_ / "mine.xml";
  std::ofstream(file) << "<manoeuvre name=\"mine\" version=\"1\" method=\"coast_down\">"
                         "<value name=\"speed\" value=\"10\"/></manoeuvre>";
  const Result result = call_program("manoeuvre '" + file.string() +
                                     "' vehicles/models/iltis.xml --with duration=0.5 --quick");
  EXPECT_EQ(result.code, 0) << result.error;
  EXPECT_FALSE(holds(result.out, "+-"));
}

TEST_F(ManoeuvreProgram, DrivesByTheSchemeThatItIsGiven) {
  const std::string plank = "manoeuvre plank vehicles/models/sedan.xml --quick --with duration=1 ";
  const Result usual = call_program(plank);
  const Result damped = call_program(plank + "--scheme newmark --gamma 0.9 --beta 0.49");
  ASSERT_EQ(usual.code, 0) << usual.error;
  ASSERT_EQ(damped.code, 0) << damped.error;
  EXPECT_NE(usual.out, damped.out);
}

TEST_F(ManoeuvreProgram, SaysThatTheLastOfTwoValuesCounts) {
  const Result result = call_program(
      "manoeuvre coast_down vehicles/models/sedan.xml --quick --with duration=2 --with duration=1 "
      "--set chassis.mass=1300 --set chassis.mass=1400");
  ASSERT_EQ(result.code, 0) << result.error;
  EXPECT_TRUE(
      holds(result.error, "--with duration is given more than once, the last one counts: 1"))
      << result.error;
  EXPECT_TRUE(
      holds(result.error, "--set chassis.mass is given more than once, the last one counts: 1400"))
      << result.error;
}

TEST_F(ManoeuvreProgram, SaysThatACircleEndedBelowTheLateralAccelerationAsked) {
  const Result result = call_program(
      "manoeuvre steady_circle_radius vehicles/models/truck.xml --quick --with rise=1");
  ASSERT_EQ(result.code, 0) << result.error;
  EXPECT_TRUE(holds(result.out, "the duration ended before 'ay' was reached: ")) << result.out;
}

TEST_F(ManoeuvreProgram, SaysWhyASeriesThatRolledOverHasNoDisplacement) {
  const Result result =
      call_program("manoeuvre sine_with_dwell vehicles/models/truck.xml --quick --with A=2.4");
  ASSERT_EQ(result.code, 0) << result.error;
  EXPECT_TRUE(holds(result.out, "displacement and ground_displacement: none, no run with 5 A"))
      << result.out;
}

// At 15 m/s the sideslip of the car with a trailer creeps up to its steady value.
TEST_F(ManoeuvreProgram, APeakTimeThatIsNotThereIsNoneWithANote) {
  const Result result =
      call_program("manoeuvre step_steer vehicles/models/trailer.xml --quick --with speed=15");
  ASSERT_EQ(result.code, 0) << result.error;
  EXPECT_TRUE(holds(result.out, "sideslip.peak_time                           none s "))
      << result.out;
  EXPECT_TRUE(holds(result.out,
                    "note: the sideslip does not rise above its steady value, so it has no peak "
                    "time"))
      << result.out;
  EXPECT_FALSE(holds(result.out, " nan ")) << result.out;
}

TEST_F(ManoeuvreProgram, BadInputIsOneLine) {
  struct Case {
    const char* arguments;
    int code;
    const char* words;
  };
  for (const Case& c :
       {Case{"coast_dwn vehicles/models/sedan.xml", 3, "nearest known name is 'coast_down'"},
        Case{"coast_down vehicles/models/sedan.xml --with sped=2", 3, "'speed'"},
        Case{"coast_down vehicles/models/sedan.xml --with speed=1e9", 3, "expected 1 to 100"},
        Case{"coast_down vehicles/models/sedan.xml --with speed", 3, "speed=20"},
        Case{"coast_down vehicles/models/puma.xml", 3, "chassis"},
        Case{"coast_down vehicles/models/sedan.xml --scheme magic", 3, "--scheme is 'magic'"},
        Case{"coast_down vehicles/models/sedan.xml --error-tolerance 1e-5", 3,
             "--error-tolerance is given: the driver of a manoeuvre acts once a step"},
        Case{"coast_down vehicles/models/sedan.xml --cut-contacts", 3, "--cut-contacts is given"},
        Case{"straight_braking vehicles/models/iltis.xml", 3, "has no brakes"},
        Case{
            "acceleration vehicles/models/sedan.xml --quick --with end_speed=150 --with duration=3",
            4, "the car reaches"},
        Case{"follow_path vehicles/models/sedan.xml --quick --with speed=35", 4, "leaves the path"},
        Case{"steady_circle_speed vehicles/models/sedan.xml --quick --with direction=0", 3,
             "has a 'direction' of 0, expected 1"},
        Case{"lane_change_2 vehicles/models/sedan.xml --quick --with width=0.5", 3,
             "has a 'width' of the car of 0.5 m, within its wheels"}}) {
    const Result result = call_program(std::string("manoeuvre ") + c.arguments);
    EXPECT_EQ(result.code, c.code) << c.arguments;
    EXPECT_EQ(count(result.error, '\n'), 1) << result.error;
    EXPECT_TRUE(holds(result.error, c.words)) << result.error;
  }
}

// A path that begins beside the car, or turned from it, is not one that the driver misses.
TEST_F(ManoeuvreProgram, RefusesAPathThatBeginsElsewhere) {
  const std::string file = testing::TempDir() + "path_elsewhere.xml";
  for (const auto& [points, words] :
       {std::pair(R"(<point x="0" y="3"/><point x="60" y="3"/><point x="120" y="3"/>)",
                  "3 m aside and turned by 0 rad"),
        std::pair(R"(<point x="0" y="0"/><point x="-60" y="0"/>)", "turned by 3.14 rad")}) {
    std::ofstream(file) << "<manoeuvre name=\"p\" version=\"1\" method=\"follow_path\"><path>"
                        << points << "</path></manoeuvre>";
    const Result result =
        call_program("manoeuvre '" + file + "' vehicles/models/sedan.xml --quick");
    EXPECT_EQ(result.code, 3);
    EXPECT_EQ(count(result.error, '\n'), 1) << result.error;
    EXPECT_TRUE(holds(result.error, words)) << result.error;
  }
}

// What the file has for a car that stands is the driver's on the way, and that is said.
TEST_F(ManoeuvreProgram, StartsWithThePedalsOfItsDriver) {
  const std::string words =
      "manoeuvre acceleration vehicles/models/sedan.xml --quick --with speed=10 --with "
      "end_speed=12 "
      "--with course_length=20";
  const Result plain = call_program(words);
  const Result pressed = call_program(words + " --set brake.value=1");
  EXPECT_EQ(plain.code, 0) << plain.error;
  EXPECT_EQ(pressed.code, 0) << pressed.error;
  EXPECT_EQ(pressed.out, plain.out +
                             "  note: 'brake.value=1' does not reach the input 'brake', which "
                             "the scenario or the manoeuvre gives itself\n");
}

}  // namespace
}  // namespace semirec::test
