#pragma once

#include <string>

#include <Eigen/Core>

#include "topology/mechanism.hpp"

namespace semirec {

enum class SolidKind { box, cylinder, sphere };

/// A solid fixed on a body, for pictures alone: it has no mass and touches nothing.
struct SolidShape {
  std::string name;
  SolidKind kind = SolidKind::box;
  Marker at;  ///< its middle; axes of a box, z axis along a cylinder
  Eigen::Vector3d size = Eigen::Vector3d::Zero();  ///< of a box along its axes, m
  double radius = 0.0;                             ///< of a cylinder or sphere, m
  double length = 0.0;                             ///< of a cylinder, m
  Source source;
};

}  // namespace semirec
