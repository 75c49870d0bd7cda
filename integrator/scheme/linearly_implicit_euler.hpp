#pragma once

#include "integrator/scheme/scheme_family.hpp"

namespace semirec {

/// The linearly implicit Euler method ([LIE]): one step of Newton's method for
///   z = z_n + h zd,   zd = zd_n + h zdd,   x = x_n + h xd        x: states of force elements
/// from the state at the begin of the step, with the stiffness and damping of the force elements.
/// Of first order; damps what is fast altogether. No parameters.
extern const SchemeFamily kLinearlyImplicitEuler;

}  // namespace semirec
