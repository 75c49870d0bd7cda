#include "integrator/formulation/articulated_solver.hpp"

#include <algorithm>
#include <set>

#include "topology/indices.hpp"

namespace semirec {

ArticulatedSolver::ArticulatedSolver(const TreeModel& model, const std::vector<RowBlock>& blocks,
                                     int rows)
    : M_(model),
      Y_(Eigen::MatrixXd::Zero(model.n, rows)),
      schur_(Eigen::MatrixXd::Identity(rows, rows)),
      mu_(Eigen::VectorXd::Zero(rows)) {
  // takes the memory, and gives the factor a state: moving it copies that
  llt_.compute(Eigen::MatrixXd::Identity(std::max(rows, 1), std::max(rows, 1)));
  std::vector<TreeIndex> body_of(at(model.n));
  for (std::size_t t = 1; t < model.bodies.size(); ++t)
    for (int k = 0; k < model.bodies[t].degrees_of_freedom; ++k)
      body_of[at(model.bodies[t].z + k)] = static_cast<TreeIndex>(t);
  for (const RowBlock& block : blocks) {
    std::set<TreeIndex> path;
    for (const int column : block.columns)
      for (TreeIndex t = body_of[at(column)]; t > 0; t = model.bodies[at(t)].parent) path.insert(t);
    paths_.emplace_back(path.rbegin(), path.rend());
    std::vector<int> columns;
    for (const TreeIndex t : path)
      for (int k = 0; k < model.bodies[at(t)].degrees_of_freedom; ++k)
        columns.push_back(model.bodies[at(t)].z + k);
    columns_.push_back(columns);
    first_row_.push_back(block.row);
    row_count_.push_back(block.rows);
  }
}

bool ArticulatedSolver::factor(const std::vector<RigidInertia>& Mbar, const std::vector<Vector6>& H,
                               const std::vector<RowBlock>& blocks,
                               const std::vector<double>& Phi_z, const Eigen::VectorXd& alpha,
                               double scale) {
  if (!M_.factor(Mbar, H)) return false;
  with_rows_ = scale > 0.0 && Y_.cols() > 0;
  if (!with_rows_) return true;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const RowBlock& block = blocks[b];
    const double* row = Phi_z.data() + block.jacobian;
    const auto stride = at(block.stride);
    for (int r = 0; r < block.rows; ++r, row += stride * block.columns.size()) {
      double* y = Y_.col(block.row + r).data();
      for (std::size_t k = 0; k < block.columns.size(); ++k) y[block.columns[k]] = row[stride * k];
      // coordinates inboard of the row's own start from zero
      std::size_t own = 0;
      for (const int column : columns_[b]) {
        if (own < block.columns.size() && block.columns[own] == column)
          ++own;
        else
          y[column] = 0.0;
      }
      M_.eliminate(y, paths_[b]);
    }
  }
  const std::vector<double>& inverse = M_.inverse_pivots();
  for (std::size_t b = 0; b < paths_.size(); ++b) {
    for (std::size_t c = 0; c <= b; ++c) {
      for (int i = first_row_[b]; i < first_row_[b] + row_count_[b]; ++i)
        for (int j = first_row_[c]; j < first_row_[c] + row_count_[c]; ++j) {
          double sum = 0.0;
          // Y is zero where a row's path does not lead
          for (const int k : columns_[c]) sum += Y_(k, i) * Y_(k, j) * inverse[at(k)];
          schur_(i, j) = sum;
        }
    }
  }
  for (Eigen::Index i = 0; i < Y_.cols(); ++i) schur_(i, i) += 1.0 / (scale * alpha[i]);
  llt_.compute(schur_);
  return llt_.info() == Eigen::Success && llt_.matrixLLT().diagonal().allFinite();
}

void ArticulatedSolver::solve(Eigen::VectorXd& rhs) const {
  double* x = rhs.data();
  M_.eliminate(x);
  if (with_rows_) {
    const std::vector<double>& inverse = M_.inverse_pivots();
    for (std::size_t b = 0; b < paths_.size(); ++b)
      for (int i = first_row_[b]; i < first_row_[b] + row_count_[b]; ++i) {
        double sum = 0.0;
        for (const int k : columns_[b]) sum += Y_(k, i) * x[k] * inverse[at(k)];
        mu_[i] = sum;
      }
    llt_.solveInPlace(mu_);
    for (std::size_t b = 0; b < paths_.size(); ++b)
      for (int i = first_row_[b]; i < first_row_[b] + row_count_[b]; ++i)
        for (const int k : columns_[b]) x[k] -= mu_[i] * Y_(k, i);
  }
  M_.substitute(x);
}

}  // namespace semirec
