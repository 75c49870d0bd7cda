// Roads as triangles.

#include "apps/report/road_mesh.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "vehicles/road/layered_surface.hpp"
#include "vehicles/road/obstacles.hpp"
#include "vehicles/road/random_road.hpp"

namespace semirec::report {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

DrivenCourse straight(double length) {
  DrivenCourse course;
  for (int k = 0; k <= 100; ++k) course.points.emplace_back(length * k / 100.0, 0.0);
  return course;
}

Scenario with(std::shared_ptr<const RoadSurface> surface) {
  Scenario scenario;
  scenario.surface = std::move(surface);
  return scenario;
}

TEST(RoadMesh, OfAFlatRoadIsNone) {
  EXPECT_TRUE(make_road_mesh(Scenario{}, straight(20.0)).empty());
  EXPECT_TRUE(
      make_road_mesh(with(std::make_shared<InclinedPlane>(0.0, 0.0, 0.0)), straight(20.0)).empty());
  EXPECT_TRUE(make_road_mesh(with(std::make_shared<InclinedPlane>(0.0, 0.1, 0.0)), {}).empty());
}

TEST(RoadMesh, ConesStandOnTheRoad) {
  // a plane through 1 m at the origin that rises by 0.1 along x and 0.02 along y
  const auto feet = place_cones(with(std::make_shared<InclinedPlane>(1.0, 0.1, 0.02)),
                                {{10.0, 0.0}, {0.0, -5.0}});
  ASSERT_EQ(feet.size(), 2U);
  EXPECT_EQ(feet[0].head<2>(), Vector2d(10.0, 0.0));
  EXPECT_NEAR(feet[0].z(), 2.0, 1e-12);
  EXPECT_NEAR(feet[1].z(), 0.9, 1e-12);
}

// Two triangles: the plane is straight along and across the course.
TEST(RoadMesh, OfAPlaneIsOneRectangle) {
  const auto meshes =
      make_road_mesh(with(std::make_shared<InclinedPlane>(1.0, 0.1, 0.02)), straight(20.0));
  ASSERT_EQ(meshes.size(), 1U);
  const RoadMesh& mesh = meshes.front();
  EXPECT_EQ(mesh.corners.size(), 4U);
  EXPECT_EQ(mesh.indices.size(), 6U);
  EXPECT_TRUE(mesh.friction.empty());
  for (const Vector3d& corner : mesh.corners)
    EXPECT_NEAR(corner.z(), 1.0 + 0.1 * corner.x() + 0.02 * corner.y(), 1e-12);
  // from 5 m before the course to 15 m beyond it
  EXPECT_NEAR(mesh.corners.front().x(), -5.0, 1e-9);
  EXPECT_NEAR(mesh.corners.back().x(), 35.0, 1e-9);
}

TEST(RoadMesh, ShowsItsUpperSide) {
  const auto meshes =
      make_road_mesh(with(std::make_shared<SineRoad>(0.05, 3.0, 0.0, 30.0)), straight(20.0));
  ASSERT_EQ(meshes.size(), 1U);
  const RoadMesh& mesh = meshes.front();
  for (std::size_t k = 0; k < mesh.indices.size(); k += 3) {
    const Vector3d& a = mesh.corners[mesh.indices[k]];
    const Vector3d& b = mesh.corners[mesh.indices[k + 1]];
    const Vector3d& c = mesh.corners[mesh.indices[k + 2]];
    EXPECT_GT((b - a).cross(c - a).z(), 0.0) << k;
  }
}

// Between neighbouring corners along the course the sine is within the 2 mm that the header states.
TEST(RoadMesh, FollowsTheRoadWithinTwoMillimetres) {
  const SineRoad road(0.05, 3.0, 0.0, 30.0);
  const auto meshes = make_road_mesh(with(std::make_shared<SineRoad>(road)), straight(20.0));
  ASSERT_EQ(meshes.size(), 1U);
  const RoadMesh& mesh = meshes.front();
  ASSERT_LE(mesh.corners.size(), 6000U);
  for (std::size_t k = 0; k < mesh.indices.size(); k += 3) {
    const Vector3d middle = (mesh.corners[mesh.indices[k]] + mesh.corners[mesh.indices[k + 1]] +
                             mesh.corners[mesh.indices[k + 2]]) /
                            3.0;
    // 2 mm, and what 1.6 cm between the places that were asked leaves of the sine
    EXPECT_NEAR(middle.z(), road.evaluate(middle.x(), middle.y()).z, 2.2e-3);
  }
}

TEST(RoadMesh, HasThePlankWithItsEdges) {
  const auto meshes = make_road_mesh(
      with(std::make_shared<Plank>(8.0, 2.0, 0.1, 0.0, Lane{0.0, 1.0})), straight(20.0));
  ASSERT_EQ(meshes.size(), 1U);
  double high = 0.0;
  for (const Vector3d& corner : meshes.front().corners) {
    high = std::max(high, corner.z());
    if (corner.z() < 0.05) continue;
    EXPECT_GT(corner.x(), 8.0 - 0.02);
    EXPECT_LT(corner.x(), 10.0 + 0.02);
    EXPECT_GE(corner.y(), 0.0);
    EXPECT_LE(corner.y(), 1.0);
  }
  EXPECT_DOUBLE_EQ(high, 0.1);
}

TEST(RoadMesh, TintsPatchesOfFriction) {
  const auto layered = std::make_shared<LayeredSurface>(
      std::vector<std::shared_ptr<const RoadSurface>>{
          std::make_shared<InclinedPlane>(0.0, 0.0, 0.0)},
      std::vector<FrictionPatch>{{0.3, 5.0, 15.0, 0.0, 4.0}});
  const auto meshes = make_road_mesh(with(layered), straight(20.0));
  ASSERT_EQ(meshes.size(), 1U);
  const RoadMesh& mesh = meshes.front();
  ASSERT_EQ(mesh.friction.size(), mesh.corners.size());
  int slippery = 0;
  for (std::size_t k = 0; k < mesh.corners.size(); ++k) {
    const Vector3d& at = mesh.corners[k];
    EXPECT_EQ(mesh.friction[k], layered->evaluate(at.x(), at.y()).friction);
    slippery += mesh.friction[k] < 1.0;
  }
  EXPECT_GE(slippery, 4);
}

/// The largest distance of the middles of triangles from the road, m.
double farthest_middle(const RoadMesh& mesh, const RoadSurface& road) {
  double most = 0.0;
  for (std::size_t k = 0; k < mesh.indices.size(); k += 3) {
    const Vector3d middle = (mesh.corners[mesh.indices[k]] + mesh.corners[mesh.indices[k + 1]] +
                             mesh.corners[mesh.indices[k + 2]]) /
                            3.0;
    most = std::max(most, std::abs(middle.z() - road.evaluate(middle.x(), middle.y()).z));
  }
  return most;
}

// A rough road of 100 m does not fit into 6000 corners within 2 mm; what is said instead holds at
// places that nobody asked for, and is no larger than twice what is found there.
TEST(RoadMesh, SaysHowFarItIsOffARoughRoad) {
  RandomRoadSettings settings;
  settings.road_class = 'D';
  settings.length = 150.0;
  const auto road = std::make_shared<RandomRoad>(settings);
  const auto meshes = make_road_mesh(with(road), straight(100.0));
  ASSERT_EQ(meshes.size(), 1U);
  const double found = farthest_middle(meshes[0], *road);
  EXPECT_GT(found, 2.5e-3);
  const double said = std::max(meshes[0].off, meshes[0].off_between);
  EXPECT_GT(1.05 * said, found);
  EXPECT_LT(said, 4.0 * found);
  EXPECT_NE(describe_road(meshes).find(" mm"), std::string::npos);
}

TEST(RoadMesh, SaysNothingOfARoadThatItFollows) {
  const SineRoad road(0.02, 6.0, 0.0, 30.0);
  const auto meshes = make_road_mesh(with(std::make_shared<SineRoad>(road)), straight(20.0));
  ASSERT_EQ(meshes.size(), 1U);
  EXPECT_LT(farthest_middle(meshes[0], road), 2.1e-3);
  EXPECT_EQ(describe_road(meshes), "");
}

// Along a circle of 20 m each corner lies within the width on both sides of it.
TEST(RoadMesh, FollowsACurvedCourse) {
  DrivenCourse course;
  for (int k = 0; k <= 200; ++k)
    course.points.emplace_back(20.0 * std::sin(0.01 * k), 20.0 - 20.0 * std::cos(0.01 * k));
  const auto meshes =
      make_road_mesh(with(std::make_shared<SineRoad>(0.02, 4.0, -20.0, 60.0)), course);
  ASSERT_EQ(meshes.size(), 1U);
  int on_circle = 0;
  for (const Vector3d& corner : meshes.front().corners) {
    const Vector2d from_centre = corner.head<2>() - Vector2d(0.0, 20.0);
    const double angle = std::atan2(from_centre.x(), -from_centre.y());
    if (angle < 0.05 || angle > 1.9) continue;
    EXPECT_NEAR(from_centre.norm(), 20.0, course.half_width + 0.05);
    ++on_circle;
  }
  EXPECT_GT(on_circle, 20);
}

TEST(RoadMesh, OfACarThatStandsLiesAroundIt) {
  DrivenCourse course;
  course.points = {Vector2d(3.0, 4.0)};
  course.heading = Vector2d::UnitY();
  const auto meshes = make_road_mesh(with(std::make_shared<InclinedPlane>(0.5, 0.0, 0.0)), course);
  ASSERT_EQ(meshes.size(), 1U);
  for (const Vector3d& corner : meshes.front().corners) {
    EXPECT_TRUE(corner.allFinite());
    EXPECT_NEAR(corner.x(), 3.0, course.half_width);
    EXPECT_GE(corner.y(), 4.0 - 5.0 - 1e-9);
    EXPECT_LE(corner.y(), 4.0 + 15.0 + 1e-9);
  }
}

}  // namespace
}  // namespace semirec::report
