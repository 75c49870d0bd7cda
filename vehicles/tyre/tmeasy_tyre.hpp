#pragma once

#include "vehicles/tyre/simple_tyre.hpp"

namespace semirec {

/// One direction at one load.
struct TmeasyCurve {
  double initial_slope = 1e5;    ///< dF0: of the force over the slip, N
  double slip_at_maximum = 0.1;  ///< sM
  double maximum = 4000.0;       ///< FM, N
  double slip_at_sliding = 0.5;  ///< sS
  double sliding = 3500.0;       ///< FS, N
};

/// Trail of the lateral force over the lateral slip, as a share n of the contact's length.
struct TmeasyTrail {
  double share = 1.0 / 6.0;    ///< n/L0, without slip
  double slip_at_zero = 0.25;  ///< where the trail changes its sign
  double slip_at_end = 0.5;    ///< from which on it is zero
};

struct TmeasyTyreParameters {
  RadialTyre radial;
  TmeasyCurve x[2], y[2];  ///< at the nominal load and at twice the nominal load
  TmeasyTrail trail[2];
  double camber_slip = 0.0;   ///< lateral slip per camber, 1/rad
  double maximum_load = 0.0;  ///< N; above it forces do not grow; 0: 3.5 nominal loads
};

/// Rill's TMeasy: curves of five numbers, combined slip by normalized slips.
///   slip: (kappa, tan_alpha + camber_slip gamma) / (1 + kappa), in reverse (1 - kappa), normalized
///   by
///         s^ = sM_x / (sM_x + sM_y) + (FM_x/dF0_x) / (FM_x/dF0_x + FM_y/dF0_y), and likewise y
///   to sM: rational, F = sM dF0 a / (1 + a (a + dF0 sM / FM - 2)), a = s / sM
///   to sS: cubic from FM to FS;  beyond: FS
/// Each of the five numbers is an ellipse of the two directions. Over the load, forces are
/// parabolas and slips lines through the two loads, up to the maximum load; beyond it, and where
/// the parabola of a number falls, that number is held. Forces near zero load are in proportion.
/// The law of the trail is that of the same source; its slips move with the friction of the road as
/// those of the force do. Contact length 2 sqrt(radius deflection): half of the deflection is the
/// belt's, which lies on the road, half the flanks'.
/// Source: [RC20] ch. 3.
class TmeasyTyre final : public SimpleTyre {
 public:
  /// Throws ModelError unless 0 < sM < sS, FM > 0, FS > 0, dF0 > 0 at both loads, dF0 at least
  /// FM / sM, the maximum load at least the nominal one, and 0 < sM < sS up to it.
  explicit TmeasyTyre(const TmeasyTyreParameters& parameters);
  TyreForces forces(const TyreSlip& slip) const override;
  void put_into(Fingerprint& fingerprint) const override;

 private:
  TmeasyTyreParameters p_;
  double most_ = 3.5;  ///< maximum load over the nominal one
};

}  // namespace semirec
