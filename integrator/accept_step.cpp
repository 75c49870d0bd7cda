#include "integrator/accept_step.hpp"

#include <cmath>

#include "integrator/formulation/formulation_model.hpp"
#include "integrator/formulation/formulation_state.hpp"
#include "integrator/iteration_plan.hpp"
#include "integrator/model.hpp"
#include "integrator/state.hpp"
#include "integrator/workspace.hpp"

namespace semirec {

namespace {

/// The history that the next step reads.
void remember(const Scheme& scheme, Workspace& ws, State& state) {
  scheme.remember(state, ws.increment, ws.tree.xd, ws.history);
  const Eigen::Index size = scheme.history_size(state.z.size(), state.x.size());
  if (size > 0) state.history = ws.history.head(size);
  state.history_step = size > 0 ? scheme.h : 0.0;
}

/// The jerk over a step to convergence, and the coordinates that go on with it. What a fixed number
/// of iterations leaves of zdd would come back three times as large in the guess.
void follow_jerk(const StepInProgress& step, State& state) {
  if (step.settings.iterations > 0 || step.scheme.d_jerk == 0.0) {
    state.jerk_step = 0.0;
    return;
  }
  const double h = step.settings.h;
  const Eigen::VectorXd& zdd = step.ws.zdd;
  if (state.jerk.size() != zdd.size()) state.jerk = state.trend = Eigen::VectorXd::Zero(zdd.size());
  const bool known = state.jerk_step > 0.0;
  const double noise = kNoiseOfJerk * step.report.correction / step.scheme.d_jerk;
  for (Eigen::Index k = 0; k < zdd.size(); ++k) {
    const double jerk = (zdd[k] - state.zdd[k]) / h;
    const bool shows = known && std::abs(jerk) > noise;
    state.trend[k] = shows ? Scheme::trend(state.jerk[k], jerk) : 0.0;
    state.jerk[k] = jerk;
  }
  state.jerk_step = h;
}

}  // namespace

void accept(StepInProgress& step) {
  State& state = step.state;
  Workspace& ws = step.ws;
  remember(step.scheme, ws, state);
  state.t += step.settings.h;
  state.z = ws.moved_on != nullptr ? ws.moved_on->z : ws.z;
  state.zd = ws.zd;
  follow_jerk(step, state);
  state.zdd = ws.zdd;
  state.x = ws.tree.x;
  state.xd = ws.tree.xd;
  state.lambda = ws.lambda;
  state.multipliers = ws.multipliers;
  step.model.formulation->keep(step.model, ws, state);
  if (ws.moved_on == nullptr) return rebase(step.model, state);
  state.A0 = ws.moved_on->A0;
  state.origin = ws.moved_on->origin;
  ws.moved_on = nullptr;
}

}  // namespace semirec
