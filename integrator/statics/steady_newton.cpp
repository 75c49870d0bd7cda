#include "integrator/statics/steady_newton.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "integrator/formulation/evaluate.hpp"
#include "integrator/formulation/formulation_state.hpp"
#include "integrator/statics/broyden.hpp"
#include "penalty/augmented_lagrangian.hpp"
#include "recursive/forces/states_at_rest.hpp"
#include "topology/indices.hpp"
#include "topology/largest_magnitude.hpp"

namespace semirec {

namespace {

constexpr double kPolish = 1e-4;             // of the tolerance of forces
constexpr double kStationary = 1e-6;         // m, rad: a Newton step that leads nowhere
constexpr double kClosureTolerance = 1e-11;  // m
constexpr double kRateTolerance = 1e-8;      // of states: m/s, rad/s, rad/s^2
constexpr double kDifference = 1e-6;
constexpr double kSteep = 0.3;  // an iteration that leaves less of what was wrong

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
    if (problem_.states != ElementStates::held && model_.tree.states > 0) {
      evaluate_kinematics(model_, state.z.data(), state.zd.data(), state.zdd.data(), ws_);
      if (problem_.states == ElementStates::settled) {
        settle_states(model_.forces, model_.tree, ws_.tree);
        ws_.tree.rule.x_begin = ws_.tree.rule.x_hat = ws_.tree.x;
      } else {
        update_element_states(model_, ws_);
      }
    } else if (!live.empty()) {
      evaluate_kinematics(model_, state.z.data(), state.zd.data(), state.zdd.data(), ws_);
      update_element_states(model_, ws_);
    }
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

}  // namespace

Eigen::VectorXd find_element_rates(const Model& model, const State& state, Workspace& ws) {
  begin_evaluation(model, state, state.t, ws);
  evaluate_element_states(model, state.z.data(), state.zd.data(), state.zdd.data(), ws);
  return ws.tree.xd;
}

std::vector<char> find_computing_states(const Model& model) {
  std::vector<char> computing(at(model.tree.states), 0);
  for (const int k : model.tree.computing) {
    const StateRange& states = model.forces[at(k)]->states();
    std::fill_n(computing.begin() + states.first, states.count, 1);
  }
  return computing;
}

std::vector<int> find_states_at_rest(const Model& model) {
  std::vector<int> states;
  for (const auto& force : model.forces)
    if (const auto* element = dynamic_cast<const StatesAtRest*>(force.get()))
      element->add_states_at_rest(states);
  return states;
}

namespace {

/// Moves one value after the other and sees which rates of states change.
class LiveSearch {
 public:
  LiveSearch(const Model& model, const State& state, Workspace& ws)
      : model_(model),
        ws_(ws),
        trial_(state),
        rates_(find_element_rates(model, trial_, ws)),
        computing_(find_computing_states(model)),
        lives_(computing_.size(), 0) {}

  std::vector<int> run(const std::vector<InputIndex>& inputs) {
    for (Eigen::Index k = 0; k < trial_.z.size(); ++k) {
      nudge(trial_.z[k]);
      nudge(trial_.zd[k]);
    }
    follow_states();
    if (has_idle()) {
      for (const InputIndex input : inputs) nudge_input(input);
      nudge_themselves();
      follow_states();
    }
    return found();
  }

  /// Those of what computes inputs that have come to life since `live` was found: by two moves of
  /// everything at once.
  std::vector<int> run_again(const std::vector<int>& live, const std::vector<InputIndex>& inputs) {
    for (const int k : live) lives_[at(k)] = 1;
    if (!has_idle()) return live;
    const State was = trial_;
    for (const double width : {kNudge, -kNudge}) {
      move_all(width, live, inputs);
      wake_idle(find_element_rates(model_, trial_, ws_));
      trial_ = was;
    }
    nudge_themselves();
    return found();
  }

 private:
  static constexpr double kNudge = 1e-5;

  bool is_idle(std::size_t k) const { return computing_[k] != 0 && lives_[k] == 0; }

  std::vector<int> found() const {
    std::vector<int> live;
    for (std::size_t k = 0; k < lives_.size(); ++k)
      if (lives_[k] != 0) live.push_back(static_cast<int>(k));
    return live;
  }

  bool has_idle() const {
    for (std::size_t k = 0; k < lives_.size(); ++k)
      if (is_idle(k)) return true;
    return false;
  }

  /// The file chooses the unit of what computes inputs: any change counts there but rounding.
  bool is_moved(std::size_t k, const Eigen::VectorXd& moved) const {
    const double was = rates_[static_cast<Eigen::Index>(k)];
    const double size = computing_[k] != 0 ? std::abs(was) : 1.0 + std::abs(was);
    return std::abs(moved[static_cast<Eigen::Index>(k)] - was) > 1e-9 * size;
  }

  template <typename See>
  void move(double& value, double width, const See& see) {
    const double was = value;
    for (const double way : {width, -width}) {
      value = was + way;
      see(find_element_rates(model_, trial_, ws_));
    }
    value = was;
  }

  bool nudge(double& value) {
    bool more = false;
    move(value, kNudge, [&](const Eigen::VectorXd& moved) {
      for (std::size_t k = 0; k < lives_.size(); ++k) {
        if (lives_[k] != 0 || !is_moved(k, moved)) continue;
        lives_[k] = 1;
        more = true;
      }
    });
    return more;
  }

  void nudge_input(InputIndex input) {
    begin_evaluation(model_, trial_, trial_.t, ws_);
    trial_.live.resize(model_.mechanism.inputs.size());
    LiveInput& live = trial_.live[at(input)];
    const LiveInput was = live;
    live = {true, {ws_.tree.inputs[at(input)].f, 0.0, 0.0}};
    nudge(live.value.f);
    live = was;
  }

  void wake_idle(const Eigen::VectorXd& moved) {
    for (std::size_t k = 0; k < lives_.size(); ++k)
      if (is_idle(k) && is_moved(k, moved)) lives_[k] = 1;
  }

  /// By numbers that nothing in a mechanism is likely to cancel.
  void move_all(double width, const std::vector<int>& live, const std::vector<InputIndex>& inputs) {
    double phase = 0.0;
    const auto shift = [&](double& value) {
      value += width * (1.0 + 0.5 * std::cos(phase += 1.0));
    };
    for (double& value : trial_.z) shift(value);
    for (double& value : trial_.zd) shift(value);
    for (const int k : live) shift(trial_.x[k]);
    for (const InputIndex input : inputs) shift(trial_.live[at(input)].value.f);
  }

  double width_of(std::size_t k) const {
    return kNudge * std::max(1.0, std::abs(trial_.x[static_cast<Eigen::Index>(k)]));
  }

  /// A hold, a delay or a gear has no rate: it stays idle.
  void nudge_themselves() {
    const Eigen::VectorXd was = trial_.x;
    for (std::size_t k = 0; k < lives_.size(); ++k)
      if (is_idle(k)) trial_.x[static_cast<Eigen::Index>(k)] += width_of(k);
    const Eigen::VectorXd moved = find_element_rates(model_, trial_, ws_);
    trial_.x = was;
    for (std::size_t k = 0; k < lives_.size(); ++k) {
      if (!is_idle(k) || !is_moved(k, moved)) continue;
      // by itself, or by another of them
      move(trial_.x[static_cast<Eigen::Index>(k)], width_of(k), [&](const Eigen::VectorXd& alone) {
        if (is_moved(k, alone)) lives_[k] = 1;
      });
    }
  }

  void follow_states() {
    for (bool more = true; more;) {
      more = false;
      for (std::size_t k = 0; k < lives_.size(); ++k)
        if (lives_[k] != 0 && nudge(trial_.x[static_cast<Eigen::Index>(k)])) more = true;
    }
  }

  const Model& model_;
  Workspace& ws_;
  State trial_;
  Eigen::VectorXd rates_;
  std::vector<char> computing_;
  std::vector<char> lives_;
};

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

}  // namespace

std::vector<int> find_live_states(const Model& model, const State& state,
                                  const std::vector<InputIndex>& inputs, Workspace& ws) {
  if (model.tree.states == 0) return {};
  const ContinuousMotion continuous(ws.tree);
  return LiveSearch(model, state, ws).run(inputs);
}

double find_force_tolerance(const Model& model) {
  double mass = 0.0;
  for (const Body& body : model.mechanism.bodies) mass += body.mass;
  return kForceShare * mass * std::max(model.tree.gravity.norm(), 1.0);
}

bool solve_steady(const Model& model, SteadyProblem& problem, State& state, Workspace& ws,
                  EquilibriumReport& report) {
  const int n = model.n();
  const int m = model.m();
  const Eigen::Index extra = problem.unknowns.size();
  Trial trial(model, problem, state, ws);
  const std::vector<char> computing = find_computing_states(model);
  std::vector<InputIndex> solved_inputs;
  if (problem.states == ElementStates::solved) {
    solved_inputs = find_solved_inputs(problem, state);
    trial.residual();  // sets the motion
    trial.live = find_live_states(model, trial.state, solved_inputs, ws);
  } else if (problem.states == ElementStates::held) {
    trial.live = find_states_at_rest(model);
  }
  auto states = static_cast<Eigen::Index>(trial.live.size());
  const auto sticking = static_cast<Eigen::Index>(problem.sticking.size());
  const double tolerance = find_force_tolerance(model);
  Eigen::VectorXd may_move = Eigen::VectorXd::Ones(n);
  for (const int k : problem.held) may_move[k] = 0.0;

  Eigen::Index rows = n + states;
  Eigen::Index columns = n + extra + states + sticking;
  // what stood still where the search began may move where it has come to
  const auto find_more_live = [&] {
    if (problem.states != ElementStates::solved || model.tree.computing.empty()) return false;
    std::vector<int> live;
    {
      const ContinuousMotion continuous(ws.tree);
      live = LiveSearch(model, trial.state, ws).run_again(trial.live, solved_inputs);
    }
    const bool more = live.size() > trial.live.size();
    trial.live = std::move(live);
    states = static_cast<Eigen::Index>(trial.live.size());
    rows = n + states;
    columns = n + extra + states + sticking;
    trial.residual();
    return more;
  };
  // of a state of what computes inputs: the file chooses its unit
  const auto unit_of = [&](int state) {
    return computing[at(state)] != 0 ? std::max(1.0, std::abs(trial.state.x[state])) : 1.0;
  };
  const auto find_tangent = [&](const Eigen::MatrixXd& Phi_z) {
    auto made = std::make_shared<SteadyTangent>();
    SteadyTangent& tangent = *made;
    Eigen::MatrixXd& A = tangent.A;
    A.setZero(rows + m, columns + m);
    const auto differentiate = [&](double& unknown, Eigen::Index column,
                                   double width = kDifference) {
      const double was = unknown;
      unknown = was + width;
      const Eigen::VectorXd ahead = trial.residual();
      unknown = was - width;
      const Eigen::VectorXd behind = trial.residual();
      unknown = was;
      A.col(column).head(rows) = (ahead - behind) / (2.0 * width);
    };
    for (int k = 0; k < n; ++k)
      if (may_move[k] != 0.0) differentiate(trial.state.z[k], k);
    for (Eigen::Index k = 0; k < extra; ++k) differentiate(trial.q[k], n + k);
    for (Eigen::Index k = 0; k < states; ++k) {
      const int live = trial.live[static_cast<std::size_t>(k)];
      differentiate(trial.state.x[live], n + extra + k, kDifference * unit_of(live));
    }
    for (Eigen::Index k = 0; k < sticking; ++k)
      differentiate(trial.state.x[problem.sticking[static_cast<std::size_t>(k)]],
                    n + extra + states + k);
    // closures of the unknowns: inputs that move a rod
    for (Eigen::Index k = 0; k < extra && m > 0 && problem.inputs; ++k) {
      const double was = trial.q[k];
      trial.q[k] = was + kDifference;
      trial.residual();
      const Eigen::VectorXd ahead = ws.closures.Phi;
      trial.q[k] = was - kDifference;
      trial.residual();
      A.col(n + k).tail(m) = (ahead - ws.closures.Phi) / (2.0 * kDifference);
      trial.q[k] = was;
    }
    if (m > 0) A.bottomLeftCorner(m, n) = Phi_z * may_move.asDiagonal();
    // what stands still by itself (friction of what does not move) keeps its value
    if (problem.states == ElementStates::solved)
      for (Eigen::Index k = 0; k < states; ++k)
        if (A.row(n + k).isZero(0.0)) A.col(n + extra + k).setZero();

    // all to the size of K
    const double size = std::max(1.0, largest_magnitude(A.topLeftCorner(n, n)));
    Eigen::VectorXd& row_scale = tangent.row_scale;
    Eigen::VectorXd& column_scale = tangent.column_scale;
    row_scale.setOnes(rows + m);
    column_scale.setOnes(columns + m);
    for (Eigen::Index k = 0; k < states; ++k)
      row_scale[n + k] = scale_to(size, largest_magnitude(A.row(n + k)));
    row_scale.tail(m).setConstant(size);
    column_scale.tail(m).setConstant(size);
    A = row_scale.asDiagonal() * A;
    for (Eigen::Index k = n; k < columns - sticking; ++k)
      column_scale[k] = scale_to(size, largest_magnitude(A.col(k)));
    for (Eigen::Index k = 0; k < sticking; ++k)
      column_scale[columns - sticking + k] = problem.sticking_sizes[static_cast<std::size_t>(k)];
    A = A * column_scale.asDiagonal();
    if (m > 0) A.topRightCorner(n, m) = size * Phi_z.transpose();
    decompose(A, 1e-10, tangent.decomposition);
    return made;
  };

  std::shared_ptr<const SteadyTangent> tangent = problem.tangent;
  if (tangent && (tangent->A.rows() != rows + m || tangent->A.cols() != columns + m))
    tangent = nullptr;
  double best = 1e300;
  double last_merit = 0.0;
  double good = 1e300;  // residual of the last trial within all tolerances
  double last_step = 1e300;
  int stalled = 0;
  // derivatives of another mechanism have led astray: its own from the state where it began
  bool borrowed = tangent != nullptr;
  const auto begin_again = [&] {
    if (!borrowed) return false;
    borrowed = false;
    tangent = nullptr;
    trial.state = state;
    trial.q = problem.unknowns;
    trial.lambda = state.multipliers;
    best = good = last_step = 1e300;
    stalled = 0;
    return true;
  };
  const auto give_up = [&](const Eigen::VectorXd& left) {
    const bool stationary = last_step <= kStationary && left.size() > 0 &&
                            largest_magnitude(left) > 0.5 * report.residual;
    problem.left_over = stationary ? left : Eigen::VectorXd();
    state.z = trial.state.z;
    state.A0 = trial.state.A0;
    state.origin = trial.state.origin;
    return false;
  };
  Eigen::VectorXd left = Eigen::VectorXd::Zero(n);
  BroydenSteps steps;
  bool fresh = false;  // it is that of the last iteration
  for (int iteration = 0; iteration < 60; ++iteration) {
    const Eigen::VectorXd residual = trial.residual();
    const Eigen::VectorXd Phi = ws.closures.Phi;
    const Eigen::MatrixXd Phi_z = dense_jacobian(model.closures, ws.closures, n);
    report.residual = largest_magnitude(residual.head(n));
    report.Phi = largest_magnitude(Phi);
    report.iterations = iteration;
    double rate = 0.0;
    for (Eigen::Index k = 0; k < states; ++k)
      rate = std::max(rate,
                      std::abs(residual[n + k]) / unit_of(trial.live[static_cast<std::size_t>(k)]));
    if (!residual.allFinite()) {
      if (begin_again()) continue;
      return give_up(left);
    }
    const bool within =
        report.residual <= tolerance && report.Phi <= kClosureTolerance && rate <= kRateTolerance;
    if (within &&
        (report.residual <= kPolish * tolerance || (fresh && report.residual > 0.5 * good))) {
      if (find_more_live()) {
        tangent = nullptr;
        best = good = 1e300;
        continue;
      }
      state = trial.state;
      state.multipliers = state.lambda = trial.lambda;
      state.x = ws.tree.x;
      problem.unknowns = trial.q;
      problem.tangent = tangent;
      return true;
    }
    if (within) good = report.residual;
    const double merit = report.residual + 1e6 * report.Phi + rate;
    stalled = merit < 0.9 * best ? 0 : stalled + 1;
    best = std::min(best, merit);

    Eigen::VectorXd rhs(rows + m);
    Eigen::VectorXd x;
    const auto solve = [&] {
      rhs << -residual, -Phi;
      rhs = tangent->row_scale.cwiseProduct(rhs);
      x = solve_least_squares(tangent->decomposition, rhs);
      left = (apply(tangent->A, x) - rhs).head(n);
      x = steps.step(x);
    };
    // while it leads to the solution steeply the matrix of an earlier iteration does
    fresh = !tangent || (iteration > 0 && !(merit <= kSteep * last_merit));
    if (!fresh) {
      solve();
      fresh = x.size() == 0;
    }
    if (fresh && !within && begin_again()) continue;
    if (fresh && find_more_live()) {
      tangent = nullptr;
      best = good = 1e300;
      continue;
    }
    if (stalled > 12) return give_up(left);
    last_merit = merit;
    if (fresh) {
      tangent = find_tangent(Phi_z);
      steps.begin();
      solve();
    }
    x = tangent->column_scale.cwiseProduct(x);

    const double longest = largest_magnitude(x.head(n));
    last_step = largest_magnitude(x.head(n + extra + states + sticking));
    const double shorten = longest > 0.1 ? 0.1 / longest : 1.0;
    if (shorten < 1.0) steps.begin();
    trial.state.z += shorten * x.head(n);
    trial.q += shorten * x.segment(n, extra);
    for (Eigen::Index k = 0; k < states; ++k)
      trial.state.x[trial.live[static_cast<std::size_t>(k)]] += shorten * x[n + extra + k];
    for (Eigen::Index k = 0; k < sticking; ++k)
      trial.state.x[problem.sticking[static_cast<std::size_t>(k)]] +=
          shorten * x[n + extra + states + k];
    trial.lambda += shorten * x.tail(m);
    rebase(model, trial.state);
  }
  return give_up(left);
}

}  // namespace semirec
