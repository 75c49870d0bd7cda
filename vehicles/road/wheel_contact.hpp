#pragma once

#include <Eigen/Core>

#include "vehicles/road/road_surface.hpp"

namespace semirec {

/// How a wheel meets the road.
enum class ContactMethod {
  point,  ///< the road's tangent plane at the contact point
  disc,   ///< a rigid disc rolls over the road
  cams    ///< tandem elliptical cams roll over the road [PAC] ch. 10
};

/// Where a wheel meets the road.
struct WheelContact {
  Eigen::Vector3d ground;   ///< contact point in the wheel's middle plane, world, m
  Eigen::Vector3d normal;   ///< unit, of the effective road plane, upward, world
  double deflection = 0.0;  ///< of the lowest point of the rim of the unloaded radius into the
                            ///< plane, along the normal, m; negative in the air
  double friction = 1.0;    ///< of the road at the contact point
};

/// Contact of a wheel with an effective road plane.
///
/// point   The plane touches the road where the wheel's middle plane meets it nearest to the
/// centre,
///         found in a fixed number of steps. Follows each edge of the road at once.
/// disc, cams   Two cams in tandem roll along each edge of the tread without sinking in. The mean
/// of
///         their heights carries the plane, their differences tilt it along and across:
///           w = (w_f + w_r)/2,  tan beta_y = (w_f - w_r)/spacing,  lifted by nothing on a plane
///           road
///         A disc is a pair of circles of the tyre's radius close together. Short edges are met
///         over the length that the tyre needs to climb them. The road is taken at points that
///         stand still in the world while the wheel rolls straight on, with straight lines between
///         them.
///
/// Arguments  centre: wheel centre, world, m; axle: unit, to the left, world; unloaded radius and
///            width of the tread, m.
/// Continuous in centre and axle where the road's height is (and, for `point`, its slope).
/// Cost       up to 4 (point) or 77 (disc, cams) questions to the road, none where it is one plane
///            (RoadSurface::plane()); no heap use.
WheelContact compute_wheel_contact(const RoadSurface& road, ContactMethod method,
                                   const Eigen::Vector3d& centre, const Eigen::Vector3d& axle,
                                   double radius, double width);

}  // namespace semirec
