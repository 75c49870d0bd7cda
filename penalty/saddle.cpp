#include "penalty/saddle.hpp"

#include "topology/indices.hpp"

namespace semirec {

namespace {

constexpr double kDependent = 1e-9;  // of the largest pivot of rows of length 1

}  // namespace

Saddle::Saddle(const SymmetricPattern& tangent, const std::vector<RowBlock>& blocks, int m,
               const std::vector<MatrixEntry>& extra)
    : n_(tangent.size()),
      m_(m),
      matrix_(n_ + m_),
      tangent_(matrix_.place(tangent, 0, 0)),
      rows_(matrix_.place(blocks, n_, 0)),
      columns_(matrix_.place_transposed(blocks, 0, n_)),
      corner_(matrix_.place_diagonal(m_, n_, n_)),
      extra_(matrix_.place(extra, 0, 0)),
      unknowns_(Eigen::VectorXd::Zero(n_ + m_)) {
  matrix_.close();
}

Pivoting Saddle::factor(const std::vector<double>& tangent, const std::vector<double>& columns,
                        const std::vector<double>& rows, const Eigen::VectorXd& compliance,
                        const std::vector<double>& extra) {
  matrix_.clear();
  matrix_.add(tangent_, tangent.data(), 1.0);
  matrix_.add(rows_, rows.data(), 1.0);
  matrix_.add(columns_, columns.data(), 1.0);
  matrix_.add(corner_, compliance.data(), -1.0);
  matrix_.add(extra_, extra.data(), 1.0);
  return matrix_.factor();
}

void Saddle::solve(Eigen::VectorXd& f, Eigen::VectorXd& g) const {
  unknowns_.head(n_) = f;
  unknowns_.tail(m_) = g;
  matrix_.solve(unknowns_.data());
  f = unknowns_.head(n_);
  g = unknowns_.tail(m_);
}

RowRank::RowRank(int n, int m) : transposed_(Eigen::MatrixXd::Zero(n, m)), decomposition_(n, m) {}

int RowRank::find(const std::vector<RowBlock>& blocks, const std::vector<double>& Phi_z,
                  std::vector<char>& dependent) {
  const auto m = transposed_.cols();
  std::fill(dependent.begin(), dependent.end(), 1);
  if (transposed_.size() == 0) return static_cast<int>(m);
  transposed_.setZero();
  for (const RowBlock& block : blocks) {
    const std::size_t size = block.columns.size();
    for (int r = 0; r < block.rows; ++r)
      for (std::size_t k = 0; k < size; ++k)
        transposed_(block.columns[k], block.row + r) =
            Phi_z[at(block.jacobian) + at(block.stride) * (at(r) * size + k)];
  }
  for (Eigen::Index j = 0; j < m; ++j) {
    const double length = transposed_.col(j).norm();
    if (length > 0.0) transposed_.col(j) /= length;
  }
  if (transposed_.isZero(0.0)) return static_cast<int>(m);
  decompose(transposed_, kDependent, decomposition_);
  const auto& order = decomposition_.colsPermutation().indices();
  for (Eigen::Index k = 0; k < decomposition_.rank(); ++k) dependent[at(order[k])] = 0;
  return static_cast<int>(m - decomposition_.rank());
}

}  // namespace semirec
