#include "integrator/statics/kept_values.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include <Eigen/Core>

#include "integrator/formulation/evaluate.hpp"
#include "integrator/statics/broyden.hpp"
#include "integrator/statics/live_states.hpp"
#include "recursive/forces/states_at_rest.hpp"
#include "topology/indices.hpp"

namespace semirec {

namespace {

constexpr int kMostPasses = 40;
constexpr int kMostJumps = 10;    // passes in which a logic changes
constexpr int kMostAttempts = 5;  // at a change, ever smaller, that the search does not follow
constexpr double kSame = 1e-10;   // of 1 + |x|

std::vector<KeptValue> find_kept_values(const Model& model) {
  std::vector<KeptValue> kept;
  for (const auto& force : model.forces)
    if (const auto* element = dynamic_cast<const StatesAtRest*>(force.get()))
      element->add_kept_values(kept);
  return kept;
}

Eigen::VectorXd read(const std::vector<KeptValue>& kept, const Eigen::VectorXd& x) {
  Eigen::VectorXd values(static_cast<Eigen::Index>(kept.size()));
  for (std::size_t k = 0; k < kept.size(); ++k)
    values[static_cast<Eigen::Index>(k)] = x[kept[k].first];
  return values;
}

void write(const std::vector<KeptValue>& kept, const Eigen::VectorXd& values, Eigen::VectorXd& x) {
  for (std::size_t k = 0; k < kept.size(); ++k)
    x.segment(kept[k].first, kept[k].count).setConstant(values[static_cast<Eigen::Index>(k)]);
}

/// The values that go with the state.
Eigen::VectorXd find_settled(const Model& model, const std::vector<KeptValue>& kept,
                             const State& state, Workspace& ws) {
  evaluate_state(model, state, ws);
  settle_states(model.forces, model.tree, ws.tree);
  return read(kept, ws.tree.x);
}

/// Forces that are left over and rates of states: what the motion and the other states feel.
Eigen::VectorXd find_felt(const Model& model, const State& state, Workspace& ws) {
  const ContinuousMotion continuous(ws.tree);
  const Eigen::VectorXd rates = find_element_rates(model, state, ws);
  begin_evaluation(model, state, state.t, ws);
  evaluate_dynamics(model, state.z.data(), state.zd.data(), state.zdd.data(), {}, ws);
  Eigen::VectorXd felt(ws.tree.residual.size() + rates.size());
  felt << ws.tree.residual, rates;
  return felt;
}

bool is_felt(const Model& model, const State& a, const State& b, Workspace& ws) {
  constexpr double kUnfelt = 1e-13;  // of 1 + the value
  const Eigen::VectorXd of_a = find_felt(model, a, ws);
  const Eigen::VectorXd of_b = find_felt(model, b, ws);
  return !((of_a - of_b).array().abs() <= kUnfelt * (1.0 + of_a.array().abs())).all();
}

/// One call of settle_kept_values().
class Agreement {
 public:
  Agreement(const Model& model, const std::vector<KeptValue>& kept, State& state, Workspace& ws,
            const std::function<bool(State&)>& search)
      : model_(model), kept_(kept), state_(state), ws_(ws), search_(search), best_(state) {}

  void run() {
    for (int pass = 0; pass < kMostPasses; ++pass) {
      before_ = read(kept_, state_.x);
      left_ = find_settled(model_, kept_, state_, ws_) - before_;
      const double apart = find_apart();
      if (apart <= kSame) return;
      if (apart < least_) {
        least_ = apart;
        best_ = state_;
      }
      if (!std::isfinite(apart) || !(jumps() ? jump() : go_on())) break;
    }
    // they do not become one: where they were nearest to it
    State nearest = best_;
    if (search_(nearest)) state_ = std::move(nearest);
  }

 private:
  /// The largest that is left, of 1 + |x|; of a logic 1.
  double find_apart() const {
    if (!left_.allFinite()) return std::numeric_limits<double>::infinity();
    double most = 0.0;
    for (std::size_t k = 0; k < kept_.size(); ++k) {
      const auto i = static_cast<Eigen::Index>(k);
      const double size = kept_[k].jumps ? 1.0 : 1.0 + std::abs(before_[i]);
      most = std::max(most, std::abs(left_[i]) / size);
    }
    return most;
  }

  bool jumps() const {
    for (std::size_t k = 0; k < kept_.size(); ++k)
      if (kept_[k].jumps && left_[static_cast<Eigen::Index>(k)] != 0.0) return true;
    return false;
  }

  /// The logics change first, all else as it is.
  bool jump() {
    if (++jumped_ > kMostJumps) return false;
    Eigen::VectorXd change = left_;
    for (std::size_t k = 0; k < kept_.size(); ++k)
      if (!kept_[k].jumps) change[static_cast<Eigen::Index>(k)] = 0.0;
    steps_.begin();
    return reach(before_ + change);
  }

  bool go_on() {
    Eigen::VectorXd change = steps_.step(share_ * left_);
    for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
      if (change.size() == 0) {
        steps_.begin();
        change = steps_.step(share_ * left_);
      }
      if (reach(before_ + change)) return true;
      share_ *= 0.25;
      change.resize(0);
    }
    return false;
  }

  /// Whether the search finds what goes with these values.
  bool reach(const Eigen::VectorXd& values) {
    State trial = state_;
    write(kept_, values, trial.x);
    const bool found = !is_felt(model_, state_, trial, ws_) || search_(trial);
    if (found) state_ = std::move(trial);
    return found;
  }

  const Model& model_;
  const std::vector<KeptValue>& kept_;
  State& state_;
  Workspace& ws_;
  const std::function<bool(State&)>& search_;
  State best_;            // of those found, where they were nearest to each other
  double least_ = 1e300;  // what is left there, of 1 + |x|
  Eigen::VectorXd before_, left_;
  BroydenSteps steps_{/*may_turn=*/true};
  double share_ = 1.0;  // of what is left, that a first step goes
  int jumped_ = 0;
};

}  // namespace

void settle_kept_values(const Model& model, State& state, Workspace& ws,
                        const std::function<bool(State&)>& search) {
  const std::vector<KeptValue> kept = find_kept_values(model);
  if (!kept.empty()) Agreement(model, kept, state, ws, search).run();
}

}  // namespace semirec
