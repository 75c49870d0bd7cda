#pragma once

#include "topology/fingerprint.hpp"

namespace semirec {

/// Coefficients of the lateral force polynomial of the Iltis benchmark (Calspan); calspan_lateral()
/// has their meaning.
struct CalspanCoefficients {
  double A0 = 0, A1 = 0, A2 = 0, A3 = 0, A4 = 0;
  double B1 = 0, B3 = 0, B4 = 0, SN = 1;
  double AF1 = 0, AF2 = 0;
};

void put_into(Fingerprint& fingerprint, const CalspanCoefficients& whole);

/// Lateral force and aligning torque of the tyre polynomial of the Iltis benchmark.
struct LateralForce {
  double force = 0.0;      ///< along the wheel's left in the ground plane, N
  double torque = 0.0;     ///< about the road normal, N m
  double stiffness = 0.0;  ///< -d(force)/d(alpha) where positive, N/rad
};

/// With vertical load F (N), slip angle alpha = atan(v_lateral / v_forward) (rad) and camber gamma
/// (rad, positive when the left end of the axle points up):
///   mu = (B1 F + B3 + B4 F^2) SN                          friction
///   F <= A2: K = A1 F (F - A2) - A0 A2,  a_g = -A2 A3 (A4 - F) F gamma / (A4 K),
///            a = K (alpha + a_g) / (A2 mu F)
///   F >  A2: a_g = A2 A3 (A4 - A2) gamma / (A0 A4),  a = -A0 (alpha + a_g) / (mu F)
///   force = mu F g(a),  g = a - a|a|/3 + a^3/27 for |a| < 3, sign(a) beyond
///   torque = (AF1 F + AF2 |force|) force
/// Source: data and form collected for the benchmark of Frik, Leister and Schwartz, Vehicle System
/// Dynamics 22 (1993), see vehicles/models/README.md. Zero for F <= 0.
LateralForce calspan_lateral(const CalspanCoefficients& c, double F, double alpha, double gamma);

}  // namespace semirec
