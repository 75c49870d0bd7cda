#include "penalty/factors/tangent_solver.hpp"

#include <algorithm>

#include "topology/indices.hpp"

namespace semirec {

namespace {

std::variant<TreeFactor, LaneFactor, DenseFactor, SparseFactor> make_factor(
    const SymmetricPattern& pattern) {
  switch (pattern.kind()) {
    case PatternKind::tree:
      return TreeFactor(pattern);
    case PatternKind::lanes:
      return LaneFactor(pattern);
    case PatternKind::sparse:
      return SparseFactor(pattern);
    case PatternKind::dense:
      break;
  }
  return DenseFactor(pattern);
}

}  // namespace

DenseFactor::DenseFactor(const SymmetricPattern& pattern)
    : n_(pattern.size()), matrix_(Eigen::MatrixXd::Identity(n_, n_)) {
  // takes the memory, and gives the factor a state: moving it copies that
  llt_.compute(matrix_);
}

bool DenseFactor::factor(const double* values) {
  matrix_ = Eigen::Map<const Eigen::MatrixXd>(values, n_, n_);
  llt_.compute(matrix_);
  // Eigen takes a pivot that is not a number for a positive one
  return llt_.info() == Eigen::Success && llt_.matrixLLT().diagonal().allFinite();
}

void DenseFactor::solve(double* x) const {
  Eigen::Map<Eigen::VectorXd> view(x, n_);
  llt_.solveInPlace(view);
}

TangentSolver::TangentSolver(const SymmetricPattern& pattern) : factor_(make_factor(pattern)) {}

bool TangentSolver::factor(const std::vector<double>& values) {
  return std::visit([&](auto& factor) { return factor.factor(values.data()); }, factor_);
}

void TangentSolver::solve(Eigen::VectorXd& x) const {
  std::visit([&](const auto& factor) { factor.solve(x.data()); }, factor_);
}

}  // namespace semirec
