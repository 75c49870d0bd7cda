#include <memory>

#include "integrator/formulation/evaluate.hpp"
#include "integrator/formulation/formulation_model.hpp"
#include "integrator/method/linearly_implicit_step.hpp"
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
int note_dependent_rows(IndependentPart& part) {
  constexpr double kHeld = 0.0, kNotHeld = 0.5, kReleased = 1.0;  // see ClosureRows::recall()
  for (Eigen::Index row = 0; row < part.compliance.size(); ++row) {
    const int j = static_cast<int>(row);
    part.compliance[row] = part.solver.has_pivot(j)   ? kHeld
                           : part.rows.is_released(j) ? kReleased
                                                      : kNotHeld;
  }
  part.rows.recall(part.compliance);
  return part.rows.count();
}

bool Independent::evaluate_iterate(StepInProgress& step) const {
  evaluate_begin(step);
  Workspace& ws = step.ws;
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
    part.solver.split(ws.closures.Phi_z);
    report.dependent = note_dependent_rows(part);
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
  if (!ws.increment.allFinite()) {
    report.status = StepStatus::non_finite;
    return false;
  }
  begin_end(step);
  const int passes = model.m() > 0 ? settings.projections : 0;
  for (int pass = 0; pass < passes; ++pass) {
    ws.z = state.z + ws.increment;
    evaluate_positions(model, ws.z.data(), ws);
    part.load.setZero();
    part.gap = -ws.closures.Phi;
    part.solver.solve(part.load, part.gap, part.change);
    ws.increment += part.change;
  }
  ws.z = state.z + ws.increment;
  evaluate_kinematics(model, ws.z.data(), ws.zd.data(), nullptr, ws);
  report.Phid = largest_magnitude(ws.closures.Phid);
  if (!part.solver.close(ws.closures.Phi_z, ws.closures.Phid, ws.zd)) {
    report.status = StepStatus::independent_set_degenerate;
    return false;
  }
  if (model.m() > 0 && model.tree.states > 0) evaluate_velocities(model, ws.zd.data(), ws);
  return accept_end(step);
}

}  // namespace

IndependentPart::IndependentPart(const Model& model)
    : ClosurePart(model),
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
