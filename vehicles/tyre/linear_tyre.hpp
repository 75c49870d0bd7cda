#pragma once

#include "vehicles/tyre/simple_tyre.hpp"

namespace semirec {

/// Stiffnesses at the nominal load; they grow with the load.
struct LinearTyreParameters {
  RadialTyre radial;
  double slip_stiffness = 1e5;       ///< dFx/dkappa, N
  double cornering_stiffness = 1e5;  ///< -dFy/dtan_alpha, N
  double camber_stiffness = 0.0;     ///< -dFy/dgamma, N/rad: leaning right pulls right
  double trail = 0.0;                ///< of the force of side slip, m
};

/// Forces in proportion to slips, without any limit of friction and without regard to the road's:
/// for linear analysis and for small slips only.
///   Fx = C_x kappa F / F_N,  Fy = -(C_y tan_alpha + C_gamma gamma) F / F_N,  Mz = -trail Fy_alpha
class LinearTyre final : public SimpleTyre {
 public:
  explicit LinearTyre(const LinearTyreParameters& parameters);
  TyreForces forces(const TyreSlip& slip) const override;
  void put_into(Fingerprint& fingerprint) const override;
  bool feels_friction() const override { return false; }

 private:
  LinearTyreParameters p_;
};

}  // namespace semirec
