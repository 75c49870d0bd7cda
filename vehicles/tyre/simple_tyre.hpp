#pragma once

#include "vehicles/tyre/tyre_law.hpp"

namespace semirec {

/// What the laws without a property file share: a radial spring and damper, a rolling radius, a
/// rolling resistance, constant relaxation lengths.
struct RadialTyre {
  double radius = 0.3;                  ///< unloaded, m
  double stiffness = 2e5;               ///< vertical, N/m
  double damping = 0.0;                 ///< vertical, N s/m
  double nominal_load = 4000.0;         ///< N
  double deflection_share = 1.0 / 3.0;  ///< R_e = radius - share * load / stiffness
  double rolling_resistance = 0.0;      ///< My = -coefficient * load * radius when it rolls forward
  double relaxation_x = 0.2;            ///< m
  double relaxation_y = 0.45;           ///< m
};

class SimpleTyre : public TyreLaw {
 public:
  /// Throws ModelError unless radius, stiffness, nominal load and relaxation lengths are above zero
  /// and the rest is not below, all finite.
  explicit SimpleTyre(const RadialTyre& radial);

  double unloaded_radius() const override { return radial_.radius; }
  double nominal_load() const override { return radial_.nominal_load; }
  TyreLoad load(double deflection, double deflection_rate, double omega) const override;
  double effective_radius(double load, double omega) const override;
  double relaxation_x(double load, double gamma) const override;
  double relaxation_y(double load, double gamma) const override;

 protected:
  const RadialTyre& radial() const { return radial_; }
  /// N m; fades below 0.5 m/s and with the rotation of a braked wheel.
  double rolling_torque(const TyreSlip& slip) const;
  /// Direction of travel, -1 to 1, through zero at rest.
  static double direction(double speed);

 private:
  RadialTyre radial_;
};

/// For the laws that have them.
void put_into(Fingerprint& fingerprint, const RadialTyre& radial);

/// For constructors: throws ModelError "tyre 'name' is ..., expected a number from low to high".
void check_tyre_number(const char* name, double value, double low, double high);

}  // namespace semirec
