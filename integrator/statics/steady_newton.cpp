#include "integrator/statics/steady_newton.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <utility>

#include "integrator/statics/kept_values.hpp"
#include "integrator/statics/live_states.hpp"
#include "integrator/statics/standstill.hpp"
#include "integrator/statics/steady_search.hpp"
#include "topology/indices.hpp"

namespace semirec {

namespace {

/// What a problem asks for, but for those that are left out.
std::vector<char> find_allowed_states(const Model& model, const SteadyProblem& problem) {
  const bool solved = problem.states == ElementStates::solved;
  std::vector<char> allowed(at(model.tree.states), solved ? 1 : 0);
  if (problem.states == ElementStates::held)
    for (const int k : find_states_at_rest(model)) allowed[at(k)] = 1;
  return allowed;
}

/// States of what computes inputs about a steady motion: those that the car feels are found with
/// it, those whose rates are at a limit one by one around it, those that only look on after it.
class SteadyStates {
 public:
  SteadyStates(const Model& model, SteadyProblem& problem, State& state, Workspace& ws,
               EquilibriumReport& report)
      : model_(model),
        problem_(problem),
        state_(state),
        ws_(ws),
        report_(report),
        allowed_(find_allowed_states(model, problem)),
        computing_(find_computing_states(model)) {
    for (std::size_t k = 0; k < computing_.size(); ++k)
      if (allowed_[k] == 0) computing_[k] = 0;
  }

  bool run() {
    const bool computes =
        std::any_of(computing_.begin(), computing_.end(), [](char c) { return c != 0; });
    choice_.allowed = allowed_;
    const Found begin = now();
    bool has_computing = false;
    if (!search(&has_computing) && !search_sliding(begin)) {
      if (!has_computing) return false;
      const Found failed = now();
      keep(begin);
      for (std::size_t k = 0; k < computing_.size(); ++k)
        if (computing_[k] != 0) choice_.allowed[k] = 0;
      if (!search()) {
        keep(failed);
        return false;
      }
    }
    if (!computes) return true;
    find_limited();
    find_onlookers();
    return true;
  }

 private:
  /// What a search has found, or left.
  struct Found {
    SteadyProblem problem;
    State state;
    EquilibriumReport report;
  };
  Found now() const { return {problem_, state_, report_}; }
  void keep(const Found& found) {
    problem_ = found.problem;
    state_ = found.state;
    report_ = found.report;
  }

  bool search(bool* has_computing = nullptr) {
    return search_steady(model_, problem_, choice_, state_, ws_, report_, has_computing);
  }
  /// Friction that sticks or slides, which Newton does not find by itself where it is weak: first
  /// without it, then sliding the way that the motion has, and sticking where that turns it round.
  bool search_sliding(const Found& begin) {
    std::vector<int> sliding;
    for (const int k : find_sliding_states(model_))
      if (choice_.allowed[at(k)] != 0) sliding.push_back(k);
    if (sliding.empty()) return false;
    const Found failed = now();
    keep(begin);
    for (const int k : sliding) {
      choice_.allowed[at(k)] = 0;
      state_.x[k] = 0.0;
    }
    bool found = search();
    if (found) {
      const Eigen::VectorXd rate = rates();
      for (const int k : sliding)
        if (is_moving(state_, rate, k)) state_.x[k] = std::copysign(1.0, rate[k]);
      found = search();
    }
    // a pass for each that sticks
    for (std::size_t pass = 0; found && pass <= sliding.size(); ++pass) {
      const Eigen::VectorXd rate = rates();
      bool sticks = false;
      for (const int k : sliding) {
        if (choice_.allowed[at(k)] != 0 || !is_moving(state_, rate, k)) continue;
        choice_.allowed[at(k)] = 1;
        sticks = true;
      }
      if (!sticks) break;
      found = search();
    }
    const Eigen::VectorXd rate = rates();
    for (const int k : sliding)
      found = found && std::abs(state_.x[k]) <= 1.0 && !is_moving(state_, rate, k);
    for (const int k : sliding) choice_.allowed[at(k)] = 1;
    if (!found) keep(failed);
    return found;
  }

  /// Leaves what was found before where there is nothing.
  bool search_on() {
    const Found before = now();
    if (search()) return true;
    keep(before);
    return false;
  }

  Eigen::VectorXd rates() {
    const ContinuousMotion continuous(ws_.tree);
    return find_element_rates(model_, state_, ws_);
  }

  /// Of what computes inputs.
  std::vector<int> find_moving() {
    const Eigen::VectorXd rate = rates();
    std::vector<int> moving;
    for (std::size_t k = 0; k < computing_.size(); ++k)
      if (computing_[k] != 0 && is_moving(state_, rate, static_cast<Eigen::Index>(k)))
        moving.push_back(static_cast<int>(k));
    return moving;
  }

  void find_limited() {
    constexpr int kMostPasses = 3;
    bool any = false;
    bool more = true;
    for (int pass = 0; pass < kMostPasses && more; ++pass) {
      more = false;
      for (const int k : keep_felt_states(model_, state_, find_moving(), ws_))
        more = bring_to_rest(k) || more;
      any = any || more;
    }
    if (any) search_on();
  }

  /// Looks for the value at which the rate of a felt state vanishes, the car and the other states
  /// found anew for each value.
  bool bring_to_rest(int k) {
    constexpr double kVanishes = 1e-6;  // of the rate at the begin
    const Eigen::VectorXd rate = rates();
    if (!is_moving(state_, rate, k)) return false;
    const Found before = now();
    choice_.allowed[at(k)] = 0;
    bool lost = false;
    const auto rate_at = [&](double x) {
      if (lost) return std::nan("");
      state_.x[k] = x;
      lost = !search();
      if (lost) return std::nan("");
      settle_onlookers(find_felt());
      return rates()[k];
    };
    const double place =
        find_standstill(before.state.x[k], std::copysign(1.0, rate[k]), kVanishes, rate_at);
    if (!std::isnan(place)) rate_at(place);
    choice_.allowed[at(k)] = 1;
    if (!std::isnan(place) && !lost) return true;
    keep(before);
    return false;
  }

  /// Of those that the next search may solve for.
  std::vector<int> find_felt() {
    std::vector<int> states;
    for (std::size_t k = 0; k < choice_.allowed.size(); ++k)
      if (choice_.allowed[k] != 0) states.push_back(static_cast<int>(k));
    return keep_felt_states(model_, state_, states, ws_);
  }

  /// One by one, where they are allowed to go.
  void settle_onlookers(const std::vector<int>& felt) {
    release_saturated_states(model_, felt, choice_.allowed, state_, ws_);
  }

  /// Together with what they look on, else one by one.
  void find_onlookers() {
    const std::vector<int> moving = find_moving();
    const std::vector<int> felt = find_felt();
    std::vector<int> onlookers;
    std::set_difference(moving.begin(), moving.end(), felt.begin(), felt.end(),
                        std::back_inserter(onlookers));
    if (onlookers.empty()) return;
    const std::shared_ptr<const SteadyTangent> tangent = problem_.tangent;
    choice_.felt_only = false;
    const bool found = search_on();
    choice_.felt_only = true;
    problem_.tangent = tangent;
    if (!found) settle_onlookers(felt);
  }

  const Model& model_;
  SteadyProblem& problem_;
  State& state_;
  Workspace& ws_;
  EquilibriumReport& report_;
  std::vector<char> allowed_;
  std::vector<char> computing_;  // [state] 1: allowed, of what computes inputs
  StateChoice choice_;           // of the next search
};

}  // namespace

double find_force_tolerance(const Model& model) {
  double mass = 0.0;
  for (const Body& body : model.mechanism.bodies) mass += body.mass;
  return kForceShare * mass * std::max(model.tree.gravity.norm(), 1.0);
}

bool solve_steady(const Model& model, SteadyProblem& problem, State& state, Workspace& ws,
                  EquilibriumReport& report) {
  if (!SteadyStates(model, problem, state, ws, report).run()) return false;
  settle_kept_values(model, state, ws, [&](State& trial) {
    SteadyProblem next = problem;
    EquilibriumReport next_report;
    if (!SteadyStates(model, next, trial, ws, next_report).run()) return false;
    next_report.iterations += report.iterations;
    problem = std::move(next);
    report = next_report;
    return true;
  });
  return true;
}

}  // namespace semirec
