#pragma once

#include "vehicles/tyre/magic_forces.hpp"

namespace semirec {

/// Aligning torque about the road normal, N m.
///   Mz = direction (-t Fy' + Mzr) + s Fx
/// with the trail t, the residual torque Mzr by camber, spin and asymmetry, and the lateral offset
/// s of the contact. Fy' is the force of side slip: in 5.2 that of the tyre as it stands without
/// the part made by kappa, in 6.x that of the upright tyre.                   [P12] (4.E31) to
/// (4.E49), (4.E71) to (4.E78), spin (4.91) to (4.104). The whole turns over with the direction of
/// travel, because the contact trails behind.
Pack magic_aligning(const MagicParameters& p, const MagicState& s, const MagicLongitudinal& x,
                    const MagicLateral& y, const MagicCombined& both);

/// Overturning torque about the forward axis, N m.                       [P12] (4.E69), [BSV10]
Pack magic_overturning(const MagicParameters& p, const MagicState& s, const Pack& Fy);

/// Rolling resistance about the left axis, N m; negative when it rolls forward.  [P12] (4.E70)
/// `turning`: omega R_e / |Vx|; it fades to zero with the rotation.
Pack magic_rolling(const MagicParameters& p, const MagicState& s, const Pack& Fx, const Pack& speed,
                   const Pack& turning);

}  // namespace semirec
