#include "integrator/step.hpp"

#include <cassert>
#include <cmath>

#include "integrator/formulation/evaluate.hpp"
#include "integrator/formulation/topological.hpp"
#include "penalty/augmented_lagrangian.hpp"
#include "penalty/projection.hpp"
#include "recursive/kinematics.hpp"
#include "topology/largest_magnitude.hpp"

namespace semirec {

namespace {

/// Round-off of a coordinate of 1 m or rad with some room, m.
constexpr double kSmallestTolerance = 1e-14;

double root_mean_square(const Eigen::VectorXd& v) {
  return v.size() > 0 ? std::sqrt(v.squaredNorm() / static_cast<double>(v.size())) : 0.0;
}

/// One Newton iteration; false when the tangent cannot be factored. `P`: the Phi_z inside the
/// factor.
bool iterate(const Model& model, const Scheme& scheme, const State& state, bool factors,
             const std::vector<double>& P, Workspace& ws) {
  scheme.compute_rates(state, ws.increment, ws.zd, ws.zdd);
  ws.z = state.z + ws.increment;
  const TangentWeights weights = factors ? scheme.weights : TangentWeights{0.0, 0.0, 0.0};
  evaluate_dynamics(model, ws.z.data(), ws.zd.data(), ws.zdd.data(), weights, ws);
  DynamicTerms terms = terms_of(model, ws);
  if (factors) {
    add_penalty(terms, ws.alpha, ws.lambda, scheme.scale);
    if (!ws.solver.factor(terms, ws.alpha, scheme.scale)) return false;
  } else {
    ws.weighted = ws.alpha.cwiseProduct(terms.Phi) + ws.lambda;
    add_transposed(terms.blocks, terms.Phi_z, ws.weighted, terms.residual);
  }
  ws.correction = -scheme.scale * terms.residual;
  ws.solver.solve(ws.correction);
  ws.increment += ws.correction;
  update_multipliers(terms, P, ws.alpha, ws.correction, ws.weighted, ws.lambda);
  return true;
}

/// Global formulation: turns of the joints, read off the bodies of the last iterate.
void keep_angles(const Model& model, Workspace& ws, State& state) {
  measure_coordinates(*model.global, model.tree, /*all=*/true, *ws.global, ws.tree);
  for (int k = 0; k < model.tree.n; ++k) state.angles[k] = ws.tree.z[static_cast<std::size_t>(k)];
}

/// Global formulation: moves the origin onto the reference body.
void rebase_natural(const Model& model, State& state) {
  if (model.tree.reference_body == 0) return;
  const GlobalModel& global = *model.global;
  const NaturalBody& body = global.bodies[static_cast<std::size_t>(model.tree.reference_body)];
  Eigen::Vector3d way = body.constant.head<3>();
  for (std::size_t k = 0; k < body.columns.size(); ++k)
    way += body.Gamma.col(static_cast<Eigen::Index>(k)).head<3>() * state.z[body.columns[k]];
  const Eigen::Vector3d moved = (way * 1024.0).array().round() / 1024.0;
  if (moved.isZero()) return;
  state.origin += moved;
  for (const NaturalEntity& entity : global.entities)
    if (entity.point && entity.full()) state.z.segment<3>(entity.column) -= moved;
}

}  // namespace

const char* name_of(StepStatus status) {
  switch (status) {
    case StepStatus::converged:
      return "converged";
    case StepStatus::iteration_limit:
      return "iteration limit";
    case StepStatus::tangent_not_positive_definite:
      return "tangent not positive definite";
    case StepStatus::non_finite:
      return "not finite";
    case StepStatus::independent_set_degenerate:
      return "the independent coordinates have become dependent";
    case StepStatus::event_impossible:
      return "an event cannot happen";
    case StepStatus::loops_open:
      return "no dependent coordinates close the loops";
  }
  return "";
}

void set_penalties(const StepSettings& settings, const Scheme& scheme, const State& state,
                   Workspace& ws) {
  ws.alpha = (settings.kappa * scheme.penalty / (scheme.h * scheme.h)) * state.masses;
}

double content_correction(const StepSettings& settings, const Scheme& scheme) {
  const double h = settings.h;
  double wish = settings.acceleration_tolerance * scheme.scale;
  if (settings.order_tolerance > 0.0) wish = std::min(wish, settings.order_tolerance * h * h * h);
  return std::min(settings.tolerance, std::max(wish, kSmallestTolerance));
}

StepReport step(const Model& model, const StepSettings& settings, State& state, Workspace& ws) {
  if (ws.topological && model.m() > 0) return step_topological(model, settings, state, ws);
  StepReport report;
  const Scheme scheme = settings.scheme.make(settings.h);
  assert(scheme.old_force == 0.0);
  const double t = state.t + settings.h;
  set_penalties(settings, scheme, state, ws);
  begin_evaluation(model, state, t, ws, settings.ends_on_breakpoint);
  scheme.begin(ws.tree.rule);
  prepare_penalty(model, scheme.scale, ws);
  ws.lambda = state.lambda;

  // predict
  scheme.predict(state, ws.increment);

  // Newton
  const bool constant_work = settings.iterations > 0;
  const int patience = model.formulation == Formulation::recursive
                           ? settings.max_fixed_point_iterations
                           : settings.max_iterations;
  const int limit = constant_work ? settings.iterations : patience;
  const double tolerance = content_correction(settings, scheme);
  const int factorizations = constant_work && settings.factorizations > 0
                                 ? std::min(settings.factorizations, limit)
                                 : limit;
  const std::vector<double>* P = &ws.closures.Phi_z;
  bool converged = false;
  while (report.iterations < limit && !converged) {
    const bool factors = report.iterations < factorizations;
    if (!factors && P != &ws.P) {
      ws.P = ws.closures.Phi_z;
      P = &ws.P;
    }
    if (!iterate(model, scheme, state, factors, *P, ws)) {
      report.status = ws.tree.residual.allFinite() ? StepStatus::tangent_not_positive_definite
                                                   : StepStatus::non_finite;
      return report;
    }
    ++report.iterations;
    report.factorizations += factors ? 1 : 0;
    report.correction = root_mean_square(ws.correction);
    if (!std::isfinite(report.correction)) {
      report.status = StepStatus::non_finite;
      return report;
    }
    converged = !constant_work && report.correction <= tolerance &&
                largest_magnitude(ws.closures.Phi) <= settings.tolerance;
  }
  // where loops are flat the multipliers of the directions that nothing holds creep, at any step:
  // closures and corrections within the tolerance then do
  converged = converged || (report.correction <= settings.tolerance &&
                            largest_magnitude(ws.closures.Phi) <= settings.tolerance);
  if (!converged && !constant_work) {
    report.status = StepStatus::iteration_limit;
    report.Phi = model.m() > 0 ? ws.closures.Phi.cwiseAbs().maxCoeff(&report.worst_row) : 0.0;
    return report;
  }

  // positions are final; Phi_z keeps the values that are inside the factor
  const DynamicTerms terms = terms_of(model, ws);
  scheme.compute_rates(state, ws.increment, ws.zd, ws.zdd);
  ws.z = state.z + ws.increment;
  evaluate_positions(model, ws.z.data(), ws);
  ws.multipliers = ws.lambda;

  if (model.m() > 0) {
    report.Phi = terms.Phi.cwiseAbs().maxCoeff(&report.worst_row);
    for (int pass = 0; pass < settings.projections; ++pass) {
      evaluate_velocities(model, ws.zd.data(), ws);
      if (pass == 0) report.Phid = largest_magnitude(terms.Phid);
      project(ws.solver, terms.blocks, *P, ws.alpha, scheme.scale, terms.Phid, ws.weighted,
              ws.correction, ws.zd);
    }
    for (int pass = 0; pass < settings.projections; ++pass) {
      evaluate_accelerations(model, ws.zd.data(), ws.zdd.data(), ws);
      project(ws.solver, terms.blocks, *P, ws.alpha, scheme.scale, terms.Phidd, ws.weighted,
              ws.correction, ws.zdd);
      // sigma = scale alpha (Phidd + P dzdd): the multipliers of the projected accelerations
      ws.weighted = terms.Phidd;
      add_product(terms.blocks, *P, ws.correction, ws.weighted);
      ws.multipliers.array() += scheme.scale * ws.alpha.array() * ws.weighted.array();
    }
  }
  if (!ws.zdd.allFinite() || !ws.multipliers.allFinite()) {
    report.status = StepStatus::non_finite;
    return report;
  }
  report.settled = !constant_work || (report.correction <= settings.settled_bound &&
                                      report.Phi <= settings.settled_bound);

  // accept
  if (model.m() > 0 && settings.projections > 0 && !model.global)
    update_element_states(model, ws);  // the accelerations were projected at the final rates
  else
    evaluate_element_states(model, ws.z.data(), ws.zd.data(), ws);
  state.x = ws.tree.x;
  state.xd = ws.tree.xd;
  state.t = t;
  state.z = ws.z;
  state.zd = ws.zd;
  state.zdd = ws.zdd;
  state.lambda = ws.lambda;
  state.multipliers = ws.multipliers;
  if (model.global) keep_angles(model, ws, state);
  rebase(model, state);
  return report;
}

void rebase(const Model& model, State& state) {
  if (model.global) {
    rebase_natural(model, state);
    return;
  }
  Eigen::Vector3d moved = Eigen::Vector3d::Zero();
  if (model.tree.reference_body > 0) {
    const TreeBody& body = model.tree.bodies[static_cast<std::size_t>(model.tree.reference_body)];
    // whole multiples of 2^-10 m: sums and differences of such places are exact, to 100 km and far
    // beyond, and what is left of the way stays in z with all its digits
    const Eigen::Vector3d way = body.X_PJ.A * Eigen::Vector3d(state.z.segment<3>(body.z));
    moved = (way * 1024.0).array().round() / 1024.0;
    state.origin += moved;
  }
  for (const TreeBody& body : model.tree.bodies) {
    if (body.floats) state.z.segment<3>(body.z) -= body.X_PJ.A.transpose() * moved;
    for (int k = body.motion_begin; k < body.motion_end; ++k) {
      const JointMotion& motion = model.tree.motions[static_cast<std::size_t>(k)];
      if (motion.kind != JointMotion::Kind::triad) continue;
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
}

}  // namespace semirec
