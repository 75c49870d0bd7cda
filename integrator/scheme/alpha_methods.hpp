#pragma once

#include "integrator/scheme/schemes.hpp"

namespace semirec {

/// A method of the generalized-alpha family: Newmark's formulas for an auxiliary acceleration a,
///   z  = z_n + h zd_n + h^2 ((1/2 - beta) a_n + beta a)
///   zd = zd_n + h ((1 - gamma) a_n + gamma a)
///   a  = now zdd + before zdd_n + last a_n
/// where zdd balances the forces at the end of the step ([AB07] (4)). a lags behind zdd by the
/// fraction 1 - now - before ... of the step that makes the formulas of second order, and starts as
/// zdd. Where M is constant the forces may be weighted instead of the accelerations, with the same
/// numbers; where it is not, only the accelerations keep the order. States of force elements follow
/// the same formulas with an auxiliary rate.
struct AlphaMethod {
  double gamma = 0.5, beta = 0.25;
  double now = 1.0, before = 0.0, last = 0.0;
};
/// How much longer than the last one a step may be that reads a_n as one of its own length. Beyond,
/// what is stiff would grow where such steps follow each other.
inline constexpr double kAlphaGrowth = 1.2;
/// `previous`: length of the step that left a_n, s; 0: none has. Of a step of another length a_n is
/// read as zdd_n + (a_n - zdd_n) h/previous, which is where a step of this length would have left
/// it; where that would be more than kAlphaGrowth times it is read as it stands.
Scheme make_alpha_method(const AlphaMethod& method, double h, double previous);

/// The method of Hilber, Hughes and Taylor for index 3 ([HHT] (2), (6), (11); [SIX] (8)):
/// gamma = 1/2 - alpha, beta = (1 - alpha)^2/4, a = (1 + alpha) zdd - alpha zdd_n. Parameter:
/// alpha in [-1/3, 0]; 0 is the trapezoidal rule.
extern const SchemeFamily kHht;

/// hht on Euler parameters ([EP]), for the Cartesian formulation and multipliers as unknowns, where
/// hht is the same. Parameters: alpha; weighting, 0 or 1: of the forces at the step's start, turned
/// with the body into its new frame or as printed, where they are not.
extern const SchemeFamily kModifiedHht;
/// Whether a scheme is modified_hht with the printed weighting.
bool weighs_as_printed(const SchemeChoice& scheme);

/// The generalized-alpha method of Chung and Hulbert as Arnold and Brüls write it for constraints.
/// Parameter: rho in [0, 1], what is left after a step of the amplitude of what is infinitely fast.
extern const SchemeFamily kGeneralizedAlpha;

/// HHT-SI2 ([SIX] (12), (13)) and HHT-ADD ([SIX] (11), b = 0): hht with velocities that meet the
/// closures. Parameter: alpha in [-1/3, 0].
extern const SchemeFamily kHhtSi2;
extern const SchemeFamily kHhtAdd;

}  // namespace semirec
