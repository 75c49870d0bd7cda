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

TreeFactor::TreeFactor(const SymmetricPattern& pattern)
    : pattern_(pattern),
      values_(at(pattern.value_count()), 0.0),
      inverse_pivot_(at(pattern.size()), 0.0) {}

bool TreeFactor::factor(const double* values) {
  std::copy_n(values, values_.size(), values_.data());
  const int* parent = pattern_.parent().data();
  const int* depth = pattern_.depth().data();
  const int* first = pattern_.first().data();
  const int* row = pattern_.row().data();
  double* v = values_.data();
  for (int i = pattern_.size() - 1; i >= 0; --i) {
    double* row_i = v + row[i];
    const double pivot = row_i[depth[i]];
    if (!(pivot > 0.0) || !(pivot < 1e300)) return false;
    const double inverse = 1.0 / pivot;
    inverse_pivot_[at(i)] = inverse;
    const int begin = first[i];
    // each ancestor takes its part of the outer product; the entry itself becomes that of L
    for (int j = parent[i], d = depth[i] - 1; d >= begin; j = parent[j], --d) {
      const double factor = row_i[d] * inverse;
      double* row_j = v + row[j];
      for (int e = begin; e <= d; ++e) row_j[e] -= factor * row_i[e];
      row_i[d] = factor;
    }
  }
  return true;
}

void TreeFactor::solve(double* x) const {
  const int* parent = pattern_.parent().data();
  const int* depth = pattern_.depth().data();
  const int* first = pattern_.first().data();
  const int* row = pattern_.row().data();
  const double* v = values_.data();
  const int n = pattern_.size();
  for (int i = n - 1; i >= 0; --i) {
    const double* row_i = v + row[i];
    const double x_i = x[i];
    for (int j = parent[i], d = depth[i] - 1; d >= first[i]; j = parent[j], --d)
      x[j] -= row_i[d] * x_i;
    x[i] = x_i * inverse_pivot_[at(i)];
  }
  for (int i = 0; i < n; ++i) {
    const double* row_i = v + row[i];
    double x_i = x[i];
    for (int j = parent[i], d = depth[i] - 1; d >= first[i]; j = parent[j], --d)
      x_i -= row_i[d] * x[j];
    x[i] = x_i;
  }
}

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
