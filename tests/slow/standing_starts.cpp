// Starts from equilibrium on 200 roads: tests/support/standing_roads.hpp.

#include <cmath>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/standing_roads.hpp"
#include "vehicles/files/xml/reader.hpp"
#include "vehicles/manoeuvre/method.hpp"

namespace semirec::test {
namespace {

// Expected values: the road's own heights under the wheels; straight on by definition.
TEST(StandingStarts, EveryStartIsTheStandingCar) {
  const std::vector<StandingRoad> roads = make_standing_roads();
  ASSERT_EQ(roads.size(), 200U);
  const bool table = std::getenv("SEMIREC_PRINT") != nullptr;
  int count = 0;
  int refused = 0;
  int unsteady = 0;
  std::vector<CarToStart> cars = make_standing_cars();
  cars.push_back(make_standing_trailer());
  for (const CarToStart& car : cars)
    for (const StandingRoad& road : roads)
      for (const double speed : {0.0, 5.0, 20.0}) {
        ++count;
        const StandingStart start = start_on(car, road, speed);
        if (table) {
          std::cout << car.name << " | " << road.name << " | " << speed << " | "
                    << (start.refused ? "REFUSED " + start.message : "") << " | roll " << start.roll
                    << " pitch " << start.pitch << " | " << start.wrong << "\n";
          for (const std::string& note : start.notes) std::cout << "   note: " << note << "\n";
        }
        unsteady += start.unsteady ? 1 : 0;
        EXPECT_EQ(start.wrong, "") << car.name << " on " << road.name << " at " << speed << " m/s";
        if (!start.refused) continue;
        ++refused;
        EXPECT_FALSE(road.flat) << car.name << " on " << road.name << " at " << speed
                                << " m/s: " << start.message;
      }
  // at most 2 % refused, and as many that say they are in balance at rest only
  EXPECT_LE(refused, count / 50);
  EXPECT_LE(unsteady, count / 50);
  RecordProperty("refused", refused);
}

// Expected: nothing in a manoeuvre knows the height of a level road.
TEST(StandingStarts, ManoeuvresAnswerAlikeAtEveryHeight) {
  const std::string folder = std::string(SEMIREC_SOURCE_DIR) + "/vehicles/";
  const Vehicle sedan = read_vehicle(folder + "models/sedan.xml");
  const auto answer = [&](const std::string& name, double height) {
    Manoeuvre manoeuvre =
        read_manoeuvre(folder + "manoeuvres/" + name + ".xml",
                       name == "lane_change_1" ? std::vector<ManoeuvreChange>{{"speed", "18"}}
                                               : std::vector<ManoeuvreChange>{});
    manoeuvre.has_road = true;
    manoeuvre.scenario.road = {Curve::constant(height), Curve::constant(height)};
    return run_manoeuvre(sedan, manoeuvre, {.quick = true});
  };
  for (const std::string name : {"straight_braking", "lane_change_1"}) {
    const Answer level = answer(name, 0.0);
    const Answer low = answer(name, -0.03);
    ASSERT_EQ(level.quantities.size(), low.quantities.size());
    for (std::size_t k = 0; k < level.quantities.size(); ++k) {
      const double expected = level.quantities[k].value;
      if (!std::isfinite(expected)) continue;
      // 1e-5: two Newton iterations a step, from starts that differ by rounding
      EXPECT_NEAR(low.quantities[k].value, expected, 1e-5 * (1.0 + std::abs(expected)))
          << name << ", " << level.quantities[k].name;
    }
  }
}

}  // namespace
}  // namespace semirec::test
