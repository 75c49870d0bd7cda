// Cars that are loaded on one side, and their mirror images: what is asked of steering is the same
// of both.

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

#include "vehicles/analysis/bicycle/bicycle_answer.hpp"
#include "vehicles/files/xml/reader.hpp"
#include "vehicles/manoeuvre/method.hpp"
#include "vehicles/manoeuvre/steering_gain.hpp"

namespace semirec {
namespace {

const std::string kModels = std::string(SEMIREC_SOURCE_DIR) + "/vehicles/models/";

/// The sedan with a load of so many kg at y, m.
Vehicle sedan_with(double mass, double y) {
  std::ifstream file(kModels + "sedan.xml");
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const std::string place = "0 " + std::to_string(y) + " 0.65";
  text.insert(text.rfind("</vehicle>"),
              "<body name=\"load\" mass=\"" + std::to_string(mass) + "\" com=\"" + place +
                  "\" inertia=\"5 5 3\"/><joint name=\"seat\" type=\"fixed\" a=\"chassis\" "
                  "b=\"load\" point=\"" +
                  place + "\"/>");
  return read_vehicle_text(text, kModels + "sedan_with_load.xml");
}

// In a creeping turn the car's own drift is no answer to the steering wheel. Expected: the mirror
// image, and the ratio of the sedan's linkage at the wheelbase, which a load of 80 kg hardly bends.
TEST(UnevenCars, SteerAsTheirMirrorImages) {
  const Manoeuvre manoeuvre = read_manoeuvre_text(
      "<manoeuvre name='circle' version='1' method='steady_circle_speed'><run step='0.001' "
      "record='0.01'/></manoeuvre>",
      "circle.xml");
  const auto ratio = [&](double y) {
    return measure_steering(sedan_with(80.0, y), manoeuvre, 4.0, {}).a;
  };
  const double left = ratio(0.37);
  const double right = ratio(-0.37);
  EXPECT_NEAR(left, right, 1e-3 * right);
  const double even = ratio(0.0);
  EXPECT_NEAR(left, even, 3e-3 * even);
}

// The steering wheel that gives a lateral acceleration counts from straight running. Expected: that
// of the mirror image.
TEST(UnevenCars, FindTheSteeringWheelOfTheirMirrorImages) {
  const auto amplitude = [](double y) {
    const Manoeuvre manoeuvre = read_manoeuvre_text(
        "<manoeuvre name='sine' version='1' method='single_sine'><value "
        "name='lateral_acceleration' value='0.5'/><run step='0.001' record='0.002'/></manoeuvre>",
        "sine.xml");
    const Answer answer = run_manoeuvre(sedan_with(80.0, y), manoeuvre, {/*quick=*/true});
    return answer.quantities.at(0).value;
  };
  const double left = amplitude(0.37);
  EXPECT_NEAR(left, amplitude(-0.37), 0.01 * left);
}

// The range of a bicycle is that of both turns: the same of a car and of its mirror image.
TEST(UnevenCars, FitTheBicycleOfTheirMirrorImages) {
  const auto limit = [](double y) {
    SteadyCar car(sedan_with(80.0, y), {});
    return find_bicycle(car, {{22.0}, 1.0}, {}).lateral_limits.at(0).value;
  };
  const double left = limit(0.37);
  EXPECT_NEAR(left, limit(-0.37), 1e-3 * left);
}

}  // namespace
}  // namespace semirec
