#include <algorithm>
#include <cmath>
#include <memory>

#include <Eigen/Cholesky>

#include "integrator/formulation/evaluate.hpp"
#include "integrator/formulation/matrix_workspace.hpp"
#include "integrator/formulation/relative_coordinates.hpp"
#include "integrator/initial_state.hpp"
#include "penalty/factors/least_squares.hpp"
#include "penalty/loop_group.hpp"
#include "recursive/accumulation.hpp"
#include "recursive/kinematics.hpp"
#include "topology/indices.hpp"
#include "topology/largest_magnitude.hpp"

namespace semirec {

namespace {

constexpr double kDegenerate = 0.1;  // of the quality of the best set there
// Newton on Phi for the dependent coordinates; where a triad turns by theta in a step it converges
// linearly with |theta|/2, as Phi_z is the one of quasi-velocities
constexpr int kLoopIterations = 30;
constexpr double kRoundOff = 3e-15;  // of closures, m or rad
constexpr double kTold = 1e-8;       // see loses_rates()

class TopologicalWorkspace final : public MatrixWorkspace {
 public:
  explicit TopologicalWorkspace(const Model& model);

  std::vector<LoopGroup> groups;
  std::vector<int> independent;  ///< coordinates of all, ascending
  std::vector<int> kept;         ///< the state's set, in case the step fails
  bool moving_closures = false;  ///< prescribed motions or driven ends: Phi_t is not zero
  bool degenerating = false;     ///< at the end of this attempt
  int reselections = 0;          ///< of this step
  Eigen::MatrixXd T;             ///< n x n  weighted M + C + K, then R^T T R in its place
  Eigen::MatrixXd reduced;
  Eigen::LLT<Eigen::MatrixXd> llt;
  Eigen::VectorXd f;         ///< independent
  Eigen::VectorXd residual;  ///< n
};

TopologicalWorkspace::TopologicalWorkspace(const Model& model)
    : MatrixWorkspace(model.tree.pattern),
      groups(make_loop_groups(model.closures.blocks)),
      T(Eigen::MatrixXd::Zero(model.tree.n, model.tree.n)),
      residual(Eigen::VectorXd::Zero(model.tree.n)) {
  kept.reserve(at(model.tree.n));
  // gives the factor a state: moving it copies that
  llt.compute(Eigen::MatrixXd::Identity(1, 1));
  for (const Closure& closure : model.closures.closures)
    moving_closures = moving_closures || closure.motion_input != kNoInput ||
                      closure.length_input != kNoInput || closure.slide_input != kNoInput;
}

TopologicalWorkspace& loops_of(Workspace& ws) {
  return static_cast<TopologicalWorkspace&>(*ws.formulation);
}

/// Takes the coordinates that no group has for dependent.
void take_set(StepInProgress& step) {
  TopologicalWorkspace& tws = loops_of(step.ws);
  tws.independent.clear();
  for (LoopGroup& group : tws.groups) size_elimination(group);
  for (int k = 0; k < step.model.tree.n; ++k) {
    bool free = true;
    for (const LoopGroup& group : tws.groups)
      for (const int c : group.dependent) free = free && group.columns[at(c)] != k;
    if (free) tws.independent.push_back(k);
  }
  const auto count = static_cast<Eigen::Index>(tws.independent.size());
  if (tws.f.size() != count) {
    tws.f.resize(count);
    tws.reduced = Eigen::MatrixXd::Identity(count, count);
    tws.llt.compute(tws.reduced);
  }
  step.state.independent = tws.independent;
}

/// The best set at the state.
void choose_set(StepInProgress& step) {
  const Model& model = step.model;
  Workspace& ws = step.ws;
  begin_evaluation(model, step.state, step.state.t, ws);
  compute_positions(model.tree, step.state.z.data(), ws.tree);
  compute_closure_positions(model.closures, ws.tree, ws.closures);
  for (LoopGroup& group : loops_of(ws).groups) {
    gather_jacobian(model.closures.blocks, ws.closures.Phi_z, group);
    select_dependent(group);
  }
  take_set(step);
}

/// The set that a saved state was integrated in.
void restore_set(StepInProgress& step) {
  const std::vector<int>& independent = step.state.independent;
  for (LoopGroup& group : loops_of(step.ws).groups) {
    group.dependent.clear();
    group.free.clear();
    for (int c = 0; c < static_cast<int>(group.columns.size()); ++c) {
      const bool free =
          std::binary_search(independent.begin(), independent.end(), group.columns[at(c)]);
      (free ? group.free : group.dependent).push_back(c);
    }
  }
  take_set(step);
}

/// Whether another set tells the motion ten times better. Uses the eliminations.
bool is_doubtful(TopologicalWorkspace& tws) {
  bool result = false;
  for (LoopGroup& group : tws.groups)
    result = result || group.quality < kDegenerate * pivot_completely(group, group.is_dependent);
  return result;
}

/// Whether the closures tell the rates of the dependent coordinates worse than the scheme does, in
/// every set. Near a singular position with pivots q a gap of round-off, e, moves them by e/q,
/// Phi_zd^-1 by e/q^3 of itself, and the accelerations by zd^2 e/q^3; the scheme's are wrong by
/// about h/3 of the third derivative, about h zd^3/3. The first must be more than that, and more
/// than a part kTold of the accelerations. Keeps the elimination.
bool loses_rates(const StepInProgress& step, LoopGroup& group) {
  double rate = 0.0;
  double acceleration = 0.0;
  for (const int c : group.columns) {
    rate = std::max(rate, std::abs(step.state.zd[c]));
    acceleration = std::max(acceleration, std::abs(step.state.zdd[c]));
  }
  const double q = group.quality;
  const double noise = kRoundOff * rate * rate;  // times 1/q^3
  if (!(noise > q * q * q * step.settings.h * rate * rate * rate / 3.0)) return false;
  if (!(noise > q * q * q * kTold * (rate * rate + acceleration))) return false;
  const bool bad_set = q < kDegenerate * pivot_completely(group, group.is_dependent);
  if (eliminate_dependent(group, group.quality)) find_S(group);
  return !bad_set;
}

/// What round-off of the closures may change the rates of the group by in this step, of themselves.
/// With pivots q a gap e moves the dependent coordinates by e/q, and the scheme makes accelerations
/// of that by 4/h^2. Where the closures tell the rates round-off changes less than the scheme's own
/// error of the step (loses_rates()), and nothing is counted.
double find_rates_lost(const StepInProgress& step, const LoopGroup& group) {
  if (!group.rates_of_scheme) return 0.0;
  double rate = 0.0;
  for (const int c : group.columns) rate = std::max(rate, std::abs(step.ws.zd[c]));
  return rate > 0.0 ? 4.0 * kRoundOff / (group.quality * step.settings.h * rate) : 0.0;
}

/// Newton on Phi for the dependent increments; report.Phi. False with report.status.
bool close_positions(StepInProgress& step) {
  const auto& [model, settings, scheme, state, ws, report, factors, P] = step;
  TopologicalWorkspace& tws = loops_of(ws);
  double last_gap = 1e300;
  for (int pass = 0;; ++pass) {
    ws.z = state.z + ws.increment;
    compute_positions(model.tree, ws.z.data(), ws.tree);
    compute_closure_positions(model.closures, ws.tree, ws.closures);
    for (LoopGroup& group : tws.groups) {
      gather_jacobian(model.closures.blocks, ws.closures.Phi_z, group);
      if (!eliminate_dependent(group, group.quality)) {
        report.status = StepStatus::independent_set_degenerate;
        report.Phi = ws.closures.Phi.cwiseAbs().maxCoeff(&report.worst_row);
        return false;
      }
      find_S(group);
    }
    const double gap = largest_magnitude(ws.closures.Phi);
    report.Phi = ws.closures.Phi.cwiseAbs().maxCoeff(&report.worst_row);
    // a gap is felt in the dependent coordinates over the pivots, and near a singular position as
    // its square root: there down to where Newton stalls
    double quality = 1.0;
    for (const LoopGroup& group : tws.groups) quality = std::min(quality, group.quality);
    const bool closed = gap <= 0.1 * settings.tolerance;
    if (gap <= std::max(quality * quality * quality, 1e-8) * 0.1 * settings.tolerance) return true;
    if (closed && (gap >= 0.9 * last_gap || pass == kLoopIterations)) return true;
    last_gap = gap;
    if (!(gap < 1e6) || pass == kLoopIterations) {
      report.status = StepStatus::loops_open;
      return false;
    }
    for (LoopGroup& group : tws.groups) {
      solve_dependent(group, ws.closures.Phi);
      correct_dependent(group, ws.increment);
    }
  }
}

/// z, zd, zdd from the independent increments: loops closed at all three levels. False with
/// report.status.
bool close_loops(StepInProgress& step) {
  if (!close_positions(step)) return false;
  const auto& [model, settings, scheme, state, ws, report, factors, P] = step;
  TopologicalWorkspace& tws = loops_of(ws);
  scheme.compute_rates(state, ws.increment, ws.zd, ws.zdd);
  for (LoopGroup& group : tws.groups) {
    group.rates_of_scheme = loses_rates(step, group);
    if (!group.rates_of_scheme) follow_independent(group, ws.zd);
  }
  if (tws.moving_closures) {
    compute_velocities(model.tree, ws.zd.data(), ws.tree);
    compute_closure_velocities(model.closures, ws.tree, ws.closures);
    for (LoopGroup& group : tws.groups) {
      if (group.rates_of_scheme) continue;
      solve_dependent(group, ws.closures.Phid);
      correct_dependent(group, ws.zd);
    }
  }
  for (LoopGroup& group : tws.groups)
    if (!group.rates_of_scheme) follow_independent(group, ws.zdd);
  compute_motions(model.tree, ws.zd.data(), ws.zdd.data(), ws.tree);
  compute_closure_motions(model.closures, ws.tree, ws.closures);
  for (LoopGroup& group : tws.groups) {
    if (group.rates_of_scheme) continue;
    solve_dependent(group, ws.closures.Phidd);
    correct_dependent(group, ws.zdd);
  }
  return true;
}

/// M zdd - Q at the rates of ws, and with `accumulates` the tangent; positions are those of
/// close_loops().
void evaluate_motions(const Model& model, bool accumulates, Workspace& ws) {
  ws.tree.residual.setZero();
  compute_motions(model.tree, ws.zd.data(), ws.zdd.data(), ws.tree);
  compute_body_forces(model.tree, ws.tree);
  add_forces(model.forces, model.tree, ws.tree);
  if (accumulates)
    accumulate(model.tree, ws.tree);
  else
    accumulate_forces(model.tree, ws.tree);
}

/// tws.residual <- R_z^T residual and tws.T <- R_z^T T R_z in the independent coordinates.
void reduce(const Model& model, Workspace& ws) {
  TopologicalWorkspace& tws = loops_of(ws);
  tws.residual = ws.tree.residual;
  model.tree.pattern.fill_dense(ws.tree.tangent.data(), tws.T);
  for (LoopGroup& group : tws.groups)
    for (std::size_t j = 0; j < group.free.size(); ++j) {
      const int i = group.columns[at(group.free[j])];
      for (std::size_t k = 0; k < group.dependent.size(); ++k) {
        const double s = group.S(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(j));
        const int d = group.columns[at(group.dependent[k])];
        tws.residual[i] += s * ws.tree.residual[d];
        tws.T.col(i) += s * tws.T.col(d);
      }
    }
  for (LoopGroup& group : tws.groups)
    for (std::size_t j = 0; j < group.free.size(); ++j) {
      const int i = group.columns[at(group.free[j])];
      for (std::size_t k = 0; k < group.dependent.size(); ++k) {
        const double s = group.S(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(j));
        const int d = group.columns[at(group.dependent[k])];
        for (const int c : tws.independent) tws.T(i, c) += s * tws.T(d, c);
      }
    }
}

/// The topological (semi-recursive) formulation: M and Q by recursive accumulation, second velocity
/// projection R_z onto independent coordinates, the scheme in these, Newton on
///   R_z^T (M zdd - Q) = 0  with  R_z^T (weighted M + C + K) R_z;
/// every evaluation closes the loops for z_d by Newton. The set is chosen by complete pivoting of
/// Phi_z at the start and, with settings.reselect, again when its pivots are ten times worse than
/// those of the best set (StepReport::reselections). Without it the step fails there:
/// StepStatus::independent_set_degenerate.
class Topological final : public RelativeCoordinates {
 public:
  const char* name() const override { return "topological"; }
  const char* multipliers_fault() const override {
    return "closes the loops by independent coordinates";
  }
  OperationCount count_operations(const Model& model) const override;
  bool selects_coordinates() const override { return true; }
  bool takes_rates_of_scheme() const override { return false; }
  std::unique_ptr<FormulationWorkspace> make_workspace(const Model& model) const override {
    return std::make_unique<TopologicalWorkspace>(model);
  }

  void begin_step(StepInProgress& step, bool again) const override;
  bool evaluate_iterate(StepInProgress& step) const override;
  bool factor_iterate(StepInProgress& step) const override;
  double correct(StepInProgress& step) const override;
  bool is_trusted(StepInProgress& step) const override { return !is_doubtful(loops_of(step.ws)); }
  bool finish(StepInProgress& step) const override;
  bool end_step(StepInProgress& step, bool again) const override;
};

void Topological::begin_step(StepInProgress& step, bool again) const {
  TopologicalWorkspace& tws = loops_of(step.ws);
  tws.degenerating = false;
  if (!again) {
    tws.reselections = 0;
    tws.kept = step.state.independent;
  }
  if (step.state.independent.empty() || again)
    choose_set(step);
  else if (step.state.independent != tws.independent)
    restore_set(step);
}

bool Topological::evaluate_iterate(StepInProgress& step) const {
  if (!close_loops(step)) return false;
  Workspace& ws = step.ws;
  ws.tree.weights = step.scheme.weights;
  std::fill(ws.tree.tangent.begin(), ws.tree.tangent.end(), 0.0);
  evaluate_motions(step.model, /*accumulates=*/true, ws);
  return true;
}

bool Topological::factor_iterate(StepInProgress& step) const {
  TopologicalWorkspace& tws = loops_of(step.ws);
  reduce(step.model, step.ws);
  const auto count = static_cast<Eigen::Index>(tws.independent.size());
  for (Eigen::Index c = 0; c < count; ++c) {
    const int k = tws.independent[at(c)];
    tws.f[c] = -step.scheme.scale * tws.residual[k];
    for (Eigen::Index r = c; r < count; ++r) tws.reduced(r, c) = tws.T(tws.independent[at(r)], k);
  }
  tws.llt.compute(tws.reduced);
  ++step.report.factorizations;
  const bool good = tws.llt.info() == Eigen::Success && tws.llt.matrixLLT().diagonal().allFinite();
  return good || refuse_tangent(step);
}

double Topological::correct(StepInProgress& step) const {
  TopologicalWorkspace& tws = loops_of(step.ws);
  Eigen::VectorXd& increment = step.ws.increment;
  tws.llt.solveInPlace(tws.f);
  const auto count = static_cast<Eigen::Index>(tws.independent.size());
  for (Eigen::Index c = 0; c < count; ++c) increment[tws.independent[at(c)]] += tws.f[c];
  // the dependent ones follow to first order, so that closing the loops takes one pass
  for (LoopGroup& group : tws.groups)
    for (std::size_t j = 0; j < group.free.size(); ++j) {
      const int i = group.columns[at(group.free[j])];
      const auto place = std::lower_bound(tws.independent.begin(), tws.independent.end(), i) -
                         tws.independent.begin();
      for (std::size_t k = 0; k < group.dependent.size(); ++k)
        increment[group.columns[at(group.dependent[k])]] +=
            group.S(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(j)) * tws.f[place];
    }
  return count > 0 ? std::sqrt(tws.f.squaredNorm() / static_cast<double>(count)) : 0.0;
}

/// Dependent coordinates and rates at the final independent ones, and the multipliers at the
/// accelerations that are handed out, not at those before the last correction.
bool Topological::finish(StepInProgress& step) const {
  Workspace& ws = step.ws;
  TopologicalWorkspace& tws = loops_of(ws);
  if (!close_loops(step)) return false;
  if (!is_finite(ws.zdd)) {
    step.report.status = StepStatus::non_finite;
    return false;
  }
  evaluate_motions(step.model, /*accumulates=*/false, ws);
  for (LoopGroup& group : tws.groups) solve_multipliers(group, ws.tree.residual, ws.multipliers);
  ws.lambda = ws.multipliers;
  step.report.rates_lost = 0.0;
  for (const LoopGroup& group : tws.groups)
    step.report.rates_lost = std::hypot(step.report.rates_lost, find_rates_lost(step, group));
  step.report.settled = is_settled(step.report, step.settings);
  if (step.settings.reselect) tws.degenerating = is_doubtful(tws);
  evaluate_element_states(step.model, ws.z.data(), ws.zd.data(), ws.zdd.data(), ws);
  return true;
}

bool Topological::end_step(StepInProgress& step, bool again) const {
  TopologicalWorkspace& tws = loops_of(step.ws);
  StepReport& report = step.report;
  // Newton creeps where the set tells the motion no more
  if (report.status == StepStatus::iteration_limit && is_doubtful(tws))
    report.status = StepStatus::independent_set_degenerate;
  const bool lost = report.status == StepStatus::independent_set_degenerate ||
                    report.status == StepStatus::loops_open;
  if (lost && step.settings.reselect && !again) {
    ++tws.reselections;
    return true;
  }
  if (report.status == StepStatus::converged && tws.degenerating) {
    ++tws.reselections;
    choose_set(step);
  }
  if (report.status != StepStatus::converged) step.state.independent = tws.kept;
  report.reselections = tws.reselections;
  return false;
}

OperationCount Topological::count_operations(const Model& model) const {
  // redundant rows are eliminated and then left out: the rank at the design position tells
  Workspace ws(model);
  evaluate_state(model, make_initial_state(model), ws);
  const Eigen::MatrixXd Phi_z = dense_jacobian(model.closures, ws.closures, model.n());
  OperationCount count;
  count.mass = count_mass(model.tree);
  double independent = model.n();
  for (const LoopGroup& group : loops_of(ws).groups) {
    const auto rows = static_cast<double>(group.rows.size());
    const auto rank = static_cast<double>(find_rank(Phi_z(group.rows, group.columns), 1e-9));
    const double free = static_cast<double>(group.columns.size()) - rank;
    // elimination of all rows with all columns, S, then columns and rows of T
    count.closures += rank * rank * (rows - 2.0 / 3.0 * rank) + rank * rows * free;
    count.closures += 2.0 * rank * free * model.n();
    independent -= rank;
  }
  count.factor = independent * independent * independent / 6.0;
  count.solve = independent * independent;
  return count;
}

/// Without loops: all coordinates are independent and nothing is to be eliminated.
class TopologicalTree final : public RelativeCoordinates {
 public:
  const char* name() const override { return "topological"; }
  const char* multipliers_fault() const override {
    return "closes the loops by independent coordinates";
  }
  bool selects_coordinates() const override { return true; }
  OperationCount count_operations(const Model& model) const override {
    OperationCount count;
    const double n = model.tree.n;
    count.mass = count_mass(model.tree);
    count.factor = n * n * n / 6.0;
    count.solve = n * n;
    return count;
  }
};

}  // namespace

std::shared_ptr<const FormulationModel> make_topological(Model& model, TangentChoice tangent) {
  lay_out_tangent(model, tangent);
  if (model.closures.m == 0) return std::make_shared<TopologicalTree>();
  return std::make_shared<Topological>();
}

}  // namespace semirec
