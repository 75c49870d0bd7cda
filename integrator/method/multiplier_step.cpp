#include "integrator/method/multiplier_step.hpp"

#include <memory>

#include "integrator/formulation/evaluate.hpp"
#include "integrator/formulation/formulation_model.hpp"
#include "penalty/augmented_lagrangian.hpp"
#include "topology/indices.hpp"
#include "topology/largest_magnitude.hpp"

namespace semirec {

namespace {

/// The rows are looked at anew where the smallest pivot, of rows scaled to 1, falls below this, and
/// below kFall of what it was when they were looked at last.
constexpr double kSmallPivot = 1e-9;
constexpr double kFall = 1e-3;

std::vector<int> find_switches(const Model& model) {
  std::vector<int> switches(at(model.m()));
  for (int row = 0; row < model.m(); ++row)
    switches[at(row)] = model.formulation->owner_of(model, row).switch_index;
  return switches;
}

class MultiplierStep final : public StepMethod {
 public:
  void begin_step(StepInProgress& /*step*/, bool /*again*/) const override {}
  void prepare(StepInProgress& step) const override;
  int max_iterations(const StepSettings& settings) const override {
    return settings.max_iterations;
  }
  bool evaluate_iterate(StepInProgress& step) const override;
  bool factor_iterate(StepInProgress& step) const override;
  double correct(StepInProgress& step) const override;
  bool is_trusted(StepInProgress& /*step*/) const override { return true; }
  bool finish(StepInProgress& step) const override;
  bool end_step(StepInProgress& step, bool again) const override;
};

/// The part, which prepare() has made.
MultiplierPart& part_of(const StepInProgress& step) {
  return static_cast<MultiplierPart&>(*step.ws.method);
}

/// E: 1 in released rows, the penalty's compliance in dependent ones, else zero.
void set_compliance(const StepInProgress& step, MultiplierPart& part) {
  for (int j = 0; j < step.model.m(); ++j)
    part.compliance[j] = part.is_released(j)    ? 1.0
                         : part.is_dependent(j) ? 1.0 / (step.scheme.scale * step.ws.alpha[j])
                                                : 0.0;
}

void find_dependent_rows(const StepInProgress& step, MultiplierPart& part) {
  part.rank.find(step.model.blocks(), step.ws.closures.Phi_z, part.dependent);
  part.ranked = true;
  part.saddle.forget_pivots();
  set_compliance(step, part);
}

bool factor_saddle(const StepInProgress& step, MultiplierPart& part) {
  const Pivoting pivoting =
      part.saddle.factor(step.ws.tree.tangent, step.ws.closures.Phi_z, part.compliance, part.exact);
  ++step.report.factorizations;
  if (pivoting != Pivoting::renewed) return pivoting == Pivoting::kept;
  ++step.report.pivotings;
  part.pivots = part.saddle.values();
  part.pivot = part.saddle.smallest_pivot();
  return true;
}

/// Whether the pivots tell that rows may have become dependent since they were looked at.
bool looks_singular(const MultiplierPart& part) {
  const double pivot = part.saddle.smallest_pivot();
  return pivot < kSmallPivot && pivot < kFall * part.pivot;
}

/// Forgets what another state has left behind: pivots and dependent rows are those of the state.
void take_pivots(const State& state, MultiplierPart& part) {
  if (part.of_state && part.pivots.size() == state.pivots.size() && part.pivots == state.pivots)
    return;
  part.ranked = false;
  part.saddle.forget_pivots();
  part.pivots = state.pivots;
  if (state.pivots.size() != part.saddle.values().size()) return;
  if (!part.saddle.choose_pivots(state.pivots)) return;
  part.pivot = part.saddle.smallest_pivot();
  for (std::size_t j = 0; j < part.dependent.size(); ++j) {
    const double compliance = part.saddle.compliance_in(state.pivots, static_cast<int>(j));
    part.released[j] = part.switch_of_row[j] >= 0 && compliance == 1.0 ? 1 : 0;
    part.dependent[j] = compliance != 0.0 ? 1 : 0;
  }
  part.ranked = true;
}

void MultiplierStep::prepare(StepInProgress& step) const {
  const auto& [model, settings, scheme, state, ws, report, factors, P] = step;
  if (model.formulation->multipliers_fault() != nullptr) return;  // evaluate_iterate() refuses
  MultiplierPart& part = multiplier_part(model, ws);
  set_penalties(settings, scheme, state, ws);
  take_pivots(state, part);
  for (std::size_t j = 0; j < part.switch_of_row.size(); ++j) {
    const int index = part.switch_of_row[j];
    const char released = index >= 0 && !state.switches[at(index)].attached ? 1 : 0;
    part.ranked = part.ranked && released == part.released[j];
    part.released[j] = released;
  }
  set_compliance(step, part);
}

bool MultiplierStep::evaluate_iterate(StepInProgress& step) const {
  const auto& [model, settings, scheme, state, ws, report, factors, P] = step;
  if (model.formulation->multipliers_fault() != nullptr) {
    report.status = StepStatus::closing_unfit;
    return false;
  }
  model.formulation->compute_rates(step);
  ws.z = state.z + ws.increment;
  const TangentWeights weights = factors ? scheme.weights : TangentWeights{0.0, 0.0, 0.0};
  evaluate_dynamics(model, ws.z.data(), ws.zd.data(), ws.zdd.data(), weights, ws);
  return true;
}

bool MultiplierStep::factor_iterate(StepInProgress& step) const {
  const auto& [model, settings, scheme, state, ws, report, factors, P] = step;
  MultiplierPart& part = part_of(step);
  if (factors) {
    model.formulation->evaluate_exact(model, ws.zd, ws.zdd, ws.lambda, ws, part.exact);
    const bool looks = !part.ranked;
    if (looks) find_dependent_rows(step, part);
    bool factored = factor_saddle(step, part);
    if (!looks && (!factored || looks_singular(part))) {
      find_dependent_rows(step, part);
      factored = factor_saddle(step, part);
    }
    if (!factored) {
      report.status =
          ws.tree.residual.allFinite() ? StepStatus::saddle_singular : StepStatus::non_finite;
      return false;
    }
    report.dependent = 0;
    for (int j = 0; j < model.m(); ++j) report.dependent += part.is_dependent(j) ? 1 : 0;
  }
  add_transposed(model.blocks(), ws.closures.Phi_z, ws.lambda, ws.tree.residual);
  return true;
}

double MultiplierStep::correct(StepInProgress& step) const {
  const auto& [model, settings, scheme, state, ws, report, factors, P] = step;
  MultiplierPart& part = part_of(step);
  ws.correction = -scheme.scale * ws.tree.residual;
  part.below = scheme.scale * part.compliance.cwiseProduct(ws.lambda) - ws.closures.Phi;
  part.saddle.solve(ws.correction, part.below);
  ws.increment += ws.correction;
  ws.lambda += part.below / scheme.scale;
  return root_mean_square(ws.correction);
}

bool MultiplierStep::end_step(StepInProgress& step, bool /*again*/) const {
  auto* part = dynamic_cast<MultiplierPart*>(step.ws.method.get());
  if (part == nullptr) return false;  // refused
  part->of_state = step.report.status == StepStatus::converged;
  if (part->of_state) step.state.pivots = part->pivots;
  return false;
}

bool MultiplierStep::finish(StepInProgress& step) const {
  const auto& [model, settings, scheme, state, ws, report, factors, P] = step;
  MultiplierPart& part = part_of(step);
  model.formulation->compute_rates(step);
  ws.z = state.z + ws.increment;
  evaluate_positions(model, ws.z.data(), ws);
  ws.multipliers = ws.lambda;

  if (model.m() > 0) {
    report.Phi = ws.closures.Phi.cwiseAbs().maxCoeff(&report.worst_row);
    for (int pass = 0; pass < settings.projections; ++pass) {
      evaluate_velocities(model, ws.zd.data(), ws);
      if (pass == 0) report.Phid = largest_magnitude(ws.closures.Phid);
      ws.correction.setZero();
      part.below = -ws.closures.Phid;
      part.saddle.solve(ws.correction, part.below);
      ws.zd += ws.correction;
    }
    for (int pass = 0; pass < settings.projections; ++pass) {
      evaluate_accelerations(model, ws.zd.data(), ws.zdd.data(), ws);
      ws.correction.setZero();
      part.below = -ws.closures.Phidd;
      part.saddle.solve(ws.correction, part.below);
      ws.zdd += ws.correction;
      ws.multipliers += part.below;
    }
  }
  if (!ws.zdd.allFinite() || !ws.multipliers.allFinite()) {
    report.status = StepStatus::non_finite;
    return false;
  }
  report.settled = settings.iterations <= 0 || (report.correction <= settings.settled_bound &&
                                                report.Phi <= settings.settled_bound);
  if (model.m() > 0 && settings.projections > 0 && model.formulation->levels_move_bodies())
    update_element_states(model, ws);  // the accelerations were projected at the final rates
  else
    evaluate_element_states(model, ws.z.data(), ws.zd.data(), ws);
  return true;
}

}  // namespace

MultiplierPart::MultiplierPart(const Model& model)
    : saddle(model.tree.pattern, model.blocks(), model.m(),
             model.formulation->exact_entries(model)),
      rank(model.n(), model.m()),
      switch_of_row(find_switches(model)),
      released(at(model.m()), 0),
      dependent(at(model.m()), 0),
      compliance(Eigen::VectorXd::Zero(model.m())),
      below(compliance),
      exact(model.formulation->exact_entries(model).size(), 0.0) {}

MultiplierPart& multiplier_part(const Model& model, Workspace& ws) {
  auto* part = dynamic_cast<MultiplierPart*>(ws.method.get());
  if (part != nullptr) return *part;
  auto made = std::make_unique<MultiplierPart>(model);
  MultiplierPart& result = *made;
  ws.method = std::move(made);
  return result;
}

const StepMethod& multiplier_step() {
  static const MultiplierStep method;
  return method;
}

}  // namespace semirec
