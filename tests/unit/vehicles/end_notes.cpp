#include "vehicles/session/end_notes.hpp"

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/drives.hpp"
#include "vehicles/road/random_road.hpp"

namespace semirec::test {
namespace {

/// Of the sedan put somewhere by its chassis' coordinates.
std::vector<std::string> notes_at(const std::vector<double>& place, const RoadSurface* road) {
  ShippedDrive car = start_shipped("sedan.xml", "step_steer.xml");
  const Model& model = car.drive.model;
  const TreeBody& body =
      model.tree.bodies[static_cast<std::size_t>(model.tree.tree.tree_index(car.drive.chassis))];
  for (int k = 0; k < 2; ++k) car.state.z[body.z + k] = place[static_cast<std::size_t>(k)];
  car.state.z[body.z + 3] = place[2];
  return find_end_notes(car.drive, road, car.state, car.ws);
}

TEST(EndNotes, TellThatACarHasRolledOver) {
  for (const double roll : {-3.0, -1.3, 1.3, 3.1}) {
    const std::vector<std::string> notes = notes_at({0.0, 0.0, roll}, nullptr);
    ASSERT_EQ(notes.size(), 1U) << roll;
    EXPECT_NE(notes[0].find("has rolled over"), std::string::npos);
  }
  for (const double roll : {-1.0, 0.0, 1.0})
    EXPECT_TRUE(notes_at({0.0, 0.0, roll}, nullptr).empty());
}

TEST(EndNotes, TellThatACarHasLeftTheTracksOfARandomRoad) {
  RandomRoadSettings settings;
  settings.track = 1.7;  // wheels 1.55 m apart
  const RandomRoad road(settings);
  EXPECT_TRUE(notes_at({50.0, 0.0, 0.0}, &road).empty());
  EXPECT_TRUE(notes_at({50.0, 0.5, 0.0}, &road).empty());
  for (const double y : {-3.5, 3.5, 20.0}) {
    const std::vector<std::string> notes = notes_at({50.0, y, 0.0}, &road);
    ASSERT_EQ(notes.size(), 1U) << y;
    EXPECT_NE(notes[0].find("left the tracks"), std::string::npos);
  }
}

}  // namespace
}  // namespace semirec::test
