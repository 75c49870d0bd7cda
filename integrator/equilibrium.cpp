#include "integrator/equilibrium.hpp"

#include <cmath>

#include "integrator/energy.hpp"
#include "integrator/evaluate.hpp"
#include "integrator/initial_conditions.hpp"
#include "integrator/least_squares.hpp"
#include "integrator/step.hpp"
#include "penalty/augmented_lagrangian.hpp"

namespace semirec {

namespace {

constexpr double kForceTolerance = 1e-7;     // N: far below any load of a vehicle
constexpr double kClosureTolerance = 1e-11;  // m

/// What may move in an equilibrium: nothing, or the rates and accelerations of a steady motion.
struct Moving {
  Eigen::VectorXd zd;     ///< n
  Eigen::VectorXd share;  ///< of each of the accelerations
  const SteadyMotion* steady = nullptr;

  Eigen::VectorXd zdd() const {
    return steady == nullptr ? Eigen::VectorXd::Zero(zd.size())
                             : Eigen::VectorXd(steady->accelerations * share);
  }
  Eigen::Index extra() const {
    return steady == nullptr ? 0 : static_cast<Eigen::Index>(steady->rates.size()) + share.size();
  }
  /// The k-th of the unknown rates and accelerations.
  double& unknown(Eigen::Index k) {
    const auto rates = static_cast<Eigen::Index>(steady->rates.size());
    return k < rates ? zd[steady->rates[static_cast<std::size_t>(k)]] : share[k - rates];
  }
};

/// M zdd + Phi_z^T lambda - Q in z with what moves; first-order states at rest for it.
Eigen::VectorXd static_residual(const Model& model, const Eigen::VectorXd& z, const Moving& moving,
                                const Eigen::VectorXd& lambda, Workspace& ws) {
  const Eigen::VectorXd zdd = moving.zdd();
  if (moving.steady != nullptr && model.tree.states > 0) {
    evaluate_kinematics(model, z.data(), moving.zd.data(), zdd.data(), ws);
    for (const auto& force : model.forces)
      if (force->state_count() > 0) force->settle_states(model.tree, ws.tree);
    ws.tree.x_begin = ws.tree.x;
  }
  ws.tree.resting = moving.steady == nullptr;
  evaluate_dynamics(model, z.data(), moving.zd.data(), zdd.data(), {}, ws);
  ws.tree.resting = false;
  Eigen::VectorXd residual = ws.tree.residual;
  add_transposed(model.closures.blocks, ws.closures.Phi_z, lambda, residual);
  return residual;
}

/// Newton from the state; true when both residual and closures are met.
bool newton(const Model& model, State& state, Moving& moving, Workspace& ws,
            EquilibriumReport& report) {
  const int n = model.n();
  const int m = model.m();
  constexpr double kDifference = 1e-6;
  const Eigen::Index extra = moving.extra();
  Eigen::VectorXd lambda = state.multipliers;
  double best = 1e300;
  int stalled = 0;
  for (int iteration = 0; iteration < 60; ++iteration) {
    begin_evaluation(model, state, state.t, ws);
    const Eigen::VectorXd residual = static_residual(model, state.z, moving, lambda, ws);
    const Eigen::VectorXd Phi = ws.closures.Phi;
    const Eigen::MatrixXd Phi_z = dense_jacobian(model.closures, ws.closures, n);
    report.residual = residual.cwiseAbs().maxCoeff();
    report.Phi = m > 0 ? Phi.cwiseAbs().maxCoeff() : 0.0;
    report.iterations = iteration;
    if (!std::isfinite(report.residual)) return false;
    if (report.residual <= kForceTolerance && report.Phi <= kClosureTolerance) {
      state.multipliers = state.lambda = lambda;
      state.x = ws.tree.x;
      return true;
    }
    const double merit = report.residual + 1e6 * report.Phi;
    stalled = merit < 0.9 * best ? 0 : stalled + 1;
    best = std::min(best, merit);
    if (stalled > 12) return false;

    Eigen::MatrixXd K(n, n + extra);
    Eigen::VectorXd z = state.z;
    const auto differentiate = [&](double& unknown, Eigen::Index column) {
      const double was = unknown;
      unknown = was + kDifference;
      const Eigen::VectorXd ahead = static_residual(model, z, moving, lambda, ws);
      unknown = was - kDifference;
      const Eigen::VectorXd behind = static_residual(model, z, moving, lambda, ws);
      unknown = was;
      K.col(column) = (ahead - behind) / (2.0 * kDifference);
    };
    for (int k = 0; k < n; ++k) differentiate(z[k], k);
    for (Eigen::Index k = 0; k < extra; ++k) differentiate(moving.unknown(k), n + k);
    // closure rows scaled to the size of K
    const double scale = std::max(1.0, K.cwiseAbs().maxCoeff());
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n + m, n + extra + m);
    A.topLeftCorner(n, n + extra) = K;
    A.topRightCorner(n, m) = scale * Phi_z.transpose();
    A.bottomLeftCorner(m, n) = scale * Phi_z;
    Eigen::VectorXd rhs(n + m);
    rhs << -residual, -scale * Phi;
    OrthogonalDecomposition decomposition;
    decompose(A, 1e-10, decomposition);
    const Eigen::VectorXd x = solve_least_squares(decomposition, rhs);
    const double longest = x.head(n).cwiseAbs().maxCoeff();
    const double shorten = longest > 0.1 ? 0.1 / longest : 1.0;
    state.z += shorten * x.head(n);
    for (Eigen::Index k = 0; k < extra; ++k) moving.unknown(k) += shorten * x[n + k];
    lambda += shorten * scale * x.tail(m);
    rebase(model, state);
  }
  return false;
}

bool newton(const Model& model, State& state, Workspace& ws, EquilibriumReport& report) {
  Moving nothing{Eigen::VectorXd::Zero(model.n()), {}, nullptr};
  return newton(model, state, nothing, ws, report);
}

/// Integrates and stops at every peak of kinetic energy, until little is left.
void relax(const Model& model, const StepSettings& settings, State& state, Workspace& ws) {
  StepSettings slow = settings;
  slow.h = 2e-3;
  slow.iterations = 0;
  const double t = state.t;
  state.zd.setZero();
  double last = 0.0;
  if (!find_accelerations(model, state, ws)) return;
  for (int k = 0; k < 5000; ++k) {
    State before = state;
    const StepReport report = step(model, slow, state, ws);
    state.t = t;
    if (report.status != StepStatus::converged) {
      state = before;
      slow.h *= 0.5;
      if (slow.h < 1e-5) return;
      continue;
    }
    const double kinetic = find_energy(model, state, ws).kinetic;
    if (kinetic < last) {
      state.zd.setZero();
      if (!find_accelerations(model, state, ws)) return;
      last = 0.0;
    } else {
      last = kinetic;
    }
  }
}

/// Puts floating bodies back to where they stood, but for their height: on level ground that is
/// still an equilibrium, and a start written at x = 0 stays at x = 0.
void restore_place(const Model& model, const State& start, State& state) {
  const Eigen::Vector3d up = -model.tree.gravity.normalized();
  if (!up.allFinite()) return;
  for (const TreeBody& body : model.tree.bodies) {
    if (!body.floats) continue;
    const Eigen::Vector3d was =
        start.origin + body.X_PJ.A * Eigen::Vector3d(start.z.segment<3>(body.z));
    const Eigen::Vector3d is =
        state.origin + body.X_PJ.A * Eigen::Vector3d(state.z.segment<3>(body.z));
    const Eigen::Vector3d way = was - is;
    state.z.segment<3>(body.z) += body.X_PJ.A.transpose() * (way - up.dot(way) * up);
  }
  rebase(model, state);
}

}  // namespace

EquilibriumReport find_equilibrium(const Model& model, const StepSettings& settings, State& state,
                                   Workspace& ws) {
  EquilibriumReport report;
  state.zd.setZero();
  state.zdd.setZero();
  assemble_positions(model, state, ws);
  const State start = state;
  report.found = newton(model, state, ws, report);
  if (!report.found) {
    state = start;
    find_effective_masses(model, settings, state, ws);
    relax(model, settings, state, ws);
    state.x = start.x;
    state.xd = start.xd;
    state.multipliers.setZero();
    report.found = newton(model, state, ws, report);
  }
  if (report.found) {
    const State found = state;
    const EquilibriumReport first = report;
    restore_place(model, start, state);
    if (!newton(model, state, ws, report)) {
      state = found;
      report = first;
    } else {
      report.iterations += first.iterations;
    }
    report.found = true;
  }
  state.zd.setZero();
  state.zdd.setZero();
  return report;
}

EquilibriumReport find_steady_motion(const Model& model, const SteadyMotion& motion, State& state,
                                     Workspace& ws) {
  EquilibriumReport report;
  Moving moving{motion.zd, Eigen::VectorXd::Zero(motion.accelerations.cols()), &motion};
  State found = state;
  report.found = newton(model, found, moving, ws, report);
  if (!report.found) return report;
  state = found;
  state.zd = moving.zd;
  state.zdd = moving.zdd();
  return report;
}

}  // namespace semirec
