#pragma once

#include <optional>

#include "vehicles/analysis/kc/point.hpp"

namespace semirec {

/// The axis about which a wheel is steered: the instantaneous screw of its carrier when the
/// steering wheel turns and the springs of the axle keep their lengths.
struct Kingpin {
  Eigen::Vector3d point{0, 0, 0};      ///< on the axis, at the height of the pad, m
  Eigen::Vector3d direction{0, 0, 1};  ///< unit, upward
  double caster = 0.0;                 ///< top to the rear, rad
  double inclination = 0.0;            ///< top to the middle of the car, rad
  double scrub_radius = 0.0;           ///< contact point outside of the axis, m
  double trail = 0.0;                  ///< contact point behind the axis, m
  double caster_offset = 0.0;          ///< wheel centre behind the axis at its height, m
  double offset_at_centre = 0.0;       ///< wheel centre outside of the axis at its height, m
  bool spring_locked = true;  ///< false: no spring moves with the wheel, its pad kept its height
};

/// Left and right; nothing for wheels that the steering wheel does not turn. The springs are two
/// that tell the travel of one wheel from that of the other: of those between points, else of all
/// (torsion springs, springs in joints). A third spring or an anti-roll bar alone tells one sum.
std::optional<std::pair<Kingpin, Kingpin>> find_kingpins(const RigPoint& point, const Axle& axle,
                                                         Workspace& ws);

}  // namespace semirec
