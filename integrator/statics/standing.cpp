#include "integrator/statics/standing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "integrator/formulation/evaluate.hpp"
#include "integrator/formulation/formulation_state.hpp"
#include "integrator/statics/broyden.hpp"
#include "integrator/statics/initial_conditions.hpp"
#include "integrator/statics/kept_values.hpp"
#include "integrator/statics/live_states.hpp"
#include "penalty/augmented_lagrangian.hpp"
#include "penalty/factors/least_squares.hpp"
#include "topology/indices.hpp"
#include "topology/largest_magnitude.hpp"

namespace semirec {

/// d(forces, rates)/d(motions, shares of accelerations, states), decomposed, and what it is of.
struct StandingTangent {
  std::vector<int> fixed, solved;   ///< coordinates that stay, states that are solved for
  Eigen::MatrixXd motions;          ///< n x (motions and accelerations) columns; rows are by them
  Eigen::Index accelerations = 0;   ///< the last columns of these
  OrthogonalDecomposition of_rows;  ///< closures and fixed coordinates
  OrthogonalDecomposition of_multipliers;  ///< closures, transposed
  Eigen::VectorXd lambda;                  ///< of the balance
  OrthogonalDecomposition of_forces;
  Eigen::VectorXd row_scale, column_scale;  ///< of of_forces
};

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kNudge = 1e-6;          // m, rad: width of the differences
constexpr double kLoopClosed = 1e-11;    // m, rad
constexpr double kRankOfRows = 1e-9;     // of closures and held coordinates, of the largest pivot
constexpr double kRankOfForces = 1e-11;  // of the stiffness
constexpr double kLongestStep = 0.1;     // m, rad
constexpr double kRatesVanish = 1e-8;    // of a state that is solved for, 1/s of max(1, |x|)
constexpr double kPolish = 0.01;         // of the tolerance
constexpr double kSteep = 0.3;           // an iteration that leaves less of the forces
constexpr int kBorrowedSteps = 3;        // with a borrowed matrix that are not judged
constexpr int kMostIterations = 80;
constexpr int kMostStalled = 15;
constexpr int kMostSteps = 200;         // of those that are damped
constexpr double kLeastDamping = 1e-3;  // 1/s^2: next to nothing
constexpr double kMostDamping = 1e9;
constexpr double kFarFromFalling = 1.0;  // 1/s^2

class Search {
 public:
  Search(const Model& model, const StandingSearch& search, State& state, Workspace& ws)
      : model_(model), search_(search), state_(state), ws_(ws), n_(model.n()), m_(model.m()) {
    state_.zd.setZero(n_);
    state_.zdd.setZero(n_);
    lambda_ = VectorXd::Zero(m_);
    fixed_ = search.held;
    fixed_.insert(fixed_.end(), search.free_turning.begin(), search.free_turning.end());
    if (model.tree.states > 0) solved_ = find_live_states_at_rest(model, state_, {}, ws_);
    rates_.setZero(count_solved());
  }

  StandingBalance run() {
    const bool borrows = search_.tangent != nullptr && search_.damping <= 0.0;
    if (!borrows) return descend();
    const State begin = state_;
    begin_with(*search_.tangent);
    StandingBalance found = borrowed_ ? descend() : StandingBalance();
    if (found.found) return found;
    const int iterations = found.iterations;
    state_ = begin;
    borrowed_ = false;
    found = descend();
    found.iterations += iterations;
    return found;
  }

 private:
  /// Takes the matrix and the motions of another search, where it is one of as many.
  void begin_with(const StandingTangent& other) {
    borrowed_ = other.fixed == fixed_ && other.solved == solved_ && other.motions.rows() == n_ &&
                other.accelerations == search_.accelerations.cols() &&
                other.of_rows.rows() == m_ + static_cast<Index>(fixed_.size());
    if (!borrowed_) return;
    test_ = other.motions;
    of_rows_ = other.of_rows;
    of_multipliers_ = other.of_multipliers;
    lambda_ = other.lambda;
    of_forces_ = other.of_forces;
    row_scale_ = other.row_scale;
    column_scale_ = other.column_scale;
  }

  StandingBalance descend() {
    StandingBalance found;
    evaluate_here();
    VectorXd left = forces(VectorXd::Zero(n_));
    if (m_ > 0) Phi_z_ = dense_jacobian(model_.closures, ws_.closures, n_);
    if (!borrowed_) find_motions();
    allow_accelerations();
    k_ = VectorXd::Zero(G_.cols());
    if (borrowed_ && G_.cols() != search_.accelerations.cols()) return found;
    steps_.begin();
    const bool damped = search_.damping > 0.0;
    double damping = search_.damping;
    double best = 1e300;
    double last = 0.0;
    int stalled = 0;
    for (int iteration = 0; iteration < (damped ? kMostSteps : kMostIterations); ++iteration) {
      close();
      left = balance();
      if (!left.allFinite()) {
        found.residual = std::numeric_limits<double>::infinity();
        return found;
      }
      found.iterations = iteration;
      found.residual = largest(left, search_.free_turning, false);
      found.torque = largest(left, search_.free_turning, true);
      found.Phi = m_ > 0 ? ws_.closures.Phi.cwiseAbs().maxCoeff() : 0.0;
      // while it leads to the balance steeply the matrix of an earlier iteration does; what the
      // first steps leave of the forces is not yet that of a place nearby
      const int begins = borrowed_ ? kBorrowedSteps : 0;
      const bool steep =
          !damped && (iteration > begins ? found.residual <= kSteep * last : borrowed_);
      last = found.residual;
      if (found.residual <= search_.tolerance && found.Phi <= kLoopClosed && rates_vanish() &&
          (!steep || found.residual <= kPolish * search_.tolerance)) {
        finish(left, found);
        return found;
      }
      stalled = found.residual < 0.9 * best ? 0 : stalled + 1;
      best = std::min(best, found.residual);
      if (!damped && stalled > kMostStalled) return found;
      if (steep && advance_as_before(left)) continue;
      if (borrowed_) return found;
      if (has_moved_) find_motions();
      if (damped && iteration > 0) {
        // a step after which the forces push back has gone too far
        const double ahead = -step_.dot(left);
        if (ahead < -0.5 * pushed_) {
          if (damping >= kMostDamping) return found;
          damping = std::max(4.0 * damping, 1.0);
          state_ = before_;
          k_ = before_k_;
          has_moved_ = true;
          close();
          left = balance();
          find_motions();
        } else {
          damping = std::max(0.3 * damping, kLeastDamping);
        }
      }
      advance(left, damping);
    }
    return found;
  }

  Index count_solved() const { return static_cast<Index>(solved_.size()); }

  double size_of(int state) const { return std::max(1.0, std::abs(state_.x[state])); }

  bool rates_vanish() const {
    for (Index k = 0; k < count_solved(); ++k)
      if (!(std::abs(rates_[k]) <= kRatesVanish * size_of(solved_[at(k)]))) return false;
    return true;
  }

  /// M zdd - Q at rest, and the rates of the states that are solved for.
  VectorXd forces(const VectorXd& zdd) {
    begin_evaluation(model_, state_, state_.t, ws_);
    ws_.tree.resting = true;
    if (!solved_.empty()) {
      evaluate_kinematics(model_, state_.z.data(), state_.zd.data(), zdd.data(), ws_);
      update_element_states(model_, ws_);
      for (Index k = 0; k < count_solved(); ++k) rates_[k] = ws_.tree.xd[solved_[at(k)]];
    }
    evaluate_dynamics(model_, state_.z.data(), state_.zd.data(), zdd.data(), {}, ws_);
    ws_.tree.resting = false;
    return ws_.tree.residual;
  }

  VectorXd forces_with_closures() {
    VectorXd all = forces(acceleration());
    add_transposed(model_.closures.blocks, ws_.closures.Phi_z, lambda_, all);
    return all;
  }

  VectorXd acceleration() const { return G_ * k_; }

  /// [ forces ; rates ] as they stand.
  VectorXd with_rates(const VectorXd& forces_there) const {
    VectorXd all(n_ + count_solved());
    all << forces_there, rates_;
    return all;
  }

  /// What is left over with the multipliers that leave least; with a borrowed matrix with those
  /// that come nearer to it each time, by the closures of the other mechanism.
  VectorXd balance() {
    VectorXd all = forces(acceleration());
    if (m_ == 0) return all;
    Phi_z_ = dense_jacobian(model_.closures, ws_.closures, n_);
    if (borrowed_) {
      add_transposed(model_.closures.blocks, ws_.closures.Phi_z, lambda_, all);
    } else {
      decompose(Phi_z_.transpose(), kRankOfRows, of_multipliers_);
      lambda_.setZero();
    }
    const VectorXd change = solve_least_squares(of_multipliers_, -all);
    lambda_ += change;
    return all + Phi_z_.transpose() * change;
  }

  double largest(const VectorXd& left, const std::vector<int>& among, bool within) const {
    std::vector<char> in(at(n_), 0);
    for (const int k : among) in[at(k)] = 1;
    double most = 0.0;
    for (int k = 0; k < n_; ++k)
      if ((in[at(k)] != 0) == within) most = std::max(most, std::abs(left[k]));
    return most;
  }

  /// N: motions that closures and fixed coordinates leave. Needs Phi_z in the workspace.
  void find_motions() {
    has_moved_ = false;
    if (m_ > 0) Phi_z_ = dense_jacobian(model_.closures, ws_.closures, n_);
    MatrixXd rows = MatrixXd::Zero(m_ + static_cast<Index>(fixed_.size()), n_);
    if (m_ > 0) rows.topRows(m_) = Phi_z_;
    for (std::size_t k = 0; k < fixed_.size(); ++k)
      rows(m_ + static_cast<Index>(k), fixed_[k]) = 1.0;
    if (rows.rows() == 0) {
      N_ = MatrixXd::Identity(n_, n_);
      return;
    }
    decompose(rows, kRankOfRows, of_rows_);
    N_ = null_space(of_rows_);
  }

  /// Of the accelerations those that the closures leave.
  void allow_accelerations() {
    G_ = search_.accelerations;
    if (m_ == 0 || G_.cols() == 0) return;
    const MatrixXd rates = Phi_z_ * G_;
    if (rates.cwiseAbs().maxCoeff() < 1e-9) return;
    OrthogonalDecomposition of_rates;
    decompose(rates, kRankOfRows, of_rates);
    G_ = (G_ * null_space(of_rates)).eval();
  }

  /// Back onto the closures: the smallest way.
  void close() {
    if (m_ == 0) return;
    for (int pass = 0; pass < 4; ++pass) {
      evaluate_here();
      if (ws_.closures.Phi.cwiseAbs().maxCoeff() <= 0.1 * kLoopClosed) return;
      VectorXd rhs = VectorXd::Zero(m_ + static_cast<Index>(fixed_.size()));
      rhs.head(m_) = -ws_.closures.Phi;
      move(solve_least_squares(of_rows_, rhs));
    }
  }

  void evaluate_here() {
    begin_evaluation(model_, state_, state_.t, ws_);
    evaluate_positions(model_, state_.z.data(), ws_);
  }

  void move(const VectorXd& way) {
    const double longest = way.cwiseAbs().maxCoeff();
    state_.z += longest > kLongestStep ? VectorXd(way * (kLongestStep / longest)) : way;
    rebase(model_, state_);
    has_moved_ = true;
  }

  /// d(forces)/ds, closures' curvature included, by differences ahead of the forces here.
  MatrixXd stiffness(const VectorXd& here) {
    MatrixXd K(n_, N_.cols());
    const VectorXd z = state_.z;
    for (Index c = 0; c < N_.cols(); ++c) {
      state_.z = z + kNudge * N_.col(c);
      K.col(c) = (forces_with_closures() - here) / kNudge;
    }
    state_.z = z;
    return K;
  }

  /// The same by differences to both sides.
  MatrixXd central_stiffness() {
    MatrixXd K(n_, N_.cols());
    const VectorXd z = state_.z;
    for (Index c = 0; c < N_.cols(); ++c) {
      state_.z = z + kNudge * N_.col(c);
      const VectorXd ahead = forces_with_closures();
      state_.z = z - kNudge * N_.col(c);
      K.col(c) = (ahead - forces_with_closures()) / (2.0 * kNudge);
    }
    state_.z = z;
    return K;
  }

  /// d(forces, rates)/d(motions, shares of accelerations, states), forces by the test motions.
  MatrixXd solved_tangent(const MatrixXd& A) {
    const Index motions = N_.cols();
    const Index columns = A.cols();
    MatrixXd all = MatrixXd::Zero(columns + count_solved(), columns + count_solved());
    all.topLeftCorner(columns, columns) = A;
    const auto rates_over = [&](const auto& set, double width) -> VectorXd {
      set(width);
      const VectorXd ahead = with_rates(forces_with_closures());
      set(-width);
      const VectorXd behind = with_rates(forces_with_closures());
      return (ahead - behind) / (2.0 * width);
    };
    const State here = state_;
    const VectorXd shares = k_;
    for (Index c = 0; c < motions; ++c)
      all.col(c).tail(count_solved()) =
          rates_over([&](double width) { state_.z = here.z + width * N_.col(c); }, kNudge)
              .tail(count_solved());
    state_.z = here.z;
    for (Index c = motions; c < columns; ++c)
      all.col(c).tail(count_solved()) =
          rates_over([&](double width) { k_[c - motions] = shares[c - motions] + width; }, 1.0)
              .tail(count_solved());
    k_ = shares;
    for (Index k = 0; k < count_solved(); ++k) {
      const int state = solved_[at(k)];
      const VectorXd slope = rates_over(
          [&](double width) { state_.x[state] = here.x[state] + width; }, kNudge * size_of(state));
      state_.x[state] = here.x[state];
      all.col(columns + k).head(columns) = test_.transpose() * slope.head(n_);
      all.col(columns + k).tail(count_solved()) = slope.tail(count_solved());
    }
    return all;
  }

  /// Rows and columns of the states are brought to the size of the others: the file chose their
  /// units.
  void factor(const MatrixXd& A) {
    const Index first = A.cols() - count_solved();
    row_scale_ = column_scale_ = VectorXd::Ones(A.cols());
    if (count_solved() == 0) return decompose(A, kRankOfForces, of_forces_);
    const double size = std::max(1.0, largest_magnitude(A.topLeftCorner(first, first)));
    MatrixXd scaled = A;
    for (Index k = first; k < A.cols(); ++k) {
      row_scale_[k] = scale_to(size, largest_magnitude(A.row(k)));
      scaled.row(k) *= row_scale_[k];
    }
    for (Index k = first; k < A.cols(); ++k) {
      column_scale_[k] = scale_to(size, largest_magnitude(scaled.col(k)));
      scaled.col(k) *= column_scale_[k];
    }
    decompose(scaled, kRankOfForces, of_forces_);
  }

  /// The step of motions, shares and states for what is left over.
  VectorXd solve(const VectorXd& left) const {
    const VectorXd forces_along = test_.transpose() * left;
    VectorXd rhs(forces_along.size() + count_solved());
    rhs << -forces_along, -rates_;
    if (count_solved() == 0) return solve_least_squares(of_forces_, rhs);
    return column_scale_.cwiseProduct(
        solve_least_squares(of_forces_, row_scale_.cwiseProduct(rhs)));
  }

  static double scale_to(double size, double largest) {
    return largest > 0.0 ? size / largest : 1.0;
  }

  /// M times columns of accelerations.
  MatrixXd masses(const MatrixXd& columns) {
    MatrixXd M(n_, columns.cols());
    const VectorXd without = forces(VectorXd::Zero(n_));
    for (Index c = 0; c < columns.cols(); ++c) M.col(c) = forces(columns.col(c)) - without;
    return M;
  }

  /// One step of Newton, or one that is damped: by as much more as it takes to go with the forces.
  void advance(const VectorXd& left, double& damping) {
    const Index motions = N_.cols();
    const Index shares = G_.cols();
    const VectorXd rates = rates_;
    test_.resize(n_, motions + shares);
    test_ << N_, G_;
    MatrixXd A(test_.cols(), test_.cols());
    A.leftCols(motions) = test_.transpose() * stiffness(left);
    A.rightCols(shares) = test_.transpose() * masses(G_);
    const bool damped = damping > 0.0;
    if (count_solved() > 0) A = solved_tangent(A);
    const MatrixXd M = damped ? MatrixXd(N_.transpose() * masses(N_)) : MatrixXd();
    rates_ = rates;
    VectorXd x;
    for (;;) {
      MatrixXd damped_A = A;
      if (damped) damped_A.topLeftCorner(motions, motions) += damping * M;
      factor(damped_A);
      x = solve(left);
      const VectorXd way = N_ * x.head(motions);
      if (!damped || damping >= kMostDamping || way.dot(left) <= 0.0) break;
      damping = std::max(4.0 * damping, 1.0);
    }
    steps_.begin();
    take(steps_.step(x), left);
  }

  /// The same with the matrix and the motions of the last advance(). False: they lead no further.
  bool advance_as_before(const VectorXd& left) {
    const VectorXd x = steps_.step(solve(left));
    if (x.size() == 0) return false;
    take(x, left);
    return true;
  }

  /// A step x of the motions and the shares in test_, and of the states.
  void take(const VectorXd& x, const VectorXd& left) {
    const Index shares = G_.cols();
    const Index motions = test_.cols() - shares;
    const VectorXd way = test_.leftCols(motions) * x.head(motions);
    const double longest = way.size() > 0 ? way.cwiseAbs().maxCoeff() : 0.0;
    const double part = longest > kLongestStep ? kLongestStep / longest : 1.0;
    before_ = state_;
    before_k_ = k_;
    step_ = part * way;
    pushed_ = std::max(0.0, -step_.dot(left));
    k_ += part * x.segment(motions, shares);
    for (Index k = 0; k < count_solved(); ++k)
      state_.x[solved_[at(k)]] += part * x[motions + shares + k];
    if (part < 1.0) steps_.begin();
    move(step_);
  }

  /// Of the last advance(), if that was one of Newton and determines every step.
  std::shared_ptr<const StandingTangent> keep_tangent() const {
    const bool determines = test_.cols() > 0 && of_forces_.rank() == of_forces_.cols();
    const bool whole = G_.cols() == search_.accelerations.cols();
    if (search_.damping > 0.0 || !determines || !whole) return nullptr;
    return std::make_shared<StandingTangent>(
        StandingTangent{fixed_, solved_, test_, G_.cols(), of_rows_, of_multipliers_, lambda_,
                        of_forces_, row_scale_, column_scale_});
  }

  void finish(const VectorXd& left, StandingBalance& found) {
    found.found = true;
    found.share = search_.accelerations.cols() == G_.cols()
                      ? k_
                      : VectorXd(VectorXd::Zero(search_.accelerations.cols()));
    found.unheld = acceleration();
    find_motions();
    if (N_.cols() > 0) {
      const auto smallest = [&](const MatrixXd& K, const MatrixXd& M) {
        const MatrixXd along = N_.transpose() * K;
        const MatrixXd inertia = N_.transpose() * M;
        return find_smallest_eigenvalue(0.5 * (along + along.transpose()),
                                        0.5 * (inertia + inertia.transpose()));
      };
      // differences to one side tell a balance that is far from falling
      const MatrixXd K = stiffness(left);
      found.stiffness = smallest(K, product(find_mass_matrix(model_, state_, ws_), N_));
      if (!(found.stiffness > kFarFromFalling))
        found.stiffness = smallest(central_stiffness(), masses(N_));
    }
    found.tangent = borrowed_ ? search_.tangent : keep_tangent();
    forces(acceleration());
    state_.x = ws_.tree.x;  // what follows a deflection at rest: bushings that creep
    state_.multipliers = state_.lambda = lambda_;
    state_.zdd.setZero();
    found.found = true;
  }

  const Model& model_;
  const StandingSearch& search_;
  State& state_;
  Workspace& ws_;
  int n_, m_;
  std::vector<int> fixed_;
  std::vector<int> solved_;  ///< first-order states whose rates vanish at rest
  VectorXd rates_;           ///< theirs at the last evaluation of forces()
  VectorXd lambda_, k_;
  // the last step, and what the forces did along it when it began, J
  State before_;
  VectorXd before_k_, step_;
  double pushed_ = 0.0;
  MatrixXd Phi_z_, N_, G_;
  bool has_moved_ = true;  ///< since N was found
  bool borrowed_ = false;  ///< matrix, its motions and rows are StandingSearch::tangent
  MatrixXd test_;          ///< of the last matrix: its motions and G
  BroydenSteps steps_;
  OrthogonalDecomposition of_multipliers_, of_rows_, of_forces_;
  VectorXd row_scale_, column_scale_;  ///< of of_forces_
};

}  // namespace

StandingBalance find_standing(const Model& model, const StandingSearch& search, State& state,
                              Workspace& ws) {
  StandingBalance balance = Search(model, search, state, ws).run();
  if (!balance.found) return balance;
  settle_kept_values(model, state, ws, [&](State& trial) {
    StandingBalance next = Search(model, search, trial, ws).run();
    next.iterations += balance.iterations;
    if (!next.found) return false;
    balance = std::move(next);
    return true;
  });
  return balance;
}

}  // namespace semirec
