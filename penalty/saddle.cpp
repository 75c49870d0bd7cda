#include "penalty/saddle.hpp"

#include <algorithm>

#include "penalty/factors/saddle_order.hpp"
#include "topology/indices.hpp"

namespace semirec {

namespace {

constexpr double kDependent = 1e-9;  // of the largest pivot of rows of length 1

bool is_zero(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double value) { return value == 0.0; });
}

}  // namespace

Saddle::Saddle(const SymmetricPattern& tangent, const std::vector<RowBlock>& blocks, int m,
               const SaddleShape& shape)
    : n_(tangent.size()),
      m_(m),
      matrix_(n_ + m_),
      place_of_(at(n_ + m_)),
      unknowns_(Eigen::VectorXd::Zero(n_ + m_)) {
  Parts parts;
  list_tangent(tangent, shape.slots, parts.tangent);
  list_rows(blocks, parts);
  for (int j = 0; j < m_; ++j) {
    parts.corner.entries.push_back({n_ + j, n_ + j});
    parts.corner.sources.push_back(j);
  }
  parts.extra.entries = shape.extra;
  for (int k = 0; k < static_cast<int>(shape.extra.size()); ++k) parts.extra.sources.push_back(k);
  list_products(blocks, shape.regularizing, parts.products);

  std::vector<int> order(place_of_.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = static_cast<int>(k);
  std::vector<MatrixEntry> all;
  for (const Part* part :
       {&parts.tangent, &parts.rows, &parts.columns, &parts.corner, &parts.extra, &parts.products})
    all.insert(all.end(), part->entries.begin(), part->entries.end());
  if (!shape.groups.empty()) order = find_saddle_order(n_ + m_, n_, all, shape.groups);
  for (std::size_t k = 0; k < order.size(); ++k) place_of_[at(order[k])] = static_cast<int>(k);
  blocks_ = {place(parts.tangent), place(parts.rows),  place(parts.columns),
             place(parts.corner),  place(parts.extra), place(parts.products)};
  matrix_.close();
}

void Saddle::list_tangent(const SymmetricPattern& tangent, const std::vector<int>& slots,
                          Part& part) {
  std::vector<char> taken(at(tangent.value_count()), slots.empty() ? 1 : 0);
  for (const int slot : slots) taken[at(slot)] = 1;
  const auto add = [&](int row, int column, int slot) {
    part.entries.push_back({row, column});
    part.sources.push_back(slot);
  };
  for (const PatternEntry& entry : tangent.list_entries()) {
    if (taken[at(entry.slot)] == 0) continue;
    add(entry.row, entry.column, entry.slot);
    if (entry.row != entry.column) add(entry.column, entry.row, entry.slot);
  }
}

void Saddle::list_rows(const std::vector<RowBlock>& blocks, Parts& parts) const {
  for (const RowBlock& block : blocks)
    for (int r = 0; r < block.rows; ++r)
      for (std::size_t k = 0; k < block.columns.size(); ++k) {
        const int row = n_ + block.row + r;
        const int source =
            block.jacobian +
            block.stride * (r * static_cast<int>(block.columns.size()) + static_cast<int>(k));
        parts.rows.entries.push_back({row, block.columns[k]});
        parts.columns.entries.push_back({block.columns[k], row});
        parts.rows.sources.push_back(source);
        parts.columns.sources.push_back(source);
      }
}

void Saddle::list_products(const std::vector<RowBlock>& blocks,
                           const std::vector<WeightedRow>& rows, Part& part) {
  for (const WeightedRow& row : rows) {
    const auto block = std::find_if(blocks.begin(), blocks.end(), [&](const RowBlock& b) {
      return b.row == row.row && b.rows == 1;
    });
    Added& added = added_.emplace_back();
    added.row = row.row;
    added.weight = row.weight;
    added.columns = block->columns;
    added.values.resize(added.columns.size());
    for (std::size_t k = 0; k < added.columns.size(); ++k)
      added.indices.push_back(block->jacobian + block->stride * static_cast<int>(k));
    for (const int i : added.columns)
      for (const int j : added.columns) {
        part.sources.push_back(static_cast<int>(part.entries.size()));
        part.entries.push_back({i, j});
      }
  }
  product_values_.resize(part.entries.size());
}

int Saddle::place(Part& part) {
  for (MatrixEntry& entry : part.entries)
    entry = {place_of_[at(entry.row)], place_of_[at(entry.column)]};
  return matrix_.place(part.entries, part.sources);
}

void Saddle::add_products(const std::vector<double>& columns, const std::vector<double>& rows,
                          const Eigen::VectorXd& compliance) {
  std::size_t next = 0;
  for (Added& added : added_) {
    added.now = compliance[added.row] == 0.0 ? added.weight : 0.0;
    for (std::size_t k = 0; k < added.values.size(); ++k)
      added.values[k] = columns[at(added.indices[k])];
    for (const double left : added.values)
      for (const int right : added.indices)
        product_values_[next++] = added.now * left * rows[at(right)];
  }
  matrix_.add(blocks_.products, product_values_.data(), 1.0);
}

Pivoting Saddle::factor(const std::vector<double>& tangent, const std::vector<double>& columns,
                        const std::vector<double>& rows, const Eigen::VectorXd& compliance,
                        const std::vector<double>& extra) {
  matrix_.clear();
  matrix_.add(blocks_.tangent, tangent.data(), 1.0);
  matrix_.add(blocks_.rows, rows.data(), 1.0);
  matrix_.add(blocks_.columns, columns.data(), 1.0);
  matrix_.add(blocks_.corner, compliance.data(), -1.0);
  const bool symmetric = &columns == &rows && is_zero(extra);
  if (!symmetric && !extra.empty()) matrix_.add(blocks_.extra, extra.data(), 1.0);
  add_products(columns, rows, compliance);
  return matrix_.factor(symmetric);
}

void Saddle::solve(Eigen::VectorXd& f, Eigen::VectorXd& g) const {
  for (int i = 0; i < n_; ++i) unknowns_[place_of_[at(i)]] = f[i];
  for (int j = 0; j < m_; ++j) unknowns_[place_of_[at(n_ + j)]] = g[j];
  for (const Added& added : added_)
    for (std::size_t k = 0; k < added.columns.size(); ++k)
      unknowns_[place_of_[at(added.columns[k])]] += added.now * added.values[k] * g[added.row];
  matrix_.solve(unknowns_.data());
  for (int i = 0; i < n_; ++i) f[i] = unknowns_[place_of_[at(i)]];
  for (int j = 0; j < m_; ++j) g[j] = unknowns_[place_of_[at(n_ + j)]];
}

Eigen::MatrixXd Saddle::to_dense() const {
  const Eigen::MatrixXd placed = matrix_.to_dense();
  Eigen::MatrixXd dense(n_ + m_, n_ + m_);
  for (int j = 0; j < n_ + m_; ++j)
    for (int i = 0; i < n_ + m_; ++i) dense(i, j) = placed(place_of_[at(i)], place_of_[at(j)]);
  return dense;
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
    if (length > kZeroRow)
      transposed_.col(j) /= length;
    else
      transposed_.col(j).setZero();
  }
  if (transposed_.isZero(0.0)) return static_cast<int>(m);
  decompose(transposed_, kDependent, decomposition_);
  const auto& order = decomposition_.colsPermutation().indices();
  for (Eigen::Index k = 0; k < decomposition_.rank(); ++k) dependent[at(order[k])] = 0;
  return static_cast<int>(m - decomposition_.rank());
}

}  // namespace semirec
