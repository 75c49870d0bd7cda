#pragma once

#include <vector>

#include <Eigen/Core>

#include "recursive/row_block.hpp"

namespace semirec {

/// Stored row by row: eliminations add rows to rows.
using MatrixByRows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

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
  MatrixByRows jacobian;  ///< rows x columns
  MatrixByRows factor;    ///< rows x columns, of the elimination: dependent columns in front
  std::vector<int> row_order;
  Eigen::MatrixXd S;  ///< dependent x free
  Eigen::VectorXd rhs, solution;
};

/// The groups of the closures whose rows have these blocks. Build time.
std::vector<LoopGroup> make_loop_groups(const std::vector<RowBlock>& blocks);

/// Of larger groups the rank is not looked at, which would take milliseconds.
inline constexpr std::size_t kMostRanked = 100;  // rows

/// Whether some rows of a group depend on others of it: pivots below 1e-9 of the largest. Groups of
/// more than kMostRanked rows are not looked at. Build time.
bool has_dependent_rows(const std::vector<RowBlock>& blocks, const std::vector<double>& Phi_z);

// of one group; no heap use but in select_dependent() and size_elimination()
/// Rank of the gathered Jacobian, with as many orthonormal columns (rows x rank) at the front of
/// group.factor: they span diag(m)^1/2 Phi_z, m the effective masses of the rows of Phi (kg or
/// kg m^2). What is below 1e-9 of the largest column counts as zero.
int find_range(LoopGroup& group, const Eigen::VectorXd& masses);
/// Takes out of multipliers what Phi_z^T does not see, lambda <- B Q Q^T B^-1 lambda with
/// B = diag(m)^1/2 and the columns Q of find_range(): of all with the same Phi_z^T lambda the one
/// that the penalty gives, alpha Phi_z dz for some dz (theory 16). `lambda`: of all rows of Phi, N
/// or N m.
void drop_unseen(LoopGroup& group, const Eigen::VectorXd& masses, int rank,
                 Eigen::VectorXd& lambda);
/// Takes the group's part of Phi_z.
void gather_jacobian(const std::vector<RowBlock>& blocks, const std::vector<double>& Phi_z,
                     LoopGroup& group);
/// Complete pivoting on the whole Jacobian: its pivot columns are the best dependent coordinates
/// (`dependent`, [column]). Returns their quality, least over largest pivot. Uses group.factor.
double pivot_completely(LoopGroup& group, std::vector<char>& dependent);
/// Takes the best dependent coordinates.
void select_dependent(LoopGroup& group);
/// Sizes S for the dependent and free coordinates.
void size_elimination(LoopGroup& group);
/// Eliminates the dependent columns with row pivots; `quality`. False when they do not span the
/// rows.
[[nodiscard]] bool eliminate_dependent(LoopGroup& group, double& quality);
/// S, of the elimination.
void find_S(LoopGroup& group);
/// group.solution = Phi_zd^-1 error, by the elimination.
void solve_dependent(LoopGroup& group, const Eigen::VectorXd& error);
/// lambda of the rows in use from Phi_zd^T lambda = -residual_d; zero for the others.
void solve_multipliers(LoopGroup& group, const Eigen::VectorXd& residual, Eigen::VectorXd& lambda);
/// z_d <- z_d - group.solution.
void correct_dependent(const LoopGroup& group, Eigen::VectorXd& z);
/// rates_d <- S rates_i.
void follow_independent(const LoopGroup& group, Eigen::VectorXd& rates);

}  // namespace semirec
