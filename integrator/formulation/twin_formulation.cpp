#include "integrator/formulation/twin_formulation.hpp"

#include "integrator/formulation/evaluate.hpp"
#include "integrator/formulation/formulation_state.hpp"
#include "integrator/state_members.hpp"
#include "natural_coords/rows/measured_coordinates.hpp"
#include "topology/indices.hpp"

namespace semirec {

bool TwinFormulation::factor(const Model& /*model*/, const Eigen::VectorXd& /*alpha*/,
                             double /*scale*/, Workspace& ws) const {
  return static_cast<MatrixWorkspace&>(*ws.formulation).solver.factor(ws.tree.tangent);
}

bool TwinFormulation::factor_weight(const Model& model, Workspace& ws) const {
  std::vector<double>& weight = static_cast<TwinWorkspace&>(*ws.formulation).weight;
  weight = ws.tree.tangent;
  add_floor(model, ws);
  const bool good = factor(model, ws.alpha, 0.0, ws);
  ws.tree.tangent = weight;
  return good;
}

void TwinFormulation::keep(const Model& model, Workspace& ws, State& state) const {
  measure_coordinates(model.tree, state.angles, ws.tree);
  for (int k = 0; k < model.tree.n; ++k) state.angles[k] = ws.tree.z[at(k)];
}

void TwinFormulation::from_relative(const Model& model, const State& relative, State& state) const {
  Workspace ws(*twin_);
  evaluate_state(*twin_, relative, ws);
  state = {};
  common_members(state) = common_members(relative);
  state.z = state.zd = state.zdd = Eigen::VectorXd::Zero(n(model));
  state.lambda = state.multipliers = Eigen::VectorXd::Zero(m(model));
  state.masses = Eigen::VectorXd::Ones(m(model));
  state.angles = relative.z;
  read_coordinates(relative, ws, state);
}

/// Relative coordinates, rates and accelerations read off the bodies, multipliers of the cuts from
/// the equations of motion.
void TwinFormulation::to_relative(const Model& model, const State& state, State& relative) const {
  const Model& own = *twin_;
  Workspace gws(model);
  evaluate_state(model, state, gws);
  relative = {};
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
}

std::shared_ptr<const Model> make_twin(Model& model, TangentChoice tangent) {
  auto twin = std::make_shared<Model>(model);
  twin->formulation = make_formulation(Formulation::hybrid, *twin, tangent);
  model.tree = twin->tree;
  model.closures = twin->closures;
  return twin;
}

}  // namespace semirec
