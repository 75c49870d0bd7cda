#include "integrator/formulation/formulation_state.hpp"

#include "integrator/formulation/evaluate.hpp"
#include "integrator/state_members.hpp"
#include "integrator/statics/least_squares.hpp"
#include "topology/indices.hpp"

namespace semirec {

State to_formulation(const Model& model, const State& relative) {
  if (!model.global) return relative;
  const Model& own = *model.relative;
  const GlobalModel& global = *model.global;
  Workspace ws(own);
  evaluate_state(own, relative, ws);
  State state;
  common_members(state) = common_members(relative);
  state.z = state.zd = state.zdd = Eigen::VectorXd::Zero(global.n);
  state.lambda = state.multipliers = Eigen::VectorXd::Zero(global.m);
  state.masses = Eigen::VectorXd::Ones(global.m);
  state.angles = relative.z;
  for (const NaturalEntity& entity : global.entities) {
    const auto b = at(entity.body);
    const Eigen::Vector3d w = ws.tree.Z[b].tail<3>();
    Eigen::Vector3d value = ws.tree.A_WC[b] * entity.local;
    Eigen::Vector3d rate = w.cross(value);
    Eigen::Vector3d second = ws.tree.Zd[b].tail<3>().cross(value) + w.cross(rate);
    if (entity.point) {
      value += ws.tree.p[b];
      rate = velocity_at(ws.tree.Z[b], value);
      second = acceleration_at(ws.tree.Z[b], ws.tree.Zd[b], value);
    }
    Eigen::Vector3d constant = entity.constant;
    if (entity.point && !entity.full()) constant -= relative.origin;
    const auto size = entity.S.cols();
    state.z.segment(entity.column, size) = entity.S.transpose() * (value - constant);
    state.zd.segment(entity.column, size) = entity.S.transpose() * rate;
    state.zdd.segment(entity.column, size) = entity.S.transpose() * second;
  }
  return state;
}

State to_relative(const Model& model, const State& state) {
  if (!model.global) return state;
  const Model& own = *model.relative;
  Workspace gws(model);
  evaluate_state(model, state, gws);
  State relative;
  common_members(relative) = common_members(state);
  relative.z = Eigen::Map<const Eigen::VectorXd>(gws.tree.z.data(), own.n());
  relative.zd = Eigen::Map<const Eigen::VectorXd>(gws.tree.zd.data(), own.n());
  relative.zdd = Eigen::VectorXd::Zero(own.n());
  relative.A0.assign(at(own.tree.triads), Quaternion::Identity());
  relative.lambda = relative.multipliers = Eigen::VectorXd::Zero(own.m());
  relative.masses = Eigen::VectorXd::Ones(own.m());
  for (std::size_t t = 1; t < own.tree.bodies.size(); ++t) {
    const TreeBody& body = own.tree.bodies[t];
    for (int k = body.motion_begin; k < body.motion_end; ++k) {
      const JointMotion& motion = own.tree.motions[at(k)];
      if (motion.kind != JointMotion::Kind::triad) continue;
      const Eigen::Matrix3d A_J = gws.tree.A_WC[at(body.parent)] * body.X_PJ.A;
      Quaternion turn(Eigen::Matrix3d(A_J.transpose() * gws.tree.A_WC[t]));
      turn.normalize();
      relative.A0[at(motion.triad)] = turn;
      relative.z.segment<3>(motion.z).setZero();
    }
  }
  // accelerations: what the bodies have beyond the velocity terms
  Workspace ws(own);
  evaluate_state(own, relative, ws);
  for (int k = 0; k < own.n(); ++k) {
    const MeasuredCoordinate& measured = model.tree.measured[at(k)];
    const auto a = at(measured.body_a);
    const auto b = at(measured.body_b);
    relative.zdd[k] = coordinate_line(measured, ws.tree)
                          .dot((gws.tree.Zd[b] - ws.tree.Zd[b]) - (gws.tree.Zd[a] - ws.tree.Zd[a]));
  }
  if (own.m() > 0) recover_multipliers(own, relative, ws);
  return relative;
}

void recover_multipliers(const Model& model, State& state, Workspace& ws) {
  begin_evaluation(model, state, state.t, ws);
  evaluate_dynamics(model, state.z.data(), state.zd.data(), state.zdd.data(), {}, ws);
  state.multipliers = Eigen::VectorXd::Zero(model.m());
  if (model.n() == 0) return;  // nothing moves: no force tells them
  OrthogonalDecomposition decomposition;
  decompose(dense_jacobian(model.closures, ws.closures, model.n()).transpose(), 1e-9,
            decomposition);
  state.multipliers = solve_least_squares(decomposition, -ws.tree.residual);
}

}  // namespace semirec
