#pragma once

#include <string>
#include <vector>

#include "integrator/model.hpp"
#include "integrator/state.hpp"
#include "integrator/workspace.hpp"
#include "penalty/factors/least_squares.hpp"
#include "recursive/spatial.hpp"
#include "vehicles/analysis/kc/axles.hpp"
#include "vehicles/description/vehicle.hpp"

namespace semirec {

/// A length or angle between two markers that an element of the vehicle reports.
struct MeasuredLength {
  std::string name;       ///< of the element
  bool turns = false;     ///< rad instead of m
  std::size_t force = 0;  ///< in Model::forces
};

/// An equilibrium.
struct RigState {
  State state;            ///< with the multipliers of the closures
  Eigen::VectorXd loads;  ///< [wheel] vertical, of the pads, N
};

/// A vehicle on the suspension rig: the chassis turns about x by command alone, rims are locked to
/// their carriers, each wheel stands as a stiff disc on a pad that holds its lowest point at a
/// height and is free to follow in the plane. Tyres, driveline, brakes and air are left out,
/// gravity stays. Equations of the vehicle act (choose_equations()); states that settle by
/// themselves have done so at every equilibrium, others keep the value of the start. The design
/// position, about which all is done, has the wheels as they are drawn, or higher by a travel that
/// is given.
struct Rig {
  Model model;
  std::vector<Axle> axles;
  std::vector<Attachment> centres;     ///< [wheel]
  std::vector<double> radius;          ///< [wheel] m
  std::vector<double> tyre_stiffness;  ///< [wheel] vertical, at the design load, N/m; 0 unknown
  std::vector<double> travel;          ///< [wheel] of the centre, from drawn to design, m; or empty
  std::vector<double> design_height;   ///< [wheel] of the contact point, m
  std::vector<double> design_load;     ///< [wheel] N
  RigState design;                     ///< equilibrium of the design position
  std::vector<MeasuredLength> lengths;
  InputIndex roll = kNoInput;      ///< kNoInput: the vehicle has no chassis
  InputIndex steering = kNoInput;  ///< kNoInput: the vehicle names none
  double steering_ratio = 1.0;     ///< of the input to the steering wheel's angle
  InputIndex first_load = 0;       ///< PadForce::kInputs for each wheel
  Eigen::VectorXd states;          ///< first-order ones of the elements, at the start
  std::vector<std::string> notes;  ///< about its equations and what the rig makes of it, one a line

  int wheels() const { return static_cast<int>(centres.size()); }
};

/// What the rig is told; also the rate of it in one direction.
struct RigCommand {
  double roll = 0.0;             ///< of the chassis about x, rad
  double steering = 0.0;         ///< of the steering wheel, rad
  Eigen::VectorXd height;        ///< [wheel] of the pad over the design position, m
  std::vector<Vector6> contact;  ///< [wheel] force and moment at the contact point, N, N m
  std::vector<Vector6> centre;   ///< [wheel] the same at the wheel's centre
  /// Pads of an axle keep the difference of their heights and, by their mean height, the sum of
  /// their loads of the design position.
  bool constant_load = false;
};
RigCommand make_command(const Rig& rig);
/// command + share * rate
RigCommand moved(const RigCommand& command, double share, const RigCommand& rate);

/// The equations of equilibrium linearised at a state.
struct RigTangent {
  Eigen::MatrixXd A;  ///< (n + m + wheels)^2: forces, closures, pads over z, multipliers, loads
  OrthogonalDecomposition decomposition;
  double scale = 0.0;  ///< of closure rows and multipliers; 0: none was made
  bool constant_load = false;
};

/// How an equilibrium answers to a small change of the command.
struct RigResponse {
  Eigen::VectorXd z;      ///< n
  Eigen::VectorXd loads;  ///< [wheel]
};

/// Puts the vehicle on the rig, its wheel centres higher than drawn by `travel` ([wheel], m; empty:
/// as drawn). The radius of a disc is that of its tyre under the load of the design position.
/// Throws ModelError, and AnalysisError when the design position has no equilibrium.
Rig make_rig(const Vehicle& vehicle, const std::vector<double>& travel = {});
/// The same with discs of given radii, [wheel]; 0: the pads hold the wheel centres.
Rig make_rig(const Vehicle& vehicle, const std::vector<double>& travel,
             const std::vector<double>& radius);

/// Locks the hinges about the axle of a wheel, through its centre, on the body that spins.
void lock_rim(Mechanism& mechanism, const Wheel& wheel);

/// Gives Rig::design_height, design_load and design. Throws AnalysisError.
void find_design_position(Rig& rig);

/// Newton from `state` to the equilibrium under a command, with the tangent at hand as long as it
/// is good; false, `state` untouched, when there is none near.
bool find_rig_equilibrium(const Rig& rig, const RigCommand& command, RigState& state,
                          RigTangent& tangent, Workspace& ws);

/// Central differences with this step (m, rad) over all coordinates.
RigTangent linearize(const Rig& rig, const RigCommand& command, const RigState& state,
                     Workspace& ws, double step);
/// Needs a tangent of this state. All NaN where the linkage cannot follow: a wheel that does not
/// travel, or not without its neighbour.
RigResponse respond(const Rig& rig, const RigCommand& command, const RigState& state,
                    const RigTangent& tangent, const RigCommand& rate, Workspace& ws);

}  // namespace semirec
