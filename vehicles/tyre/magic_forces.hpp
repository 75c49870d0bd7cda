#pragma once

#include "vehicles/tyre/magic_parameters.hpp"
#include "vehicles/tyre/sloped.hpp"

namespace semirec {

/// y = D sin(C atan(B x - E (B x - atan(B x)))), the Magic Formula. E enters as min(E, 1).
Sloped magic_sine(const Sloped& x, const Sloped& B, double C, const Sloped& D, double E);
/// The same with a cosine and D = 1: weights and trails.
Sloped magic_cosine(const Sloped& x, const Sloped& B, double C, double E);

/// Where the formulas are evaluated: mirrored, held inside of the ranges, seen in the direction of
/// travel.
struct MagicState {
  double load = 0.0;    ///< N, within the range
  double dfz = 0.0;     ///< relative change of load
  Sloped kappa, alpha;  ///< alpha in rad, sign of tan_alpha
  double gamma = 0.0;   ///< rad
  Sloped spin;          ///< R0 times the spin of the tyre against the road per distance; positive
                        ///< turns to the left, as a positive gamma does
  double direction = 1.0;  ///< of travel, -1 to 1
  double offsets = 1.0;    ///< what is left of shifts at low speed, 0 to 1
  double mu_x = 1.0;       ///< scale of friction: file times road
  double mu_y = 1.0;
};

/// Pure longitudinal slip: Fx0 = D sin(...(kappa + SHx)) + SVx.          [P12] (4.E9) to (4.E18)
struct MagicLongitudinal {
  Sloped Fx0;
  Sloped kappa_x;   ///< with its shift
  Sloped peak;      ///< D, N
  Sloped SVx;       ///< N
  double Kx = 0.0;  ///< slip stiffness, N
};
MagicLongitudinal magic_longitudinal(const MagicParameters& p, const MagicState& s);

/// Pure side slip with camber and spin.                                  [P12] (4.E19) to (4.E30)
struct MagicLateral {
  Sloped Fy0;
  Sloped alpha_y;      ///< with its shift
  Sloped peak;         ///< D, N
  Sloped SHy, SVy;     ///< rad, N
  Sloped Ky;           ///< cornering stiffness, N/rad, negative
  Sloped BC;           ///< 1/rad
  Sloped zeta2 = 1.0;  ///< loss of friction by spin
  double mu = 0.0;     ///< friction
};
MagicLateral magic_lateral(const MagicParameters& p, const MagicState& s, double gamma,
                           const Sloped& spin);

/// Fy0 of a tyre that neither leans nor spins, N.
double magic_upright_force(const MagicParameters& p, const MagicState& s);

/// dFy/dalpha at zero, N/rad; negative.                                  [P12] (4.E25) without spin
double magic_cornering_stiffness(const MagicParameters& p, double load, double gamma);
/// dFx/dkappa at zero, N.                                                [P12] (4.E15)
double magic_slip_stiffness(const MagicParameters& p, double load);
/// dFy/dgamma at zero, N/rad; negative.                                  [P12] (4.E30)
double magic_camber_stiffness(const MagicParameters& p, double load);
/// Share by which camber spins less than turning, per path.             [P12] (4.90)
double magic_camber_reduction(const MagicParameters& p, double dfz);

/// Both slips at once.
struct MagicCombined {
  Sloped Fx, Fy;
  double weight_y = 1.0;  ///< of Fy0 in Fy
  double SVyk = 0.0;      ///< side force by kappa, N
};
/// By the weights of the file [P12] (4.E50) to (4.E67), or, where it has none, by an ellipse:
///   Fx = Fx0 / sqrt(1 + (sin(alpha_y) k_x / D_y)^2),  k_x = (Fx0 - SVx) / kappa_x
///   Fy = Fy0 / sqrt(1 + (kappa_x k_y / D_x)^2),       k_y = (Fy0 - SVy) / sin(alpha_y)
/// which is the rule of PAC2002 for files without weights, written without its angle so that it
/// has a value at rest.
MagicCombined magic_combined(const MagicParameters& p, const MagicState& s,
                             const MagicLongitudinal& x, const MagicLateral& y);

}  // namespace semirec
