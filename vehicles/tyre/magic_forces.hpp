#pragma once

#include "vehicles/tyre/magic_numbers.hpp"
#include "vehicles/tyre/sloped.hpp"

namespace semirec {

// What several formulas call, and the formulas themselves, are functions of their own
// ([[noinline]]): a compiler that contracts a product and a sum rounds otherwise where it sees
// both, and a tyre's last bits would hang on who asks it.

/// C atan(B x - E (B x - atan(B x))), the angle of the Magic Formula. E enters as min(E, 1).
/// Number: a pack or a SlopedOf of it; Shape: double, or the pack.
template <typename Number, typename Shape, AnyPack P>
[[gnu::noinline]] Number magic_angle(const Number& x, const Number& B, const Shape& C, const P& E) {
  const Number Bx = B * x;
  const P bend = smaller_of(E, 1.0);
  return C * atan((1.0 - bend) * Bx + bend * atan(Bx));
}
/// y = D sin(angle), the Magic Formula.
template <typename Number, typename Shape, typename Peak, AnyPack P>
Number magic_sine(const Number& x, const Number& B, const Shape& C, const Peak& D, const P& E) {
  return D * sin(magic_angle(x, B, C, E));
}
/// cos(angle): weights and trails.
template <typename Number, typename Shape, AnyPack P>
Number magic_cosine(const Number& x, const Number& B, const Shape& C, const P& E) {
  return cos(magic_angle(x, B, C, E));
}

/// Where the formulas are evaluated, one tyre a lane: mirrored, held inside of the ranges, seen in
/// the direction of travel; and what several of them need.
template <AnyPack P>
struct MagicStateOf {
  P load;                    ///< N, within the range
  P dfz;                     ///< relative change of load
  SlopedOf<P> kappa, alpha;  ///< alpha in rad, sign of tan_alpha
  P gamma;                   ///< rad
  SlopedOf<P> spin;          ///< R0 times the spin of the tyre against the road per distance;
                             ///< positive turns to the left, as a positive gamma does
  P direction;               ///< of travel, -1 to 1
  P offsets;                 ///< what is left of shifts at low speed, 0 to 1
  P mu_x, mu_y;              ///< scale of friction: file times road
  P Kx;                      ///< slip stiffness, N
  P Ky_upright;              ///< cornering stiffness without camber, N/rad, negative
};

/// Pure longitudinal slip: Fx0 = D sin(...(kappa + SHx)) + SVx.          [P12] (4.E9) to (4.E18)
template <AnyPack P>
struct MagicLongitudinalOf {
  SlopedOf<P> Fx0;
  SlopedOf<P> kappa_x;  ///< with its shift
  SlopedOf<P> peak;     ///< D, N
  SlopedOf<P> SVx;      ///< N
  P Kx;                 ///< slip stiffness, N
};
template <typename N, AnyPack P>
[[gnu::noinline]] MagicLongitudinalOf<P> magic_longitudinal(const MagicNumbersOf<N>& p,
                                                            const MagicStateOf<P>& s);

/// Pure side slip with camber and spin.                                  [P12] (4.E19) to (4.E30)
template <AnyPack P>
struct MagicLateralOf {
  SlopedOf<P> Fy0;
  SlopedOf<P> alpha_y;      ///< with its shift
  SlopedOf<P> peak;         ///< D, N
  SlopedOf<P> SHy, SVy;     ///< rad, N
  SlopedOf<P> Ky;           ///< cornering stiffness, N/rad, negative
  SlopedOf<P> BC;           ///< 1/rad
  SlopedOf<P> zeta2 = 1.0;  ///< loss of friction by spin
  P mu;                     ///< friction
};
template <typename N, AnyPack P>
[[gnu::noinline]] MagicLateralOf<P> magic_lateral(const MagicNumbersOf<N>& p,
                                                  const MagicStateOf<P>& s);

/// Fy0 of a tyre that neither leans nor spins, N.
template <typename N, AnyPack P>
[[gnu::noinline]] P magic_upright_force(const MagicNumbersOf<N>& p, const MagicStateOf<P>& s);

/// dFy/dalpha at zero, N/rad; negative.                                  [P12] (4.E25) without spin
template <typename N, AnyPack P>
[[gnu::noinline]] P magic_cornering_stiffness(const MagicNumbersOf<N>& p, const P& load,
                                              const P& gamma);
/// dFx/dkappa at zero, N.                                                [P12] (4.E15)
template <typename N, AnyPack P>
[[gnu::noinline]] P magic_slip_stiffness(const MagicNumbersOf<N>& p, const P& load);
/// dFy/dgamma at zero, N/rad; negative.                                  [P12] (4.E30)
template <typename N, AnyPack P>
P magic_camber_stiffness(const MagicNumbersOf<N>& p, const MagicStateOf<P>& s);
/// Share by which camber spins less than turning, per path.             [P12] (4.90)
template <typename N, AnyPack P>
P magic_camber_reduction(const MagicNumbersOf<N>& p, const P& dfz);

/// Both slips at once.
template <AnyPack P>
struct MagicCombinedOf {
  SlopedOf<P> Fx, Fy;
  P weight_y = as<P>(1.0);        ///< of Fy0 in Fy
  P upright_weight = as<P>(1.0);  ///< the same of a tyre that does not lean
  P SVyk{};                       ///< side force by kappa, N
};
/// By the weights of the file [P12] (4.E50) to (4.E67), or, where it has none, by an ellipse:
///   Fx = Fx0 / sqrt(1 + (sin(alpha_y) k_x / D_y)^2),  k_x = (Fx0 - SVx) / kappa_x
///   Fy = Fy0 / sqrt(1 + (kappa_x k_y / D_x)^2),       k_y = (Fy0 - SVy) / sin(alpha_y)
/// which is the rule of PAC2002 for files without weights, written without its angle so that it
/// has a value at rest.
template <typename N, AnyPack P>
[[gnu::noinline]] MagicCombinedOf<P> magic_combined(const MagicNumbersOf<N>& p,
                                                    const MagicStateOf<P>& s,
                                                    const MagicLongitudinalOf<P>& x,
                                                    const MagicLateralOf<P>& y);

}  // namespace semirec
