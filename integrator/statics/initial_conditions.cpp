#include "integrator/statics/initial_conditions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "integrator/formulation/evaluate.hpp"
#include "integrator/formulation/formulation_state.hpp"
#include "integrator/method/methods.hpp"
#include "integrator/statics/broyden.hpp"
#include "integrator/statics/correction_limit.hpp"
#include "integrator/statics/released_rows.hpp"
#include "integrator/statics/written_values.hpp"
#include "natural_coords/closure_input.hpp"
#include "penalty/augmented_lagrangian.hpp"
#include "penalty/factors/least_squares.hpp"
#include "penalty/projection.hpp"
#include "recursive/kinematics.hpp"
#include "topology/indices.hpp"
#include "topology/largest_magnitude.hpp"

namespace semirec {

namespace {

/// 1 for coordinates that assembly may move, 0 for held ones.
Eigen::VectorXd free_coordinates(const Model& model) {
  Eigen::VectorXd free = Eigen::VectorXd::Ones(model.n());
  for (std::size_t j = 0; j < model.mechanism.joints.size(); ++j) {
    const TreeIndex t = model.tree.tree.branch_of_joint[j];
    if (t < 0 || !model.mechanism.joints[j].held) continue;
    const TreeBody& body = model.tree.bodies[at(t)];
    free.segment(body.z, body.degrees_of_freedom).setZero();
  }
  return free;
}

constexpr double kRankThreshold = 1e-9;  // of the largest pivot

/// Phi_z of the desk, the columns of held coordinates left at zero.
void put_free_jacobian(const Model& model, const Workspace& ws, AssemblyWorkspace& assembly) {
  fill_jacobian(model.blocks(), ws.closures.Phi_z, assembly.Phi_z);
  for (Eigen::Index k = 0; k < assembly.Phi_z.cols(); ++k)
    assembly.Phi_z.col(k) *= assembly.free[k];
}

const Closure& closure_of_row(const Model& model, int row) {
  std::size_t c = 0;
  while (row >= model.closures.blocks[c].row + model.closures.blocks[c].rows) ++c;
  return model.closures.closures[c];
}

std::string number(double value) {
  std::ostringstream text;
  text.precision(4);
  text << value;
  return text.str();
}

/// x <- (1 - tau v v^T) x with v = (0, ..., 1 at `one`, ..., essential from `from`).
void reflect(double tau, Eigen::Index one, Eigen::Index from,
             const Eigen::Ref<const Eigen::VectorXd, 0, Eigen::InnerStride<>>& essential,
             Eigen::VectorXd& x) {
  double along = x[one];
  for (Eigen::Index i = 0; i < essential.size(); ++i) along += essential[i] * x[from + i];
  along *= tau;
  x[one] -= along;
  for (Eigen::Index i = 0; i < essential.size(); ++i) x[from + i] -= along * essential[i];
}

/// dz <- the smallest least-squares solution of Phi_z dz = error; `error` is used up. What Eigen's
/// solve() does, in the memory at hand: Phi_z = Q [T 0; 0 0] Z P^T.
void solve_minimum_norm(AssemblyWorkspace& assembly) {
  const OrthogonalDecomposition& decomposition = assembly.decomposition;
  const Eigen::MatrixXd& packed = decomposition.matrixQTZ();
  const Eigen::Index rank = decomposition.rank();
  const Eigen::Index m = decomposition.rows();
  const Eigen::Index n = decomposition.cols();
  for (Eigen::Index k = 0; k < rank; ++k)
    reflect(decomposition.hCoeffs()[k], k, k + 1, packed.col(k).tail(m - k - 1), assembly.error);
  Eigen::VectorXd& y = assembly.y;
  y.setZero();
  for (Eigen::Index k = rank - 1; k >= 0; --k) {
    double sum = assembly.error[k];
    for (Eigen::Index j = k + 1; j < rank; ++j) sum -= packed(k, j) * y[j];
    y[k] = sum / packed(k, k);
  }
  for (Eigen::Index k = 0; k < rank && rank < n; ++k) {
    std::swap(y[k], y[rank - 1]);
    reflect(decomposition.zCoeffs()[k], rank - 1, rank, packed.row(k).tail(n - rank).transpose(),
            y);
    std::swap(y[k], y[rank - 1]);
  }
  const auto& place = decomposition.colsPermutation().indices();
  for (Eigen::Index k = 0; k < n; ++k) assembly.dz[place[k]] = y[k];
}

/// How far a row with this error is open, with its unit: of a rod, whose row is
/// (d . d - L^2) / (2 L_0), by d - L.
std::string opening_of(const Closure& closure, double Phi, const Workspace& ws) {
  if (closure.equations.front().kind != RowKind::rod) return number(std::abs(Phi)) + " m or rad";
  double L = closure.length;
  if (closure.length_input != kNoInput) L += ws.tree.inputs[at(closure.length_input)].f;
  const double d = std::sqrt(std::fmax(0.0, L * L + 2.0 * closure.length * Phi));
  return number(std::abs(d - L)) + " m";
}

}  // namespace

// Why no position satisfies all closures: rows that are dependent in any position and still
// disagree contradict one another; otherwise the loop is too short or too long to close.
void report_open_loop(const Model& model, const State& state, Workspace& ws) {
  const Eigen::VectorXd Phi = ws.closures.Phi;
  int worst = 0;
  const double gap = Phi.cwiseAbs().maxCoeff(&worst);
  const Closure& closure = closure_of_row(model, worst);
  const std::string opening = opening_of(closure, Phi[worst], ws);

  // a generic position: dependence that remains there is not a dead point
  State elsewhere = state;
  for (Eigen::Index k = 0; k < elsewhere.z.size(); ++k)
    elsewhere.z[k] += 0.1 * std::sin(1.0 + 3.7 * static_cast<double>(k));
  evaluate_state(model, elsewhere, ws);
  const Eigen::MatrixXd Phi_z =
      dense_jacobian(model.blocks(), ws.closures.Phi_z, model.m(), model.n());
  Eigen::Index rank = 0;
  Eigen::VectorXd left_over = Phi;
  if (model.n() > 0) {
    OrthogonalDecomposition decomposition;
    decompose(Phi_z, kRankThreshold, decomposition);
    rank = decomposition.rank();
    left_over -= apply(Phi_z, solve_least_squares(decomposition, Phi));
  }
  if (rank < model.m() && left_over.norm() > 0.3 * Phi.norm()) {
    std::string names;
    int count = 0;
    for (int row = 0; row < model.m(); ++row) {
      if (std::abs(Phi[row]) < 0.1 * gap) continue;
      const std::string name = "'" + name_of_row(model, row) + "'";
      if (names.find(name) != std::string::npos) continue;
      names += (names.empty() ? "" : ", ") + name;
      ++count;
    }
    names += count > 1 ? " cannot all hold (" : " cannot hold beside the others (";
    throw ModelError(closure.source, closure.name,
                     "closures contradict one another: " + names + opening +
                         " left), expected redundant closures to agree");
  }
  throw ModelError(closure.source, closure.name,
                   "this loop cannot be assembled: its worst closure '" + closure.name +
                       "' stays open by " + opening + ", expected " +
                       (is_driven(closure) ? "an input that begins where the loop can follow"
                                           : "dimensions that let the loop close"));
}

AssemblyWorkspace::AssemblyWorkspace(const Model& model)
    : free(free_coordinates(model)),
      y(Eigen::VectorXd::Zero(model.n())),
      dz(y),
      error(Eigen::VectorXd::Zero(model.m())),
      offset(Eigen::VectorXd::Zero(model.m())),
      Phi_z(Eigen::MatrixXd::Zero(model.m(), model.n())),
      decomposition(model.m(), model.n()) {}

bool close_loops(const Model& model, State& state, Workspace& ws,
                 AssemblyWorkspace& assembly) noexcept {
  if (model.m() == 0) return true;
  constexpr double kTight = 1e-12;
  constexpr double kClosed = 1e-9;
  CorrectionLimit limit(model);
  while (limit.goes_on()) {
    evaluate_state(model, state, ws);
    assembly.error = ws.closures.Phi - assembly.offset;
    const double gap = largest_magnitude(assembly.error);
    if (gap <= kTight) return true;
    if (model.n() == 0) break;
    limit.judge(gap);
    put_free_jacobian(model, ws, assembly);
    decompose(assembly.Phi_z, kRankThreshold, assembly.decomposition);
    solve_minimum_norm(assembly);
    limit.shorten(assembly.dz);
    state.z -= assembly.dz;
    rebase(model, state);
  }
  evaluate_state(model, state, ws);
  assembly.error = ws.closures.Phi - assembly.offset;
  return largest_magnitude(assembly.error) <= kClosed;
}

void assemble_positions(const Model& model, State& state, Workspace& ws) {
  if (close_loops_as_written(model, state, ws, /*cut_joints=*/false)) return;
  AssemblyWorkspace assembly(model);
  if (!close_loops(model, state, ws, assembly)) report_open_loop(model, state, ws);
}

void assemble_velocities(const Model& model, State& state, Workspace& ws) {
  if (model.m() == 0 || find_velocities_as_written(model, state, ws)) return;
  const Eigen::VectorXd free = free_coordinates(model);
  evaluate_state(model, state, ws);
  const double scale = 1.0 + largest_magnitude(state.zd);
  if (largest_magnitude(ws.closures.Phid) <= 1e-13 * scale) return;
  const Eigen::MatrixXd Phi_z =
      dense_jacobian(model.blocks(), ws.closures.Phi_z, model.m(), model.n()) * free.asDiagonal();
  OrthogonalDecomposition decomposition;
  const bool moves = model.n() > 0;
  if (moves) decompose(Phi_z, kRankThreshold, decomposition);
  for (int pass = 0; pass < 2 && moves; ++pass) {
    state.zd -= solve_least_squares(decomposition, ws.closures.Phid);
    evaluate_state(model, state, ws);
  }
  int worst = 0;
  const double error = ws.closures.Phid.cwiseAbs().maxCoeff(&worst);
  if (error > 1e-8 * scale) {
    const Closure& closure = closure_of_row(model, worst);
    throw ModelError(closure.source, closure.name,
                     "no velocities satisfy the closures: '" + closure.name + "' is left with " +
                         number(error) +
                         " m/s or rad/s, expected initial rates that may be changed or "
                         "motions that agree");
  }
}

namespace {

/// Effective masses of the rows in the weight matrix at hand.
bool factor_weight(const Model& model, Workspace& ws, Eigen::VectorXd& masses) {
  ws.kept_scale = 0.0;
  const bool good = model.formulation->factor_weight(model, ws);
  if (good)
    compute_effective_masses(*ws.formulation, terms_of(model, ws), ws.weighted, ws.increment,
                             ws.correction, masses);
  return good;
}

}  // namespace

void find_effective_masses(const Model& model, const StepSettings& settings, State& state,
                           Workspace& ws) {
  begin_evaluation(model, state, state.t, ws);
  ws.zdd.setZero();
  const Scheme scheme = settings.scheme.make(settings.h);
  evaluate_dynamics(model, state.z.data(), state.zd.data(), ws.zdd.data(), scheme.weights, ws);
  static_cast<void>(factor_weight(model, ws, state.masses));  // find_accelerations() tells
  const Eigen::Index size = scheme.history_size(state.z.size(), state.x.size());
  if (state.history.size() != size) state.history.setZero(size);
  state.history_step = 0.0;
  state.jerk.setZero(state.z.size());
  state.trend.setZero(state.z.size());
  state.jerk_step = 0.0;
}

namespace {

/// beta_j = kPenalty m_j: large enough to converge in a few passes, small enough that the sum keeps
/// eleven digits of M.
constexpr double kPenalty = 1e5;

bool factor_mass(const Model& model, const State& state, double penalty, Workspace& ws) {
  begin_evaluation(model, state, state.t, ws);
  ws.zdd.setZero();
  evaluate_dynamics(model, state.z.data(), state.zd.data(), ws.zdd.data(), {1.0, 0.0, 0.0}, ws);
  DynamicTerms terms = terms_of(model, ws);
  if (!factor_weight(model, ws, ws.multipliers)) return false;
  ws.alpha = penalty * ws.multipliers;
  // the tangent alone is to have the penalty
  ws.correction = terms.residual;
  ws.lambda.setZero();
  add_penalty(terms, ws.alpha, ws.lambda, 1.0);
  terms.residual = ws.correction;
  return model.formulation->factor(model, ws.alpha, 1.0, ws);
}

}  // namespace

bool factor_mass(const Model& model, const State& state, Workspace& ws) {
  return factor_mass(model, state, kPenalty, ws);
}

bool find_accelerations(const Model& model, State& state, Workspace& ws) {
  // two closures of a link that is light beside its neighbours are nearly one in M^-1: what is
  // between them is found with a larger penalty
  constexpr int kUsualPasses = 30, kMostPasses = 90;
  constexpr double kFactor = 100.0, kMostPenalty = 1e13;
  constexpr double kSlow = 0.5;  // a pass that leaves more of the error
  constexpr double kOpen = 1e-9;
  double penalty = kPenalty;
  if (!factor_mass(model, state, penalty, ws)) return false;
  DynamicTerms terms = terms_of(model, ws);
  state.history_step = 0.0;
  state.jerk_step = 0.0;
  state.zdd.setZero();
  state.lambda.setZero();
  Eigen::VectorXd& rhs = ws.correction;
  Eigen::VectorXd& error = ws.multipliers;
  Eigen::VectorXd& gamma = ws.lambda;
  evaluate_accelerations(model, state.zd.data(), state.zdd.data(), ws);
  gamma = terms.Phidd;  // Phid_z zd + Phid_t
  double last = std::numeric_limits<double>::infinity();
  for (int pass = 0; pass < kMostPasses; ++pass) {
    // corrections: what is solved for is small, so that round-off is not multiplied by beta twice
    error = gamma;
    add_product(terms.blocks, terms.Phi_z, state.zdd, error);
    rhs = -terms.residual;
    ws.weighted = -(ws.alpha.cwiseProduct(error) + state.lambda);
    add_transposed(terms.blocks, terms.Phi_z, ws.weighted, rhs);
    ws.formulation->solve(rhs);
    state.zdd += rhs;
    evaluate_dynamics(model, state.z.data(), state.zd.data(), state.zdd.data(), {1.0, 0.0, 0.0},
                      ws);
    error = gamma;
    add_product(terms.blocks, terms.Phi_z, state.zdd, error);
    state.lambda += ws.alpha.cwiseProduct(error);
    const double size = largest_magnitude(error);
    const double against = 1.0 + largest_magnitude(gamma);
    if (model.m() == 0 || size <= 1e-13 * against) break;
    const bool open = size > kOpen * against;
    if (!open && pass + 1 >= kUsualPasses) break;
    const bool slow = pass + 1 >= kUsualPasses && size > kSlow * last;
    last = size;
    if (!slow || penalty >= kMostPenalty) continue;
    penalty *= kFactor;
    if (!factor_mass(model, state, penalty, ws)) return false;
    evaluate_accelerations(model, state.zd.data(), ws.zdd.data(), ws);  // which are zero
    gamma = terms.Phidd;
    evaluate_dynamics(model, state.z.data(), state.zd.data(), state.zdd.data(), {1.0, 0.0, 0.0},
                      ws);
    last = std::numeric_limits<double>::infinity();
  }
  state.multipliers = state.lambda;
  evaluate_element_states(model, state.z.data(), state.zd.data(), state.zdd.data(), ws);
  state.xd = ws.tree.xd;
  return state.zdd.allFinite();
}

bool restart(const Model& model, State& state, Workspace& ws) {
  state.independent.clear();
  if (model.m() > 0) {
    if (!factor_mass(model, state, ws)) return false;
    constexpr int kUsualPasses = 3;
    constexpr int kMostPasses = 60;
    constexpr double kOpen = 1e-11;  // of 1 + the largest rate
    constexpr double kSlow = 0.9;    // of what the pass before has left
    const DynamicTerms terms = terms_of(model, ws);
    double last = std::numeric_limits<double>::infinity();
    for (int pass = 0; pass < kMostPasses; ++pass) {
      evaluate_accelerations(model, state.zd.data(), state.zdd.data(), ws);
      const double open = largest_magnitude(terms.Phid);
      const bool closed = open <= kOpen * (1.0 + largest_magnitude(state.zd));
      // more where rows are nearly dependent
      if (pass >= kUsualPasses && (closed || open > kSlow * last)) break;
      last = open;
      project(*ws.formulation, terms.blocks, terms.Phi_z, ws.alpha, 1.0, terms.Phid, ws.weighted,
              ws.correction, state.zd);
    }
  }
  return find_accelerations(model, state, ws);
}

namespace {

/// Whether masses (kg) or inertias (kg m^2) of bodies are rounding beside those of others.
bool differs_beyond_rounding(const TreeModel& tree) {
  constexpr double kRounding = 1e15;
  std::vector<double> masses;
  std::vector<double> inertias;
  for (std::size_t t = 1; t < tree.bodies.size(); ++t) {
    if (tree.bodies[t].mass > 0.0) masses.push_back(tree.bodies[t].mass);
    const double inertia = tree.bodies[t].inertia.cwiseAbs().maxCoeff();
    if (inertia > 0.0) inertias.push_back(inertia);
  }
  const auto spread = [](const std::vector<double>& values) {
    if (values.empty()) return 1.0;
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    return *most / *least;
  };
  return spread(masses) > kRounding || spread(inertias) > kRounding;
}

/// First-order states at rest for the velocities of the start.
void settle_element_states(const Model& model, State& state, Workspace& ws) {
  if (model.tree.states == 0) return;
  evaluate_state(model, state, ws);
  settle_states(model.forces, model.tree, ws.tree);
  state.x = ws.tree.x;
}

/// Throws ModelError at the first equation whose value or rate is not finite at the state.
void check_computed_inputs(const Model& model, const State& state, Workspace& ws) {
  evaluate_state(model, state, ws);
  if (!model.tree.computing.empty()) update_element_states(model, ws);
  const std::optional<ComputedNumber> number = find_non_finite(model, ws);
  if (!number) return;
  throw ModelError(source_of(model, *number), name_of(model, *number),
                   (number->is_rate ? "has a rate of " : "is ") + std::to_string(number->value) +
                       " at the start, expected a finite number: no division by zero, no root or "
                       "logarithm of what is negative");
}

/// First-order states at rest, effective masses and accelerations. Elements that sample
/// accelerations settle with those that are found, by which the forces change: the two are made one
/// by Broyden's rule; where logics go back and forth with the accelerations, those nearest stand.
/// False where there are no accelerations. Throws ModelError at what an equation makes not finite.
bool settle_and_accelerate(const Model& model, const StepSettings& settings, State& state,
                           Workspace& ws) {
  constexpr int kMostPasses = 25;
  constexpr double kSame = 1e-11;  // of 1 + the largest
  const bool samples = model.tree.samples_accelerations && model.tree.states > 0;
  const Eigen::VectorXd begin = state.x;
  Eigen::VectorXd sampled = state.zdd;
  Eigen::VectorXd nearest = sampled;
  double least = std::numeric_limits<double>::infinity();
  BroydenSteps steps(/*may_turn=*/true);
  for (int pass = 0;; ++pass) {
    state.x = begin;
    settle_element_states(model, state, ws);
    check_computed_inputs(model, state, ws);
    find_effective_masses(model, settings, state, ws);
    if (!find_accelerations(model, state, ws)) return false;
    if (!samples || pass > kMostPasses) return true;
    const Eigen::VectorXd off = state.zdd - sampled;
    const double size = largest_magnitude(off) / (1.0 + largest_magnitude(sampled));
    if (size <= kSame) return true;
    if (size < least) {
      least = size;
      nearest = sampled;
    }
    Eigen::VectorXd change = steps.step(off);
    if (change.size() == 0) {
      steps.begin();
      change = steps.step(off);
    }
    sampled += change;
    if (pass == kMostPasses) sampled = nearest;
    state.zdd = sampled;
  }
}

/// Coordinates beyond which no mass matrix is formed where the formulation does without.
constexpr int kLarge = 300;

/// What accelerations ask for, over theirs, where the state rests: the less of it is rounding the
/// larger they are.
template <typename Use>
void for_each_mass_column(const Model& model, const State& state, Workspace& ws, const Use& use) {
  constexpr double kFast = 1e6;  // m/s^2, rad/s^2
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(model.n());
  const auto forces = [&](const Eigen::VectorXd& zdd) -> Eigen::VectorXd {
    evaluate_dynamics(model, state.z.data(), zero.data(), zdd.data(), {}, ws);
    return ws.tree.residual;
  };
  const Eigen::VectorXd at_rest = forces(zero);
  Eigen::VectorXd zdd = zero;
  for (Eigen::Index k = 0; k < zdd.size(); ++k) {
    zdd[k] = kFast;
    use(k, Eigen::VectorXd((forces(zdd) - at_rest) / kFast));
    zdd[k] = 0.0;
  }
}

}  // namespace

Eigen::MatrixXd find_mass_matrix(const Model& model, const State& state, Workspace& ws) {
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(model.n());
  if (model.tree.pattern.size() > 0) {
    evaluate_dynamics(model, state.z.data(), zero.data(), zero.data(), {1.0, 0.0, 0.0}, ws);
    return model.tree.pattern.to_dense(ws.tree.tangent.data());
  }
  Eigen::MatrixXd M(model.n(), model.n());
  for_each_mass_column(model, state, ws,
                       [&](Eigen::Index k, const Eigen::VectorXd& column) { M.col(k) = column; });
  return M;
}

namespace {

/// Of the coordinates that turn the moment of inertia of their body about its joint that rounding
/// is measured by, kg m^2; zero of the others.
Eigen::VectorXd find_turning_scales(const Model& model) {
  Eigen::VectorXd scales = Eigen::VectorXd::Zero(model.n());
  for (std::size_t t = 1; t < model.tree.bodies.size(); ++t) {
    const TreeBody& body = model.tree.bodies[t];
    const Joint& joint = model.mechanism.joints[at(model.tree.tree.branches[t].joint)];
    for (int k = 0; k < body.degrees_of_freedom; ++k)
      if (coordinate_turns(joint.type, k))
        scales[body.z + k] = body.inertia.trace() + body.mass * body.com.squaredNorm();
  }
  return scales;
}

/// Motions that the closures leave, by columns.
Eigen::MatrixXd find_free_motions(const Model& model, const State& state, const Workspace& ws) {
  constexpr double kRankOfRows = 1e-9;
  if (model.m() == 0) return Eigen::MatrixXd::Identity(model.n(), model.n());
  Eigen::MatrixXd Phi_z = dense_jacobian(model.blocks(), ws.closures.Phi_z, model.m(), model.n());
  for (int row = 0; row < model.m(); ++row)
    if (is_released(model, state, row)) Phi_z.row(row).setZero();
  OrthogonalDecomposition decomposition;
  decompose(Phi_z, kRankOfRows, decomposition);
  return null_space(decomposition);
}

/// Inertia of the motions that the closures leave, each in the size that its coordinates give it by
/// themselves: 1 where these do not move one another's bodies, 0 where nothing is moved.
struct FreeInertia {
  Eigen::MatrixXd N;      ///< motions, by columns
  Eigen::VectorXd own;    ///< [coordinate]
  Eigen::VectorXd scale;  ///< [motion]; infinite where no coordinate has a size
  Eigen::MatrixXd scaled;
};
FreeInertia find_free_inertia(const Model& model, const State& state, Workspace& ws) {
  const Eigen::MatrixXd M = find_mass_matrix(model, state, ws);
  FreeInertia free;
  free.N = find_free_motions(model, state, ws);
  free.own = M.diagonal().cwiseMax(find_turning_scales(model));
  free.scale = (free.N.cwiseAbs2().transpose() * free.own).cwiseSqrt().cwiseInverse();
  free.scaled = free.scale.asDiagonal() * product(free.N.transpose(), product(M, free.N)) *
                free.scale.asDiagonal();
  return free;
}

/// Coordinate that has no inertia, or the least. There is one at least.
Eigen::Index find_weakest_coordinate(const Model& model, const State& state, Workspace& ws) {
  Eigen::Index weakest = 0;
  if (model.tree.pattern.size() > 0 || model.n() <= kLarge) {
    const FreeInertia free = find_free_inertia(model, state, ws);
    if (free.scaled.allFinite() && free.N.cols() > 0) {
      const Eigen::VectorXd way =
          apply(free.N, free.scale.cwiseProduct(find_weakest_mode(free.scaled)));
      way.cwiseAbs().maxCoeff(&weakest);
    } else {
      find_weakest_mode(find_mass_matrix(model, state, ws)).cwiseAbs().maxCoeff(&weakest);
    }
    return weakest;
  }
  Eigen::VectorXd diagonal(model.n());
  for_each_mass_column(model, state, ws, [&](Eigen::Index k, const Eigen::VectorXd& column) {
    diagonal[k] = column[k];
  });
  diagonal.minCoeff(&weakest);
  return weakest;
}

/// Throws ModelError at the first force element whose force at the state is not finite.
void check_forces(const Model& model, const State& state, Workspace& ws) {
  begin_evaluation(model, state, state.t, ws);
  ws.tree.weights = {0.0, 0.0, 0.0};
  for (const auto& force : model.forces) {
    // positions and motions, and no force of another element
    evaluate_kinematics(model, state.z.data(), state.zd.data(), state.zdd.data(), ws);
    for (Vector6& F : ws.tree.F) F.setZero();
    ws.tree.residual.setZero();
    add_forces(*force, model.tree, ws.tree);
    bool finite = ws.tree.residual.allFinite();
    for (const Vector6& F : ws.tree.F) finite = finite && F.allFinite();
    if (finite) continue;
    throw ModelError(force->source(), force->name(),
                     "its force at the start is not finite, expected numbers of ordinary size and "
                     "a road that has a height under each wheel");
  }
}

}  // namespace

namespace {

/// Throws ModelError at the joint with a motion that has next to no inertia.
[[noreturn]] void refuse_weightless(const Model& model, const State& state, Workspace& ws) {
  const Eigen::Index weakest = find_weakest_coordinate(model, state, ws);
  for (std::size_t t = 1; t < model.tree.bodies.size(); ++t) {
    const TreeBody& body = model.tree.bodies[t];
    if (weakest < body.z || weakest >= body.z + body.degrees_of_freedom) continue;
    const Joint& joint = model.mechanism.joints[at(model.tree.tree.branches[t].joint)];
    if (differs_beyond_rounding(model.tree))
      throw ModelError(joint.source, joint.name,
                       "the inertia that this joint moves is lost in rounding beside that of other "
                       "bodies, expected masses and inertias that differ by less than 1e15");
    throw ModelError(
        joint.source, joint.name,
        "a motion of this joint moves no inertia, expected a mass matrix that is positive "
        "definite: give the bodies outboard of it inertia or cut another joint");
  }
  throw ModelError(
      "mechanism '" + model.mechanism.name +
      "': the accelerations at the start are not finite, expected a regular mass matrix");
}

/// Whether a motion that the closures leave has no inertia but what rounding makes: a pivot of
/// N^T M N, the largest first, beside what the coordinates weigh by themselves in it. Of large
/// mechanisms none is looked for.
bool moves_no_inertia(const Model& model, const State& state, Workspace& ws) {
  constexpr double kRounding = 1e-14;
  if (model.n() == 0 || model.n() > kLarge) return false;
  begin_evaluation(model, state, state.t, ws);
  const FreeInertia free = find_free_inertia(model, state, ws);
  if (free.N.cols() == 0) return false;
  return !free.scaled.allFinite() || find_least_pivot(free.scaled) <= kRounding;
}

/// Throws ModelError where the scheme needs a regular mass matrix and has none.
void check_mass(const Model& model, const StepSettings& settings, const State& state,
                Workspace& ws) {
  const std::string fault = mass_fault(model, settings, state, ws);
  if (!fault.empty()) throw ModelError(fault);
}

}  // namespace

void initialize(const Model& model, const StepSettings& settings, State& state, Workspace& ws) {
  const std::string unfit = method_fault(model, settings);
  if (!unfit.empty()) throw ModelError(unfit);
  prepare_method(model, settings, state, ws);
  if (const Model& relative = relative_model(model); &relative != &model) {
    Workspace relative_ws(relative);
    StepSettings relative_settings = settings;
    relative_settings.closing = Closing::penalty;
    if (!method_fault(relative, relative_settings).empty()) relative_settings.scheme = {};
    initialize(relative, relative_settings, state, relative_ws);
    state = to_formulation(model, state);
    find_effective_masses(model, settings, state, ws);
    if (find_accelerations(model, state, ws)) return check_mass(model, settings, state, ws);
    throw ModelError("mechanism '" + model.mechanism.name + "': the constraints of the " +
                     model.formulation->name() +
                     " formulation leave no accelerations, expected bodies with inertia in every "
                     "motion");
  }
  assemble_positions(model, state, ws);
  assemble_velocities(model, state, ws);
  if (settle_and_accelerate(model, settings, state, ws)) {
    if (moves_no_inertia(model, state, ws)) refuse_weightless(model, state, ws);
    return;
  }
  check_forces(model, state, ws);
  if (factor_mass(model, state, ws))
    throw ModelError("mechanism '" + model.mechanism.name +
                     "': the accelerations at the start are not finite, expected gravity, "
                     "velocities and inputs of ordinary size");
  refuse_weightless(model, state, ws);
}

namespace {

int count_released_rows(const Model& model, const State& state) {
  int count = 0;
  for (int row = 0; row < model.m(); ++row) count += is_released(model, state, row) ? 1 : 0;
  return count;
}

}  // namespace

ClosureRank find_closure_rank(const Model& model, const State& state, Workspace& ws) {
  ClosureRank result;
  result.rows = model.m() - count_released_rows(model, state);
  if (model.m() == 0) return result;
  evaluate_state(model, state, ws);
  const Eigen::MatrixXd Phi_z =
      dense_jacobian(model.blocks(), ws.closures.Phi_z, model.m(), model.n());
  result.rank = find_rank(Phi_z, 1e-9);
  return result;
}

}  // namespace semirec
