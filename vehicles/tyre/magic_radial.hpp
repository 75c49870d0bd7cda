#pragma once

#include "recursive/packs/pack.hpp"
#include "vehicles/tyre/magic_parameters.hpp"

namespace semirec {

/// TyreLoad of a tyre a lane.
struct MagicLoad {
  Pack load, stiffness, damping;  ///< N, N/m, N s/m
  Pack pressed;                   ///< into the road, against the radius at this speed, m
};
/// Growth of the free radius with speed, m: R0 (QRE0 - 1 + QV1 (omega R0 / V0)^2), at most a fifth
/// of R0 either way.                                                       [BSV10] (1)
Pack magic_growth(const MagicParameters& p, const Pack& omega);

/// Load of a tyre that is pressed in by `deflection` against its unloaded radius (m).
///   F = (1 + QV2 |omega| R0 / V0) (1 + PFZ1 dp) (QFZ1 r + QFZ2 r^2) Fz0 LCZ
///   r = (deflection + growth) / R0
/// plus linear damping; or the measured curve of deflection + growth, continued by its last slope.
/// In the air (r < 0) the line through the origin goes on.                [BSV10] (1) to (5)
MagicLoad magic_load(const MagicParameters& p, const Pack& deflection, const Pack& deflection_rate,
                     const Pack& omega);

/// R_e = R_omega - (Fz0 / Cz) (DREFF atan(BREFF F / Fz0) + FREFF F / Fz0), not below half of the
/// unloaded radius, m.                                                    [BSV10] (7)
Pack magic_effective_radius(const MagicParameters& p, const Pack& load, const Pack& omega);

/// Distances over which slip builds up, m, not below a tenth of the unloaded radius: a short
/// contact has a length, too.
///   5.2:  x: (F / Fz0) (PTX1 + PTX2 dfz) exp(-PTX3 dfz) R0 LSGKP, Fz0 that of the file
///         y: PTY1 sin(2 atan(F / (PTY2 Fz0'))) (1 - PKY3 |gamma|) R0 LFZO LSGAL, Fz0' = LFZO Fz0
///   6.x:  slip stiffness over the carcass' stiffness, which changes with load and pressure
///         by PCFX*, PCFY*                                                 [BSV10] (17) to (19)
Pack magic_relaxation_x(const MagicParameters& p, const Pack& load);
Pack magic_relaxation_y(const MagicParameters& p, const Pack& load, const Pack& gamma);

}  // namespace semirec
