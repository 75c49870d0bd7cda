#include "integrator/formulation/relative_coordinates.hpp"

#include <algorithm>
#include <cmath>

#include "integrator/formulation/evaluate.hpp"
#include "integrator/formulation/matrix_workspace.hpp"
#include "recursive/accumulation.hpp"
#include "recursive/kinematics.hpp"
#include "recursive/origin.hpp"
#include "topology/indices.hpp"

namespace semirec {

int RelativeCoordinates::n(const Model& model) const { return model.tree.n; }
int RelativeCoordinates::m(const Model& model) const { return model.closures.m; }
const std::vector<RowBlock>& RelativeCoordinates::blocks(const Model& model) const {
  return model.closures.blocks;
}

RowOwner RelativeCoordinates::owner_of(const Model& model, int row) const {
  for (std::size_t c = 0; c < model.closures.closures.size(); ++c) {
    const RowBlock& block = model.closures.blocks[c];
    const Closure& closure = model.closures.closures[c];
    if (row >= block.row && row < block.row + block.rows)
      return {closure.name, closure.switch_index};
  }
  return {};
}

OperationCount RelativeCoordinates::count_operations(const Model& model) const {
  OperationCount count;
  count.mass = count_mass(model.tree);
  count.closures = count_penalty(model.closures.blocks, 0);
  count_factor(model.tree, count);
  return count;
}

ClosureWorkspace RelativeCoordinates::make_closures(const Model& model) const {
  return ClosureWorkspace(model.closures);
}

std::unique_ptr<FormulationWorkspace> RelativeCoordinates::make_workspace(
    const Model& model) const {
  auto made = std::make_unique<MatrixWorkspace>(model.tree.pattern);
  made->loops = make_dependent_loops(model);
  return made;
}

void RelativeCoordinates::begin(const Model& /*model*/, const State& state, Workspace& ws) const {
  for (std::size_t s = 0; s < state.switches.size(); ++s)
    ws.closures.switches[s] = state.switches[s];
}

void RelativeCoordinates::evaluate_dynamics(const Model& model, const double* z, const double* zd,
                                            const double* zdd, Workspace& ws) const {
  const TangentWeights& weights = ws.tree.weights;
  const bool with_tangent =
      weights.mass != 0.0 || weights.damping != 0.0 || weights.stiffness != 0.0;
  if (with_tangent) std::fill(ws.tree.tangent.begin(), ws.tree.tangent.end(), 0.0);
  if (!ws.placed) compute_positions(model.tree, z, ws.tree);
  compute_motions(model.tree, zd, zdd, ws.tree);
  compute_body_forces(model.tree, ws.tree);
  add_forces(model.forces, model.tree, ws.tree);
  if (with_tangent)
    accumulate(model.tree, ws.tree);
  else
    accumulate_forces(model.tree, ws.tree);
  if (!ws.placed) compute_closure_positions(model.closures, ws.tree, ws.closures);
}

void RelativeCoordinates::evaluate_kinematics(const Model& model, const double* z, const double* zd,
                                              const double* zdd, Workspace& ws) const {
  compute_positions(model.tree, z, ws.tree);
  compute_closure_positions(model.closures, ws.tree, ws.closures);
  if (zdd == nullptr) {
    compute_velocities(model.tree, zd, ws.tree);
    compute_closure_velocities(model.closures, ws.tree, ws.closures);
  } else {
    compute_motions(model.tree, zd, zdd, ws.tree);
    compute_closure_motions(model.closures, ws.tree, ws.closures);
  }
}

void RelativeCoordinates::evaluate_positions(const Model& model, const double* z,
                                             Workspace& ws) const {
  compute_positions(model.tree, z, ws.tree);
  compute_closure_positions(model.closures, ws.tree, ws.closures, /*with_jacobian=*/false);
}

void RelativeCoordinates::evaluate_velocities(const Model& model, const double* zd,
                                              Workspace& ws) const {
  compute_velocities(model.tree, zd, ws.tree);
  compute_closure_velocities(model.closures, ws.tree, ws.closures);
}

void RelativeCoordinates::evaluate_accelerations(const Model& model, const double* zd,
                                                 const double* zdd, Workspace& ws) const {
  compute_motions(model.tree, zd, zdd, ws.tree);
  compute_closure_motions(model.closures, ws.tree, ws.closures);
}

void RelativeCoordinates::evaluate_closure_motions(const Model& model, const double* /*zd*/,
                                                   const double* /*zdd*/, Workspace& ws) const {
  compute_closure_motions(model.closures, ws.tree, ws.closures);
}

void RelativeCoordinates::evaluate_bodies(const Model& model, const double* z, const double* zd,
                                          Workspace& ws) const {
  compute_positions(model.tree, z, ws.tree);
  compute_velocities(model.tree, zd, ws.tree);
}

bool RelativeCoordinates::factor(const Model& /*model*/, const Eigen::VectorXd& /*alpha*/,
                                 double /*scale*/, Workspace& ws) const {
  return static_cast<MatrixWorkspace&>(*ws.formulation).solver.factor(ws.tree.tangent);
}

bool RelativeCoordinates::finish(StepInProgress& step) const {
  if (!FormulationModel::finish(step)) return false;
  if (!step.model.closures.dependent) return true;
  // (2) sums up in the multipliers what Newton leaves of closures that depend on others, and no
  // motion answers to it
  Workspace& ws = step.ws;
  auto* const own = dynamic_cast<RelativeWorkspace*>(ws.formulation.get());
  if (own == nullptr) return true;  // a formulation with a workspace of another kind
  for (LoopGroup& loop : own->loops) {
    gather_jacobian(step.model.closures.blocks, ws.closures.Phi_z, loop);
    const int rank = find_range(loop, step.state.masses);
    if (rank == static_cast<int>(loop.rows.size())) continue;
    drop_unseen(loop, step.state.masses, rank, ws.lambda);
    drop_unseen(loop, step.state.masses, rank, ws.multipliers);
  }
  return true;
}

void RelativeCoordinates::rebase(const Model& model, State& state) const {
  Eigen::Vector3d moved = Eigen::Vector3d::Zero();
  if (model.tree.reference_body > 0) {
    const TreeBody& body = model.tree.bodies[static_cast<std::size_t>(model.tree.reference_body)];
    // whole multiples of 2^-10 m: sums and differences of such places are exact, to 100 km and far
    // beyond, and what is left of the way stays in z with all its digits
    const Eigen::Vector3d way = body.X_PJ.A * Eigen::Vector3d(state.z.segment<3>(body.z));
    moved = round_origin(way);
    state.origin += moved;
  }
  for (const TreeIndex t : model.tree.floating) {
    const TreeBody& body = model.tree.bodies[static_cast<std::size_t>(t)];
    state.z.segment<3>(body.z) -= body.X_PJ.A.transpose() * moved;
  }
  for (const JointMotion& motion : model.tree.triad_turns) {
    Quaternion& A0 = state.A0[static_cast<std::size_t>(motion.triad)];
    const Eigen::Vector3d theta = state.z.segment<3>(motion.z);
    // exp(tilde(theta)) as a quaternion, by the half angle
    const double t2 = theta.squaredNorm();
    double c = 1.0 - t2 * (1.0 / 8.0 - t2 * (1.0 / 384.0));
    double s = 0.5 - t2 * (1.0 / 48.0 - t2 * (1.0 / 3840.0));
    if (t2 >= 1e-4) {
      const double half = 0.5 * std::sqrt(t2);
      c = std::cos(half);
      s = std::sin(half) / (2.0 * half);
    }
    A0 = Quaternion(c, s * theta.x(), s * theta.y(), s * theta.z()) * A0;
    // what is missing to length one is round-off: one Newton step takes it away
    A0.coeffs() *= 1.5 - 0.5 * A0.squaredNorm();
    state.z.segment<3>(motion.z).setZero();
  }
}

std::vector<LoopGroup> make_dependent_loops(const Model& model) {
  if (!model.closures.dependent) return {};
  std::vector<LoopGroup> loops = make_loop_groups(model.closures.blocks);
  std::erase_if(loops, [](const LoopGroup& loop) { return loop.rows.size() > kMostRanked; });
  return loops;
}

void lay_out_tangent(Model& model, TangentChoice tangent) {
  model.tree.set_pattern(
      choose_pattern(model.tree.n, model.tree.cliques(), tangent, *model.tree.lanes));
  set_slots(model.closures, model.tree.pattern);
}

}  // namespace semirec
