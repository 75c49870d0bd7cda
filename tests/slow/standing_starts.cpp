// Starts from equilibrium on 200 roads: tests/support/standing_roads.hpp.

#include <cstdlib>
#include <iostream>

#include <gtest/gtest.h>

#include "tests/support/standing_roads.hpp"

namespace semirec::test {
namespace {

// Expected values: the road's own heights under the wheels; straight on by definition.
TEST(StandingStarts, EveryStartIsTheStandingCar) {
  const std::vector<StandingRoad> roads = make_standing_roads();
  ASSERT_EQ(roads.size(), 200U);
  const bool table = std::getenv("SEMIREC_PRINT") != nullptr;
  int count = 0;
  int refused = 0;
  for (const CarToStart& car : make_standing_cars())
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
        EXPECT_EQ(start.wrong, "") << car.name << " on " << road.name << " at " << speed << " m/s";
        if (!start.refused) continue;
        ++refused;
        EXPECT_FALSE(road.flat) << car.name << " on " << road.name << " at " << speed
                                << " m/s: " << start.message;
      }
  EXPECT_LE(refused, count / 50);
  RecordProperty("refused", refused);
}

}  // namespace
}  // namespace semirec::test
