#include "penalty/projection.hpp"

#include "penalty/augmented_lagrangian.hpp"
#include "topology/largest_magnitude.hpp"

namespace semirec {

void project(const LinearSolver& A, const std::vector<RowBlock>& blocks,
             const std::vector<double>& P, const Eigen::VectorXd& alpha, double scale,
             const Eigen::VectorXd& error, Eigen::VectorXd& weighted, Eigen::VectorXd& correction,
             Eigen::VectorXd& rates) {
  weighted.array() = -scale * alpha.array() * error.array();
  correction.setZero();
  add_transposed(blocks, P, weighted, correction);
  A.solve(correction);
  rates += correction;
}

void compute_effective_masses(const LinearSolver& W, const DynamicTerms& terms,
                              Eigen::VectorXd& masses) {
  Eigen::VectorXd unit(terms.Phi.size());
  Eigen::VectorXd row(terms.residual.size());
  Eigen::VectorXd column(terms.residual.size());
  masses.resize(terms.Phi.size());
  compute_effective_masses(W, terms, unit, row, column, masses);
}

void compute_effective_masses(const LinearSolver& W, const DynamicTerms& terms,
                              Eigen::VectorXd& unit, Eigen::VectorXd& row, Eigen::VectorXd& column,
                              Eigen::VectorXd& masses) {
  const auto m = terms.Phi.size();
  // mobilities first
  for (Eigen::Index j = 0; j < m; ++j) {
    unit.setZero();
    unit[j] = 1.0;
    row.setZero();
    add_transposed(terms.blocks, terms.Phi_z, unit, row);
    if (largest_magnitude(row) <= kZeroRow) row.setZero();
    column = row;
    W.solve(column);
    masses[j] = row.dot(column);
  }
  const double largest = m > 0 ? masses.maxCoeff() : 0.0;
  double heaviest = 0.0;
  for (Eigen::Index j = 0; j < m; ++j)
    if (masses[j] > 1e-12 * largest) heaviest = std::max(heaviest, 1.0 / masses[j]);
  for (Eigen::Index j = 0; j < m; ++j)
    masses[j] = masses[j] > 1e-12 * largest ? 1.0 / masses[j] : (heaviest > 0.0 ? heaviest : 1.0);
}

}  // namespace semirec
