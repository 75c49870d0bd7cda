#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include <Eigen/Core>

#include "vehicles/description/vehicle.hpp"

namespace semirec {

// Shapes of a drawing. Points, directions and frames are those of the shape's body (its own frame
// B, the world's for kGround), m.

struct BodyPoint {
  BodyIndex body = kGround;
  Eigen::Vector3d point = Eigen::Vector3d::Zero();
};

enum class LinkRole {
  link,
  bar,    ///< half of an anti-roll bar
  rack,   ///< slides along itself
  shaft,  ///< turns about itself
  solid   ///< a <shape> of the file
};

/// A cylinder from a to b.
struct LinkShape {
  BodyIndex body = kGround;
  Eigen::Vector3d a, b;
  double radius = 0.0;
  LinkRole role = LinkRole::link;
};

enum class BetweenRole {
  spring,  ///< a coil
  damper,  ///< a tube
  rod,     ///< without mass
  bar      ///< torsion bar
};

/// What follows two bodies.
struct BetweenShape {
  BetweenRole role = BetweenRole::spring;
  BodyPoint a, b;
  double radius = 0.0;
};

/// Convex hull of three points or more that do not lie on a line.
struct HullShape {
  BodyIndex body = kGround;
  std::vector<Eigen::Vector3d> points;
  bool knuckle = false;  ///< it carries a wheel
};

struct WheelShape {
  BodyIndex body = kGround;      ///< the rim, that its spin is seen; without one the carrier
  Eigen::Vector3d centre, axis;  ///< axis: unit, to the left in the design position
  double radius = 0.0, width = 0.0, rim_radius = 0.0;
};

/// A wire: pairs of ends.
struct OutlineShape {
  BodyIndex body = kGround;
  std::vector<Eigen::Vector3d> lines;
};

struct CentreShape {
  BodyIndex body = kGround;
  Eigen::Vector3d point;
};

struct JointShape {
  std::string kind;  ///< `revolute`, ..., `point_on_line`, `point_in_plane`
  BodyIndex body = kGround;
  Eigen::Vector3d point, axis;
  bool cut = false;
};

struct BushingShape {
  BodyIndex body = kGround;
  Eigen::Vector3d point, axis;
};

struct BoxShape {
  BodyIndex body = kGround;
  Frame frame;  ///< of its middle
  Eigen::Vector3d size;
  bool solid = false;  ///< a <shape> of the file; otherwise it stands for the body's inertia
};

struct SphereShape {
  BodyIndex body = kGround;
  Eigen::Vector3d centre;
  double radius = 0.0;
  bool solid = false;
};

/// Triangles of a <shape> of the file.
struct MeshShape {
  BodyIndex body = kGround;
  Frame frame;  ///< in which the corners of the mesh stand
  std::shared_ptr<const TriangleMesh> mesh;
};

using ShapeForm =
    std::variant<LinkShape, BetweenShape, HullShape, WheelShape, OutlineShape, CentreShape,
                 JointShape, BushingShape, BoxShape, SphereShape, MeshShape>;

/// A shape, and which element of the file it is made of.
struct Shape {
  ShapeForm form;
  std::string of;
  Source source;
};

struct Drawing {
  std::vector<Shape> shapes;
  double extent = 0.0;  ///< largest side of the box around the design position, m
};

/// What a vehicle looks like, made from what its description says.
///
/// A body is drawn over the points at which joints (free ones excepted), constraints, springs,
/// bushings and wheels hold it: two points, or several on a line: a cylinder; three or more: their
/// hull. One point: a cylinder from it to the centre of mass, with a sphere there. No point: the
/// box of equal inertia. Chassis and frames of units (find_units()) are the edges of the convex
/// hull of their points with the centre of mass; a rim is drawn by its wheel. Springs are coils,
/// dampers tubes; a spring stiffer than 1 N/um in the design position is a rod, and of several
/// between the same two points one is drawn. A torsion spring between two bodies that are hinged at
/// different points of its axis is a bar between these. Width and rim of a wheel are those of its
/// tyre's file, or 0.6 and 0.62 of its radius. Radii of links are 0.012 of the extent, at most 0.04
/// of the mean wheel radius and 0.08 of their length; coils and tubes are wider by constant
/// factors.
///
/// Needs a vehicle whose mechanism is checked, as the readers give it. Throws ModelError.
/// The same description gives the same drawing, in the order of its elements.
Drawing make_drawing(const Vehicle& vehicle);

}  // namespace semirec
