#pragma once

#include <string>
#include <vector>

#include "integrator/model.hpp"
#include "integrator/state.hpp"
#include "integrator/workspace.hpp"
#include "vehicles/description/units.hpp"

namespace semirec {

/// Bounds of what a suspension may do between design position and equilibrium.
inline constexpr double kMostTurn = 0.8;   ///< of a joint, rad
inline constexpr double kMostSlide = 0.3;  ///< m

/// Why an equilibrium is not the one that was meant, a line each: joint coordinates that have moved
/// further than the bounds (but for the coordinates in `spins`), bodies that float beside the
/// chassis and have turned further against it, as carriers between links, and loops that have gone
/// through a dead point, so that they stand in another of their branches: between the two states a
/// minor of Phi_z, of the coordinates that hang best on the others in the design position, has
/// changed its sign. Relative coordinates. Both may be wanted, and the second may be wrong about
/// large rotations. Off-line work: allocates. `chassis`: kGround where there is none.
std::vector<std::string> find_start_faults(const Model& model, BodyIndex chassis,
                                           const State& design, const State& now,
                                           const std::vector<int>& spins, Workspace& ws);

/// How far a wheel may stand from where it is drawn in the frame of its unit, up or down, of its
/// radius.
inline constexpr double kMostTravel = 0.5;

/// A line about wheels of an equilibrium that stand further; empty where there are none. Off-line
/// work: allocates.
std::string describe_wheel_travel(const Model& model, const std::vector<Wheel>& wheels,
                                  const std::vector<Unit>& units, const State& design,
                                  const State& now, Workspace& ws);

}  // namespace semirec
