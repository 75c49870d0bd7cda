// How much of the side force of its tyres an axle uses.

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "vehicles/files/xml/reader.hpp"
#include "vehicles/manoeuvre/grip.hpp"

namespace semirec {
namespace {

const char* const kQuantities[] = {".x", ".y", ".Fx", ".Fy", ".Fz", ".alpha", ".gamma"};

/// One row a moment, all wheels of the Iltis alike.
History like_wheels(const Vehicle& iltis, const std::vector<std::array<double, 3>>& moments) {
  History history;
  history.channels = {{"time", "s"}, {"car.vx", "m/s"}};
  for (const Wheel& wheel : iltis.wheels)
    for (const char* quantity : kQuantities)
      history.channels.push_back({wheel.name + quantity, "1"});
  for (const auto& [load, alpha, force] : moments) {
    std::vector<double> row{0.0, 15.0};
    for (std::size_t k = 0; k < iltis.wheels.size(); ++k)
      row.insert(row.end(), {0.0, 0.0, 0.6 * force, 0.8 * force, load, alpha, 0.0});
    history.rows.push_back(row);
  }
  return history;
}

// The polynomial of the Iltis gives mu F at most, mu = (B1 F + B3 + B4 F^2) SN, and all of it from
// a = A(F) alpha / (mu F) = 3 on, A = (A1 F (A2 - F) + A0 A2)/A2 up to F = A2.
TEST(AxleGrip, IsThePolynomialsShareOfItsFriction) {
  const Vehicle iltis =
      read_vehicle(std::string(SEMIREC_SOURCE_DIR) + "/vehicles/models/iltis.xml");
  ASSERT_TRUE(iltis.wheels.front().lateral);
  const CalspanCoefficients& c = *iltis.wheels.front().lateral;
  const double F = 3500.0;
  const double most = (c.B1 * F + c.B3 + c.B4 * F * F) * c.SN * F;
  const double slope = (c.A1 * F * (c.A2 - F) + c.A0 * c.A2) / c.A2;
  const double slides = 3.0 * most / slope;  // rad
  const History history = like_wheels(iltis, {{F, 0.1 * slides, 0.2 * most},
                                              {F, -0.1 * slides, -0.5 * most},
                                              {F, 1.6 * slides, 0.7 * most},
                                              {0.0, 0.1, 0.0}});
  const std::vector<AxleGrip> grip = find_grip(iltis, Scenario{}, history, 0, 4);
  ASSERT_EQ(grip.size(), 2U);
  EXPECT_EQ(grip[0].axle, "front");
  EXPECT_EQ(grip[1].axle, "rear");
  for (const AxleGrip& axle : grip) {
    ASSERT_EQ(axle.share.size(), 4U);
    EXPECT_NEAR(axle.share[0], 0.2, 1e-9);
    EXPECT_NEAR(axle.share[1], 0.5, 1e-9);
    EXPECT_EQ(axle.share[2], 1.0);  // slides, whatever force is left
    EXPECT_EQ(axle.share[3], 0.0);  // in the air
  }
  Scenario without;
  without.lateral = false;
  EXPECT_TRUE(find_grip(iltis, without, history, 0, 4)[0].share.empty());
}

TEST(AxleGrip, IsToldOfAnAxleByItsName) {
  EXPECT_EQ(axle_in_words({"front", {}}), "front axle");
  EXPECT_EQ(axle_in_words({"axle_2", {}}), "axle_2");
}

TEST(AxleGrip, OneRowIsNoLimit) {
  EXPECT_EQ(largest_share({"front", {0.0, 0.0, 1.0, 0.0, 0.0, 0.0}}), 0.2);
  EXPECT_EQ(largest_share({"front", {1.0, 1.0, 1.0, 1.0, 1.0, 0.0}}), 1.0);
  EXPECT_EQ(largest_share({"front", {1.0}}), 0.0);
}

TEST(AxleGrip, TipsWhereAWholeSideHasLeftTheRoad) {
  const Vehicle iltis =
      read_vehicle(std::string(SEMIREC_SOURCE_DIR) + "/vehicles/models/iltis.xml");
  History history = like_wheels(iltis, {{3500.0, 0.0, 0.0}, {3500.0, 0.0, 0.0}});
  const auto lift = [&](const char* wheel, std::size_t row) {
    history.rows[row][history.find(std::string(wheel) + ".Fz")] = 0.0;
  };
  lift("wheel_fl", 0);
  lift("wheel_fr", 0);  // an axle, not a side
  EXPECT_FALSE(tips(iltis, history, 0, 2));
  lift("wheel_fl", 1);
  lift("wheel_rl", 1);
  EXPECT_TRUE(tips(iltis, history, 0, 2));
  EXPECT_FALSE(tips(iltis, history, 0, 1));
}

}  // namespace
}  // namespace semirec
