#pragma once

#include <complex>

namespace semirec {

/// The linear single track model at a constant speed V, its axles' side forces behind their slip
/// angles by a relaxation length:
///   m (vd + V r) = F_f + F_r,                                 I_z rd = a F_f - b F_r
///   sigma_f/V Fd_f + F_f = C_f (delta - (v + a r)/V),         sigma_r/V Fd_r + F_r = C_r (b r -
///   v)/V
/// v and r are lateral velocity and yaw rate at the centre of mass, delta the angle of the front
/// wheels; positive to the left.                                                       (theory 38)
struct BicycleModel {
  double mass = 0.0;            ///< kg
  double yaw_inertia = 0.0;     ///< kg m^2, about the centre of mass
  double a = 0.0, b = 0.0;      ///< m, from the centre of mass to the front and to the rear axle
  double C_f = 0.0, C_r = 0.0;  ///< N/rad, cornering stiffness of an axle
  double sigma_f = 0.0, sigma_r = 0.0;  ///< m, relaxation lengths

  double wheelbase() const { return a + b; }
  /// K in  delta = wheelbase/radius + K lateral acceleration, rad/(m/s^2).
  double understeer_gradient() const { return mass / wheelbase() * (b / C_f - a / C_r); }
  /// Yaw rate over the angle of the front wheels in a steady turn, 1/s.
  double yaw_gain(double speed) const {
    return speed / (wheelbase() + understeer_gradient() * speed * speed);
  }
};

/// What a rad of the front wheels, turned to and fro, brings at one frequency.
struct SteeringResponse {
  std::complex<double> yaw_rate;              ///< 1/s
  std::complex<double> lateral_acceleration;  ///< m/s^2 by rad
};

/// The model's response in closed form. `speed` above 0, m/s; `frequency` Hz; the lateral
/// acceleration is that of a point `ahead` of the centre of mass, m.
SteeringResponse find_response(const BicycleModel& model, double speed, double frequency,
                               double ahead = 0.0);

}  // namespace semirec
