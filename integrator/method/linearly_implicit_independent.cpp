#include <algorithm>
#include <memory>

#include <Eigen/Cholesky>

#include "integrator/formulation/evaluate.hpp"
#include "integrator/formulation/formulation_model.hpp"
#include "integrator/method/linearly_implicit_step.hpp"
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

/// Splits the coordinates of all loops by complete pivoting of Phi_z; S of each. False where the
/// pivots do not serve.
bool split_coordinates(const Workspace& ws, const Model& model, IndependentPart& part) {
  std::fill(part.is_dependent.begin(), part.is_dependent.end(), '\0');
  for (LoopGroup& group : part.groups) {
    gather_jacobian(model.blocks(), ws.closures.Phi_z, group);
    select_dependent(group);
    if (!eliminate_dependent(group, group.quality)) return false;
    find_S(group);
    for (const int c : group.dependent) part.is_dependent[at(group.columns[at(c)])] = 1;
  }
  part.R.clear();
  for (const LoopGroup& group : part.groups)
    for (std::size_t j = 0; j < group.free.size(); ++j)
      for (std::size_t k = 0; k < group.dependent.size(); ++k)
        part.R.push_back({group.columns[at(group.free[j])], group.columns[at(group.dependent[k])],
                          group.S(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(j))});
  part.independent.clear();
  for (std::size_t k = 0; k < part.is_dependent.size(); ++k)
    if (part.is_dependent[k] == 0) part.independent.push_back(static_cast<int>(k));
  return true;
}

/// Notes which rows depend on others: those without a pivot that are not released.
int note_dependent_rows(IndependentPart& part) {
  constexpr double kHeld = 0.0, kNotHeld = 0.5, kReleased = 1.0;  // see ClosureRows::recall()
  for (const LoopGroup& group : part.groups)
    for (std::size_t k = 0; k < group.row_order.size(); ++k) {
      const int row = group.rows[at(group.row_order[k])];
      part.compliance[row] = k < group.dependent.size()   ? kHeld
                             : part.rows.is_released(row) ? kReleased
                                                          : kNotHeld;
    }
  part.rows.recall(part.compliance);
  return part.rows.count();
}

/// W R and, lower triangle, R^T W R from the tangent.
void reduce_tangent(const Workspace& ws, IndependentPart& part) {
  double* change = part.change.data();
  part.WR.setZero();
  for (const IndependentPart::TangentPlace& place : part.places)
    part.WR.data()[place.lower] = part.WR.data()[place.upper] = ws.tree.tangent[at(place.slot)];
  for (const auto& [i, d, s] : part.R) part.WR.col(i) += s * part.WR.col(d);
  const auto count = static_cast<Eigen::Index>(part.independent.size());
  for (Eigen::Index c = 0; c < count; ++c) {
    part.change = part.WR.col(part.independent[at(c)]);
    for (const auto& [i, d, s] : part.R) change[i] += s * change[d];
    for (Eigen::Index r = c; r < count; ++r)
      part.reduced(r, c) = part.change[part.independent[at(r)]];
  }
}

bool factor_reduced(IndependentPart& part) {
  const auto count = static_cast<Eigen::Index>(part.independent.size());
  Eigen::Ref<Eigen::MatrixXd> front(part.reduced.topLeftCorner(count, count));
  const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> llt(front);
  return llt.info() == Eigen::Success && front.diagonal().allFinite();
}

/// part.particular in the dependent coordinates: what closes `error` of the rows by them alone.
void find_particular(const Eigen::VectorXd& error, IndependentPart& part) {
  for (LoopGroup& group : part.groups) {
    solve_dependent(group, error);
    for (std::size_t k = 0; k < group.dependent.size(); ++k)
      part.particular[group.columns[at(group.dependent[k])]] =
          -group.solution[static_cast<Eigen::Index>(k)];
  }
}

/// part.change = R y + particular, y from R^T W R y = R^T (load - W particular); part.load becomes
/// load - W change, which the closures' forces carry.
void solve_independent(IndependentPart& part) {
  double* change = part.change.data();
  for (const LoopGroup& group : part.groups)
    for (const int c : group.dependent) {
      const int d = group.columns[at(c)];
      part.load -= part.particular[d] * part.WR.col(d);
    }
  part.change = part.load;
  for (const auto& [i, d, s] : part.R) change[i] += s * change[d];
  const auto count = static_cast<Eigen::Index>(part.independent.size());
  auto y = part.f.head(count);
  for (Eigen::Index c = 0; c < count; ++c) y[c] = part.change[part.independent[at(c)]];
  const auto L = part.reduced.topLeftCorner(count, count).triangularView<Eigen::Lower>();
  L.solveInPlace(y);
  L.transpose().solveInPlace(y);
  part.change = part.particular;
  for (Eigen::Index c = 0; c < count; ++c) {
    part.change[part.independent[at(c)]] = y[c];
    part.load -= y[c] * part.WR.col(part.independent[at(c)]);
  }
  for (const auto& [i, d, s] : part.R) change[d] += s * change[i];
}

bool Independent::evaluate_iterate(StepInProgress& step) const {
  evaluate_begin(step);
  Workspace& ws = step.ws;
  if (step.model.m() > 0)
    evaluate_accelerations(step.model, step.state.zd.data(), ws.zdd.data(), ws);
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
    if (!split_coordinates(ws, model, part)) {
      report.status = StepStatus::independent_set_degenerate;
      return false;
    }
    report.dependent = note_dependent_rows(part);
    reduce_tangent(ws, part);
    factored = factor_reduced(part);
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
  // h S c: dependent accelerations at resting independent ones
  part.particular.setZero();
  find_particular(ws.closures.Phidd, part);
  part.particular *= h;
  solve_independent(part);
  part.load *= -1.0 / h;
  for (LoopGroup& group : part.groups) solve_multipliers(group, part.load, ws.multipliers);
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
    part.particular.setZero();
    find_particular(ws.closures.Phi, part);
    part.load.setZero();
    solve_independent(part);
    ws.increment += part.change;
  }
  ws.z = state.z + ws.increment;
  evaluate_kinematics(model, ws.z.data(), ws.zd.data(), nullptr, ws);
  report.Phid = largest_magnitude(ws.closures.Phid);
  for (LoopGroup& group : part.groups) {
    gather_jacobian(model.blocks(), ws.closures.Phi_z, group);
    if (!eliminate_dependent(group, group.quality)) {
      report.status = StepStatus::independent_set_degenerate;
      return false;
    }
    solve_dependent(group, ws.closures.Phid);
    correct_dependent(group, ws.zd);
  }
  if (model.m() > 0 && model.tree.states > 0) evaluate_velocities(model, ws.zd.data(), ws);
  return accept_end(step);
}

std::vector<IndependentPart::TangentPlace> find_places(const SymmetricPattern& pattern) {
  // a matrix whose values are the numbers of its slots, counted from one, tells where they are
  std::vector<double> numbers(at(pattern.value_count()));
  for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] = static_cast<double>(k + 1);
  const Eigen::MatrixXd slots = pattern.to_dense(numbers.data());
  std::vector<IndependentPart::TangentPlace> places;
  const int n = pattern.size();
  for (int j = 0; j < n; ++j)
    for (int i = j; i < n; ++i)
      if (slots(i, j) > 0.0)
        places.push_back({static_cast<int>(slots(i, j)) - 1, i + n * j, j + n * i});
  return places;
}

}  // namespace

IndependentPart::IndependentPart(const Model& model)
    : ClosurePart(model),
      groups(make_loop_groups(model.blocks())),
      is_dependent(at(model.n()), 0),
      WR(Eigen::MatrixXd::Zero(model.m() > 0 ? model.n() : 0, model.m() > 0 ? model.n() : 0)),
      reduced(WR),
      load(Eigen::VectorXd::Zero(model.n())),
      particular(load),
      change(load),
      f(load) {
  independent.reserve(at(model.n()));
  std::size_t entries = 0;
  for (const LoopGroup& group : groups) entries += group.columns.size() * group.columns.size() / 4;
  R.reserve(entries);
  if (model.m() > 0) places = find_places(model.tree.pattern);
  // of the largest size: the number of independent coordinates may change
  for (LoopGroup& group : groups)
    group.S = Eigen::MatrixXd::Zero(group.jacobian.rows(), group.jacobian.cols());
}

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
