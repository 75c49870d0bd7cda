#include "integrator/workspace.hpp"

namespace semirec {

Workspace::Workspace(const Model& model)
    : tree(model.tree),
      closures(model.closures),
      solver(model.tree.pattern),
      increment(Eigen::VectorXd::Zero(model.n())),
      z(increment),
      zd(increment),
      zdd(increment),
      correction(increment),
      lambda(Eigen::VectorXd::Zero(model.m())),
      alpha(lambda),
      weighted(lambda),
      multipliers(lambda) {}

DynamicTerms terms_of(const Model& model, Workspace& ws) {
  return {ws.tree.residual,  ws.tree.tangent,   ws.closures.Phi,      ws.closures.Phid,
          ws.closures.Phidd, ws.closures.Phi_z, model.closures.blocks};
}

}  // namespace semirec
