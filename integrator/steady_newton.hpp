#pragma once

#include <functional>
#include <vector>

#include <Eigen/Core>

#include "integrator/equilibrium.hpp"

namespace semirec {

/// What first-order states of force elements do while a steady motion is looked for.
enum class ElementStates {
  held,     ///< keep the values of the start
  settled,  ///< each element's settle_states(): at rest without load
  solved    ///< unknowns as well: their rates vanish
};

/// A motion in which no force may be left over, by what is unknown in it besides positions and
/// multipliers.
struct SteadyProblem {
  Eigen::VectorXd unknowns;  ///< values to begin with; the solution
  std::vector<int> held;     ///< coordinates that stay where they are
  ElementStates states = ElementStates::held;
  bool resting = false;  ///< TreeWorkspace::resting
  /// Sets State::live by the unknowns; may be empty.
  std::function<void(const Eigen::VectorXd& unknowns, State& trial)> inputs;
  /// Sets State::zd, zdd by the unknowns and by the poses in `ws`; empty: both zero.
  std::function<void(const Eigen::VectorXd& unknowns, const Workspace& ws, State& trial)> motion;
  /// Of the search that failed: forces (n) that no unknown takes away.
  Eigen::VectorXd left_over;
};

/// Newton with central differences on
///   M zdd + Phi_z^T lambda - Q = 0,   Phi = 0,   xd = 0 where states are solved for
/// over z, lambda, the problem's unknowns and the states; of minimum norm where something is
/// neutral. Found: below 1e-7 N and 1e-11 m. Then the state has positions, rates, accelerations,
/// multipliers, live inputs and element states of the solution; otherwise its z is the last tried.
/// Off-line work: allocates.
bool solve_steady(const Model& model, SteadyProblem& problem, State& state, Workspace& ws,
                  EquilibriumReport& report);

/// States of force elements whose rates follow the motion, directly or through other states: all
/// but those that only events change (gears) or that nothing moves. Ascending. `state` has its
/// inputs and its motion.
std::vector<int> find_live_states(const Model& model, const State& state, Workspace& ws);

/// Rates of all states of force elements at a state. Off-line.
Eigen::VectorXd find_element_rates(const Model& model, const State& state, Workspace& ws);

}  // namespace semirec
