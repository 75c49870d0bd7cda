// The track that ships for the seat.
#include <cmath>

#include <gtest/gtest.h>

#include "apps/seat/seat_link.hpp"
#include "vehicles/files/xml/reader.hpp"
#include "vehicles/road/road_surface.hpp"

namespace semirec::seat {
namespace {

const std::string kVehicles = std::string(SEMIREC_SOURCE_DIR) + "/vehicles/";

DriveDescription read_track() {
  return {read_vehicle(kVehicles + "models/sedan.xml"),
          read_scenario(kVehicles + "scenarios/handling_track.xml")};
}

TEST(HandlingTrack, HoldsSplitFrictionSillsARampAndAKerb) {
  const DriveDescription read = read_track();
  ASSERT_NE(read.scenario.surface, nullptr);
  const auto road = [&](double x, double y) { return read.scenario.surface->evaluate(x, y); };
  const double tiny = 1e-12;  // sums of a few heights
  // split friction: left and right of the middle of the lane
  EXPECT_DOUBLE_EQ(road(60, 1).friction, 0.3);
  EXPECT_DOUBLE_EQ(road(60, -1).friction, 1.0);
  // two sills of the slalom, one on each side, and the free half beside them
  EXPECT_NEAR(road(110.25, 1).z, 0.05, tiny);
  EXPECT_NEAR(road(110.25, -1).z, 0.0, tiny);
  EXPECT_NEAR(road(128.25, -1).z, 0.05, tiny);
  EXPECT_NEAR(road(128.25, 1).z, 0.0, tiny);
  // the ramp: 10 m at 0.05 rad, level again behind it
  EXPECT_NEAR(road(203, 0).z, 10 * std::tan(0.05), tiny);
  EXPECT_NEAR(road(220, 0).z, 0.0, tiny);
  // kerb on the way back, and ice
  EXPECT_NEAR(road(160, 30).z, 0.08, tiny);
  EXPECT_NEAR(road(149, 30).z, 0.0, tiny);
  EXPECT_DOUBLE_EQ(road(45, 30).friction, 0.15);
}

TEST(HandlingTrack, TheSedanStartsAtRestOnIt) {
  Session session(read_track());
  const Eigen::Vector3d start = session.state().origin;
  for (int k = 0; k < 1000; ++k) ASSERT_EQ(session.step(), StepStatus::converged);
  // the equilibrium is found to 1e-7 N on 1500 kg: 1e-10 m in a second
  EXPECT_LT(session.state().zd.norm(), 1e-6);
  EXPECT_LT((session.state().origin - start).norm(), 1e-6);
}

}  // namespace
}  // namespace semirec::seat
