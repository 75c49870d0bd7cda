#pragma once

#include <string>
#include <vector>

#include <Eigen/Core>

#include "integrator/model.hpp"
#include "integrator/state.hpp"
#include "integrator/workspace.hpp"

namespace semirec {

// Initial positions and rates that the joints of a mechanism write (Joint::position, ::velocity).
// Those of tree joints are coordinates of the model, those of cut joints are measured between the
// joint's two sides. As many as the closures allow are kept, in the order of the description; the
// others give way like what is not written.

/// What the description writes of one coordinate of a joint, and what a state has there.
struct WrittenValue {
  JointIndex joint = -1;
  int coordinate = 0;  ///< of the joint
  bool is_rate = false;
  bool turns = false;  ///< rad and rad/s; else m and m/s
  double asked = 0.0;
  double got = 0.0;  ///< the three of a rotation vector are compared together: as asked, or not
};

/// Whether the position that a free joint writes is that of its body's design, and counts as not
/// written.
bool is_design_position(const Model& model, const Joint& joint);

/// All written positions and rates at a state in relative coordinates. The position of a free joint
/// that is the design position of its body counts as not written.
std::vector<WrittenValue> read_written_values(const Model& model, const State& state,
                                              Workspace& ws);

/// Closes the loops of a state and keeps the written positions of tree joints, and with
/// `cut_joints` those of cut joints, as far as they go; coordinates with Joint::held stay in any
/// case, and cut joints with it come first. Positions far from the drawn ones are reached step by
/// step (close_loops_stepwise()). False, and the state as before, where nothing that is written
/// could be kept. Relative coordinates; off-line work: allocates.
bool close_loops_as_written(const Model& model, State& state, Workspace& ws, bool cut_joints);

/// Corrects the rates of a state to Phi_z zd = -Phi_t; the rates of tree joints that are written
/// keep their values in the state, those of cut joints take what is written, as far as they go.
/// Where not all of them go together, one that would make a coordinate move more than four times as
/// fast as the fastest that is written gives way, too. False, and the state as before, where
/// nothing that is written could be kept.
bool find_velocities_as_written(const Model& model, State& state, Workspace& ws);

/// Whether the state has what is written.
bool is_kept(const WrittenValue& value);

/// The line that says which of the values have changed: the first few asked and got, the others by
/// their joints; empty where none has.
std::string describe_changes(const Model& model, const std::vector<WrittenValue>& values);

}  // namespace semirec
