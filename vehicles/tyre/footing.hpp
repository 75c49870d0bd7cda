#pragma once

#include <string>
#include <vector>

#include <Eigen/Core>

#include "recursive/forces/evaluate_forces.hpp"

namespace semirec {

/// How a wheel, as it is posed, stands on the road: at rest, without slip.
struct Footing {
  Eigen::Vector3d centre;   ///< of the wheel, from O, m
  Eigen::Vector3d ground;   ///< contact point on the road, from O, m
  Eigen::Vector3d normal;   ///< unit, of the force that carries, world
  double deflection = 0.0;  ///< of the tyre along the normal, m; negative in the air
  double load = 0.0;        ///< that the tyre carries at this deflection, N
};

/// The tyre of one wheel on a road, asked where it stands.
class StandingTyre {
 public:
  virtual ~StandingTyre() = default;
  virtual const std::string& wheel_name() const = 0;
  /// The body that carries the wheel's centre.
  virtual BodyIndex carrier() const = 0;
  /// Needs poses. Off-line.
  virtual Footing compute_footing(const ForceInput& in) const = 0;
  /// Deflection at rest under a load, m and N.
  virtual double deflection_under(double load) const = 0;
};

/// A force element that holds tyres: one, or those of several wheels.
class TyreHolder {
 public:
  virtual ~TyreHolder() = default;
  /// In the order of the wheels; they live as long as the element.
  virtual std::vector<const StandingTyre*> standing_tyres() const = 0;
};

/// All tyres among force elements, in their order.
std::vector<const StandingTyre*> find_standing_tyres(const ForceElements& elements);

}  // namespace semirec
