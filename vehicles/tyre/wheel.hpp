#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "topology/mechanism.hpp"
#include "vehicles/tyre/calspan.hpp"
#include "vehicles/tyre/tyre_law.hpp"

namespace semirec {

/// What a tyre's file says of its size beside the radius, for pictures alone; 0: nothing.
struct TyreSize {
  double width = 0.0;       ///< m
  double rim_radius = 0.0;  ///< m
};

/// A wheel standing on the road: its centre and axle on a carrier, and its tyre.
struct Wheel {
  std::string name;        ///< `wheel_fl`, ...
  Marker centre;           ///< y axis along the axle, to the left in the design position
  double radius = 0.0;     ///< unloaded, m
  double stiffness = 0.0;  ///< vertical, N/m
  double damping = 0.0;    ///< vertical, N s/m
  bool unilateral = true;  ///< cannot pull
  std::optional<CalspanCoefficients> lateral;
  BodyIndex rim = kGround;             ///< body that spins about the axle; kGround: none does
  std::shared_ptr<const TyreLaw> law;  ///< with a rim: the tyre that rolls on it
  TyreSize size{};
  double friction_scale = 1.0;  ///< on the friction of the law
  /// mu of the patch that is turned on the spot (TurningPatch); 0: turning meets no torque at rest.
  double turning_friction = 0.0;
  Source source;
};

/// Whether the friction of the road reaches the car through this wheel.
inline bool feels_friction(const Wheel& wheel) {
  return wheel.law && wheel.rim != kGround && wheel.law->feels_friction();
}

/// For the end of a message about a car that does not turn: empty, or that none of its wheels has a
/// lateral force of its own.
inline const char* describe_missing_lateral(const std::vector<Wheel>& wheels) {
  for (const Wheel& wheel : wheels)
    if (wheel.lateral || (wheel.law && wheel.rim != kGround)) return "";
  return "; no wheel of the vehicle has a tyre with a lateral force (attribute 'tyre' of <wheel>)";
}

}  // namespace semirec
