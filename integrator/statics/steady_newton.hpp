#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include <Eigen/Core>

#include "integrator/statics/equilibrium.hpp"
#include "penalty/factors/least_squares.hpp"

namespace semirec {

/// What first-order states of force elements do while a steady motion is looked for.
enum class ElementStates {
  held,     ///< keep the values of the start, but for those of StatesAtRest that the car feels,
            ///< whose rates vanish
  settled,  ///< each element's settle_states(): at rest without load
  solved    ///< unknowns as well: their rates vanish; those that nothing moves keep their values
};

/// Derivatives of what a steady motion leaves over and of the closures by the unknowns and the
/// multipliers, rows and columns scaled to the size of the stiffness.
struct SteadyTangent {
  Eigen::MatrixXd A;
  Eigen::VectorXd row_scale, column_scale;
  OrthogonalDecomposition decomposition;
};

/// The values of an unknown that a search may try.
struct SteadyRange {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
};

/// A motion in which no force may be left over, by what is unknown in it besides positions and
/// multipliers.
struct SteadyProblem {
  Eigen::VectorXd unknowns;         ///< values to begin with; the solution
  std::vector<SteadyRange> ranges;  ///< of the unknowns; empty: anywhere
  std::vector<int> held;            ///< coordinates that stay where they are
  ElementStates states = ElementStates::held;
  /// States that stick: with `held`, unknowns without an equation of their own. A bristle or a
  /// tyre's deflection may have any value at rest; it takes the one that balances the forces.
  std::vector<int> sticking;
  /// For each of them how large it may become, of the order: the smallest solution is measured by
  /// these, so that none takes a load beyond what it can hold which others could share.
  std::vector<double> sticking_sizes;
  bool resting = false;  ///< TreeWorkspace::resting
  /// Sets State::live by the unknowns; may be empty.
  std::function<void(const Eigen::VectorXd& unknowns, State& trial)> inputs;
  /// Sets State::zd, zdd by the unknowns and by the poses in `ws`; empty: both zero.
  std::function<void(const Eigen::VectorXd& unknowns, const Workspace& ws, State& trial)> motion;
  /// Derivatives to begin with, as long as they lead to the solution: those of a mechanism that
  /// differs in numbers. Null: its own. Of a solution, the last that were used.
  std::shared_ptr<const SteadyTangent> tangent;
  /// Of a search that failed: forces (n) that no unknown takes away, at a point where Newton has
  /// come to a stand. Empty where the search itself failed: it does not converge, which says
  /// nothing about the mechanism.
  Eigen::VectorXd left_over;
};

/// Largest force, N, or moment, N m, that a solution may leave over: kForceShare of the weight of
/// all bodies (without gravity: of their mass times 1 m/s^2).
double find_force_tolerance(const Model& model);
inline constexpr double kForceShare = 1e-9;

/// Newton with central differences on
///   M zdd + Phi_z^T lambda - Q = 0,   Phi = 0,   xd = 0 where states are solved for
/// over z, lambda, the problem's unknowns and the states; of minimum norm where something is
/// neutral. While they lead there steeply derivatives are kept, corrected by Broyden's rule. It is
/// found when forces are below find_force_tolerance(), closures below 1e-11 m and
/// rates of states below 1e-8 (1e-8 of the state where the file chose its unit and it is above 1);
/// Newton then goes on while that halves what is left, down to 1e-4 of the tolerance. Live states
/// are looked for again with each tangent; those whose rates are at a limit are found one by one
/// around it, those that the car does not feel after it (keep_felt_states()). The state then has
/// positions, rates, accelerations, multipliers, live inputs and element states of the solution;
/// otherwise its z is the last tried. Off-line work: allocates.
bool solve_steady(const Model& model, SteadyProblem& problem, State& state, Workspace& ws,
                  EquilibriumReport& report);

}  // namespace semirec
