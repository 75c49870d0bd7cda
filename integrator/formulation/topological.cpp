#include "integrator/formulation/topological.hpp"

#include <algorithm>
#include <cmath>

#include "integrator/formulation/evaluate.hpp"
#include "integrator/step.hpp"
#include "recursive/accumulation.hpp"
#include "recursive/kinematics.hpp"
#include "topology/indices.hpp"
#include "topology/largest_magnitude.hpp"

namespace semirec {

namespace {

constexpr double kRank = 1e-9;       // pivots below this part of the largest count as zero
constexpr double kDegenerate = 0.1;  // of the quality of the best set there
// Newton on Phi for the dependent coordinates; where a triad turns by theta in a step it converges
// linearly with |theta|/2, as Phi_z is the one of quasi-velocities
constexpr int kLoopIterations = 30;
constexpr double kRoundOff = 3e-15;  // of closures, m or rad
constexpr double kTold = 1e-8;       // see loses_rates()

void gather_jacobian(const ClosureModel& model, const ClosureWorkspace& cws, LoopGroup& group) {
  group.jacobian.setZero();
  int row = 0;
  for (const int b : group.blocks) {
    const RowBlock& block = model.blocks[at(b)];
    const double* value = cws.Phi_z.data() + block.jacobian;
    for (int r = 0; r < block.rows; ++r, ++row) {
      std::size_t place = 0;
      for (const int column : block.columns) {
        while (group.columns[place] != column) ++place;
        group.jacobian(row, static_cast<Eigen::Index>(place)) = *value;
        value += block.stride;
      }
    }
  }
}

/// Complete pivoting on the whole Jacobian: its pivot columns are the best dependent coordinates.
/// Their quality, least over largest pivot. Uses group.factor.
double pivot_completely(LoopGroup& group, std::vector<char>& dependent) {
  Eigen::MatrixXd& A = group.factor;
  A = group.jacobian;
  const Eigen::Index rows = A.rows();
  const Eigen::Index columns = A.cols();
  std::fill(dependent.begin(), dependent.end(), '\0');
  double first = 0.0;
  double last = 0.0;
  for (Eigen::Index k = 0; k < std::min(rows, columns); ++k) {
    Eigen::Index pivot_row = k;
    Eigen::Index pivot_column = -1;
    double largest = 0.0;
    for (Eigen::Index c = 0; c < columns; ++c) {
      if (dependent[static_cast<std::size_t>(c)] != 0) continue;
      for (Eigen::Index r = k; r < rows; ++r)
        if (std::abs(A(r, c)) > largest) {
          largest = std::abs(A(r, c));
          pivot_row = r;
          pivot_column = c;
        }
    }
    if (k == 0) first = largest;
    if (pivot_column < 0 || largest <= kRank * first) break;
    last = largest;
    dependent[static_cast<std::size_t>(pivot_column)] = 1;
    A.row(k).swap(A.row(pivot_row));
    for (Eigen::Index r = k + 1; r < rows; ++r)
      A.row(r) -= A(r, pivot_column) / A(k, pivot_column) * A.row(k);
  }
  return first > 0.0 ? last / first : 1.0;
}

void select(LoopGroup& group) {
  pivot_completely(group, group.is_dependent);
  group.dependent.clear();
  group.free.clear();
  for (int c = 0; c < static_cast<int>(group.columns.size()); ++c)
    (group.is_dependent[at(c)] != 0 ? group.dependent : group.free).push_back(c);
}

/// Eliminates the dependent columns with row pivots; false when they do not span the rows. S
/// follows.
bool factor(LoopGroup& group, double& quality) {
  Eigen::MatrixXd& A = group.factor;
  A = group.jacobian;
  const Eigen::Index rows = A.rows();
  const auto count = static_cast<Eigen::Index>(group.dependent.size());
  for (Eigen::Index r = 0; r < rows; ++r)
    group.row_order[static_cast<std::size_t>(r)] = static_cast<int>(r);
  // against the largest entry of all columns: a single pivot has no other to shrink against
  double least = 1e300;
  double most = largest_magnitude(A);
  for (Eigen::Index k = 0; k < count; ++k) {
    const int c = group.dependent[static_cast<std::size_t>(k)];
    Eigen::Index pivot = k;
    for (Eigen::Index r = k + 1; r < rows; ++r)
      if (std::abs(A(r, c)) > std::abs(A(pivot, c))) pivot = r;
    if (pivot != k) {
      A.row(k).swap(A.row(pivot));
      std::swap(group.row_order[static_cast<std::size_t>(k)],
                group.row_order[static_cast<std::size_t>(pivot)]);
    }
    const double size = std::abs(A(k, c));
    least = std::min(least, size);
    if (!(size > kRank * most)) return false;
    const double inverse = 1.0 / A(k, c);
    for (Eigen::Index r = k + 1; r < rows; ++r) {
      const double f = A(r, c) * inverse;
      if (f == 0.0) continue;
      for (Eigen::Index j = k + 1; j < count; ++j) {
        const int cj = group.dependent[static_cast<std::size_t>(j)];
        A(r, cj) -= f * A(k, cj);
      }
      for (const int cj : group.free) A(r, cj) -= f * A(k, cj);
      A(r, c) = f;
    }
  }
  quality = most > 0.0 ? least / most : 1.0;
  // S: back substitution of the independent columns
  for (std::size_t j = 0; j < group.free.size(); ++j)
    for (Eigen::Index k = count - 1; k >= 0; --k) {
      double sum = A(k, group.free[j]);
      for (Eigen::Index i = k + 1; i < count; ++i)
        sum += A(k, group.dependent[static_cast<std::size_t>(i)]) *
               group.S(i, static_cast<Eigen::Index>(j));
      group.S(k, static_cast<Eigen::Index>(j)) =
          -sum / A(k, group.dependent[static_cast<std::size_t>(k)]);
    }
  return true;
}

/// group.solution = Phi_zd^-1 error, by the factor.
void solve(LoopGroup& group, const Eigen::VectorXd& error) {
  const auto count = static_cast<Eigen::Index>(group.dependent.size());
  const auto rows = static_cast<Eigen::Index>(group.rows.size());
  for (Eigen::Index k = 0; k < rows; ++k)
    group.rhs[k] = error[group.rows[at(group.row_order[static_cast<std::size_t>(k)])]];
  for (Eigen::Index k = 0; k < count; ++k)
    for (Eigen::Index r = k + 1; r < count; ++r)
      group.rhs[r] -= group.factor(r, group.dependent[static_cast<std::size_t>(k)]) * group.rhs[k];
  for (Eigen::Index k = count - 1; k >= 0; --k) {
    double sum = group.rhs[k];
    for (Eigen::Index i = k + 1; i < count; ++i)
      sum -= group.factor(k, group.dependent[static_cast<std::size_t>(i)]) * group.solution[i];
    group.solution[k] = sum / group.factor(k, group.dependent[static_cast<std::size_t>(k)]);
  }
}

/// lambda of the rows in use from Phi_zd^T lambda = -residual_d; zero for the others.
void find_multipliers(LoopGroup& group, const Eigen::VectorXd& residual, Eigen::VectorXd& lambda) {
  const auto count = static_cast<Eigen::Index>(group.dependent.size());
  for (const int row : group.rows) lambda[row] = 0.0;
  // U^T y = -residual, then L^T lambda = y
  for (Eigen::Index k = 0; k < count; ++k) {
    double sum = -residual[group.columns[at(group.dependent[static_cast<std::size_t>(k)])]];
    for (Eigen::Index i = 0; i < k; ++i)
      sum -= group.factor(i, group.dependent[static_cast<std::size_t>(k)]) * group.rhs[i];
    group.rhs[k] = sum / group.factor(k, group.dependent[static_cast<std::size_t>(k)]);
  }
  for (Eigen::Index k = count - 1; k >= 0; --k) {
    double sum = group.rhs[k];
    for (Eigen::Index i = k + 1; i < count; ++i)
      sum -= group.factor(i, group.dependent[static_cast<std::size_t>(k)]) * group.rhs[i];
    group.rhs[k] = sum;
    lambda[group.rows[at(group.row_order[static_cast<std::size_t>(k)])]] = sum;
  }
}

void correct_dependent(LoopGroup& group, Eigen::VectorXd& z) {
  for (std::size_t k = 0; k < group.dependent.size(); ++k)
    z[group.columns[at(group.dependent[k])]] -= group.solution[static_cast<Eigen::Index>(k)];
}

void follow_independent(LoopGroup& group, Eigen::VectorXd& rates) {
  for (std::size_t k = 0; k < group.dependent.size(); ++k) {
    double sum = 0.0;
    for (std::size_t j = 0; j < group.free.size(); ++j)
      sum += group.S(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(j)) *
             rates[group.columns[at(group.free[j])]];
    rates[group.columns[at(group.dependent[k])]] = sum;
  }
}

/// A step in progress.
class Step {
 public:
  Step(const Model& model, const StepSettings& settings, State& state, Workspace& ws)
      : model_(model),
        settings_(settings),
        scheme_(settings.scheme.make(settings.h)),
        state_(state),
        ws_(ws),
        tws_(*ws.topological) {}

  void choose_set() {
    compute_positions(model_.tree, state_.z.data(), ws_.tree);
    compute_closure_positions(model_.closures, ws_.tree, ws_.closures);
    for (LoopGroup& group : tws_.groups) {
      gather_jacobian(model_.closures, ws_.closures, group);
      select(group);
    }
    take_set();
  }

  /// The set that a saved state was integrated in.
  void restore_set() {
    for (LoopGroup& group : tws_.groups) {
      group.dependent.clear();
      group.free.clear();
      for (int c = 0; c < static_cast<int>(group.columns.size()); ++c) {
        const bool free = std::binary_search(state_.independent.begin(), state_.independent.end(),
                                             group.columns[at(c)]);
        (free ? group.free : group.dependent).push_back(c);
      }
    }
    take_set();
  }

  void take_set() {
    tws_.independent.clear();
    for (LoopGroup& group : tws_.groups) {
      group.S.resize(static_cast<Eigen::Index>(group.dependent.size()),
                     static_cast<Eigen::Index>(group.free.size()));
    }
    for (int k = 0; k < model_.n(); ++k) {
      bool free = true;
      for (const LoopGroup& group : tws_.groups)
        for (const int c : group.dependent) free = free && group.columns[at(c)] != k;
      if (free) tws_.independent.push_back(k);
    }
    const auto count = static_cast<Eigen::Index>(tws_.independent.size());
    if (tws_.f.size() != count) {
      tws_.f.resize(count);
      tws_.reduced = Eigen::MatrixXd::Identity(count, count);
      tws_.llt.compute(tws_.reduced);
    }
    state_.independent = tws_.independent;
  }

  StepReport run() {
    begin_evaluation(model_, state_, state_.t + settings_.h, ws_, settings_.ends_on_breakpoint);
    scheme_.begin(ws_.tree.rule);
    scheme_.predict(state_, ws_.increment);
    const bool constant_work = settings_.iterations > 0;
    const int limit = constant_work ? settings_.iterations : settings_.max_iterations;
    const double tolerance = content_correction(settings_, scheme_);
    bool converged = false;
    while (report_.iterations < limit && !converged) {
      if (!close_loops()) return report_;
      if (!correct()) return report_;
      ++report_.iterations;
      converged = !constant_work && report_.correction <= tolerance;
    }
    converged = converged || (report_.correction <= settings_.tolerance && !doubtful());
    if (!converged && !constant_work) {
      report_.status = StepStatus::iteration_limit;
      return report_;
    }
    // dependent coordinates and rates at the final independent ones
    if (!close_loops()) return report_;
    if (!ws_.zdd.allFinite()) {
      report_.status = StepStatus::non_finite;
      return report_;
    }
    // multipliers at the accelerations that are handed out, not at those before the last correction
    evaluate_residual();
    for (LoopGroup& group : tws_.groups)
      find_multipliers(group, ws_.tree.residual, ws_.multipliers);
    if (settings_.reselect) degenerating_ = doubtful();
    evaluate_element_states(model_, ws_.z.data(), ws_.zd.data(), ws_);
    state_.x = ws_.tree.x;
    state_.xd = ws_.tree.xd;
    state_.t += settings_.h;
    state_.z = ws_.z;
    state_.zd = ws_.zd;
    state_.zdd = ws_.zdd;
    state_.multipliers = state_.lambda = ws_.multipliers;
    rebase(model_, state_);
    return report_;
  }

  /// Another set tells the motion ten times better. Uses the factors.
  bool doubtful() {
    bool result = false;
    for (LoopGroup& group : tws_.groups)
      result = result || group.quality < kDegenerate * pivot_completely(group, group.is_dependent);
    return result;
  }
  bool degenerating() const { return degenerating_; }

 private:
  /// z, zd, zdd from the independent increments: loops closed at all three levels.
  bool close_loops() {
    double gap = 0.0;
    double last_gap = 1e300;
    for (int pass = 0;; ++pass) {
      ws_.z = state_.z + ws_.increment;
      compute_positions(model_.tree, ws_.z.data(), ws_.tree);
      compute_closure_positions(model_.closures, ws_.tree, ws_.closures);
      for (LoopGroup& group : tws_.groups) {
        gather_jacobian(model_.closures, ws_.closures, group);
        if (!factor(group, group.quality)) {
          report_.status = StepStatus::independent_set_degenerate;
          report_.Phi = ws_.closures.Phi.cwiseAbs().maxCoeff(&report_.worst_row);
          return false;
        }
      }
      gap = largest_magnitude(ws_.closures.Phi);
      report_.Phi = ws_.closures.Phi.cwiseAbs().maxCoeff(&report_.worst_row);
      // a gap is felt in the dependent coordinates over the pivots, and near a singular position as
      // its square root: there down to where Newton stalls
      double quality = 1.0;
      for (const LoopGroup& group : tws_.groups) quality = std::min(quality, group.quality);
      const bool closed = gap <= 0.1 * settings_.tolerance;
      if (gap <= std::max(quality * quality * quality, 1e-8) * 0.1 * settings_.tolerance) break;
      if (closed && (gap >= 0.9 * last_gap || pass == kLoopIterations)) break;
      last_gap = gap;
      if (!(gap < 1e6) || pass == kLoopIterations) {
        report_.status = StepStatus::loops_open;
        return false;
      }
      for (LoopGroup& group : tws_.groups) {
        solve(group, ws_.closures.Phi);
        correct_dependent(group, ws_.increment);
      }
    }
    scheme_.compute_rates(state_, ws_.increment, ws_.zd, ws_.zdd);
    for (LoopGroup& group : tws_.groups) {
      group.rates_of_scheme = loses_rates(group);
      if (!group.rates_of_scheme) follow_independent(group, ws_.zd);
    }
    if (tws_.moving_closures) {
      compute_velocities(model_.tree, ws_.zd.data(), ws_.tree);
      compute_closure_velocities(model_.closures, ws_.tree, ws_.closures);
      for (LoopGroup& group : tws_.groups) {
        if (group.rates_of_scheme) continue;
        solve(group, ws_.closures.Phid);
        correct_dependent(group, ws_.zd);
      }
    }
    for (LoopGroup& group : tws_.groups)
      if (!group.rates_of_scheme) follow_independent(group, ws_.zdd);
    compute_motions(model_.tree, ws_.zd.data(), ws_.zdd.data(), ws_.tree);
    compute_closure_motions(model_.closures, ws_.tree, ws_.closures);
    for (LoopGroup& group : tws_.groups) {
      if (group.rates_of_scheme) continue;
      solve(group, ws_.closures.Phidd);
      correct_dependent(group, ws_.zdd);
    }
    return true;
  }

  /// Whether the closures tell the rates of the dependent coordinates worse than the
  /// scheme does, in every set. Near a singular position with pivots q a gap of round-off, e, moves
  /// them by e/q, Phi_zd^-1 by e/q^3 of itself, and the accelerations by zd^2 e/q^3; the scheme's
  /// are wrong by about h/3 of the third derivative, about h zd^3/3. The first must be more than
  /// that, and more than a part kTold of the accelerations. Keeps the factor.
  bool loses_rates(LoopGroup& group) const {
    double rate = 0.0;
    double acceleration = 0.0;
    for (const int c : group.columns) {
      rate = std::max(rate, std::abs(state_.zd[c]));
      acceleration = std::max(acceleration, std::abs(state_.zdd[c]));
    }
    const double q = group.quality;
    const double noise = kRoundOff * rate * rate;  // times 1/q^3
    if (!(noise > q * q * q * settings_.h * rate * rate * rate / 3.0)) return false;
    if (!(noise > q * q * q * kTold * (rate * rate + acceleration))) return false;
    const bool bad_set = q < kDegenerate * pivot_completely(group, group.is_dependent);
    static_cast<void>(factor(group, group.quality));
    return !bad_set;
  }

  void evaluate_residual() {
    ws_.tree.residual.setZero();
    compute_motions(model_.tree, ws_.zd.data(), ws_.zdd.data(), ws_.tree);
    compute_body_forces(model_.tree, ws_.tree);
    add_forces(model_.forces, model_.tree, ws_.tree);
    accumulate_forces(model_.tree, ws_.tree);
  }

  /// One Newton correction of the independent increments.
  bool correct() {
    ws_.tree.weights = scheme_.weights;
    ws_.tree.residual.setZero();
    std::fill(ws_.tree.tangent.begin(), ws_.tree.tangent.end(), 0.0);
    compute_motions(model_.tree, ws_.zd.data(), ws_.zdd.data(), ws_.tree);
    compute_body_forces(model_.tree, ws_.tree);
    add_forces(model_.forces, model_.tree, ws_.tree);
    accumulate(model_.tree, ws_.tree);

    // R_z^T residual, R_z^T T R_z
    tws_.residual = ws_.tree.residual;
    model_.tree.pattern.fill_dense(ws_.tree.tangent.data(), tws_.T);
    for (LoopGroup& group : tws_.groups) {
      find_multipliers(group, ws_.tree.residual, ws_.multipliers);
      for (std::size_t j = 0; j < group.free.size(); ++j) {
        const int i = group.columns[at(group.free[j])];
        for (std::size_t k = 0; k < group.dependent.size(); ++k) {
          const double s = group.S(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(j));
          const int d = group.columns[at(group.dependent[k])];
          tws_.residual[i] += s * ws_.tree.residual[d];
          tws_.T.col(i) += s * tws_.T.col(d);
        }
      }
    }
    for (LoopGroup& group : tws_.groups)
      for (std::size_t j = 0; j < group.free.size(); ++j) {
        const int i = group.columns[at(group.free[j])];
        for (std::size_t k = 0; k < group.dependent.size(); ++k) {
          const double s = group.S(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(j));
          const int d = group.columns[at(group.dependent[k])];
          for (const int c : tws_.independent) tws_.T(i, c) += s * tws_.T(d, c);
        }
      }
    const auto count = static_cast<Eigen::Index>(tws_.independent.size());
    for (Eigen::Index c = 0; c < count; ++c) {
      const int k = tws_.independent[static_cast<std::size_t>(c)];
      tws_.f[c] = -scheme_.scale * tws_.residual[k];
      for (Eigen::Index r = c; r < count; ++r)
        tws_.reduced(r, c) = tws_.T(tws_.independent[static_cast<std::size_t>(r)], k);
    }
    tws_.llt.compute(tws_.reduced);
    ++report_.factorizations;
    if (tws_.llt.info() != Eigen::Success || !tws_.llt.matrixLLT().diagonal().allFinite()) {
      report_.status = ws_.tree.residual.allFinite() ? StepStatus::tangent_not_positive_definite
                                                     : StepStatus::non_finite;
      return false;
    }
    tws_.llt.solveInPlace(tws_.f);
    report_.correction =
        count > 0 ? std::sqrt(tws_.f.squaredNorm() / static_cast<double>(count)) : 0.0;
    if (!std::isfinite(report_.correction)) {
      report_.status = StepStatus::non_finite;
      return false;
    }
    for (Eigen::Index c = 0; c < count; ++c)
      ws_.increment[tws_.independent[static_cast<std::size_t>(c)]] += tws_.f[c];
    // the dependent ones follow to first order, so that closing the loops takes one pass
    for (LoopGroup& group : tws_.groups) {
      for (std::size_t j = 0; j < group.free.size(); ++j) {
        const int i = group.columns[at(group.free[j])];
        const auto place = std::lower_bound(tws_.independent.begin(), tws_.independent.end(), i) -
                           tws_.independent.begin();
        for (std::size_t k = 0; k < group.dependent.size(); ++k)
          ws_.increment[group.columns[at(group.dependent[k])]] +=
              group.S(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(j)) * tws_.f[place];
      }
    }
    return true;
  }

  const Model& model_;
  const StepSettings& settings_;
  Scheme scheme_;
  State& state_;
  Workspace& ws_;
  TopologicalWorkspace& tws_;
  StepReport report_;
  bool degenerating_ = false;
};

}  // namespace

TopologicalWorkspace::TopologicalWorkspace(const TreeModel& tree, const ClosureModel& closures)
    : T(Eigen::MatrixXd::Zero(tree.n, tree.n)), residual(Eigen::VectorXd::Zero(tree.n)) {
  kept.reserve(static_cast<std::size_t>(tree.n));
  // gives the factor a state: moving it copies that
  llt.compute(Eigen::MatrixXd::Identity(1, 1));
  // groups: closures linked by common coordinates
  std::vector<int> group_of(closures.blocks.size(), -1);
  for (std::size_t b = 0; b < closures.blocks.size(); ++b) {
    if (group_of[b] >= 0) continue;
    group_of[b] = static_cast<int>(groups.size());
    groups.emplace_back();
    LoopGroup& group = groups.back();
    group.columns = closures.blocks[b].columns;
    for (bool grown = true; grown;) {
      grown = false;
      for (std::size_t c = 0; c < closures.blocks.size(); ++c) {
        const std::vector<int>& columns = closures.blocks[c].columns;
        const bool touches = std::any_of(columns.begin(), columns.end(), [&](int k) {
          return std::binary_search(group.columns.begin(), group.columns.end(), k);
        });
        if (group_of[c] >= 0 || !touches) continue;
        group_of[c] = group_of[b];
        std::vector<int> both;
        std::set_union(group.columns.begin(), group.columns.end(), columns.begin(), columns.end(),
                       std::back_inserter(both));
        group.columns = both;
        grown = true;
      }
    }
    for (std::size_t c = 0; c < closures.blocks.size(); ++c) {
      if (group_of[c] != group_of[b]) continue;
      group.blocks.push_back(static_cast<int>(c));
      for (int r = 0; r < closures.blocks[c].rows; ++r)
        group.rows.push_back(closures.blocks[c].row + r);
    }
    const auto rows = static_cast<Eigen::Index>(group.rows.size());
    const auto columns = static_cast<Eigen::Index>(group.columns.size());
    group.jacobian = group.factor = Eigen::MatrixXd::Zero(rows, columns);
    group.row_order.resize(group.rows.size());
    group.is_dependent.resize(group.columns.size());
    group.rhs = Eigen::VectorXd::Zero(rows);
    group.solution = Eigen::VectorXd::Zero(columns);
    group.dependent.reserve(group.columns.size());
    group.free.reserve(group.columns.size());
  }
  for (const Closure& closure : closures.closures)
    moving_closures = moving_closures || closure.driver_input != kNoInput ||
                      closure.length_input != kNoInput || closure.slide_input != kNoInput;
}

StepReport step_topological(const Model& model, const StepSettings& settings, State& state,
                            Workspace& ws) {
  int reselections = 0;
  TopologicalWorkspace& tws = *ws.topological;
  tws.kept = state.independent;
  for (int attempt = 0;; ++attempt) {
    Step step(model, settings, state, ws);
    begin_evaluation(model, state, state.t, ws);
    if (state.independent.empty() || attempt > 0) {
      step.choose_set();
    } else if (state.independent != ws.topological->independent) {
      step.restore_set();
    }
    StepReport report = step.run();
    // Newton creeps where the set tells the motion no more
    if (report.status == StepStatus::iteration_limit && step.doubtful())
      report.status = StepStatus::independent_set_degenerate;
    const bool lost = report.status == StepStatus::independent_set_degenerate ||
                      report.status == StepStatus::loops_open;
    if (lost && settings.reselect && attempt == 0) {
      ++reselections;
      continue;
    }
    if (report.status == StepStatus::converged && settings.reselect && step.degenerating()) {
      ++reselections;
      begin_evaluation(model, state, state.t, ws);
      step.choose_set();
    }
    if (report.status != StepStatus::converged) state.independent = tws.kept;
    report.reselections = reselections;
    return report;
  }
}

}  // namespace semirec
