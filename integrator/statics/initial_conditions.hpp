#pragma once

#include <Eigen/Core>

#include "integrator/model.hpp"
#include "integrator/report.hpp"
#include "integrator/state.hpp"
#include "integrator/workspace.hpp"
#include "penalty/factors/least_squares.hpp"

namespace semirec {

/// Makes a state in relative coordinates consistent: positions, velocities, first-order states at
/// rest, effective masses, accelerations and multipliers. On return it is a state of the model's
/// formulation (to_formulation()); `ws` is that formulation's. Throws ModelError when a loop cannot
/// be assembled, when closures contradict one another, or when the mass matrix is not positive
/// definite.
void initialize(const Model& model, const StepSettings& settings, State& state, Workspace& ws);

/// Memory of close_loops(), taken once for a model in relative coordinates.
struct AssemblyWorkspace {
  explicit AssemblyWorkspace(const Model& model);

  Eigen::VectorXd free;    ///< n  1 for coordinates that may move, 0 for held ones
  Eigen::VectorXd y, dz;   ///< n
  Eigen::VectorXd error;   ///< m
  Eigen::VectorXd offset;  ///< m  that Phi is brought to; zero: closed
  Eigen::MatrixXd Phi_z;   ///< m x n
  OrthogonalDecomposition decomposition;
};

/// Gauss-Newton on Phi = offset with minimum-norm corrections of all coordinates that are not held,
/// to max|Phi - offset| <= 1e-12 m. False when more than 1e-9 m of it stays. No heap use.
[[nodiscard]] bool close_loops(const Model& model, State& state, Workspace& ws,
                               AssemblyWorkspace& assembly) noexcept;

/// close_loops() with words: throws ModelError naming the worst closure, or the closures that
/// contradict one another. Written positions of tree joints are kept where the loops can be closed
/// with them (close_loops_as_written()).
void assemble_positions(const Model& model, State& state, Workspace& ws);

/// Throws the ModelError of a state at which close_loops() gave up.
[[noreturn]] void report_open_loop(const Model& model, const State& state, Workspace& ws);

/// Minimum-norm correction of the rates to Phi_z zd = -Phi_t; written rates, those of cut joints
/// too, are kept where the closures allow it (find_velocities_as_written()). Throws ModelError.
void assemble_velocities(const Model& model, State& state, Workspace& ws);

/// n x n  M(z), at rest: what accelerations ask for of the forces of elements included. One
/// evaluation where the formulation forms the matrix, else one a column. Allocates.
Eigen::MatrixXd find_mass_matrix(const Model& model, const State& state, Workspace& ws);

/// Effective masses m_j of the closure rows, from the weight matrix at this state and step; room
/// for the history of the scheme. No heap use but where the formulation has other than relative
/// coordinates or the room is missing.
void find_effective_masses(const Model& model, const StepSettings& settings, State& state,
                           Workspace& ws);

/// Factors M + Phi_z^T beta Phi_z at the state, beta_j = 1e5 m_j; ws.alpha receives beta,
/// ws.tree.residual -Q. False if M is not positive definite.
[[nodiscard]] bool factor_mass(const Model& model, const State& state, Workspace& ws);

/// Accelerations and multipliers at the state's positions and velocities: index-1 augmented
/// Lagrangian, one factorization of M + Phi_z^T beta Phi_z with beta_j = 1e5 m_j and several
/// passes; where 30 of them leave closures open (a link that is light beside its neighbours) beta
/// grows a hundredfold, up to 1e13 m_j. lambda and multipliers are both set, and what the scheme
/// remembers is void. False if M is not positive definite.
[[nodiscard]] bool find_accelerations(const Model& model, State& state, Workspace& ws);

/// After a discontinuity at the state's time: velocities projected in the mass metric (an impact
/// where a prescribed motion's rate jumps), then accelerations and multipliers. False if M is not
/// positive definite. No heap use but where the formulation has other than relative coordinates.
[[nodiscard]] bool restart(const Model& model, State& state, Workspace& ws);

/// Rank of Phi_z at the state (singular values above 1e-9 of the largest) and the number of rows,
/// without those that are released.
struct ClosureRank {
  int rows = 0;
  int rank = 0;
};
ClosureRank find_closure_rank(const Model& model, const State& state, Workspace& ws);

}  // namespace semirec
