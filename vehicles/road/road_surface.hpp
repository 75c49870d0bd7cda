#pragma once

#include <Eigen/Core>

#include "topology/fingerprint.hpp"

namespace semirec {

/// The road at a place of the ground plane.
struct RoadPoint {
  double z = 0.0;         ///< height, m
  double z_x = 0.0;       ///< slope along world x
  double z_y = 0.0;       ///< slope along world y
  double friction = 1.0;  ///< scales the tyre's own
};

/// A road as a height over the ground plane. Constant after construction; safe to call from several
/// threads; never allocates, never throws; finite for all finite places.
class RoadSurface {
 public:
  virtual ~RoadSurface() = default;
  virtual RoadPoint evaluate(double x, double y) const = 0;
  /// Puts the name of the kind and all that heights and friction depend on into a hash: surfaces of
  /// one fingerprint are the same road.
  virtual void put_into(Fingerprint& fingerprint) const = 0;
  /// Whether there is a place where its friction is not 1.
  virtual bool scales_friction() const { return false; }
  /// The road at the origin where it is one plane everywhere, null where it is not known to be.
  virtual const RoadPoint* plane() const { return nullptr; }
  /// Whether it is known to be the same everywhere: one plane, of one friction.
  virtual bool is_even() const { return plane() != nullptr; }
};

}  // namespace semirec
