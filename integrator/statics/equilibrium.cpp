#include "integrator/statics/equilibrium.hpp"

#include <cmath>

#include "integrator/formulation/formulation_state.hpp"
#include "integrator/outputs/energy.hpp"
#include "integrator/statics/initial_conditions.hpp"
#include "integrator/statics/steady_newton.hpp"
#include "integrator/step.hpp"
#include "penalty/factors/least_squares.hpp"

namespace semirec {

namespace {

bool newton(const Model& model, State& state, Workspace& ws, EquilibriumReport& report) {
  SteadyProblem problem;
  problem.resting = true;
  return solve_steady(model, problem, state, ws, report);
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

EquilibriumReport find_steady_motion(const Model& model, SteadyMotion& motion, State& state,
                                     Workspace& ws) {
  EquilibriumReport report;
  const auto rates = static_cast<Eigen::Index>(motion.rates.size());
  SteadyProblem problem;
  if (!motion.resting) problem.states = ElementStates::settled;
  problem.held = motion.held;
  problem.resting = motion.resting;
  problem.sticking = motion.sticking;
  problem.sticking_sizes = motion.sticking_sizes;
  problem.unknowns = Eigen::VectorXd::Zero(rates + motion.accelerations.cols());
  for (Eigen::Index k = 0; k < rates; ++k)
    problem.unknowns[k] = motion.zd[motion.rates[static_cast<std::size_t>(k)]];
  if (motion.share.size() > 0) problem.unknowns.tail(motion.share.size()) = motion.share;
  problem.motion = [&](const Eigen::VectorXd& q, const Workspace& poses, State& trial) {
    trial.zd = motion.zd;
    if (motion.aim) motion.aim(poses, trial.zd);
    for (Eigen::Index k = 0; k < rates; ++k)
      trial.zd[motion.rates[static_cast<std::size_t>(k)]] = q[k];
    trial.zdd = apply(motion.accelerations, q.tail(q.size() - rates));
    if (motion.given.size() > 0) trial.zdd += motion.given;
  };
  problem.tangent = motion.tangent;
  State found = state;
  report.found = solve_steady(model, problem, found, ws, report);
  if (report.found) {
    state = found;
    motion.tangent = problem.tangent;
  }
  report.share = problem.unknowns.tail(motion.accelerations.cols());
  return report;
}

}  // namespace semirec
