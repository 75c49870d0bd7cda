#pragma once

#include "vehicles/tyre/simple_tyre.hpp"

namespace semirec {

struct FialaTyreParameters {
  RadialTyre radial;
  double slip_stiffness = 1e5;        ///< dFx/dkappa, N
  double cornering_stiffness = 1e5;   ///< -dFy/dtan_alpha, N
  double camber_stiffness = 0.0;      ///< -dFy/dgamma, N/rad
  double friction = 1.0;              ///< at the nominal load
  double friction_fall = 0.0;         ///< friction lost when the load doubles
  double contact_half_length = 0.06;  ///< m
};

/// Brush tyre of Fiala: bristles under a parabolic pressure, in combined slip.
///   s = hypot(C_x kappa, C_y tan_alpha + C_gamma gamma) / (1 + kappa),  a = s / (3 mu F)
///   force = mu F (3 a - 3 a^2 + a^3) against the slip, both slips weighed by their stiffness; mu F
///   from a = 1 on, and for kappa <= -1 trail = half length (1 - a)^3 / (3 - 3 a + a^2), of the
///   share that side slip has in Fy
/// Camber acts as side slip of (C_gamma / C_y) gamma, so it cannot exceed friction.
/// Source: [P12] ch. 3.2; the form of the force follows from the pressure by integration.
class FialaTyre final : public SimpleTyre {
 public:
  explicit FialaTyre(const FialaTyreParameters& parameters);
  TyreForces forces(const TyreSlip& slip) const override;
  void put_into(Fingerprint& fingerprint) const override;
  bool slides_as_one() const override { return true; }

 private:
  FialaTyreParameters p_;
};

}  // namespace semirec
