// The track that ships for the seat.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "apps/seat/seat_cones.hpp"
#include "apps/seat/seat_link.hpp"
#include "vehicles/files/xml/reader.hpp"
#include "vehicles/manoeuvre/scenery.hpp"
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

// The gates on the way back: measured in the direction of travel, they are those of the standard
// for this car's width, and none stands in the infield's edge or on the kerb.
TEST(HandlingTrack, HoldsTheGatesOfIso3888ForTheCarsWidth) {
  const DriveDescription read = read_track();
  const std::vector<Cone> cones = find_cones(read);
  const double width = measure_car(read.vehicle).width;
  const std::size_t slalom = read.scenario.scenery.cones.size();
  ASSERT_EQ(slalom, 4U);
  // 12, 11 and 12 m with a cone each 3 m at most: 5 pairs each
  ASSERT_EQ(cones.size(), slalom + 30U);
  double least_x = 1e9, most_x = -1e9, least_y = 1e9, most_y = -1e9;
  for (std::size_t k = slalom; k < cones.size(); ++k) {
    least_x = std::min(least_x, cones[k].x);
    most_x = std::max(most_x, cones[k].x);
    least_y = std::min(least_y, cones[k].y);
    most_y = std::max(most_y, cones[k].y);
  }
  const double tiny = 1e-12;  // sums of numbers below 300
  EXPECT_NEAR(most_x - least_x, 61.0, 1e3 * tiny);
  EXPECT_GT(least_x, 170.0);
  // from the right limit of the first lane, 1.1 b + 0.25 m wide, over 1 m to the second, b + 1 m
  const double third = std::max(3.0, 1.3 * width + 0.25);
  EXPECT_NEAR(most_y - least_y, 1.1 * width + 0.25 + 1.0 + width + 1.0, 1e3 * tiny);
  EXPECT_GT(1.1 * width + 0.25 + width + 2.0, third);
  EXPECT_GT(least_y, 26.5);
}

TEST(HandlingTrack, CountsTheConesUnderTheCarOnce) {
  const DriveDescription read = read_track();
  Session session(read);
  ConeCounter counter(find_cones(read), find_outline(read.vehicle), session.outputs());
  std::vector<double> outputs(session.outputs().size());
  session.read_outputs(outputs.data());
  const auto stand_at = [&](double t, double x, double y, double yaw) {
    outputs[static_cast<std::size_t>(session.find_output("chassis.x"))] = x;
    outputs[static_cast<std::size_t>(session.find_output("chassis.y"))] = y;
    outputs[static_cast<std::size_t>(session.find_output("chassis.yaw"))] = yaw;
    counter.look_at(t, outputs.data());
  };
  stand_at(0.0, 0.0, 0.0, 0.0);
  EXPECT_EQ(counter.hits(), 0);
  stand_at(1.0, 110.0, 0.5, 0.0);  // half of its width lies over the cone
  stand_at(1.1, 110.5, 0.5, 0.0);
  EXPECT_EQ(counter.hits(), 1);
  stand_at(2.0, 128.0, 1.5, 0.0);  // beside it
  EXPECT_EQ(counter.hits(), 1);
  stand_at(3.0, 146.0, 1.5, 1.5707963267948966);  // across the road: its rear end is over the cone
  EXPECT_EQ(counter.hits(), 2);
  stand_at(0.0, 0.0, 0.0, 0.0);  // back at the start
  EXPECT_EQ(counter.hits(), 0);
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
