#include "vehicles/road/wheel_contact.hpp"

#include <cmath>
#include <memory>

#include <gtest/gtest.h>

#include "vehicles/road/layered_surface.hpp"
#include "vehicles/road/obstacles.hpp"
#include "vehicles/road/profile_surface.hpp"

namespace semirec {
namespace {

using Eigen::Vector3d;

constexpr double kRadius = 0.3;
constexpr double kWidth = 0.2;
constexpr double kRounding = 1e-12;  // of lengths below 1 m
const ContactMethod kAll[] = {ContactMethod::point, ContactMethod::disc, ContactMethod::cams};

WheelContact touch(const RoadSurface& road, ContactMethod method, const Vector3d& centre,
                   const Vector3d& axle = Vector3d::UnitY()) {
  return compute_wheel_contact(road, method, centre, axle, kRadius, kWidth);
}

TEST(WheelOnRoad, StandsOnALevelRoad) {
  const InclinedPlane road(0.1, 0.0, 0.0);
  for (const ContactMethod method : kAll) {
    const WheelContact contact = touch(road, method, {7.0, 1.0, 0.1 + 0.28});
    EXPECT_NEAR(contact.deflection, 0.02, kRounding);
    EXPECT_NEAR((contact.ground - Vector3d(7.0, 1.0, 0.1)).norm(), 0.0, kRounding);
    EXPECT_NEAR((contact.normal - Vector3d::UnitZ()).norm(), 0.0, kRounding);
    EXPECT_EQ(contact.friction, 1.0);
  }
}

// On a plane n . x = d a wheel of any direction has a closed form: the lowest point of its rim lies
// R cos(gamma) under the centre, along n.
TEST(WheelOnRoad, LeansAndSteersOnAnyPlane) {
  const double z_x = 0.15;
  const double z_y = -0.08;
  const InclinedPlane road(0.4, z_x, z_y);
  const Vector3d n = Vector3d(-z_x, -z_y, 1.0).normalized();
  const Vector3d axle = Vector3d(-0.3, 0.9, 0.12).normalized();
  const Vector3d centre(3.0, -2.0, 0.4 + 3.0 * z_x - 2.0 * z_y + 0.29);
  const double height = n.dot(centre - Vector3d(0.0, 0.0, 0.4));
  const double cosine = std::sqrt(1.0 - std::pow(n.dot(axle), 2));
  for (const ContactMethod method : kAll) {
    const WheelContact contact = touch(road, method, centre, axle);
    EXPECT_NEAR(contact.deflection, kRadius * cosine - height, kRounding);
    EXPECT_NEAR((contact.normal - n).norm(), 0.0, kRounding);
    EXPECT_NEAR(axle.dot(contact.ground - centre), 0.0, kRounding);  // in the wheel's plane
    EXPECT_NEAR(contact.ground.z(), road.evaluate(contact.ground.x(), contact.ground.y()).z,
                kRounding);
  }
}

// The road says that it is a plane, or has to be searched: the same contact.
TEST(WheelOnRoad, NeedsNoSearchOnAPlane) {
  const Curve line = Curve::linear(0.15, -2.0);
  const ProfileSurface known(line, line);
  const InclinedPlane searched(0.3, 0.15, 0.0);
  ASSERT_NE(known.plane(), nullptr);
  ASSERT_EQ(searched.plane(), nullptr);
  const Vector3d axle = Vector3d(-0.3, 0.9, 0.12).normalized();
  const Vector3d centre(3.0, -2.0, 0.3 + 3.0 * 0.15 + 0.29);
  for (const ContactMethod method : kAll) {
    const WheelContact a = touch(known, method, centre, axle);
    const WheelContact b = touch(searched, method, centre, axle);
    EXPECT_NEAR(a.deflection, b.deflection, kRounding);
    EXPECT_NEAR((a.ground - b.ground).norm(), 0.0, kRounding);
    EXPECT_NEAR((a.normal - b.normal).norm(), 0.0, kRounding);
    EXPECT_EQ(a.friction, b.friction);
  }
}

TEST(WheelOnRoad, IsSeenFromHighAbove) {
  const InclinedPlane road(0.4, 0.15, 0.0);
  for (const ContactMethod method : kAll) {
    const WheelContact contact = touch(road, method, {1.0, 0.0, 50.0});
    EXPECT_NEAR(contact.ground.z(), 0.4 + 0.15 * contact.ground.x(), 50.0 * kRounding);
    EXPECT_NEAR(contact.deflection, kRadius - (50.0 - 0.55) / std::hypot(1.0, 0.15),
                50.0 * kRounding);
  }
}

TEST(WheelOnRoad, FeelsTheFrictionAtItsContactPoint) {
  const LayeredSurface road({std::make_shared<InclinedPlane>(0.0, 0.0, 0.0)},
                            {{0.2, -1e300, 1e300, 0.0, 1e300}});
  for (const ContactMethod method : kAll) {
    EXPECT_EQ(touch(road, method, {0.0, 0.5, 0.29}).friction, 0.2);
    EXPECT_EQ(touch(road, method, {0.0, -0.5, 0.29}).friction, 1.0);
  }
}

// A rigid disc meets a step of height h when its centre is sqrt(R^2 - (R - h)^2) before it, and
// stands h + sqrt(R^2 - s^2) high at s before it. There a wheel just touches its effective plane.
TEST(WheelOnRoad, DiscClimbsAStepAsACircleDoes) {
  const double h = 0.03;
  const Plank step(1.0, 100.0, h, 0.0);
  const double first = std::sqrt(kRadius * kRadius - (kRadius - h) * (kRadius - h));
  const auto deflection = [&](double s, double height) {
    return touch(step, ContactMethod::disc, {1.0 - s, 0.0, height}).deflection;
  };
  // the edge is known to a lattice of 16 mm and felt over the distance of the discs, 37 mm
  const double pitch = 0.0165;
  const double spacing = 0.0375;
  EXPECT_NEAR(deflection(first + pitch + 0.5 * spacing, kRadius), 0.0, kRounding);
  EXPECT_NEAR(deflection(-0.5 * spacing - pitch, kRadius + h), 0.0, kRounding);
  for (const double s : {0.1, 0.08, 0.06}) {
    const double root = std::sqrt(kRadius * kRadius - s * s);
    EXPECT_NEAR(deflection(s, h + root), 0.0, s / root * pitch) << s;
  }
  // its normal is that of the circle where it touches the edge
  const WheelContact contact = touch(step, ContactMethod::disc, {1.0 - 0.08, 0.0, 0.3});
  EXPECT_NEAR(-contact.normal.x(), 0.08 / kRadius, (0.5 * spacing + pitch) / kRadius);
}

TEST(WheelOnRoad, RollsOverSharpEdgesWithoutJumps) {
  const LayeredSurface road(
      {std::make_shared<Plank>(1.0, 0.1, 0.04, 0.0), std::make_shared<Plank>(1.6, 0.3, -0.05, 0.0)},
      {});
  const double advance = 1e-4;
  for (const ContactMethod method : {ContactMethod::disc, ContactMethod::cams}) {
    WheelContact last = touch(road, method, {0.5, 0.0, 0.28});
    double highest = -1.0;
    double deepest = 1.0;
    for (double x = 0.5; x < 2.5; x += advance) {
      const WheelContact now = touch(road, method, {x, 0.0, 0.28});
      // the flank of a cam is not steeper than 2.4 where it carries
      EXPECT_LT(std::abs(now.deflection - last.deflection), 2.4 * advance) << x;
      // two such flanks over the distance of the cams turn the normal
      EXPECT_LT((now.normal - last.normal).norm(), 2.0 * 2.4 * advance / 0.0375) << x;
      highest = std::max(highest, now.deflection);
      deepest = std::min(deepest, now.deflection);
      last = now;
    }
    EXPECT_NEAR(highest, 0.02 + 0.04, 2e-3);  // the whole plank is felt
    // a gap of 0.3 m lets the disc down by 0.3 - sqrt(0.3^2 - 0.15^2) = 40 mm, two apart by less
    EXPECT_LT(deepest, 0.02 - 0.015);
    EXPECT_GT(deepest, 0.02 - 0.0402);
  }
}

// Left of the middle the road is 20 mm high. A wheel whose hub is above that part, and which leans
// so far that it stands on the other one, stands on that: R cos(gamma) - h.
TEST(WheelOnRoad, StandsWhereALeaningWheelComesDown) {
  const Plank high(-100.0, 200.0, 0.02, 0.0, {0.0, 100.0});
  const LayeredSurface road({std::make_shared<Plank>(high)}, {});
  constexpr double kLean = 0.6;
  for (const ContactMethod method : kAll)
    for (const double side : {1.0, -1.0}) {
      const double height = kRadius * std::cos(kLean) - 0.003 + (side > 0.0 ? 0.0 : 0.02);
      const WheelContact contact = touch(road, method, {1.0, 0.02 * side, height},
                                         {0.0, std::cos(kLean), side * std::sin(-kLean)});
      EXPECT_NEAR(contact.ground.y(),
                  0.02 * side - side * std::tan(kLean) * (height - contact.ground.z()), 1e-9);
      EXPECT_NEAR(contact.deflection, 0.003, 1e-9) << side;
    }
}

TEST(WheelOnRoad, GivesNumbersForAWheelInAnyPose) {
  const InclinedPlane road(0.0, 0.1, 0.0);
  for (const ContactMethod method : kAll)
    for (const Vector3d& axle : {Vector3d(0, 0, 1), Vector3d(1, 0, 0), Vector3d(0, -1, 0)})
      for (const double far : {0.0, 1e6, 1e15, 1e200}) {
        const WheelContact contact = touch(road, method, {far, -far, far}, axle);
        EXPECT_TRUE(contact.ground.allFinite() && contact.normal.allFinite());
        EXPECT_TRUE(std::isfinite(contact.deflection));
      }
}

}  // namespace
}  // namespace semirec
