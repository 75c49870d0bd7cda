#pragma once

#include <functional>
#include <vector>

#include "integrator/model.hpp"
#include "integrator/state.hpp"
#include "integrator/workspace.hpp"
#include "vehicles/tyre/footing.hpp"

namespace semirec {

/// What stands on the road with the chassis: all that joints, closures, springs and bushings hang
/// to it, directly or through other bodies.
struct Combination {
  std::vector<TreeIndex> floating;         ///< its bodies on free joints of their own
  std::vector<char> has;                   ///< [body of the mechanism]
  std::vector<const StandingTyre*> tyres;  ///< under its wheels
  bool tethered = false;                   ///< something but tyres holds it to the ground
};

/// The unit of a chassis. Without tyres or floating bodies: it does not stand on wheels.
Combination find_combination(const Model& model, BodyIndex chassis);

/// The road under the wheels.
struct StandingPlane {
  /// Columns: forward (the chassis' own x laid into the plane), left, normal; of the plane of
  /// least squares through the contact points. World.
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();
  bool complete = false;  ///< the wheels do not stand on one line
  double warp = 0.0;      ///< m: the largest height of a contact point over the plane
  double lever = 0.0;     ///< m: the shortest distance of a wheel from the middle, along or across,
                       ///< of those that tell how the plane lies; 0: one wheel, or all in one place
};

/// The plane at the poses of the workspace.
StandingPlane find_road_plane(const Model& model, const Combination& unit, BodyIndex chassis,
                              const Workspace& ws);

/// Direction in which the chassis drives, unit, at the poses of the workspace: its own x as drawn.
Eigen::Vector3d find_forward(const Model& model, BodyIndex chassis, const Workspace& ws);
/// Its angle from x about the vertical, rad.
double find_heading(const Model& model, BodyIndex chassis, const Workspace& ws);
/// Turns the unit about the vertical through the chassis' point until it has this heading. The
/// workspace has the poses of the state, but not afterwards.
void turn_to_heading(const Model& model, const Combination& unit, BodyIndex chassis, double heading,
                     State& state, Workspace& ws);

/// A search that holds the heading as a coordinate, which is the heading to first order in what it
/// tilts on its way, and again from the state turned back until it keeps it within 1e-10 rad:
/// six times at most. `search` moves the state and says whether it has found what it looks for; the
/// state is that of the last time it has. False: it has found nothing.
bool search_on_heading(const Model& model, const Combination& unit, BodyIndex chassis,
                       double heading, State& state, Workspace& ws,
                       const std::function<bool(State&)>& search);

/// Brings bodies that float beside the chassis and stand where they are drawn to the same place
/// beside it: a chassis whose joint is written elsewhere takes them along. `held`: those too whose
/// own joint holds.
void gather_unit(const Model& model, const Combination& unit, BodyIndex chassis, State& state,
                 Workspace& ws, bool held);

/// Puts the unit on the road as one rigid body: the chassis keeps its place (x, y of its joint) and
/// its heading; its height, roll and pitch are such that the tyres are deflected, by least squares,
/// as their shares of the unit's weight deflect them. Then lowers it until each tyre has half of
/// that at least, so that every wheel counts in the search that follows.
void pose_on_road(const Model& model, const Combination& unit, BodyIndex chassis, State& state,
                  Workspace& ws);

}  // namespace semirec
