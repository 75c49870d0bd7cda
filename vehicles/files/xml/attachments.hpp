#pragma once

#include <map>
#include <string>
#include <vector>

#include "vehicles/files/xml/elements.hpp"

namespace semirec {

/// How the axes of a joint's frame are reflected in the plane y = 0.
enum class Reflection {
  turning,  ///< all axes as turns: equal angles on both sides (revolute, universal, spherical)
  sliding,  ///< x and z as arrows, y as a turn: equal displacements on both sides
  planar    ///< x and y as arrows, z as a turn
};
Reflection reflection_of(JointType type);

/// Whether a coordinate of a joint of this type changes its sign in the mirror: a displacement
/// along an axis that is reflected as a turn, or an angle about one that is reflected as an arrow.
bool is_reversed_in_mirror(JointType type, int coordinate);

/// Frame in the design position at the element's `point`: z along `axis`, x along `hint` (both as
/// written), reflected where the element is mirrored.
Frame design_frame(const Element& element, const Eigen::Vector3d& point,
                   const Eigen::Vector3d& axis, const Eigen::Vector3d& hint, Reflection reflection);

/// Resolves what elements call by name, and turns world places into places on bodies.
/// Throws ModelError with the nearest known name on a dangling reference.
class Attachments {
 public:
  /// Both outlive it.
  Attachments(const Mechanism& mechanism, const Elements& elements);

  /// kGround for `ground`.
  BodyIndex body(const Element& element, const std::string& attribute) const;
  JointIndex joint(const Element& element, const std::string& attribute) const;
  InputIndex input(const Element& element, const std::string& attribute) const;
  /// kNoInput where the attribute is not written.
  InputIndex optional_input(const Element& element, const std::string& attribute) const;
  /// By index, or by the name of a joint's coordinate: angle, displacement, x, y, z.
  int coordinate(const Element& element, JointIndex joint) const;
  /// is_reversed_in_mirror() of a joint's coordinate.
  bool is_reversed(JointIndex joint, int coordinate) const {
    return is_reversed_in_mirror(mechanism_.joints[static_cast<std::size_t>(joint)].type,
                                 coordinate);
  }

  /// The place `X_WF` of the design position on the body that the attribute names.
  Marker marker(const Element& element, const std::string& attribute, const Frame& X_WF) const;
  /// The same with the axes of the world.
  Marker marker(const Element& element, const std::string& attribute,
                const Eigen::Vector3d& point) const;
  /// A world direction of the design position in the axes of the marker's body.
  Eigen::Vector3d on_body(const Marker& marker, const Eigen::Vector3d& direction) const;

 private:
  int find(const Element& element, const std::string& attribute, const std::string& kind,
           const std::map<std::string, int>& known) const;

  const Mechanism& mechanism_;
  const Elements& elements_;
  std::map<std::string, int> bodies_, joints_, inputs_;
};

}  // namespace semirec
