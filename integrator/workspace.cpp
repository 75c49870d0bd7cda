#include "integrator/workspace.hpp"

namespace semirec {

Workspace::Workspace(const Model& model)
    : tree(model.tree),
      closures(model.formulation->make_closures(model)),
      formulation(model.formulation->make_workspace(model)),
      increment(Eigen::VectorXd::Zero(model.n())),
      z(increment),
      zd(increment),
      zdd(increment),
      correction(increment),
      lambda(Eigen::VectorXd::Zero(model.m())),
      alpha(lambda),
      weighted(lambda),
      multipliers(lambda),
      history(Eigen::VectorXd::Zero(2 * model.n() + static_cast<Eigen::Index>(model.tree.states))),
      P(closures.Phi_z) {
  balanced.z = balanced.zd = balanced.zdd = increment;
  balanced.lambda = balanced.multipliers = balanced.masses = lambda;
  balanced.x = balanced.xd = Eigen::VectorXd::Zero(model.tree.states);
  balanced.A0.reserve(static_cast<std::size_t>(model.tree.triads));
  balanced.switches.reserve(model.closures.closures.size());
  balanced.live.reserve(model.mechanism.inputs.size());
  balanced.independent.reserve(static_cast<std::size_t>(model.n()));
}

DynamicTerms terms_of(const Model& model, Workspace& ws) {
  return {ws.tree.residual,  ws.tree.tangent,   ws.closures.Phi, ws.closures.Phid,
          ws.closures.Phidd, ws.closures.Phi_z, model.blocks(),  ws.prepaid};
}

}  // namespace semirec
