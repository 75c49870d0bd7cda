#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "vehicles/description/scenario.hpp"
#include "vehicles/manoeuvre/gates.hpp"

namespace semirec::report {

/// Triangles of a road, counter-clockwise from above.
struct RoadMesh {
  std::vector<Eigen::Vector3d> corners;  ///< world, m
  std::vector<std::uint32_t> indices;    ///< three a triangle
  std::vector<double> friction;          ///< of the corners; empty: 1 everywhere
  /// How far the triangles are above or below the road, m: where heights were asked for, and
  /// in the middle between two such places across the course.
  double off = 0.0, off_between = 0.0;
};

/// Where a car went, and which way it looked at first.
struct DrivenCourse {
  std::vector<Eigen::Vector2d> points;  ///< world, m
  Eigen::Vector2d heading = Eigen::Vector2d::UnitX();
  double half_width = 4.0;  ///< of the road to both sides of it that is drawn, m
};

/// The road of a scenario along a course, from 5 m before it to 15 m beyond it: heights and
/// friction on lines along and across the course, left out where they lie straight between others
/// within 2 mm (the bound is doubled until no more than 6000 corners are left). Empty where all of
/// it is the plane z = 0 of friction 1, and for a course without points. Heights are asked for
/// every 1 cm of a course of 25 m, at 2500 places of a longer one; across it every 0.2 m: shorter
/// obstacles may be missed. How far off the triangles are is measured.
std::vector<RoadMesh> make_road_mesh(const Scenario& scenario, const DrivenCourse& course);

/// What a page says of meshes that are off by more than 2 mm; empty: none is.
std::string describe_road(const std::vector<RoadMesh>& road);

/// The feet of cones on the scenario's road, world, m.
std::vector<Eigen::Vector3d> place_cones(const Scenario& scenario, const std::vector<Cone>& cones);

}  // namespace semirec::report
