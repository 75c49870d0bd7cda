#pragma once

#include "penalty/dynamic_terms.hpp"
#include "penalty/factors/linear_solver.hpp"

namespace semirec {

/// Mass-damping-stiffness-orthogonal projection, [H03] Eqs. (35), (36), written as a correction:
///   rates <- rates - A^-1 scale P^T alpha error
/// with error = Phi_z zd + Phi_t for velocities, Phi_z zdd + Phid_z zd + Phid_t for accelerations.
///
/// A and P must come from the same evaluation: the factor of the last Newton iterate and the Phi_z
/// that is inside it. `error` is taken at the final positions. Mixing the final Phi_z^T with the
/// older A injects errors of the penalty's size (docs/theory.md). `correction` (n) receives the
/// change. No heap use.
void project(const LinearSolver& A, const std::vector<RowBlock>& blocks,
             const std::vector<double>& P, const Eigen::VectorXd& alpha, double scale,
             const Eigen::VectorXd& error, Eigen::VectorXd& weighted, Eigen::VectorXd& correction,
             Eigen::VectorXd& rates);

/// m_j = 1 / (Phi_z W^-1 Phi_z^T)_jj: the effective mass of row j. Rows without effect get the
/// largest of the others (1 if there is none). Needs `W` factored from the tangent without penalty.
/// The penalty is then alpha_j = kappa m_j / scale.
void compute_effective_masses(const LinearSolver& W, const DynamicTerms& terms,
                              Eigen::VectorXd& masses);
/// The same without heap use: `unit`, `masses` (m) and `row`, `column` (n) have their sizes.
void compute_effective_masses(const LinearSolver& W, const DynamicTerms& terms,
                              Eigen::VectorXd& unit, Eigen::VectorXd& row, Eigen::VectorXd& column,
                              Eigen::VectorXd& masses);

}  // namespace semirec
