#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "topology/mechanism.hpp"

namespace semirec {

enum class SolidKind { box, cylinder, sphere, mesh };

/// Triangles, three corners each, counter-clockwise seen from outside.
struct TriangleMesh {
  std::vector<Eigen::Vector3d> corners;
  std::vector<std::uint32_t> indices;
};

/// A solid fixed on a body, for pictures alone: it has no mass and touches nothing.
struct SolidShape {
  std::string name;
  SolidKind kind = SolidKind::box;
  Marker at;  ///< its middle, origin of a mesh; axes of a box or mesh, z axis along a cylinder
  Eigen::Vector3d size = Eigen::Vector3d::Zero();  ///< of a box along its axes, m
  double radius = 0.0;                             ///< of a cylinder or sphere, m
  double length = 0.0;                             ///< of a cylinder, m
  std::shared_ptr<const TriangleMesh> mesh;        ///< of a mesh in the axes of `at`, m
  Source source;
};

}  // namespace semirec
