#pragma once

#include "integrator/scheme/scheme_family.hpp"

namespace semirec {

/// The backward differentiation formula of two steps, for index 3 ([SIX] (3), (4)):
///   z  = 4/3 z_n - 1/3 z_{n-1} + h (8/9 zd_n - 2/9 zd_{n-1}) + 4/9 h^2 zdd
///   zd = 4/3 zd_n - 1/3 zd_{n-1} + 2/3 h zdd
///   x  = 4/3 x_n - 1/3 x_{n-1} + 2/3 h xd            states of force elements
/// and at steps of changing length the formula through the same three instants. Of second order; it
/// damps what is fast altogether. The first step after a start or an event, and one more than 2.4
/// times as long as that before, is one of the implicit Euler rule, z = z_n + h zd, zd = zd_n + h
/// zdd. No parameters.
extern const SchemeFamily kNstiff;

/// NSTIFF-SI2 ([SIX] (9), (10)): the same for z and for v, with velocities that meet the closures.
/// No parameters.
extern const SchemeFamily kNstiffSi2;

}  // namespace semirec
