#pragma once

#include <Eigen/Core>

#include "recursive/tree_workspace.hpp"

namespace semirec {

/// How a wheel, as it is posed, stands on the road: at rest, without slip.
struct Footing {
  Eigen::Vector3d centre;   ///< of the wheel, from O, m
  Eigen::Vector3d ground;   ///< contact point on the road, from O, m
  Eigen::Vector3d normal;   ///< unit, of the force that carries, world
  double deflection = 0.0;  ///< of the tyre along the normal, m; negative in the air
  double load = 0.0;        ///< that the tyre carries at this deflection, N
};

/// A tyre on a road, asked where it stands.
class StandingTyre {
 public:
  virtual ~StandingTyre() = default;
  /// The body that carries the wheel's centre.
  virtual BodyIndex carrier() const = 0;
  /// Needs poses. Off-line.
  virtual Footing find_footing(const TreeWorkspace& ws) const = 0;
  /// Deflection at rest under a load, m and N.
  virtual double deflection_under(double load) const = 0;
};

}  // namespace semirec
