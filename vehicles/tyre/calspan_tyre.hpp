#pragma once

#include "vehicles/tyre/calspan.hpp"
#include "vehicles/tyre/simple_tyre.hpp"

namespace semirec {

/// The polynomial of the Iltis benchmark (vehicles/tyre/calspan.hpp) as a tyre law: lateral force
/// and aligning torque only, Fx = 0.
class CalspanTyre final : public SimpleTyre {
 public:
  CalspanTyre(const RadialTyre& radial, const CalspanCoefficients& coefficients)
      : SimpleTyre(radial), c_(coefficients) {}
  TyreForces forces(const TyreSlip& slip) const override;
  void put_into(Fingerprint& fingerprint) const override;

 private:
  CalspanCoefficients c_;
};

}  // namespace semirec
