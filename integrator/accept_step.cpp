#include "integrator/accept_step.hpp"

#include "integrator/formulation/formulation_model.hpp"
#include "integrator/formulation/formulation_state.hpp"
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

/// The jerk over the step, and whether first guesses are to go on with it.
void follow_jerk(Workspace& ws, double h, State& state) {
  Eigen::VectorXd& jerk = ws.correction;
  if (state.jerk.size() != ws.zdd.size()) state.jerk.setZero(ws.zdd.size());
  jerk = (ws.zdd - state.zdd) / h;
  state.jerk_part = Scheme::jerk_part((jerk - state.jerk).squaredNorm(), jerk.squaredNorm());
  state.jerk = jerk;
}

}  // namespace

void accept(StepInProgress& step) {
  State& state = step.state;
  Workspace& ws = step.ws;
  remember(step.scheme, ws, state);
  state.t += step.settings.h;
  state.z = ws.moved_on != nullptr ? ws.moved_on->z : ws.z;
  state.zd = ws.zd;
  follow_jerk(ws, step.settings.h, state);
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
