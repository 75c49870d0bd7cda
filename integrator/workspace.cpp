#include "integrator/workspace.hpp"

namespace semirec {

namespace {

/// Sized by the formulation's rows; the global formulation keeps its own switches.
ClosureModel sizes_of(const Model& model) {
  ClosureModel sizes;
  sizes.m = model.m();
  sizes.jacobian_size = model.global ? model.global->jacobian_size : model.closures.jacobian_size;
  sizes.switches = model.global ? model.global->switches : model.closures.switches;
  return sizes;
}

}  // namespace

Workspace::Workspace(const Model& model)
    : tree(model.tree),
      closures(sizes_of(model)),
      solver(model.formulation == Formulation::recursive
                 ? TangentSolver(model.tree, model.closures.blocks, model.m())
                 : TangentSolver(model.tree.pattern)),
      increment(Eigen::VectorXd::Zero(model.n())),
      z(increment),
      zd(increment),
      zdd(increment),
      correction(increment),
      lambda(Eigen::VectorXd::Zero(model.m())),
      alpha(lambda),
      weighted(lambda),
      multipliers(lambda),
      P(closures.Phi_z) {
  if (model.global) global.emplace(*model.global);
  if (model.formulation == Formulation::topological)
    topological.emplace(model.tree, model.closures);
}

DynamicTerms terms_of(const Model& model, Workspace& ws) {
  return {ws.tree.residual,  ws.tree.tangent,   ws.closures.Phi, ws.closures.Phid,
          ws.closures.Phidd, ws.closures.Phi_z, model.blocks(),  ws.global ? ws.global->prepaid : 0,
          ws.tree.H,         ws.tree.Mbar};
}

}  // namespace semirec
