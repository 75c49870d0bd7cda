#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "recursive/packs/pack.hpp"
#include "topology/fingerprint.hpp"
#include "vehicles/tyre/patch_of_law.hpp"
#include "vehicles/tyre/tyre_numbers.hpp"

namespace semirec {

template <AnyPack P>
class LawsInLanes;
using TyreRow = LawsInLanes<Pack>;

using TyreSlip = TyreSlipOf<double>;
using TyreLoad = TyreLoadOf<double>;
struct TyreForces : TyreForcesOf<double> {
  unsigned clamped = 0;  ///< sum of tyre_clamped
};

/// A tyre in steady state. Transient behaviour is the caller's: it feeds slips that lag behind by
/// the relaxation lengths. Constant after construction; safe to call from several threads; never
/// allocates, never throws; finite for all finite arguments, also at rest and in reverse, and
/// continuous in all of them. patch() alone allocates, at its first call.
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
  /// Whether the friction of the road, TyreSlip::friction, changes its forces.
  virtual bool feels_friction() const { return true; }
  /// Whether Fx and Fy are one friction: then a tyre that slides as a whole is pushed against its
  /// sliding whatever the law says of the direction (turn_against_sliding()).
  virtual bool slides_as_one() const { return false; }

  /// These laws, at most kMostInARow and this one first, worked out together; null where they have
  /// nothing in common (make_tyre_row() asks them one by one then).
  virtual std::unique_ptr<const TyreRow> make_row(
      const std::vector<std::shared_ptr<const TyreLaw>>& laws) const;

  /// Found at the first call: cars that share the law share the work.
  const PatchOfLaw& patch() const;

 private:
  mutable std::once_flag patch_is_known_;
  mutable PatchOfLaw patch_;
};

}  // namespace semirec
