#include "integrator/event.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include <Eigen/Geometry>

#include "integrator/formulation/evaluate.hpp"
#include "integrator/formulation/formulation_state.hpp"
#include "integrator/statics/initial_conditions.hpp"
#include "topology/indices.hpp"
#include "topology/largest_magnitude.hpp"

namespace semirec {

namespace {

constexpr double kWidestGap = 1e-3;  // m or rad that an attachment may pull together

const Closure& closure_of(const Model& model, int switch_index) {
  std::size_t c = 0;
  while (model.closures.closures[c].switch_index != switch_index) ++c;
  return model.closures.closures[c];
}

Frame pose_of(const Attachment& place, const TreeWorkspace& ws) {
  return Frame{ws.A_WC[at(place.body)], ws.p[at(place.body)]} * place.X_CF;
}

/// By how much the axes that a joint keeps parallel are turned against one another, rad: rows that
/// are sines are closed at half a turn, too.
double turn_of(const Closure& closure, const Frame& X_CF, const TreeWorkspace& ws) {
  const auto holds = [&](int axis_a, int axis_b) {
    return std::any_of(
        closure.equations.begin(), closure.equations.end(), [&](const ClosureRow& row) {
          return row.kind == RowKind::dot && row.axis_a == axis_a && row.axis_b == axis_b;
        });
  };
  if (!holds(0, 2) || !holds(1, 2)) return 0.0;
  const Eigen::Matrix3d a = pose_of({closure.a.body, X_CF}, ws).A;
  const Eigen::Matrix3d b = pose_of(closure.b, ws).A;
  if (holds(0, 1)) return Eigen::AngleAxisd(Eigen::Matrix3d(a.transpose() * b)).angle();
  return std::atan2(a.col(2).cross(b.col(2)).norm(), a.col(2).dot(b.col(2)));
}

/// Largest |Phi| of the closure at the poses of ws.
double gap_of(const Model& model, int switch_index, const ClosureWorkspace& cws) {
  for (std::size_t c = 0; c < model.closures.closures.size(); ++c) {
    if (model.closures.closures[c].switch_index != switch_index) continue;
    const RowBlock& block = model.closures.blocks[c];
    return largest_magnitude(cws.Phi.segment(block.row, block.rows));
  }
  return 0.0;
}

}  // namespace

int find_switch(const Model& model, const std::string& name) {
  for (const Closure& closure : model.closures.closures)
    if (closure.name == name) return closure.switch_index;
  return -1;
}

EventWorkspace::EventWorkspace(const Model& model, const State& state)
    : assembly(relative_model(model)), changed(state), next(state) {
  changed.independent.reserve(at(model.n()));
  next.independent.reserve(at(model.n()));
  const Model& own = relative_model(model);
  if (&own != &model) relative = std::make_unique<Workspace>(own);
}

EventOutcome apply_event(const Model& model, const StepSettings& settings, const Event& event,
                         State& state, Workspace& ws, EventWorkspace& event_ws) noexcept {
  const Model& relative = relative_model(model);
  Workspace& relative_ws = event_ws.relative ? *event_ws.relative : ws;
  State& changed = event_ws.changed;
  State& next = event_ws.next;
  model.formulation->to_relative(model, state, changed);
  evaluate_state(relative, changed, relative_ws);
  for (const EventAction& action : event.actions) {
    ClosureSwitch& change = changed.switches[at(action.switch_index)];
    change.attached = action.attach;
    if (!action.attach) continue;
    const Closure& closure = closure_of(relative, action.switch_index);
    change.X_CF = closure.a.X_CF;
    if (!action.at_current) continue;
    const Frame a{relative_ws.tree.A_WC[at(closure.a.body)],
                  relative_ws.tree.p[at(closure.a.body)]};
    change.X_CF = inverse(a) * pose_of(closure.b, relative_ws.tree);
  }
  evaluate_state(relative, changed, relative_ws);
  bool gaps = false;
  for (const EventAction& action : event.actions) {
    if (!action.attach) continue;
    const double gap =
        std::max(gap_of(relative, action.switch_index, relative_ws.closures),
                 turn_of(closure_of(relative, action.switch_index),
                         changed.switches[at(action.switch_index)].X_CF, relative_ws.tree));
    if (!(gap <= kWidestGap)) return {EventStatus::too_wide, action.switch_index, gap};
    gaps = gaps || gap > 1e-10;
  }
  if (gaps && !close_loops(relative, changed, relative_ws, event_ws.assembly))
    return {EventStatus::open, -1, largest_magnitude(relative_ws.closures.Phi)};
  // without a gap to close the coordinates stay what they were, to the last bit
  if (gaps)
    model.formulation->from_relative(model, changed, next);
  else
    next = state;
  next.switches = changed.switches;
  find_effective_masses(model, settings, next, ws);
  if (!restart(model, next, ws)) return {EventStatus::mass_not_positive_definite};
  state = next;
  return {};
}

std::string apply_event(const Model& model, const StepSettings& settings, const Event& event,
                        State& state, Workspace& ws) {
  const Model& relative = relative_model(model);
  EventWorkspace event_ws(model, state);
  const EventOutcome outcome = apply_event(model, settings, event, state, ws, event_ws);
  const auto failure = [&](const std::string& why) { return "event '" + event.name + "': " + why; };
  switch (outcome.status) {
    case EventStatus::done:
      break;
    case EventStatus::too_wide: {
      std::ostringstream text;
      text.precision(4);
      text << "'" << closure_of(relative, outcome.switch_index).name
           << "' cannot be attached: it is open by " << outcome.gap
           << " m or rad at t = " << state.t << " s, expected at most " << kWidestGap
           << " (or at=\"current\")";
      return failure(text.str());
    }
    case EventStatus::open:
      try {
        report_open_loop(relative, event_ws.changed, event_ws.relative ? *event_ws.relative : ws);
      } catch (const ModelError& error) {
        return failure(error.what());
      }
    case EventStatus::mass_not_positive_definite:
      return failure("the mass matrix is not positive definite");
  }
  return {};
}

}  // namespace semirec
