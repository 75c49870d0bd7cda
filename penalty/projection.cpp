#include "penalty/projection.hpp"

#include "penalty/augmented_lagrangian.hpp"

namespace semirec {

void project(const TangentSolver& A, const std::vector<RowBlock>& blocks,
             const std::vector<double>& P, const Eigen::VectorXd& alpha, double scale,
             const Eigen::VectorXd& error, Eigen::VectorXd& weighted, Eigen::VectorXd& correction,
             Eigen::VectorXd& rates) {
  weighted.array() = -scale * alpha.array() * error.array();
  correction.setZero();
  add_transposed(blocks, P, weighted, correction);
  A.solve(correction);
  rates += correction;
}

void compute_effective_masses(const TangentSolver& W, const DynamicTerms& terms,
                              Eigen::VectorXd& masses) {
  const auto n = terms.residual.size();
  const auto m = terms.Phi.size();
  Eigen::VectorXd mobility(m);
  Eigen::VectorXd unit = Eigen::VectorXd::Zero(m);
  Eigen::VectorXd column(n);
  for (Eigen::Index j = 0; j < m; ++j) {
    unit.setZero();
    unit[j] = 1.0;
    column.setZero();
    add_transposed(terms.blocks, terms.Phi_z, unit, column);
    const Eigen::VectorXd row = column;
    W.solve(column);
    mobility[j] = row.dot(column);
  }
  masses.resize(m);
  const double largest = m > 0 ? mobility.maxCoeff() : 0.0;
  double heaviest = 0.0;
  for (Eigen::Index j = 0; j < m; ++j)
    if (mobility[j] > 1e-12 * largest) heaviest = std::max(heaviest, 1.0 / mobility[j]);
  for (Eigen::Index j = 0; j < m; ++j)
    masses[j] =
        mobility[j] > 1e-12 * largest ? 1.0 / mobility[j] : (heaviest > 0.0 ? heaviest : 1.0);
}

}  // namespace semirec
