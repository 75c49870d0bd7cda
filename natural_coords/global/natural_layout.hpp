#pragma once

#include <array>
#include <optional>
#include <vector>

#include "natural_coords/global/global_model.hpp"

namespace semirec {

/// How a body is described by natural entities: its origin is a point, each vector of its base a
/// unit vector, a difference of two points, or (planar motion) the one across the other two.
struct BodyLayout {
  struct BaseVector {
    int plus = -1;        ///< entity: a vector, or the far point
    int minus = -1;       ///< entity of the near point, -1 for a vector
    bool across = false;  ///< axis x first vector
  };
  int origin = -1;  ///< entity
  Eigen::Vector3d x_0{0, 0, 0};
  std::array<BaseVector, 3> base;
  Eigen::Matrix3d X = Eigen::Matrix3d::Identity();  ///< columns: the base in the compiled frame

  // what never changes, found along the tree
  bool immovable = false;                       ///< as the ground
  std::optional<Eigen::Matrix3d> A;             ///< it does not turn
  std::optional<Eigen::Vector3d> slide;         ///< does not turn and slides along this only
  Eigen::Vector3d place{0, 0, 0};               ///< then: where x_0 starts, world
  std::optional<Eigen::Vector3d> axis, axis_C;  ///< it turns about this only: world, own frame
  std::optional<double> height;                 ///< of the frame's origin along that axis
};

/// Entities and layouts of all bodies, [0] the ground: joints share what both sides have in common
/// (points of revolute, spherical, universal and fixed joints, axes of those that keep an axis),
/// and what cannot move takes no coordinate.
struct NaturalLayout {
  std::vector<NaturalEntity> entities;
  std::vector<BodyLayout> bodies;
  int n = 0;
};
NaturalLayout make_natural_layout(const Mechanism& mechanism, const TreeModel& tree);

}  // namespace semirec
