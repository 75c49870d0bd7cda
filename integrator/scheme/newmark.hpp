#pragma once

#include "integrator/scheme/scheme_family.hpp"

namespace semirec {

/// Newmark's scheme:
///   z  = z_n + h zd_n + h^2 ((1/2 - beta) zdd_n + beta zdd)
///   zd = zd_n + h ((1 - gamma) zdd_n + gamma zdd)
///   x  = x_n + h ((1 - gamma) xd_n + gamma xd)        states of force elements
/// Of second order for gamma = 1/2; above, it damps and is of first order. Stable at any step for
/// gamma >= 1/2, beta >= (gamma + 1/2)^2/4. gamma 1/2 and beta 1/4 are the trapezoidal rule.
Scheme make_newmark(double gamma, double beta, double h);

/// Parameters: gamma (usually 1/2), beta (usually (gamma + 1/2)^2/4).
extern const SchemeFamily kNewmark;

/// The trapezoidal rule; no parameters.
extern const SchemeFamily kTrapezoid;

}  // namespace semirec
