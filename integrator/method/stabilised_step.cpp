#include "integrator/method/stabilised_step.hpp"

#include <memory>

#include "integrator/formulation/evaluate.hpp"
#include "integrator/formulation/formulation_model.hpp"
#include "topology/indices.hpp"
#include "topology/largest_magnitude.hpp"

namespace semirec {

namespace {

/// Pivots of rows scaled to 1 below it may come from dependent rows.
constexpr double kSmallStabilisedPivot = 1e-11;

/// Solutions with the last factor that take what Newton leaves of the closures to round-off.
constexpr int kClosingPasses = 2;

StabilisedPart& stabilised_part_of(const StepInProgress& step) {
  return static_cast<StabilisedPart&>(*step.ws.method);
}

/// C or K, by weights of 1, at the iterate.
void take_tangent(const StepInProgress& step, const TangentWeights& weights,
                  TangentValues& values) {
  Workspace& ws = step.ws;
  evaluate_dynamics(step.model, ws.z.data(), ws.zd.data(), ws.zdd.data(), weights, ws);
  values.symmetric = ws.tree.tangent;
  step.model.formulation->evaluate_exact(step.model, ws.zd, ws.zdd, ws.lambda, ws, values.exact);
}

Eigen::Index size_of_matrix(const StabilisedPart& part) {
  return static_cast<Eigen::Index>(part.matrix.values().size());
}

/// Forgets what another state has left behind: pivots and dependent rows are those of the state.
/// State::pivots holds the values of the matrix and those of `last`, one after the other.
void take_pivots(const State& state, StabilisedPart& part) {
  if (part.has_pivots_of(state)) return;
  part.rows.forget();
  part.matrix.forget_pivots();
  part.last.forget_pivots();
  const Eigen::Index first = size_of_matrix(part);
  const Eigen::Index second = part.last.values().size();
  part.pivots.setZero(first + second);
  if (!part.are_known_to(state)) return;
  part.pivots = state.pivots;
  if (!part.matrix.choose_pivots(part.pivots.data())) return;
  part.pivot = part.matrix.smallest_pivot();
  for (int j = 0; j < part.m; ++j)
    part.below[j] = -part.pivots[part.matrix.index_of(part.blocks.back(), j)];
  part.rows.recall(part.below);
  if (!part.pivots.tail(second).isZero(0.0) &&
      !part.last.choose_pivots(Eigen::VectorXd(part.pivots.tail(second))))
    part.last.forget_pivots();
}

}  // namespace

void StabilisedStep::begin_step(StepInProgress& step, bool /*again*/) const {
  const auto& [model, settings, scheme, state, ws, report, factors, P] = step;
  StabilisedPart& part = stabilised_part(model, *this, ws);
  take_pivots(state, part);
  part.rows.take_switches(state);
  set_compliance(step, part);
  static_cast<void>(start(step, part));
}

void StabilisedStep::prepare(StepInProgress& step) const {
  StabilisedPart& part = stabilised_part_of(step);
  part.unknowns.setZero();
  guess(step, part);
}

bool StabilisedStep::evaluate_iterate(StepInProgress& step) const {
  const auto& [model, settings, scheme, state, ws, report, factors, P] = step;
  if (report.status != StepStatus::converged) return false;  // start() has refused
  StabilisedPart& part = stabilised_part_of(step);
  place(step, part);
  ws.z = state.z + ws.increment;
  if (factors) {
    take_tangent(step, {0.0, 1.0, 0.0}, part.C);
    take_tangent(step, {0.0, 0.0, 1.0}, part.K);
  }
  const bool mass = takes_mass();
  evaluate_dynamics(model, ws.z.data(), ws.zd.data(), ws.zdd.data(), {mass ? 1.0 : 0.0, 0.0, 0.0},
                    ws);
  if (mass) part.M.symmetric = ws.tree.tangent;
  part.forces = ws.tree.residual;
  evaluate_velocities(model, ws.zd.data(), ws);
  if (factors) {
    part.below = part.multiplier(part.unknowns, 1);
    model.formulation->evaluate_closure_curvature(model, part.below, ws, part.curvature);
    model.formulation->evaluate_closure_rates_tangent(model, ws, part.Phid_z);
  }
  return true;
}

bool StabilisedStep::factor_matrix(const StepInProgress& step, StabilisedPart& part) const {
  part.matrix.clear();
  assemble(step, part);
  for (const int corner : {part.blocks[part.blocks.size() - 2], part.blocks.back()})
    part.matrix.add(corner, part.compliance.data(), -1.0);
  const Pivoting pivoting = part.matrix.factor();
  ++step.report.factorizations;
  if (pivoting != Pivoting::renewed) return pivoting == Pivoting::kept;
  ++step.report.pivotings;
  part.pivots.head(size_of_matrix(part)) =
      Eigen::Map<const Eigen::VectorXd>(part.matrix.values().data(), size_of_matrix(part));
  part.pivot = part.matrix.smallest_pivot();
  return true;
}

bool StabilisedStep::factor_iterate(StepInProgress& step) const {
  const auto& [model, settings, scheme, state, ws, report, factors, P] = step;
  StabilisedPart& part = stabilised_part_of(step);
  if (!factors) return true;
  const auto forget_pivots = [&] {
    part.matrix.forget_pivots();
    part.last.forget_pivots();
  };
  return factor_with_rows(
      step, part, kSmallStabilisedPivot, [&] { return factor_matrix(step, part); },
      [&] { return part.matrix.smallest_pivot(); }, forget_pivots);
}

double StabilisedStep::correct(StepInProgress& step) const {
  Workspace& ws = step.ws;
  StabilisedPart& part = stabilised_part_of(step);
  part.right.setZero();
  leave_over(step, part);
  leave_open(step, part);
  for (int k = 0; k < 2; ++k)
    part.multiplier(part.right, k) +=
        part.compliance.cwiseProduct(part.multiplier(part.unknowns, k));
  part.matrix.solve(part.right.data());
  part.unknowns += part.right;
  ws.correction = ws.increment;
  place(step, part);
  ws.correction = ws.increment - ws.correction;
  return root_mean_square(ws.correction);
}

bool StabilisedStep::finish(StepInProgress& step) const {
  const auto& [model, settings, scheme, state, ws, report, factors, P] = step;
  StabilisedPart& part = stabilised_part_of(step);
  for (int pass = 0; pass <= kClosingPasses; ++pass) {
    place(step, part);
    ws.z = state.z + ws.increment;
    if (model.m() == 0) break;
    evaluate_positions(model, ws.z.data(), ws);
    evaluate_velocities(model, ws.zd.data(), ws);
    if (pass == 0) report.Phid = largest_magnitude(ws.closures.Phid);
    if (pass == kClosingPasses) break;
    part.right.setZero();
    leave_open(step, part);
    for (int k = 0; k < 2; ++k)
      part.multiplier(part.right, k) +=
          part.compliance.cwiseProduct(part.multiplier(part.unknowns, k));
    part.matrix.solve(part.right.data());
    part.unknowns += part.right;
  }
  const bool anew = settings.projections > 0;
  evaluate_dynamics(model, ws.z.data(), ws.zd.data(), part.zero.data(),
                    {anew ? 1.0 : 0.0, 0.0, 0.0}, ws);
  part.forces = ws.tree.residual;
  if (model.m() > 0) report.Phi = ws.closures.Phi.cwiseAbs().maxCoeff(&report.worst_row);
  end(step, part);
  ws.zdd = part.acceleration;
  if (anew && !find_accelerations_anew(step, part)) return false;
  if (!is_finite(ws.zdd) || !is_finite(ws.multipliers)) {
    report.status = StepStatus::non_finite;
    return false;
  }
  report.settled = is_settled(report, settings);
  evaluate_element_states(model, ws.z.data(), ws.zd.data(), ws.zdd.data(), ws);
  return true;
}

/// Needs the tangent M, part.forces and Phi_z at the final positions and velocities.
bool StabilisedStep::find_accelerations_anew(StepInProgress& step, StabilisedPart& part) const {
  const auto& [model, settings, scheme, state, ws, report, factors, P] = step;
  const Pivoting pivoting = part.last.factor(ws.tree.tangent, ws.closures.Phi_z, part.compliance);
  ++report.factorizations;
  if (pivoting == Pivoting::failed) {
    report.status =
        ws.tree.residual.allFinite() ? StepStatus::saddle_singular : StepStatus::non_finite;
    return false;
  }
  if (pivoting == Pivoting::renewed) {
    ++report.pivotings;
    part.pivots.tail(part.last.values().size()) = part.last.values();
  }
  evaluate_accelerations(model, ws.zd.data(), part.zero.data(), ws);
  ws.zdd = -part.forces;
  ws.multipliers = -ws.closures.Phidd;
  part.last.solve(ws.zdd, ws.multipliers);
  return true;
}

bool StabilisedStep::end_step(StepInProgress& step, bool /*again*/) const {
  StabilisedPart& part = stabilised_part_of(step);
  part.of_state = step.report.status == StepStatus::converged;
  if (!part.of_state) return false;
  step.state.pivots = part.pivots;
  if (keeps_own_history()) step.state.history.head(2 * part.n) = part.history;
  return false;
}

StabilisedPart::StabilisedPart(const Model& model, const StabilisedStep& step_method)
    : ClosurePart(model),
      method(&step_method),
      n(model.n()),
      m(model.m()),
      levels(step_method.levels()),
      exact_entries(model.formulation->exact_entries(model)),
      matrix(levels * n + 2 * m),
      last(model.tree.pattern, model.blocks(), m, shape_of(model, false)),
      unknowns(Eigen::VectorXd::Zero(levels * n + 2 * m)),
      right(unknowns),
      forces(Eigen::VectorXd::Zero(n)),
      F_n(forces),
      acceleration(forces),
      history(Eigen::VectorXd::Zero(2 * n)),
      zero(forces),
      below(compliance) {
  curvature.assign(exact_entries.size(), 0.0);
  Phid_z.assign(model.formulation->make_closures(model).Phi_z.size(), 0.0);
  for (TangentValues* values : {&M, &C, &K}) {
    values->symmetric.assign(at(model.tree.pattern.value_count()), 0.0);
    values->exact.assign(exact_entries.size(), 0.0);
  }
  M_n = M.symmetric;
  step_method.lay_out(model, *this);
  for (int k = 0; k < 2; ++k)
    blocks.push_back(matrix.place_diagonal(m, row_of_multiplier(k), row_of_multiplier(k)));
  matrix.close();
}

StabilisedPart& stabilised_part(const Model& model, const StabilisedStep& method, Workspace& ws) {
  auto* part = dynamic_cast<StabilisedPart*>(ws.method.get());
  if (part != nullptr && part->method == &method) return *part;
  auto made = std::make_unique<StabilisedPart>(model, method);
  StabilisedPart& result = *made;
  ws.method = std::move(made);
  return result;
}

}  // namespace semirec
