#include "integrator/statics/stepwise_assembly.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "integrator/formulation/evaluate.hpp"
#include "integrator/statics/initial_conditions.hpp"
#include "recursive/joint_motion.hpp"
#include "recursive/kinematics.hpp"
#include "topology/indices.hpp"
#include "topology/largest_magnitude.hpp"

namespace semirec {

namespace {

constexpr double kTurnOfStage = 0.1;    // rad, of a step
constexpr double kSlideOfStage = 0.02;  // m
constexpr double kMostStages = 1000.0;
constexpr double kUnseenGap = 1e-9;  // m or rad: the loops do not see the motion
/// Of the gap that the farthest value opens alone: values that leave less fit one another.
constexpr double kFittingGap = 0.2;

/// A written motion of a tree joint, which is to be brought from the drawing to its value.
struct StagedMotion {
  int z = -1;
  int triad = -1;                       ///< its reference rotation; -1: a slide or a turn
  double value = 0.0;                   ///< of a slide or a turn
  Eigen::Vector3d turn{0.0, 0.0, 0.0};  ///< of a triad, as a rotation vector
  double steps = 0.0;
};

std::vector<StagedMotion> find_staged(const Model& model, const State& state) {
  std::vector<StagedMotion> found;
  for (std::size_t j = 0; j < model.mechanism.joints.size(); ++j) {
    const Joint& joint = model.mechanism.joints[j];
    const TreeIndex t = model.tree.tree.branch_of_joint[j];
    if (t < 0 || joint.position.empty()) continue;
    const TreeBody& body = model.tree.bodies[at(t)];
    for (int k = body.motion_begin; k < body.motion_end; ++k) {
      const JointMotion& motion = model.tree.motions[at(k)];
      StagedMotion written;
      written.z = motion.z;
      if (motion.kind == JointMotion::Kind::triad) {
        written.triad = motion.triad;
        written.turn = rotation_log(state.A0[at(motion.triad)].toRotationMatrix());
        written.steps = written.turn.norm() / kTurnOfStage;
      } else {
        written.value = state.z[motion.z];
        written.steps = std::abs(written.value) /
                        (motion.kind == JointMotion::Kind::slide ? kSlideOfStage : kTurnOfStage);
      }
      // what floats is where it is written from the first stage on
      if (body.floats) written.steps = 0.0;
      found.push_back(written);
    }
  }
  return found;
}

/// Brings a part of the way to its value.
void bring(const StagedMotion& written, double part, State& state) {
  if (written.triad >= 0)
    state.A0[at(written.triad)] = Quaternion(rotation_exp(part * written.turn));
  else
    state.z[written.z] = part * written.value;
}

double find_loop_gap(const Model& model, const State& state, Workspace& ws) {
  evaluate_state(model, state, ws);
  return largest_magnitude(ws.closures.Phi);
}

}  // namespace

bool close_loops_stepwise(const Model& model, State& state, Workspace& ws) {
  if (model.m() == 0 || model.n() == 0) return false;
  const std::vector<StagedMotion> all = find_staged(model, state);
  std::vector<StagedMotion> written = all;
  std::erase_if(written, [](const StagedMotion& motion) { return !(motion.steps > 0.0); });
  State drawn = state;
  for (const StagedMotion& motion : written) bring(motion, 0.0, drawn);
  const double drawn_gap = find_loop_gap(model, drawn, ws);
  double farthest = 0.0;
  std::erase_if(written, [&](const StagedMotion& motion) {
    State alone = drawn;
    bring(motion, 1.0, alone);
    const double gap = std::abs(find_loop_gap(model, alone, ws) - drawn_gap);
    farthest = std::max(farthest, gap);
    return gap <= kUnseenGap;
  });
  double steps = 0.0;
  for (const StagedMotion& motion : written) steps = std::max(steps, motion.steps);
  if (!(steps > 1.0) || find_loop_gap(model, state, ws) <= kFittingGap * farthest) return false;

  AssemblyWorkspace assembly(model);
  for (const StagedMotion& motion : all)
    assembly.free.segment(motion.z, motion.triad >= 0 ? 3 : 1).setZero();
  State trial = drawn;
  const double count = std::ceil(std::min(steps, kMostStages));
  for (double k = 0.0; k <= count; k += 1.0) {
    for (const StagedMotion& motion : written) bring(motion, k / count, trial);
    if (!close_loops(model, trial, ws, assembly)) return false;
  }
  // what the loops do not see is as it was written
  for (const StagedMotion& motion : all)
    if (motion.steps > 0.0) bring(motion, 1.0, trial);
  state = trial;
  return true;
}

}  // namespace semirec
