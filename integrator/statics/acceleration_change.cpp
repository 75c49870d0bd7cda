#include "integrator/statics/acceleration_change.hpp"

#include "integrator/formulation/evaluate.hpp"
#include "integrator/statics/initial_conditions.hpp"
#include "penalty/augmented_lagrangian.hpp"
#include "topology/largest_magnitude.hpp"

namespace semirec {

AccelerationChange::AccelerationChange(const Model& model, const Workspace& ws)
    : residual_(Eigen::VectorXd::Zero(model.n())),
      alpha_(Eigen::VectorXd::Zero(model.m())),
      Phi_z_(ws.closures.Phi_z),
      force_(residual_),
      change_(residual_),
      lambda_(alpha_),
      error_(alpha_) {}

bool AccelerationChange::begin(const Model& model, const State& state, Workspace& ws) {
  if (!factor_mass(model, state, ws)) return false;
  const DynamicTerms terms = terms_of(model, ws);
  residual_ = terms.residual;
  alpha_ = ws.alpha;
  Phi_z_ = terms.Phi_z;
  return true;
}

bool AccelerationChange::add(const Model& model, State& changed, Workspace& ws) {
  constexpr int kPasses = 10;        // each leaves some 1e-5 of the error
  constexpr double kClosed = 1e-13;  // of the change
  begin_evaluation(model, changed, changed.t, ws);
  ws.zdd.setZero();
  evaluate_dynamics(model, changed.z.data(), changed.zd.data(), ws.zdd.data(), {1.0, 0.0, 0.0}, ws);
  const DynamicTerms terms = terms_of(model, ws);
  force_ = residual_ - terms.residual;
  lambda_.setZero();
  for (int pass = 0; pass < kPasses; ++pass) {
    change_ = force_;
    error_ = -lambda_;
    add_transposed(terms.blocks, Phi_z_, error_, change_);
    ws.formulation->solve(change_);
    error_.setZero();
    add_product(terms.blocks, Phi_z_, change_, error_);
    lambda_ += alpha_.cwiseProduct(error_);
    if (model.m() == 0 || largest_magnitude(error_) <= kClosed * largest_magnitude(change_)) break;
  }
  changed.zdd += change_;
  changed.multipliers += lambda_;
  return is_finite(changed.zdd);
}

}  // namespace semirec
