#pragma once

#include "vehicles/tyre/magic_parameters.hpp"
#include "vehicles/tyre/sloped.hpp"

namespace semirec {

/// C atan(B x - E (B x - atan(B x))), the angle of the Magic Formula. E enters as min(E, 1).
/// Number: Pack or SlopedPack.
template <typename Number>
Number magic_angle(const Number& x, const Number& B, double C, const Pack& E) {
  const Number Bx = B * x;
  const Pack bend = smaller_of(E, 1.0);
  return C * atan((1.0 - bend) * Bx + bend * atan(Bx));
}
/// y = D sin(angle), the Magic Formula.
template <typename Number, typename Peak>
Number magic_sine(const Number& x, const Number& B, double C, const Peak& D, const Pack& E) {
  return D * sin(magic_angle(x, B, C, E));
}
/// cos(angle): weights and trails.
template <typename Number>
Number magic_cosine(const Number& x, const Number& B, double C, const Pack& E) {
  return cos(magic_angle(x, B, C, E));
}

/// Where the formulas are evaluated, one tyre a lane: mirrored, held inside of the ranges, seen in
/// the direction of travel; and what several of them need.
struct MagicState {
  Pack load;                ///< N, within the range
  Pack dfz;                 ///< relative change of load
  SlopedPack kappa, alpha;  ///< alpha in rad, sign of tan_alpha
  Pack gamma;               ///< rad
  SlopedPack spin;          ///< R0 times the spin of the tyre against the road per distance;
                            ///< positive turns to the left, as a positive gamma does
  Pack direction;           ///< of travel, -1 to 1
  Pack offsets;             ///< what is left of shifts at low speed, 0 to 1
  Pack mu_x, mu_y;          ///< scale of friction: file times road
  Pack Ky_upright;          ///< cornering stiffness without camber, N/rad, negative
};

/// Pure longitudinal slip: Fx0 = D sin(...(kappa + SHx)) + SVx.          [P12] (4.E9) to (4.E18)
struct MagicLongitudinal {
  SlopedPack Fx0;
  SlopedPack kappa_x;  ///< with its shift
  SlopedPack peak;     ///< D, N
  SlopedPack SVx;      ///< N
  Pack Kx{};           ///< slip stiffness, N
};
MagicLongitudinal magic_longitudinal(const MagicParameters& p, const MagicState& s);

/// Pure side slip with camber and spin.                                  [P12] (4.E19) to (4.E30)
struct MagicLateral {
  SlopedPack Fy0;
  SlopedPack alpha_y;      ///< with its shift
  SlopedPack peak;         ///< D, N
  SlopedPack SHy, SVy;     ///< rad, N
  SlopedPack Ky;           ///< cornering stiffness, N/rad, negative
  SlopedPack BC;           ///< 1/rad
  SlopedPack zeta2 = 1.0;  ///< loss of friction by spin
  Pack mu{};               ///< friction
};
MagicLateral magic_lateral(const MagicParameters& p, const MagicState& s);

/// Fy0 of a tyre that neither leans nor spins, N.
Pack magic_upright_force(const MagicParameters& p, const MagicState& s);

/// dFy/dalpha at zero, N/rad; negative.                                  [P12] (4.E25) without spin
Pack magic_cornering_stiffness(const MagicParameters& p, const Pack& load, const Pack& gamma);
/// dFx/dkappa at zero, N.                                                [P12] (4.E15)
Pack magic_slip_stiffness(const MagicParameters& p, const Pack& load);
/// dFy/dgamma at zero, N/rad; negative.                                  [P12] (4.E30)
Pack magic_camber_stiffness(const MagicParameters& p, const MagicState& s);
/// Share by which camber spins less than turning, per path.             [P12] (4.90)
Pack magic_camber_reduction(const MagicParameters& p, const Pack& dfz);

/// Both slips at once.
struct MagicCombined {
  SlopedPack Fx, Fy;
  Pack weight_y = broadcast(1.0);  ///< of Fy0 in Fy
  Pack SVyk{};                     ///< side force by kappa, N
};
/// By the weights of the file [P12] (4.E50) to (4.E67), or, where it has none, by an ellipse:
///   Fx = Fx0 / sqrt(1 + (sin(alpha_y) k_x / D_y)^2),  k_x = (Fx0 - SVx) / kappa_x
///   Fy = Fy0 / sqrt(1 + (kappa_x k_y / D_x)^2),       k_y = (Fy0 - SVy) / sin(alpha_y)
/// which is the rule of PAC2002 for files without weights, written without its angle so that it
/// has a value at rest.
MagicCombined magic_combined(const MagicParameters& p, const MagicState& s,
                             const MagicLongitudinal& x, const MagicLateral& y);

}  // namespace semirec
