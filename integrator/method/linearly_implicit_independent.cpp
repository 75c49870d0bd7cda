#include <algorithm>
#include <cstring>
#include <memory>

#include "integrator/formulation/evaluate.hpp"
#include "integrator/formulation/formulation_model.hpp"
#include "integrator/formulation/formulation_state.hpp"
#include "integrator/method/linearly_implicit_step.hpp"
#include "recursive/kinematics.hpp"
#include "topology/indices.hpp"
#include "topology/largest_magnitude.hpp"

namespace semirec {

namespace {

class Independent final : public LinearlyImplicitStep {
 public:
  void begin_step(StepInProgress& step, bool /*again*/) const override {
    independent_part(step.model, step.ws).rows.take_switches(step.state);
  }
  bool evaluate_iterate(StepInProgress& step) const override;
  bool factor_iterate(StepInProgress& step) const override;
  double correct(StepInProgress& step) const override;
  bool finish(StepInProgress& step) const override;
  bool end_step(StepInProgress& /*step*/, bool /*again*/) const override { return false; }
};

IndependentPart& independent_part_of(const StepInProgress& step) {
  return static_cast<IndependentPart&>(*step.ws.method);
}

/// Notes which rows depend on others: those without a pivot that are not released.
void note_dependent_rows(IndependentPart& part) {
  constexpr double kHeld = 0.0, kNotHeld = 0.5;  // see ClosureRows::recall()
  for (Eigen::Index row = 0; row < part.compliance.size(); ++row) {
    const int j = static_cast<int>(row);
    part.compliance[row] = part.solver.has_pivot(j)   ? kHeld
                           : part.rows.is_released(j) ? ClosureRows::kReleased
                                                      : kNotHeld;
  }
  part.rows.recall(part.compliance);
}

bool Independent::evaluate_iterate(StepInProgress& step) const {
  Workspace& ws = step.ws;
  IndependentPart& part = independent_part_of(step);
  part.next.begin(step);
  ws.placed = part.keeps_places = part.next.has_places(step);
  evaluate_begin(step);
  ws.placed = false;
  if (step.model.m() > 0)
    step.model.formulation->evaluate_closure_motions(step.model, step.state.zd.data(),
                                                     ws.zdd.data(), ws);
  return true;
}

bool Independent::factor_iterate(StepInProgress& step) const {
  const auto& [model, settings, scheme, state, ws, report, factors, P] = step;
  IndependentPart& part = independent_part_of(step);
  ++report.factorizations;
  bool factored = false;
  if (model.m() == 0) {
    factored = model.formulation->factor(model, ws.alpha, 0.0, ws);
  } else {
    if (!part.keeps_places || !part.solver.is_split()) part.solver.split(ws.closures.Phi_z);
    if (!state.switches.empty() || part.noted != part.solver.pivoted_rows()) {
      note_dependent_rows(part);
      part.noted = part.solver.pivoted_rows();
    }
    report.dependent = part.rows.count();
    factored = part.solver.factor(ws.tree.tangent);
  }
  if (factored) return true;
  report.status = ws.tree.residual.allFinite() ? StepStatus::tangent_not_positive_definite
                                               : StepStatus::non_finite;
  return false;
}

double Independent::correct(StepInProgress& step) const {
  const auto& [model, settings, scheme, state, ws, report, factors, P] = step;
  IndependentPart& part = independent_part_of(step);
  const double h = scheme.h;
  part.load = -h * ws.tree.residual;
  if (model.m() == 0) {
    ws.formulation->solve(part.load);
    take_change(step, part.load);
    return 0.0;
  }
  // h c: the closures' accelerations at resting independent ones
  part.gap = -h * ws.closures.Phidd;
  part.solver.solve(part.load, part.gap, part.change);
  part.solver.find_multipliers(ws.multipliers);
  ws.multipliers /= h;
  take_change(step, part.change);
  return 0.0;
}

bool Independent::finish(StepInProgress& step) const {
  const auto& [model, settings, scheme, state, ws, report, factors, P] = step;
  IndependentPart& part = independent_part_of(step);
  // what else is given for a step is that of its begin
  ws.tree.time = state.t + scheme.h;
  evaluate_inputs(model, state, ws.tree.time, ws, settings.ends_on_breakpoint);
  const int passes = model.m() > 0 ? settings.projections : 0;
  for (int pass = 0; pass < passes; ++pass) {
    ws.z = state.z + ws.increment;
    evaluate_positions(model, ws.z.data(), ws);
    part.gap = -ws.closures.Phi;
    part.solver.solve(part.gap, part.change);
    ws.increment += part.change;
  }
  ws.z = state.z + ws.increment;
  if (!is_finite(ws.z)) {
    report.status = StepStatus::non_finite;
    return false;
  }
  NextBegin& next = part.next;
  next.move_on(step);
  evaluate_kinematics(model, next.z().data(), ws.zd.data(), nullptr, ws);
  next.note_places(ws);
  report.Phid = largest_magnitude(ws.closures.Phid);
  if (!part.solver.close(ws.closures.Phi_z, ws.closures.Phid, ws.zd)) {
    report.status = StepStatus::independent_set_degenerate;
    return false;
  }
  // the closures have their rates; element states may still ask for the bodies'
  if (model.m() > 0 && model.tree.states > 0 && model.formulation->levels_move_bodies())
    compute_velocities(model.tree, ws.zd.data(), ws.tree);
  return accept_end(step, next.z());
}

}  // namespace

namespace {

/// Bit by bit, which is faster than number by number.
bool are_same(const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
  return a.size() == b.size() && a.size() > 0 &&
         std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(double)) == 0;
}

void take_references(const Model& model, const State& state, Workspace& ws) {
  ws.tree.set_origin(model.tree, state.origin);
  for (std::size_t k = 0; k < state.A0.size(); ++k) ws.tree.A0[k] = state.A0[k].toRotationMatrix();
}

}  // namespace

void NextBegin::begin(const StepInProgress& step) const {
  const auto& [model, settings, scheme, state, ws, report, factors, P] = step;
  const bool given = std::any_of(state.live.begin(), state.live.end(),
                                 [](const LiveInput& live) { return live.given; });
  if (given || &model != model_ || state.t != t_ || !model.tree.computing.empty()) {
    begin_evaluation(model, state, state.t, ws);
  } else {  // the same, but that the inputs at this time are at hand
    ws.tree.time = state.t;
    take_references(model, state, ws);
    ws.tree.x = state.x;
    ws.tree.rule.hold(state.x, state.xd);
    ws.tree.inputs = inputs_;
    model.formulation->begin(model, state, ws);
  }
  scheme.begin(state, ws.tree.rule);
}

void NextBegin::move_on(const StepInProgress& step) {
  Workspace& ws = step.ws;
  state_.z = ws.z;
  state_.A0 = step.state.A0;
  state_.origin = step.state.origin;
  rebase(step.model, state_);
  take_references(step.model, state_, ws);
  ws.moved_on = &state_;
  inputs_ = ws.tree.inputs;
  const bool given = std::any_of(step.state.live.begin(), step.state.live.end(),
                                 [](const LiveInput& live) { return live.given; });
  t_ = given || step.settings.ends_on_breakpoint ? kNever : ws.tree.time;
}

void NextBegin::note_places(const Workspace& ws) {
  placings_ = ws.tree.placings;
  closure_placings_ = ws.closures.placings;
}

bool NextBegin::has_places(const StepInProgress& step) const {
  const auto& [model, settings, scheme, state, ws, report, factors, P] = step;
  if (&model != model_ || ws.tree.placings != placings_ ||
      ws.closures.placings != closure_placings_ || !are_same(state.z, state_.z) ||
      state.origin != state_.origin || !state.switches.empty() || !model.tree.computing.empty())
    return false;
  for (std::size_t k = 0; k < state.A0.size(); ++k)
    if (state.A0[k].coeffs() != state_.A0[k].coeffs()) return false;
  return std::equal(inputs_.begin(), inputs_.end(), ws.tree.inputs.begin(),
                    [](const CurveValue& a, const CurveValue& b) {
                      return a.f == b.f && a.fd == b.fd && a.fdd == b.fdd;
                    });
}

IndependentPart::IndependentPart(const Model& model)
    : ClosurePart(model),
      next(model),
      solver(model.m() > 0 ? model.tree.pattern : SymmetricPattern{}, model.blocks(), model.m()),
      load(Eigen::VectorXd::Zero(model.n())),
      gap(compliance),
      change(load) {}

IndependentPart& independent_part(const Model& model, Workspace& ws) {
  auto* part = dynamic_cast<IndependentPart*>(ws.method.get());
  if (part != nullptr) return *part;
  auto made = std::make_unique<IndependentPart>(model);
  IndependentPart& result = *made;
  ws.method = std::move(made);
  return result;
}

const StepMethod& linearly_implicit_independent() {
  static const Independent method;
  return method;
}

}  // namespace semirec
