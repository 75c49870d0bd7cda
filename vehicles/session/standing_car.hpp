#pragma once

#include <memory>
#include <string>
#include <vector>

#include "integrator/statics/standing.hpp"
#include "vehicles/session/drive.hpp"
#include "vehicles/session/standing_pose.hpp"

namespace semirec {

/// What a standing car leans at most against the plane through the road under its wheels, rad,
/// without a word; and from where on it counts as overturned, and is none.
inline constexpr double kMostLean = 0.15;
inline constexpr double kOverturned = 0.5;

/// The standing car that was found, or why there is none.
struct StandingCar {
  EquilibriumReport equilibrium;
  bool rests = false;              ///< nothing is left over: a static equilibrium
  Eigen::VectorXd unheld;          ///< n  accelerations along the road that nothing holds up
  std::vector<std::string> notes;  ///< what is not as one would expect, a line each
  std::string instability;         ///< a line where it does not stay there, but for a car at speed
  std::string refusal;             ///< where it was not found: what was found instead, and where
  std::shared_ptr<const StandingTangent> tangent;  ///< StandingBalance::tangent
};

/// Whether a drive's chassis floats on wheels that nothing but their tyres ties to the ground.
bool stands_on_wheels(const Drive& drive, const Model& model);

/// Static equilibrium of a car that stands on its wheels, at its place and heading: posed on the
/// road (pose_on_road()), then find_standing(). Where wheels that roll cannot hold it, on a slope,
/// it is in balance but for accelerations of the whole along the plane under its wheels.
/// A balance counts only if it is stable (but for those that stand on one line of wheels) and the
/// car not overturned: no frame of it leans against that plane, or against the pose, by more than
/// kOverturned and what the warp of the road demands. Each further search begins from the posed car
/// again, none from where another one ended. What leans by more than kMostLean or has a wheel that
/// carries nothing is named in the notes. `model` is in relative coordinates; `state`: as drawn,
/// untouched where nothing is found. `may_fall`: an upright balance that the car would leave at
/// once counts, too, and the car's `instability` says so: castors turn over at rest and run on at
/// speed. `tangent`: StandingSearch::tangent of a vehicle that differs in numbers.
StandingCar find_standing_car(const Drive& drive, const Model& model, State& state, Workspace& ws,
                              bool may_fall = false,
                              std::shared_ptr<const StandingTangent> tangent = nullptr);

/// Wheels of the combination on which nothing rests at the poses of the workspace, in quotes.
std::string name_idle_wheels(const Model& model, const Combination& unit, const Workspace& ws);

/// Coordinates of the chassis' place and heading in the plane.
std::vector<int> place_coordinates(const Model& model, BodyIndex chassis);

/// Axes of the road under the wheels of a start from equilibrium: forward along the chassis'
/// heading, left, normal. From the design position, or where no wheels carry the chassis: level,
/// forward along the chassis' heading.
Eigen::Matrix3d find_road_axes(const Drive& drive, const Model& model, const State& state,
                               Workspace& ws);

/// Of a car that stands in balance but for its accelerations and that no brake holds: the rest in
/// which the units behind are turned at their hitches as far as what turns them there comes to
/// nothing, since wheels that roll hold nothing across; a note says so. False, and all as it was,
/// where that is no rest.
bool rest_at_hitches(const Drive& drive, const Model& model, StandingCar& car, State& state,
                     Workspace& ws);

}  // namespace semirec
