#include "integrator/statics/live_states.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "integrator/formulation/evaluate.hpp"
#include "integrator/statics/standstill.hpp"
#include "recursive/forces/sliding_states.hpp"
#include "recursive/forces/states_at_rest.hpp"
#include "recursive/forces/switched_states.hpp"
#include "topology/indices.hpp"
#include "topology/largest_magnitude.hpp"

namespace semirec {

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

namespace {

/// States that elements of a kind name by the function `add`.
template <typename Kind>
std::vector<int> collect_states(const Model& model, void (Kind::*add)(std::vector<int>&) const) {
  std::vector<int> states;
  for (const auto& force : model.forces)
    if (const auto* element = dynamic_cast<const Kind*>(force.get())) (element->*add)(states);
  return states;
}

}  // namespace

std::vector<int> find_states_at_rest(const Model& model) {
  return collect_states(model, &StatesAtRest::add_states_at_rest);
}

std::vector<int> find_switched_states(const Model& model) {
  return collect_states(model, &SwitchedStates::add_switched_states);
}

std::vector<int> find_sliding_states(const Model& model) {
  return collect_states(model, &SlidingStates::add_sliding_states);
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

  LiveStates run(const std::vector<InputIndex>& inputs) {
    LiveStates live;
    for (Eigen::Index k = 0; k < trial_.z.size(); ++k) {
      nudge(trial_.z[k]);
      nudge(trial_.zd[k]);
    }
    follow_states();
    live.of_motion = live.of_inputs = live.all = found();
    if (!has_idle()) return live;
    for (const InputIndex input : inputs) nudge_input(input);
    if (found() != live.of_motion) follow_states();
    live.of_inputs = found();
    nudge_themselves();
    if (found() != live.of_inputs) follow_states();
    live.all = found();
    return live;
  }

  /// Those that have come to life since `live` was found: by two moves of everything at once.
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

  bool is_idle(std::size_t k) const { return lives_[k] == 0; }

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

}  // namespace

LiveStates find_live_states(const Model& model, const State& state,
                            const std::vector<InputIndex>& inputs, Workspace& ws) {
  if (model.tree.states == 0) return {};
  const ContinuousMotion continuous(ws.tree);
  return LiveSearch(model, state, ws).run(inputs);
}

namespace {

/// The value of state k, beyond where it is by its rate, at which the rate vanishes, all else as it
/// is; NaN where it never does.
double find_standstill_of(const Model& model, State& state, Eigen::Index k, double rate,
                          Workspace& ws) {
  constexpr double kVanishes = 1e-6;  // of the rate at the begin
  double& x = state.x[k];
  const double was = x;
  const double place = find_standstill(was, std::copysign(1.0, rate), kVanishes, [&](double value) {
    x = value;
    return find_element_rates(model, state, ws)[k];
  });
  x = was;
  return place;
}

/// Lets the states go that are judged by the values of all others as they are; whether any went.
bool release_once(const Model& model, const std::vector<char>& may_go, State& state,
                  Workspace& ws) {
  bool released = false;
  Eigen::VectorXd rates = find_element_rates(model, state, ws);
  for (Eigen::Index k = 0; k < state.x.size(); ++k) {
    if (may_go[at(k)] == 0 || !is_moving(state, rates, k)) continue;
    const double standstill = find_standstill_of(model, state, k, rates[k], ws);
    if (std::isnan(standstill) || standstill == state.x[k]) continue;
    state.x[k] = standstill;
    rates = find_element_rates(model, state, ws);
    released = true;
  }
  return released;
}

}  // namespace

bool is_moving(const State& state, const Eigen::VectorXd& rates, Eigen::Index k) {
  constexpr double kMoves = 1e-8;
  return std::abs(rates[k]) > kMoves * std::max(1.0, std::abs(state.x[k]));
}

bool release_saturated_states(const Model& model, const std::vector<int>& kept,
                              const std::vector<char>& allowed, State& state, Workspace& ws) {
  const ContinuousMotion continuous(ws.tree);
  std::vector<char> may_go = allowed;
  for (const int k : kept) may_go[at(k)] = 0;
  if (std::none_of(may_go.begin(), may_go.end(), [](char may) { return may != 0; })) return false;
  // one may follow another one, wherever the file has it: a link of such a chain a pass
  Eigen::Index passes = 0;
  while (passes < state.x.size() && release_once(model, may_go, state, ws)) ++passes;
  return passes > 0;
}

namespace {

/// What a change of one state may change: forces and closures, and rates of states.
struct Seen {
  Eigen::VectorXd rates, forces, Phi;

  Seen(const Model& model, const State& state, Workspace& ws)
      : rates(find_element_rates(model, state, ws)) {
    evaluate_dynamics(model, state.z.data(), state.zd.data(), state.zdd.data(), {}, ws);
    forces = ws.tree.residual;
    Phi = ws.closures.Phi;
  }
};

/// keep_felt_states(); `rounding`: what may be a change by itself, of the largest force, and of
/// 1 + |rate|.
std::vector<int> keep_felt(const Model& model, const State& state, const std::vector<int>& states,
                           const std::vector<char>& doubtful, double rounding, Workspace& ws);

}  // namespace

std::vector<int> keep_felt_states(const Model& model, const State& state,
                                  const std::vector<int>& states, Workspace& ws) {
  // what does not depend on an equation is the same to the bit
  return keep_felt(model, state, states, find_computing_states(model), 0.0, ws);
}

std::vector<int> keep_felt_states(const Model& model, const State& state,
                                  const std::vector<int>& states, const std::vector<char>& doubtful,
                                  Workspace& ws) {
  constexpr double kRounding = 1e-12;  // of an element's own search
  return keep_felt(model, state, states, doubtful, kRounding, ws);
}

namespace {

std::vector<int> keep_felt(const Model& model, const State& state, const std::vector<int>& states,
                           const std::vector<char>& doubtful, double rounding, Workspace& ws) {
  constexpr double kNudge = 1e-5;  // of max(1, |x|)
  const ContinuousMotion continuous(ws.tree);
  State trial = state;
  const Seen before(model, trial, ws);
  std::vector<char> felt(doubtful.size(), 0);
  std::vector<std::vector<std::size_t>> changes(doubtful.size());  // [state] whose rates
  for (std::size_t l = 0; l < doubtful.size(); ++l) felt[l] = doubtful[l] == 0 ? 1 : 0;
  for (const int k : states) {
    if (doubtful[at(k)] == 0) continue;
    double& value = trial.x[k];
    const double was = value;
    for (const double way : {kNudge, -kNudge}) {
      value = was + way * std::max(1.0, std::abs(was));
      const Seen after(model, trial, ws);
      if (!(largest_magnitude(after.forces - before.forces) <=
            rounding * largest_magnitude(before.forces)) ||
          after.Phi != before.Phi)
        felt[at(k)] = 1;
      for (std::size_t l = 0; l < doubtful.size(); ++l) {
        const double was_rate = before.rates[static_cast<Eigen::Index>(l)];
        if (!(std::abs(after.rates[static_cast<Eigen::Index>(l)] - was_rate) <=
              rounding * (1.0 + std::abs(was_rate))))
          changes[at(k)].push_back(l);
      }
    }
    value = was;
  }
  for (bool more = true; more;) {
    more = false;
    for (const int k : states) {
      const std::vector<std::size_t>& changed = changes[at(k)];
      const auto is_felt = [&](std::size_t l) { return felt[l] != 0; };
      if (felt[at(k)] != 0 || std::none_of(changed.begin(), changed.end(), is_felt)) continue;
      felt[at(k)] = 1;
      more = true;
    }
  }
  std::vector<int> kept;
  for (const int k : states)
    if (felt[at(k)] != 0) kept.push_back(k);
  return kept;
}

}  // namespace

std::vector<int> find_live_states_at_rest(const Model& model, const State& state,
                                          const std::vector<InputIndex>& inputs, Workspace& ws) {
  std::vector<int> at_rest = find_states_at_rest(model);
  if (at_rest.empty()) return {};
  std::sort(at_rest.begin(), at_rest.end());
  const std::vector<int> live = find_live_states(model, state, inputs, ws).all;
  std::vector<int> both;
  std::set_intersection(live.begin(), live.end(), at_rest.begin(), at_rest.end(),
                        std::back_inserter(both));
  return keep_felt_states(model, state, both, ws);
}

std::vector<int> find_more_live_states(const Model& model, const State& state,
                                       const std::vector<int>& live,
                                       const std::vector<InputIndex>& inputs, Workspace& ws) {
  const ContinuousMotion continuous(ws.tree);
  return LiveSearch(model, state, ws).run_again(live, inputs);
}

}  // namespace semirec
