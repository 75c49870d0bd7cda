#include "integrator/statics/steady_search.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "integrator/formulation/evaluate.hpp"
#include "integrator/formulation/formulation_state.hpp"
#include "integrator/statics/broyden.hpp"
#include "integrator/statics/live_states.hpp"
#include "penalty/augmented_lagrangian.hpp"
#include "topology/indices.hpp"
#include "topology/largest_magnitude.hpp"

namespace semirec {

namespace {

constexpr int kMostNewtonSteps = 60;
constexpr int kMostWithoutGain = 12;         // iterations that gain less than a tenth
constexpr double kPolished = 1e-4;           // of the tolerance of forces
constexpr double kFine = 1e-2;               // of it: enough where rounding lets it gain no more
constexpr double kStationary = 1e-6;         // m, rad: a Newton step that leads nowhere
constexpr double kClosureTolerance = 1e-11;  // m
constexpr double kRateTolerance = 1e-8;      // of states: m/s, rad/s, rad/s^2
constexpr double kDifference = 1e-6;
constexpr double kLongest = 0.1;         // step, m or rad
constexpr double kLeadsOn = 0.3;         // an iteration that leaves less of what was wrong
constexpr double kAnotherLeadsOn = 0.7;  // the same with derivatives of another mechanism: those of
                                         // its own cost as much as 35 iterations
constexpr int kMostOfAnother = 25;       // iterations in which they may
constexpr double kBeyondAll = 1e300;     // larger than any residual

/// The equations at a trial: positions, unknowns, states, multipliers.
class Trial {
 public:
  Trial(const Model& model, const SteadyProblem& problem, const State& start, Workspace& ws)
      : model_(model),
        problem_(problem),
        ws_(ws),
        state(start),
        q(problem.unknowns),
        lambda(start.multipliers) {}

  /// [ M zdd + Phi_z^T lambda - Q ; xd of the live states ]; leaves the closures in the workspace.
  Eigen::VectorXd residual() {
    const ContinuousMotion continuous(ws_.tree);
    if (problem_.inputs) problem_.inputs(q, state);
    begin_evaluation(model_, state, state.t, ws_);
    if (problem_.motion) {
      evaluate_positions(model_, state.z.data(), ws_);
      problem_.motion(q, ws_, state);
    } else {
      state.zd.setZero(model_.n());
      state.zdd.setZero(model_.n());
    }
    evaluate_states();
    ws_.tree.resting = problem_.resting;
    evaluate_dynamics(model_, state.z.data(), state.zd.data(), state.zdd.data(), {}, ws_);
    ws_.tree.resting = false;
    const auto states = static_cast<Eigen::Index>(live.size());
    Eigen::VectorXd result(model_.n() + states);
    Eigen::VectorXd forces = ws_.tree.residual;
    add_transposed(model_.closures.blocks, ws_.closures.Phi_z, lambda, forces);
    result.head(model_.n()) = forces;
    for (Eigen::Index k = 0; k < states; ++k)
      result[model_.n() + k] = ws_.tree.xd[live[static_cast<std::size_t>(k)]];
    return result;
  }

 private:
  void evaluate_states() {
    const bool held = problem_.states == ElementStates::held;
    if (held ? live.empty() : model_.tree.states == 0) return;
    evaluate_kinematics(model_, state.z.data(), state.zd.data(), state.zdd.data(), ws_);
    if (problem_.states == ElementStates::settled) {
      settle_states(model_.forces, model_.tree, ws_.tree);
      ws_.tree.rule.x_begin = ws_.tree.rule.x_hat = ws_.tree.x;
    } else {
      update_element_states(model_, ws_);
    }
  }

  const Model& model_;
  const SteadyProblem& problem_;
  Workspace& ws_;

 public:
  State state;
  Eigen::VectorXd q, lambda;
  std::vector<int> live;
};

/// Brings columns or rows that are not forces over lengths to the size of those that are.
double scale_to(double size, double largest) { return largest > 1e-9 ? size / largest : 1.0; }

/// Inputs that a search sets by its unknowns.
std::vector<InputIndex> find_solved_inputs(const SteadyProblem& problem, const State& state) {
  std::vector<InputIndex> inputs;
  if (!problem.inputs) return inputs;
  State here = state;
  State moved = state;
  problem.inputs(problem.unknowns, here);
  problem.inputs(problem.unknowns + Eigen::VectorXd::Ones(problem.unknowns.size()), moved);
  for (std::size_t k = 0; k < moved.live.size(); ++k)
    if (moved.live[k].value.f != here.live[k].value.f) inputs.push_back(static_cast<int>(k));
  return inputs;
}

/// One search of solve_steady(). Unknowns in the order of its columns: z, the problem's unknowns,
/// live states, sticking states, multipliers.
class SteadySearch {
 public:
  SteadySearch(const Model& model, SteadyProblem& problem, const StateChoice& choice, State& state,
               Workspace& ws, EquilibriumReport& report)
      : model_(model),
        problem_(problem),
        choice_(choice),
        state_(state),
        ws_(ws),
        report_(report),
        begin_(state),
        trial_(model, problem, state, ws),
        computing_(find_computing_states(model)),
        tolerance_(find_force_tolerance(model)),
        n_(model.n()),
        m_(model.m()),
        extra_(problem.unknowns.size()),
        sticking_(static_cast<Eigen::Index>(problem.sticking.size())),
        may_move_(Eigen::VectorXd::Ones(n_)),
        left_(Eigen::VectorXd::Zero(n_)) {
    if (solves_for_states()) {
      solved_inputs_ = find_solved_inputs(problem, state);
      trial_.residual();  // sets the motion
      find_what_lives();
      trial_.live = choose();
      begin_.x = trial_.state.x;
    }
    for (const int k : problem.held) may_move_[k] = 0.0;
    tangent_ = problem.tangent;
    if (tangent_ && (tangent_->A.rows() != rows() + m_ || tangent_->A.cols() != columns() + m_))
      tangent_ = nullptr;
    borrowed_ = tangent_ != nullptr;
  }

  /// Whether any of them is of what computes inputs.
  bool solves_for_computing() const {
    return std::any_of(trial_.live.begin(), trial_.live.end(),
                       [&](int k) { return computing_[at(k)] != 0; });
  }

  bool run() {
    for (int iteration = 0; iteration < kMostNewtonSteps; ++iteration) {
      measure(iteration);
      if (!residual_.allFinite()) {
        return begin_again() ? run() : give_up();
      }
      if (is_solved()) {
        if (goes_on_with_more_live()) continue;
        keep_solution();
        return true;
      }
      if (is_within()) good_ = report_.residual;
      const double merit = judge();
      // while it leads to the solution steeply the matrix of an earlier iteration does
      const bool of_another = borrowed_ && iteration < kMostOfAnother;
      const double leads_on = of_another ? kAnotherLeadsOn : kLeadsOn;
      const bool steep = tangent_ && (iteration == 0 || merit <= leads_on * last_merit_);
      Eigen::VectorXd x;
      if (steep) x = solve();
      fresh_ = x.size() == 0;
      if (fresh_ && !is_within() && begin_again()) return run();
      if (fresh_ && goes_on_with_more_live()) continue;
      if (stalled_ > kMostWithoutGain) return give_up();
      last_merit_ = merit;
      if (fresh_) {
        borrowed_ = false;
        tangent_ = find_tangent();
        steps_.begin();
        if (leaves_out_what_is_stuck()) continue;
        x = solve();
      }
      move_by(tangent_->column_scale.cwiseProduct(x));
    }
    return begin_again() ? run() : give_up();
  }

 private:
  Eigen::Index states() const { return static_cast<Eigen::Index>(trial_.live.size()); }
  Eigen::Index rows() const { return n_ + states(); }
  Eigen::Index columns() const { return n_ + extra_ + states() + sticking_; }
  double& live_state(Eigen::Index k) {
    return trial_.state.x[trial_.live[static_cast<std::size_t>(k)]];
  }
  double& sticking_state(Eigen::Index k) {
    return trial_.state.x[problem_.sticking[static_cast<std::size_t>(k)]];
  }

  bool solves_for_states() const {
    return std::any_of(choice_.allowed.begin(), choice_.allowed.end(),
                       [](char may) { return may != 0; });
  }

  /// The live states. Rates at a limit, and what an element has that follows only itself, begin
  /// where they come to rest.
  void find_what_lives() {
    const LiveStates live = find_live_states(model_, trial_.state, solved_inputs_, ws_);
    known_ = live.all;
    std::vector<int> alone;
    std::set_difference(live.all.begin(), live.all.end(), live.of_motion.begin(),
                        live.of_motion.end(), std::back_inserter(alone));
    std::erase_if(alone, [&](int k) { return computing_[at(k)] != 0; });
    std::vector<int> kept;
    std::set_difference(known_.begin(), known_.end(), alone.begin(), alone.end(),
                        std::back_inserter(kept));
    if (release_saturated_states(model_, kept, choice_.allowed, trial_.state, ws_))
      known_ = find_live_states(model_, trial_.state, solved_inputs_, ws_).all;
    leave_out_what_runs_on(alone);
  }

  /// What never comes to rest, and what the car does not feel, has no part in its balance: a motor
  /// without load.
  void leave_out_what_runs_on(const std::vector<int>& alone) {
    const Eigen::VectorXd rates = find_element_rates(model_, trial_.state, ws_);
    std::vector<int> moving;
    std::vector<char> doubtful(computing_.size(), 0);
    for (const int k : alone) {
      if (!is_moving(trial_.state, rates, k)) continue;
      moving.push_back(k);
      doubtful[at(k)] = 1;
    }
    if (moving.empty()) return;
    const std::vector<int> felt = keep_felt_states(model_, trial_.state, moving, doubtful, ws_);
    for (const int k : moving)
      if (!std::binary_search(felt.begin(), felt.end(), k)) choice_.allowed[at(k)] = 0;
  }

  /// Of the live states that are known.
  std::vector<int> choose() {
    std::vector<int> chosen;
    for (const int k : known_)
      if (choice_.allowed[at(k)] != 0) chosen.push_back(k);
    return choice_.felt_only ? keep_felt_states(model_, trial_.state, chosen, ws_) : chosen;
  }

  /// A state whose rate has gone to a limit, where nothing changes it, leaves this search.
  bool leaves_out_what_is_stuck() {
    if (stuck_.empty()) return false;
    for (const int k : stuck_) choice_.allowed[at(k)] = 0;
    stuck_.clear();
    trial_.live = choose();
    tangent_ = nullptr;
    best_ = good_ = kBeyondAll;
    return true;
  }

  /// Of a state of what computes inputs: the file chooses its unit.
  double unit_of(Eigen::Index live) {
    const int state = trial_.live[static_cast<std::size_t>(live)];
    return computing_[at(state)] != 0 ? std::max(1.0, std::abs(trial_.state.x[state])) : 1.0;
  }

  /// What is wrong at the trial.
  void measure(int iteration) {
    residual_ = trial_.residual();
    Phi_ = ws_.closures.Phi;
    Phi_z_ = dense_jacobian(model_.closures, ws_.closures, model_.n());
    report_.residual = largest_magnitude(residual_.head(n_));
    report_.Phi = largest_magnitude(Phi_);
    report_.iterations = iteration;
    rate_ = 0.0;
    for (Eigen::Index k = 0; k < states(); ++k)
      rate_ = std::max(rate_, std::abs(residual_[n_ + k]) / unit_of(k));
  }

  bool is_within() const {
    return report_.residual <= tolerance_ && report_.Phi <= kClosureTolerance &&
           rate_ <= kRateTolerance;
  }
  /// Within all tolerances, and another iteration would gain nothing.
  bool is_solved() const {
    if (!is_within()) return false;
    if (report_.residual <= kPolished * tolerance_) return true;
    const bool fine = fresh_ || report_.residual <= kFine * tolerance_;
    return fine && report_.residual > 0.5 * good_;
  }

  /// One number for what is wrong, and whether that becomes less.
  double judge() {
    const double merit = report_.residual + 1e6 * report_.Phi + rate_;
    stalled_ = merit < 0.9 * best_ ? 0 : stalled_ + 1;
    best_ = std::min(best_, merit);
    return merit;
  }

  /// What stood still where the search began may move where it has come to.
  bool goes_on_with_more_live() {
    if (!solves_for_states() || model_.tree.computing.empty()) return false;
    known_ = find_more_live_states(model_, trial_.state, known_, solved_inputs_, ws_);
    std::vector<int> live = choose();
    const bool more = live.size() > trial_.live.size();
    if (more) trial_.live = std::move(live);
    trial_.residual();
    if (!more) return false;
    tangent_ = nullptr;
    best_ = good_ = kBeyondAll;
    return true;
  }

  /// Derivatives of another mechanism have led astray: its own from the state where it began.
  bool begin_again() {
    if (!borrowed_) return false;
    borrowed_ = false;
    tangent_ = nullptr;
    trial_.state = begin_;
    trial_.q = problem_.unknowns;
    trial_.lambda = state_.multipliers;
    best_ = good_ = last_step_ = kBeyondAll;
    stalled_ = 0;
    return true;
  }

  std::shared_ptr<const SteadyTangent> find_tangent() {
    auto tangent = std::make_shared<SteadyTangent>();
    Eigen::MatrixXd& A = tangent->A;
    A.setZero(rows() + m_, columns() + m_);
    for (int k = 0; k < n_; ++k)
      if (may_move_[k] != 0.0) differentiate(trial_.state.z[k], A.col(k));
    for (Eigen::Index k = 0; k < extra_; ++k)
      differentiate(trial_.q[k], A.col(n_ + k), kDifference, range_of(k));
    for (Eigen::Index k = 0; k < states(); ++k)
      differentiate(live_state(k), A.col(n_ + extra_ + k), kDifference * unit_of(k));
    for (Eigen::Index k = 0; k < sticking_; ++k)
      differentiate(sticking_state(k), A.col(columns() - sticking_ + k));
    differentiate_closures(A);
    if (m_ > 0) A.bottomLeftCorner(m_, n_) = Phi_z_ * may_move_.asDiagonal();
    // what stands still by itself (friction of what does not move) keeps its value
    for (Eigen::Index k = 0; k < states(); ++k) {
      if (!A.row(n_ + k).isZero(0.0)) continue;
      A.col(n_ + extra_ + k).setZero();
      const int state = trial_.live[static_cast<std::size_t>(k)];
      const bool moves = std::abs(residual_[n_ + k]) > kRateTolerance * unit_of(k);
      if (moves && computing_[at(state)] != 0) stuck_.push_back(state);
    }
    if (!stuck_.empty()) return tangent;  // of no use
    scale(*tangent);
    decompose(A, 1e-10, tangent->decomposition);
    return tangent;
  }

  SteadyRange range_of(Eigen::Index k) const {
    return problem_.ranges.empty() ? SteadyRange{} : problem_.ranges[static_cast<std::size_t>(k)];
  }

  /// Central difference of the residual by one of the trial's numbers; at an end of its range to
  /// the inside alone.
  void differentiate(double& unknown, Eigen::Ref<Eigen::VectorXd> column,
                     double width = kDifference, const SteadyRange& range = {}) {
    const double was = unknown;
    const double more = std::min(was + width, range.most);
    const double less = std::max(was - width, range.least);
    if (!(more > less)) return;
    unknown = more;
    const Eigen::VectorXd ahead = trial_.residual();
    unknown = less;
    const Eigen::VectorXd behind = trial_.residual();
    unknown = was;
    const bool inside = more == was + width && less == was - width;
    column.head(rows()) = (ahead - behind) / (inside ? 2.0 * width : more - less);
  }

  /// Closures by the problem's unknowns: inputs that move a rod.
  void differentiate_closures(Eigen::MatrixXd& A) {
    if (m_ == 0 || !problem_.inputs) return;
    for (Eigen::Index k = 0; k < extra_; ++k) {
      const double was = trial_.q[k];
      trial_.q[k] = was + kDifference;
      trial_.residual();
      const Eigen::VectorXd ahead = ws_.closures.Phi;
      trial_.q[k] = was - kDifference;
      trial_.residual();
      A.col(n_ + k).tail(m_) = (ahead - ws_.closures.Phi) / (2.0 * kDifference);
      trial_.q[k] = was;
    }
  }

  /// All to the size of K, and the columns of the multipliers.
  void scale(SteadyTangent& tangent) const {
    Eigen::MatrixXd& A = tangent.A;
    Eigen::VectorXd& row_scale = tangent.row_scale;
    Eigen::VectorXd& column_scale = tangent.column_scale;
    const double size = std::max(1.0, largest_magnitude(A.topLeftCorner(n_, n_)));
    row_scale.setOnes(rows() + m_);
    column_scale.setOnes(columns() + m_);
    for (Eigen::Index k = 0; k < states(); ++k)
      row_scale[n_ + k] = scale_to(size, largest_magnitude(A.row(n_ + k)));
    row_scale.tail(m_).setConstant(size);
    column_scale.tail(m_).setConstant(size);
    A = row_scale.asDiagonal() * A;
    const Eigen::Index own = columns() - sticking_;
    for (Eigen::Index k = n_; k < own; ++k)
      column_scale[k] = scale_to(size, largest_magnitude(A.col(k)));
    for (Eigen::Index k = 0; k < sticking_; ++k)
      column_scale[own + k] = problem_.sticking_sizes[static_cast<std::size_t>(k)];
    A = A * column_scale.asDiagonal();
    if (m_ > 0) A.topRightCorner(n_, m_) = size * Phi_z_.transpose();
  }

  /// The step, scaled as the tangent; empty where Broyden's rule has none.
  Eigen::VectorXd solve() {
    Eigen::VectorXd rhs(rows() + m_);
    rhs << -residual_, -Phi_;
    rhs = tangent_->row_scale.cwiseProduct(rhs);
    const Eigen::VectorXd x = solve_least_squares(tangent_->decomposition, rhs);
    left_ = (apply(tangent_->A, x) - rhs).head(n_);
    return steps_.step(x);
  }

  void move_by(const Eigen::VectorXd& x) {
    const double longest = largest_magnitude(x.head(n_));
    last_step_ = largest_magnitude(x.head(columns()));
    const double shorten = longest > kLongest ? kLongest / longest : 1.0;
    if (shorten < 1.0) steps_.begin();
    trial_.state.z += shorten * x.head(n_);
    for (Eigen::Index k = 0; k < extra_; ++k) {
      const SteadyRange range = range_of(k);
      const double wanted = trial_.q[k] + shorten * x[n_ + k];
      trial_.q[k] = std::clamp(wanted, range.least, range.most);
      if (trial_.q[k] != wanted) steps_.begin();
    }
    for (Eigen::Index k = 0; k < states(); ++k) live_state(k) += shorten * x[n_ + extra_ + k];
    for (Eigen::Index k = 0; k < sticking_; ++k)
      sticking_state(k) += shorten * x[columns() - sticking_ + k];
    trial_.lambda += shorten * x.tail(m_);
    rebase(model_, trial_.state);
  }

  void keep_solution() {
    state_ = trial_.state;
    state_.multipliers = state_.lambda = trial_.lambda;
    state_.x = ws_.tree.x;
    problem_.unknowns = trial_.q;
    problem_.tangent = tangent_;
  }

  bool give_up() {
    const bool stationary = last_step_ <= kStationary && left_.size() > 0 &&
                            largest_magnitude(left_) > 0.5 * report_.residual;
    problem_.left_over = stationary ? left_ : Eigen::VectorXd();
    state_.z = trial_.state.z;
    state_.A0 = trial_.state.A0;
    state_.origin = trial_.state.origin;
    return false;
  }

  const Model& model_;
  SteadyProblem& problem_;
  StateChoice choice_;
  State& state_;
  Workspace& ws_;
  EquilibriumReport& report_;
  State begin_;  // where the search begins
  Trial trial_;
  std::vector<char> computing_;
  std::vector<InputIndex> solved_inputs_;
  std::vector<int> known_;  // live states, chosen or not
  std::vector<int> stuck_;  // those that the last tangent saw move and nothing change
  double tolerance_;        // of forces, N or N m
  Eigen::Index n_, m_, extra_, sticking_;
  Eigen::VectorXd may_move_;  // [coordinate] 0: held

  Eigen::VectorXd residual_, Phi_;  // at the trial
  Eigen::MatrixXd Phi_z_;
  double rate_ = 0.0;     // largest of the live states
  Eigen::VectorXd left_;  // forces that the last step does not take away

  std::shared_ptr<const SteadyTangent> tangent_;
  BroydenSteps steps_;
  bool borrowed_ = false;  // the tangent is the problem's
  bool fresh_ = false;     // it is that of the last iteration
  double best_ = kBeyondAll, last_merit_ = 0.0;
  double good_ = kBeyondAll;  // residual of the last trial within all tolerances
  double last_step_ = kBeyondAll;
  int stalled_ = 0;
};

}  // namespace

bool search_steady(const Model& model, SteadyProblem& problem, const StateChoice& choice,
                   State& state, Workspace& ws, EquilibriumReport& report,
                   bool* solves_for_computing) {
  SteadySearch search(model, problem, choice, state, ws, report);
  if (solves_for_computing != nullptr) *solves_for_computing = search.solves_for_computing();
  return search.run();
}

}  // namespace semirec
