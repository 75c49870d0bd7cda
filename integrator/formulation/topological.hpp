#pragma once

#include <vector>

#include <Eigen/Cholesky>
#include <Eigen/Core>

#include "integrator/report.hpp"
#include "natural_coords/closure.hpp"
#include "recursive/tree_model.hpp"

namespace semirec {

struct Model;
struct State;
struct Workspace;

/// Closures that share coordinates: loops that are closed together, apart from all others.
/// Its coordinates are split into dependent and independent ones, z = (z_d, z_i), and
///   zd_d = S zd_i - Phi_zd^-1 Phi_t,   S = -Phi_zd^-1 Phi_zi.
struct LoopGroup {
  std::vector<int> columns;          ///< coordinates, ascending
  std::vector<int> blocks;           ///< closures
  std::vector<int> rows;             ///< in Phi
  std::vector<char> is_dependent;    ///< [column]
  std::vector<int> dependent, free;  ///< places in columns
  double quality = 1.0;              ///< least over largest pivot of Phi_zd
  bool rates_of_scheme = false;      ///< dependent rates of this step are not those of the closures
  // elimination of Phi_zd with row pivots; redundant rows come last and are left out
  Eigen::MatrixXd jacobian;  ///< rows x columns
  Eigen::MatrixXd factor;    ///< rows x columns, scratch of the elimination
  std::vector<int> row_order;
  Eigen::MatrixXd S;  ///< dependent x free
  Eigen::VectorXd rhs, solution;
};

/// Scratch of the topological formulation.
struct TopologicalWorkspace {
  TopologicalWorkspace(const TreeModel& tree, const ClosureModel& closures);

  std::vector<LoopGroup> groups;
  std::vector<int> independent;  ///< coordinates of all, ascending
  std::vector<int> kept;         ///< the state's set, in case the step fails
  bool moving_closures = false;  ///< drivers or driven ends: Phi_t is not zero
  Eigen::MatrixXd T;             ///< n x n  weighted M + C + K, then R^T T R in its place
  Eigen::MatrixXd reduced;
  Eigen::LLT<Eigen::MatrixXd> llt;
  Eigen::VectorXd f;         ///< independent
  Eigen::VectorXd residual;  ///< n
};

/// One time step of the topological (semi-recursive) formulation: M and Q by recursive
/// accumulation, second velocity projection R_z onto independent coordinates, trapezoidal rule in
/// these, Newton on
///   R_z^T (M zdd - Q) = 0  with  R_z^T (weighted M + C + K) R_z;
/// every evaluation closes the loops for z_d by Newton. The set is chosen by complete pivoting of
/// Phi_z at the start and, with settings.reselect, again when its pivots are ten times worse than
/// those of the best set (StepReport::reselections). Without it the step fails there:
/// StepStatus::independent_set_degenerate. Same contract as step().
StepReport step_topological(const Model& model, const StepSettings& settings, State& state,
                            Workspace& ws);

}  // namespace semirec
