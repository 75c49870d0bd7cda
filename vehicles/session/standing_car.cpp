#include "vehicles/session/standing_car.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <sstream>
#include <utility>

#include <Eigen/Geometry>

#include "integrator/formulation/evaluate.hpp"
#include "integrator/outputs/drawn_axes.hpp"
#include "integrator/statics/initial_conditions.hpp"
#include "integrator/statics/travel.hpp"
#include "topology/indices.hpp"
#include "topology/quoted_names.hpp"
#include "vehicles/description/articulation.hpp"
#include "vehicles/session/held_articulation.hpp"
#include "vehicles/session/wheel_spin.hpp"

namespace semirec {

namespace {

constexpr double kShareLeft = 1e-11;       // of the weight
constexpr double kLeastForce = 1e-7;       // N
constexpr double kLeastDeflection = 1e-3;  // m: of tyres under the weight
constexpr double kNoAcceleration = 1e-8;   // m/s^2, rad/s^2: less counts as none
constexpr double kUnstable = 1.0;          // 1/s^2
constexpr double kFalls = 4.0;             // what speaks against a stand that is unstable
constexpr double kWarped = 1e-3;           // m: a road that is less uneven unloads no wheel
// of the searches, 1/s^2: Newton, then letting down by steps of 50 and of 5 ms
constexpr double kDampings[] = {0.0, 4e2, 4e4};

std::vector<int> spin_coordinates(const Drive& drive, const Model& model, const Workspace& ws) {
  std::vector<int> coordinates;
  for (const WheelSpin& spin : find_wheel_spins(model, drive.wheels, ws))
    coordinates.push_back(spin.z);
  return coordinates;
}

double weight_of(const Model& model) {
  double mass = 0.0;
  for (const Body& body : model.mechanism.bodies) mass += body.mass;
  return mass * model.tree.gravity.norm();
}

/// A frame that stands on wheels: the chassis or that of a trailer.
struct PosedFrame {
  BodyIndex body = kGround;
  std::string name;       ///< in messages
  Eigen::Matrix3d posed;  ///< rotation in the world in which it was posed
};

/// Rotation of a body in the world.
Eigen::Matrix3d find_attitude(const Model& model, BodyIndex body, const Workspace& ws) {
  return ws.tree.A_WC[at(model.tree.tree.tree_index(body))];
}

/// The chassis first, then the frames of the units that hang on it, as they stand.
std::vector<PosedFrame> find_frames(const Drive& drive, const Model& model, const Combination& unit,
                                    const Workspace& ws) {
  std::vector<PosedFrame> frames{
      {drive.chassis, "the chassis", find_attitude(model, drive.chassis, ws)}};
  for (const Unit& other : drive.units) {
    if (other.frame == kGround || other.frame == drive.chassis || unit.has[at(other.frame)] == 0)
      continue;
    frames.push_back({other.frame, "'" + other.name + "'", find_attitude(model, other.frame, ws)});
  }
  return frames;
}

struct Lean {
  double angle = 0.0;  ///< rad
  std::string name;    ///< of the frame
};

void take_larger(double angle, const PosedFrame& frame, Lean& most) {
  if (most.name.empty() || angle > most.angle) most = {angle, frame.name};
}

/// The frame that has left the attitude in which it was posed farthest, but for its heading.
Lean find_lean(const Model& model, const std::vector<PosedFrame>& frames, const Workspace& ws) {
  Lean most;
  for (const PosedFrame& frame : frames) {
    const Eigen::Matrix3d turned = find_attitude(model, frame.body, ws) * frame.posed.transpose();
    take_larger(std::acos(std::clamp(turned(2, 2), -1.0, 1.0)), frame, most);
  }
  return most;
}

/// The frame whose up axis, as drawn, is farthest from the normal of the road.
Lean find_tilt(const Model& model, const std::vector<PosedFrame>& frames,
               const Eigen::Vector3d& normal, const Workspace& ws) {
  Lean most;
  for (const PosedFrame& frame : frames) {
    const double up = find_drawn_axes(model, frame.body, ws.tree).col(2).dot(normal);
    take_larger(std::acos(std::clamp(up, -1.0, 1.0)), frame, most);
  }
  return most;
}

/// Closes the loops without moving the chassis, where they can be closed so: its place and heading
/// are those that the file writes, wherever the joints of the suspensions begin.
void assemble_about(const Model& model, BodyIndex chassis, State& state, Workspace& ws) {
  const TreeBody& body = model.tree.bodies[at(model.tree.tree.tree_index(chassis))];
  AssemblyWorkspace assembly(model);
  assembly.free.segment(body.z, body.degrees_of_freedom).setZero();
  State trial = state;
  if (close_loops(model, trial, ws, assembly))
    state = std::move(trial);
  else
    assemble_positions(model, state, ws);
}

}  // namespace

std::string name_idle_wheels(const Model& model, const Combination& unit, const Workspace& ws) {
  std::string names;
  for (const StandingTyre* tyre : unit.tyres)
    if (!(tyre->compute_footing({model.tree, ws.tree}).load > 0.0))
      add_quoted(names, tyre->wheel_name());
  return names;
}

std::vector<int> place_coordinates(const Model& model, BodyIndex chassis) {
  const TreeBody& body = model.tree.bodies[at(model.tree.tree.tree_index(chassis))];
  std::vector<int> held;
  if (!body.floats) return held;
  for (int k = 0; k < 3; ++k) {
    const bool upright = std::abs(body.X_PJ.A(2, k)) > 0.5;
    held.push_back(body.z + k + (upright ? 3 : 0));
  }
  return held;
}

bool stands_on_wheels(const Drive& drive, const Model& model) {
  if (drive.chassis == kGround || drive.wheels.empty()) return false;
  if (!model.tree.bodies[at(model.tree.tree.tree_index(drive.chassis))].floats) return false;
  if (!(model.tree.gravity.z() < -0.9 * model.tree.gravity.norm())) return false;
  const Combination unit = find_combination(model, drive.chassis);
  return !unit.tyres.empty() && !unit.tethered;
}

Eigen::Matrix3d find_road_axes(const Drive& drive, const Model& model, const State& state,
                               Workspace& ws) {
  evaluate_state(model, state, ws);
  if (drive.start == StartMode::equilibrium && stands_on_wheels(drive, model))
    return find_road_plane(model, find_combination(model, drive.chassis), drive.chassis, ws).axes;
  Eigen::Vector3d forward = find_forward(model, drive.chassis, ws);
  forward.z() = 0.0;
  forward.normalize();
  Eigen::Matrix3d axes;
  axes << forward, Eigen::Vector3d::UnitZ().cross(forward), Eigen::Vector3d::UnitZ();
  return axes;
}

namespace {

/// The balance that is looked for about a pose on the road, `posed` of the workspace.
StandingSearch make_search(const Drive& drive, const Model& model, const Combination& unit,
                           const StandingPlane& plane, const State& posed, bool holds_articulations,
                           Workspace& ws) {
  const std::size_t base = at(model.tree.tree.tree_index(drive.chassis));
  StandingSearch search;
  search.held = place_coordinates(model, drive.chassis);
  search.free_turning = spin_coordinates(drive, model, ws);
  search.accelerations = plane_directions(model, ws.tree.p[base], ws, plane.axes);
  if (holds_articulations)
    for (const Articulation& articulation :
         find_articulations(drive, model, unit, plane.axes.col(2), ws)) {
      search.held.push_back(articulation.held);
      search.accelerations.conservativeResize(Eigen::NoChange, search.accelerations.cols() + 1);
      search.accelerations.rightCols<1>() = articulation.turning;
    }
  // where the road is far above or below zero, the rounding of heights is felt in the tyres
  const double height = std::abs(posed.origin.z()) + std::abs(ws.tree.p[base].z());
  const double rounding = std::numeric_limits<double>::epsilon() * height / kLeastDeflection;
  search.tolerance = std::max(kLeastForce, (kShareLeft + rounding) * weight_of(model));
  return search;
}

/// A balance and how the car stands in it.
struct Stand {
  StandingBalance balance;
  State state;
  Lean lean;         ///< of the frame that leans most against the pose
  Lean tilt;         ///< of that which leans most against the road: posed on its roof, too
  std::string idle;  ///< wheels on which nothing rests

  bool falls() const { return !(balance.stiffness > -kUnstable); }
  /// What speaks against it; `demanded`: lean that the road demands, rad.
  double against(double demanded) const {
    return (falls() ? kFalls : 0.0) + (idle.empty() ? 0.0 : 2.0) +
           (lean.angle > kMostLean + demanded ? 1.0 : 0.0);
  }
};

/// The best of the balances that were found, and what was wrong with others.
struct Stands {
  std::optional<Stand> best;
  bool overturned = false, unstable = false;
  Lean lean;  ///< of the last that was no stand on wheels

  /// Takes one that is better than the best so far. `may_fall`: what stands on a line of wheels, as
  /// a motorcycle does, may be unstable.
  void take(Stand stand, double demanded, bool may_fall) {
    const Lean& most = stand.tilt.angle > stand.lean.angle ? stand.tilt : stand.lean;
    const bool overturns = most.angle > kOverturned + demanded;
    overturned = overturned || overturns;
    unstable = unstable || stand.falls();
    if (overturns || (stand.falls() && !may_fall)) {
      lean = most;
      return;
    }
    if (!best || stand.against(demanded) < best->against(demanded)) best = std::move(stand);
  }
};

std::string describe_refusal(const Stands& stands, const EquilibriumReport& last) {
  if (stands.unstable && !stands.overturned)
    return "no stable equilibrium on its wheels was found where it starts, only one that the "
           "vehicle would leave at once, expected a place on the road where it can stand";
  if (stands.overturned) {
    std::ostringstream text;
    text << "no static equilibrium on its wheels was found, only one in which " << stands.lean.name
         << " leans by " << stands.lean.angle
         << " rad against the road under them, expected a vehicle that stands upright";
    return text.str();
  }
  if (!std::isfinite(last.residual))
    return "no static equilibrium on its wheels was found: the forces of the search are no "
           "numbers, expected masses, stiffnesses and lengths of ordinary size";
  return {};
}

std::vector<std::string> describe_stand(const Stand& stand, const StandingPlane& plane,
                                        double demanded) {
  std::vector<std::string> notes;
  if (stand.lean.angle > kMostLean + demanded) {
    std::ostringstream text;
    text << "at the start " << stand.lean.name << " leans by " << stand.lean.angle
         << " rad against the road under its wheels, expected at most " << kMostLean
         << ": its springs, or the place of its load, let it down on one side or end";
    notes.push_back(text.str());
  }
  if (!stand.idle.empty()) {
    std::ostringstream text;
    text << "at the start nothing rests on " << stand.idle;
    if (plane.warp > kWarped)
      text << "; contact points lie off the plane through them by up to " << plane.warp << " m";
    notes.push_back(text.str());
  }
  return notes;
}

bool rests(const StandingBalance& balance) {
  return balance.unheld.size() == 0 || balance.unheld.cwiseAbs().maxCoeff() <= kNoAcceleration;
}

/// How far the units behind have turned at their hitches from one state to another.
std::vector<std::string> describe_turned_units(const Drive& drive, const Model& model,
                                               const State& from, const State& to, Workspace& ws) {
  constexpr double kTurned = 1e-4;  // rad
  std::vector<double> before;
  evaluate_state(model, from, ws);
  for (std::size_t u = 1; u < drive.units.size(); ++u)
    before.push_back(compute_articulation(model, drive.units, u, ws.tree));
  evaluate_state(model, to, ws);
  std::vector<std::string> lines;
  for (std::size_t u = 1; u < drive.units.size(); ++u) {
    const double turned = compute_articulation(model, drive.units, u, ws.tree) - before[u - 1];
    if (std::abs(turned) < kTurned) continue;
    std::ostringstream text;
    text << "at rest '" << drive.units[u].name << "' is turned by " << turned
         << " rad at its hitch, where what turns it there comes to nothing";
    lines.push_back(text.str());
  }
  return lines;
}

/// From a balance in which something pushes: one at rest with the units behind turned at their
/// hitches as far as springs there turn them, since wheels that roll hold nothing across. Nothing
/// where it is not that.
std::optional<Stand> turn_at_hitches(const Drive& drive, const Model& model,
                                     const Combination& unit, const StandingPlane& plane,
                                     const State& pushed, double heading, Workspace& ws) {
  evaluate_state(model, pushed, ws);
  const std::size_t hitches = find_articulations(drive, model, unit, plane.axes.col(2), ws).size();
  if (hitches == 0) return std::nullopt;
  const StandingSearch search =
      make_search(drive, model, unit, plane, pushed, /*holds_articulations=*/false, ws);
  Stand stand;
  stand.state = pushed;
  search_on_heading(model, unit, drive.chassis, heading, stand.state, ws, [&](State& from) {
    stand.balance = find_standing(model, search, from, ws);
    return stand.balance.found;
  });
  if (!stand.balance.found || !rests(stand.balance) || stand.falls()) return std::nullopt;
  return stand;
}

}  // namespace

StandingCar find_standing_car(const Drive& drive, const Model& model, State& state, Workspace& ws,
                              bool may_fall, std::shared_ptr<const StandingTangent> tangent) {
  StandingCar car;
  const Combination unit = find_combination(model, drive.chassis);
  State posed = state;
  posed.zd.setZero();
  posed.zdd.setZero();
  gather_unit(model, unit, drive.chassis, posed, ws, /*held=*/true);
  assemble_about(model, drive.chassis, posed, ws);
  pose_on_road(model, unit, drive.chassis, posed, ws);
  evaluate_state(model, posed, ws);
  const double heading = find_heading(model, drive.chassis, ws);
  const std::vector<PosedFrame> frames = find_frames(drive, model, unit, ws);
  const StandingPlane plane = find_road_plane(model, unit, drive.chassis, ws);
  // of lean, what the warp of the road demands
  const double demanded = plane.lever > 0.0 ? plane.warp / plane.lever : 0.0;
  StandingSearch search =
      make_search(drive, model, unit, plane, posed, /*holds_articulations=*/true, ws);

  search.tangent = std::move(tangent);

  Stands stands;
  for (const double damping : kDampings) {
    search.damping = damping;
    Stand stand;
    stand.state = posed;
    StandingBalance& balance = stand.balance;
    int iterations = 0;
    search_on_heading(model, unit, drive.chassis, heading, stand.state, ws, [&](State& from) {
      const StandingBalance reached = find_standing(model, search, from, ws);
      iterations += reached.iterations;
      if (reached.found || !balance.found) balance = reached;
      return reached.found;
    });
    car.equilibrium.iterations += iterations;
    if (!balance.found) {
      car.equilibrium.residual = balance.residual;
      car.equilibrium.Phi = balance.Phi;
      continue;
    }
    evaluate_state(model, stand.state, ws);
    stand.lean = find_lean(model, frames, ws);
    stand.tilt = find_tilt(model, frames, plane.axes.col(2), ws);
    stand.idle = name_idle_wheels(model, unit, ws);
    // upright but for that it falls
    const bool as_asked = may_fall && stand.against(demanded) == kFalls;
    stands.take(std::move(stand), demanded, /*may_fall=*/!plane.complete || as_asked);
    if (stands.best && (stands.best->against(demanded) == 0.0 || as_asked)) break;
  }
  if (!stands.best) {
    car.refusal = describe_refusal(stands, car.equilibrium);
    return car;
  }
  const Stand& best = *stands.best;
  state = best.state;
  car.equilibrium.found = true;
  car.equilibrium.residual = best.balance.residual;
  car.equilibrium.Phi = best.balance.Phi;
  car.equilibrium.share = best.balance.share;
  car.unheld = best.balance.unheld;
  car.rests = rests(best.balance);
  car.tangent = best.balance.tangent;
  car.notes = describe_stand(best, plane, demanded);
  if (best.balance.stiffness < -kUnstable)
    car.instability =
        "the equilibrium at the start is unstable: the vehicle leaves it, slowly at first";
  return car;
}

bool rest_at_hitches(const Drive& drive, const Model& model, StandingCar& car, State& state,
                     Workspace& ws) {
  const Combination unit = find_combination(model, drive.chassis);
  evaluate_state(model, state, ws);
  const double heading = find_heading(model, drive.chassis, ws);
  const StandingPlane plane = find_road_plane(model, unit, drive.chassis, ws);
  std::optional<Stand> stand = turn_at_hitches(drive, model, unit, plane, state, heading, ws);
  if (!stand) return false;
  for (std::string& line : describe_turned_units(drive, model, state, stand->state, ws))
    car.notes.push_back(std::move(line));
  state = stand->state;
  car.equilibrium.residual = stand->balance.residual;
  car.equilibrium.Phi = stand->balance.Phi;
  car.equilibrium.share = stand->balance.share;
  car.unheld = stand->balance.unheld;
  car.rests = true;
  return true;
}

}  // namespace semirec
