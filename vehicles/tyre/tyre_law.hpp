#pragma once

#include <memory>
#include <vector>

#include "topology/fingerprint.hpp"

namespace semirec {

class TyreRow;

/// What a tyre law is told: the state of the contact in W axes (x forward in the wheel plane, y
/// left, z along the road normal, origin at the contact centre).
struct TyreSlip {
  double load = 0.0;       ///< along the road normal, not below 0, N
  double kappa = 0.0;      ///< longitudinal slip, -Vsx/|Vx|, Vsx = Vx - omega R_e; positive driving
  double tan_alpha = 0.0;  ///< lateral slip, Vsy/|Vx|; Fy opposes it
  double gamma = 0.0;      ///< inclination against the road, rad; positive: left end of axle up
  double turn_slip = 0.0;  ///< -(yaw rate of the wheel about the normal)/|Vx|, 1/m
  double speed = 0.0;      ///< Vx of the contact centre, signed, m/s
  double friction = 1.0;   ///< of the road, scales the law's own
};

/// What was outside of a law's range, as a sum of these.
namespace tyre_clamped {
inline constexpr unsigned kLoad = 1, kKappa = 2, kAlpha = 4, kGamma = 8;
inline constexpr unsigned kNoAnswer = 16;  ///< of a foreign law
}  // namespace tyre_clamped

/// Road on tyre at the contact centre, W axes, and slopes of the forces over the slips.
struct TyreForces {
  double Fx = 0.0, Fy = 0.0;            ///< N
  double Mx = 0.0, My = 0.0, Mz = 0.0;  ///< overturning, rolling resistance, aligning, N m
  double Fx_kappa = 0.0;                ///< N
  double Fx_tan_alpha = 0.0;            ///< N
  double Fy_kappa = 0.0;                ///< N
  double Fy_tan_alpha = 0.0;            ///< N, negative where the tyre guides
  unsigned clamped = 0;                 ///< sum of tyre_clamped
};

/// Load on a tyre and its slopes.
struct TyreLoad {
  double load = 0.0;       ///< N, may be negative: the caller keeps tyres from pulling
  double stiffness = 0.0;  ///< d load / d deflection, N/m
  double damping = 0.0;    ///< d load / d deflection rate, N s/m
};

/// A tyre in steady state. Transient behaviour is the caller's: it feeds slips that lag behind by
/// the relaxation lengths. Constant after construction; safe to call from several threads; never
/// allocates, never throws; finite for all finite arguments, also at rest and in reverse, and
/// continuous in all of them.
class TyreLaw {
 public:
  virtual ~TyreLaw() = default;

  virtual double unloaded_radius() const = 0;  ///< m
  virtual double nominal_load() const = 0;     ///< N
  /// Load from deflection (m, positive pressed in) and its rate; omega: spin, rad/s.
  virtual TyreLoad load(double deflection, double deflection_rate, double omega) const = 0;
  /// R_e, m: a free rolling wheel has Vx = omega R_e.
  virtual double effective_radius(double load, double omega) const = 0;
  /// Distances over which slips build up, m, both positive. 0 load is legal.
  virtual double relaxation_x(double load, double gamma) const = 0;
  virtual double relaxation_y(double load, double gamma) const = 0;
  virtual TyreForces forces(const TyreSlip& slip) const = 0;
  /// Puts the name of the kind and all that the law depends on into a hash: laws of one fingerprint
  /// are the same.
  virtual void put_into(Fingerprint& fingerprint) const = 0;

  /// Radius of the tyre that spins without load, m: it reaches the road where the deflection is
  /// above unloaded_radius() - free_radius(omega). There is no load beyond.
  virtual double free_radius(double /*omega*/) const { return unloaded_radius(); }
  /// Whether forces() itself takes camber thrust away from a tyre that comes to rest; else it is
  /// told less camber below 1 m/s.
  virtual bool fades_camber() const { return false; }
  /// Whether Fx and Fy are one friction: then a tyre that slides as a whole is pushed against its
  /// sliding whatever the law says of the direction (turn_against_sliding()).
  virtual bool slides_as_one() const { return false; }

  /// These laws, at most kMostInARow and this one first, worked out together; null where they have
  /// nothing in common (make_tyre_row() asks them one by one then).
  virtual std::unique_ptr<const TyreRow> make_row(
      const std::vector<std::shared_ptr<const TyreLaw>>& laws) const;
};

}  // namespace semirec
