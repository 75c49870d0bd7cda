#pragma once

#include "vehicles/tyre/tyre_law.hpp"

namespace semirec {

/// Size |(kappa, tan_alpha)| of the slips at which a tyre begins to slide as a whole, and from
/// which on it does: a locked wheel has 1 and more whichever way it slides.
inline constexpr double kSlidingBegins = 0.5, kSlidingIsAll = 1.0;

/// Turns the forces of a tyre that slides as a whole against its sliding, F = -|F| Vs/|Vs|, with
/// their slopes; keeps their size. Between the two sizes of slip above the force is blended, with a
/// slope of zero at both; below the first nothing changes.
void turn_against_sliding(const TyreSlip& slip, TyreForces& forces);

}  // namespace semirec
