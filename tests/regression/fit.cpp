// `semirec fit bicycle` as its users meet it.
#include <cmath>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/regression/program.hpp"

namespace semirec::test {
namespace {

using Fit = ProgramTest;

const std::string kFitSedan = "fit bicycle vehicles/models/sedan.xml ";

TEST_F(Fit, WritesTheModelUnderItsOwnNamesAndThoseOfOthers) {
  const Result result = call_program(kFitSedan + "--speed 10:30 --out " + results());
  ASSERT_EQ(result.code, 0) << result.error;
  for (const char* name : {"understeer_gradient", "error.yaw_rate", "range.lateral_acceleration"})
    EXPECT_TRUE(holds(result.out, name)) << result.out;
  EXPECT_FALSE(holds(result.out, "commonroad")) << "printed answers name the model once";
  const auto numbers = nlohmann::json::parse(text_of(results() + "/bicycle.json"));
  const auto answer = nlohmann::json::parse(text_of(results() + "/answer.json"));
  const auto at = [&](const char* pointer) {
    return numbers.at(nlohmann::json::json_pointer(pointer)).get<double>();
  };
  // 1500 kg: the sum of its bodies, which `semirec info` prints
  EXPECT_NEAR(at("/mass"), 1500.0, 1e-9);
  EXPECT_EQ(answer.at("quantities").at("mass").at("unit"), "kg");
  EXPECT_EQ(answer.at("quantities").at("openpilot.mass").at("value").get<double>(), at("/mass"));
  const double m = at("/mass");
  const double a = at("/front_axle");
  const double b = at("/rear_axle");
  const auto gradient_of = [&](double front, double rear) {
    return m / (a + b) * (b / front - a / rear);  // K = m/L (b/C_f - a/C_r)
  };
  EXPECT_NEAR(at("/understeer_gradient"),
              gradient_of(at("/front_cornering_stiffness"), at("/rear_cornering_stiffness")),
              1e-12);
  // the others know no lag: stiffnesses that are fitted without, and the same steady turn
  const double C_f = at("/without_lag/front_cornering_stiffness");
  const double C_r = at("/without_lag/rear_cornering_stiffness");
  EXPECT_NEAR(at("/understeer_gradient"), gradient_of(C_f, C_r), 1e-12);
  EXPECT_GT(at("/without_lag/error/yaw_rate"), at("/error/yaw_rate"));
  // CommonRoad: the force of an axle is mu C_S Fz alpha with Fz = m g b/L in front, g = 9.81
  EXPECT_NEAR(at("/commonroad/mu") * at("/commonroad/C_Sf") * m * 9.81 * b / (a + b), C_f,
              1e-9 * C_f);
  EXPECT_NEAR(at("/commonroad/mu") * at("/commonroad/C_Sr") * m * 9.81 * a / (a + b), C_r,
              1e-9 * C_r);
  // Autoware makes mass and axles of the four masses: mass_f = mass_fl + mass_fr, a = L (1 -
  // mass_f/m)
  const double front = at("/autoware/vehicle/mass_fl") + at("/autoware/vehicle/mass_fr");
  const double rear = at("/autoware/vehicle/mass_rl") + at("/autoware/vehicle/mass_rr");
  EXPECT_NEAR(front + rear, m, 1e-6 * m);
  // 1e-3: tyres that lean at rest push along the car, and roll it by some newtons
  EXPECT_NEAR(at("/autoware/wheel_base") * (1.0 - front / m), a, 1e-3);
  EXPECT_EQ(at("/autoware/vehicle/cf"), C_f);
  EXPECT_EQ(at("/autoware/vehicle/rear_corner_stiffness"), C_r);
  EXPECT_EQ(at("/openpilot/centerToFront"), a);
  EXPECT_EQ(at("/openpilot/tireStiffnessRear"), C_r);
  EXPECT_EQ(at("/openpilot/rotationalInertia"), at("/yaw_inertia"));
  // its own car scaled: both stiffnesses over those scaled are the factor, one above, one below
  const double of_front = C_f / (192150.0 * m / 1462.0 * (b / (a + b)) / 0.6);
  const double of_rear = C_r / (202500.0 * m / 1462.0 * (a / (a + b)) / 0.4);
  EXPECT_NEAR(std::pow(at("/openpilot/tireStiffnessFactor"), 2), of_front * of_rear, 1e-9);
  EXPECT_TRUE(holds(text_of(results() + "/speeds.csv"), "speed,yaw_gain_car"));
  EXPECT_TRUE(holds(text_of(results() + "/response.csv"), "yaw_rate.bicycle.phase"));
}

TEST_F(Fit, SpeedsAreARangeAListOrOneEach) {
  for (const char* speeds : {"10:30", "10,15,20,25,30", "10:30:5", "30,10,20,15,25,10"}) {
    const Result result =
        call_program("fit bicycle vehicles/models/iltis.xml --json --speed " + std::string(speeds));
    ASSERT_EQ(result.code, 0) << result.error;
    const auto answer = nlohmann::json::parse(result.out);
    static double first = 0.0;
    const double value =
        answer.at("quantities").at("front_cornering_stiffness").at("value").get<double>();
    if (first == 0.0) first = value;
    EXPECT_EQ(value, first) << speeds;
  }
  EXPECT_EQ(call_program("fit bicycle vehicles/models/iltis.xml --json --speed 20").code, 0);
}

TEST_F(Fit, RefusesWhatIsNoSpeedNoFrequencyOrNoCarWithOneLine) {
  const auto refused = [&](const std::string& arguments, int code, const std::string& words) {
    const Result result = call_program("fit bicycle " + arguments);
    EXPECT_EQ(result.code, code) << arguments << ": " << result.error;
    EXPECT_EQ(count(result.error, '\n'), code == 2 ? 2 : 1) << arguments << ": " << result.error;
    EXPECT_TRUE(holds(result.error, words)) << arguments << ": " << result.error;
    EXPECT_EQ(result.out, "") << arguments;
  };
  const std::string sedan = "vehicles/models/sedan.xml ";
  for (const char* speed : {"0", "0:30", "-5", "10,-10", "0.5", "101", "10:300", "1e300"})
    refused(sedan + "--speed=" + speed, 3, "expected 1 to 100 m/s");
  for (const char* speed : {"nan", "nan:20", "10:inf", "fast", "10:", ":30", "10,,20", "10:20:0",
                            "10:20:-1", "1:2:3:4"})
    refused(sedan + "--speed=" + speed, 3, "option --speed: ");
  for (const char* frequency : {"0", "-1", "6", "nan", "inf"})
    refused(sedan + "--speed 20 --frequency=" + frequency, 3, "--frequency is ");
  refused(sedan, 2, "--speed is required");
  refused("vehicles/models/none.xml --speed 20", 3, "none.xml");
  refused("vehicles/models/trailer.xml --speed 20", 3, "expected one without trailers");
  refused("vehicles/models/truck.xml --speed 20", 3, "has 3 axles, expected two");
  refused("vehicles/models/double_four_bar.xml --speed 20", 3, "has 0 axles, expected two");
  refused("vehicles/models/car26.xml --speed 20", 3, "steer");
  // turned round, more or less: the closed form of two axles oversteers and has a critical speed
  refused("tests/data/bicycle.xml --set a.value=1.7 --set b.value=1.0 --speed 10:50", 4,
          "m/s the car is unstable: ");
  // what was there stays
  ASSERT_EQ(call_program(kFitSedan + "--speed 20 --out " + results()).code, 0);
  const std::string before = text_of(results() + "/answer.json");
  refused(sedan + "--speed 25 --out " + results(), 3, "--overwrite");
  EXPECT_EQ(text_of(results() + "/answer.json"), before);
  EXPECT_EQ(call_program(kFitSedan + "--speed 25 --overwrite --out " + results()).code, 0);
  EXPECT_NE(text_of(results() + "/answer.json"), before);
}

}  // namespace
}  // namespace semirec::test
