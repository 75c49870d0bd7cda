#pragma once

#include <vector>

#include <Eigen/Core>

#include "integrator/model.hpp"
#include "integrator/state.hpp"
#include "integrator/workspace.hpp"

namespace semirec {

/// States of force elements that something moves: all but those that only events change (gears).
/// What is sampled, held or delayed follows at once. Each ascending, and with those of the sets
/// before it.
struct LiveStates {
  std::vector<int> of_motion;  ///< rates follow the motion, directly or through other states
  std::vector<int> of_inputs;  ///< or one of the inputs that were asked for, moved by value
  std::vector<int> all;        ///< or themselves, as that of a motor in neutral
};
/// `state` has its inputs and its motion.
LiveStates find_live_states(const Model& model, const State& state,
                            const std::vector<InputIndex>& inputs, Workspace& ws);

/// Also those that have come to life since `live` was found, at another state: seen by two moves of
/// everything at once. Ascending.
std::vector<int> find_more_live_states(const Model& model, const State& state,
                                       const std::vector<int>& live,
                                       const std::vector<InputIndex>& inputs, Workspace& ws);

/// Of `states`, ascending, those that the car feels: all of its own elements, and of what computes
/// inputs those that change one of these, or a state that is felt, here. What only looks on, such
/// as a way that is summed up, has no part in a balance.
std::vector<int> keep_felt_states(const Model& model, const State& state,
                                  const std::vector<int>& states, Workspace& ws);
/// The same with `doubtful` ([state] 1) in the place of what computes inputs.
std::vector<int> keep_felt_states(const Model& model, const State& state,
                                  const std::vector<int>& states, const std::vector<char>& doubtful,
                                  Workspace& ws);

/// States that move and are not among `kept`: rates at a limit, where no small change shows, what
/// follows only itself, or what only looks on. Each goes to where its rate vanishes, all else as it
/// is; one whose rate never does stays. Whether any has gone. `allowed`: [state] 1 of those that
/// may.
bool release_saturated_states(const Model& model, const std::vector<int>& kept,
                              const std::vector<char>& allowed, State& state, Workspace& ws);

/// Whether state k moves: its rate is more than rounding leaves, 1/s of max(1, |x|).
bool is_moving(const State& state, const Eigen::VectorXd& rates, Eigen::Index k);

/// [state] 1: of an element that computes inputs, so that the file chooses its unit.
std::vector<char> find_computing_states(const Model& model);

/// States of StatesAtRest, for which a search at rest may solve.
std::vector<int> find_states_at_rest(const Model& model);

/// States of SlidingStates.
std::vector<int> find_sliding_states(const Model& model);

/// States of SwitchedStates.
std::vector<int> find_switched_states(const Model& model);

/// Of find_states_at_rest(), those that are live and felt at a state. Ascending.
std::vector<int> find_live_states_at_rest(const Model& model, const State& state,
                                          const std::vector<InputIndex>& inputs, Workspace& ws);

/// Rates of all states of force elements at a state. Off-line.
Eigen::VectorXd find_element_rates(const Model& model, const State& state, Workspace& ws);

}  // namespace semirec
