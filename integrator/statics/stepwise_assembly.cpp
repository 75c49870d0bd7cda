#include "integrator/statics/stepwise_assembly.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "integrator/formulation/evaluate.hpp"
#include "integrator/statics/initial_conditions.hpp"
#include "integrator/statics/written_values.hpp"
#include "natural_coords/closure_input.hpp"
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
constexpr double kMostTurn = 0.3;    // rad, of a body in one stage
constexpr int kMostTries = 5000;
constexpr double kNear = 1e-3;           // m or rad: what inputs drive is where it is drawn
constexpr double kShortestStage = 1e-4;  // of the usual one
/// Of the gap that the farthest value opens alone: values that leave less fit one another.
constexpr double kFittingGap = 0.2;

/// A written motion of a tree joint, which is to be brought from the drawing to its value.
struct StagedMotion {
  int z = -1;
  int triad = -1;                       ///< its reference rotation; -1: a slide or a turn
  double value = 0.0;                   ///< of a slide or a turn
  Eigen::Vector3d turn{0.0, 0.0, 0.0};  ///< of a triad, as a rotation vector
  double steps = 0.0;
  bool is_design = false;  ///< of a free joint: written only to say where the body is drawn
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
      written.is_design = is_design_position(model, joint);
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

/// [row] 1: of a closure with an input of its own, such as a driven coordinate or rod.
Eigen::VectorXd find_driven_rows(const Model& model) {
  Eigen::VectorXd driven = Eigen::VectorXd::Zero(model.m());
  for (std::size_t c = 0; c < model.closures.closures.size(); ++c) {
    if (!is_driven(model.closures.closures[c])) continue;
    const auto& block = model.closures.blocks[c];
    driven.segment(block.row, block.rows).setOnes();
  }
  return driven;
}

/// Phi at a state, m and rad.
Eigen::VectorXd find_closures(const Model& model, const State& state, Workspace& ws) {
  evaluate_state(model, state, ws);
  return ws.closures.Phi;
}

/// Of the loops, without what inputs drive.
double find_loop_gap(const Eigen::VectorXd& Phi, const Eigen::VectorXd& driven) {
  return largest_magnitude(((1.0 - driven.array()) * Phi.array()).matrix());
}

/// Cosine of the largest angle by which a body is turned between two states.
double cosine_of_turn(const Model& model, const State& before, const State& after, Workspace& ws) {
  evaluate_state(model, before, ws);
  const std::vector<Eigen::Matrix3d> A(ws.tree.A_WC.begin(), ws.tree.A_WC.end());
  evaluate_state(model, after, ws);
  double cosine = 1.0;
  for (std::size_t t = 0; t < A.size(); ++t)
    cosine = std::min(cosine, 0.5 * (A[t].cwiseProduct(ws.tree.A_WC[t]).sum() - 1.0));
  return cosine;
}

/// Goes from a state whose loops are nearly closed to that with the written values in their places
/// and the inputs' own, by `steps` stages of equal length or by more where a body would turn too
/// far in one. `opening`: of the rows that inputs drive, at the begin. False where no way leads on.
bool go_stepwise(const Model& model, const std::vector<StagedMotion>& written,
                 const Eigen::VectorXd& opening, double steps, AssemblyWorkspace& assembly,
                 State& state, Workspace& ws) {
  const auto close_at = [&](double part, State& trial) {
    for (const StagedMotion& motion : written) bring(motion, part, trial);
    assembly.offset = (1.0 - part) * opening;
    return close_loops(model, trial, ws, assembly);
  };
  if (!close_at(0.0, state)) return false;
  const double usual = 1.0 / std::ceil(std::clamp(steps, 1.0, kMostStages));
  double stage = usual;
  int tries = 0;
  for (double part = 0.0; part < 1.0;) {
    if (++tries > kMostTries) return false;
    const double next = part + stage > 1.0 - 1e-9 ? 1.0 : part + stage;
    State trial = state;
    if (close_at(next, trial) && cosine_of_turn(model, state, trial, ws) > std::cos(kMostTurn)) {
      state = std::move(trial);
      part = next;
      stage = std::min(2.0 * stage, usual);
      continue;
    }
    stage *= 0.5;
    if (stage < kShortestStage * usual) return false;
  }
  return true;
}

}  // namespace

bool close_loops_stepwise(const Model& model, State& state, Workspace& ws) {
  if (model.m() == 0 || model.n() == 0) return false;
  const std::vector<StagedMotion> all = find_staged(model, state);
  const Eigen::VectorXd driven = find_driven_rows(model);
  std::vector<StagedMotion> written = all;
  std::erase_if(written, [](const StagedMotion& motion) { return !(motion.steps > 0.0); });
  State drawn = state;
  for (const StagedMotion& motion : written) bring(motion, 0.0, drawn);
  const Eigen::VectorXd drawn_Phi = find_closures(model, drawn, ws);
  double farthest = 0.0;
  std::erase_if(written, [&](const StagedMotion& motion) {
    State alone = drawn;
    bring(motion, 1.0, alone);
    const Eigen::VectorXd Phi = find_closures(model, alone, ws);
    farthest =
        std::max(farthest, std::abs(find_loop_gap(Phi, driven) - find_loop_gap(drawn_Phi, driven)));
    return largest_magnitude(Phi - drawn_Phi) <= kUnseenGap;
  });
  double steps = 0.0;
  for (const StagedMotion& motion : written) steps = std::max(steps, motion.steps);
  if (!(steps > 1.0) ||
      find_loop_gap(find_closures(model, state, ws), driven) <= kFittingGap * farthest) {
    // they are near, or fit one another: what inputs drive begins from them
    written.clear();
    drawn = state;
    steps = 0.0;
  }
  const Eigen::VectorXd opening = driven.cwiseProduct(find_closures(model, drawn, ws));
  const double farthest_driven = largest_magnitude(opening);
  steps = std::max(steps, farthest_driven / kSlideOfStage);
  if (written.empty() && farthest_driven <= kNear) return false;
  if (!(farthest_driven <= kMostTurn * kMostStages)) return false;

  AssemblyWorkspace assembly(model);
  for (const StagedMotion& motion : all)
    if (!written.empty() || !motion.is_design)
      assembly.free.segment(motion.z, motion.triad >= 0 ? 3 : 1).setZero();
  if (!go_stepwise(model, written, opening, steps, assembly, drawn, ws)) return false;
  // what the loops do not see is as it was written
  for (const StagedMotion& motion : all)
    if (motion.steps > 0.0) bring(motion, 1.0, drawn);
  state = drawn;
  return true;
}

}  // namespace semirec
