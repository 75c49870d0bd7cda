#include "penalty/factors/block_matrix.hpp"

#include <algorithm>

#include "topology/indices.hpp"

namespace semirec {

int BlockMatrix::take(Block block) {
  blocks_.push_back(std::move(block));
  return static_cast<int>(blocks_.size()) - 1;
}

int BlockMatrix::place(const SymmetricPattern& pattern, int row, int column) {
  // a matrix whose values are the numbers of its slots, counted from one, tells where they are
  std::vector<double> numbers(at(pattern.value_count()));
  for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] = static_cast<double>(k + 1);
  const Eigen::MatrixXd slots = pattern.to_dense(numbers.data());
  Block block;
  for (int j = 0; j < pattern.size(); ++j)
    for (int i = 0; i < pattern.size(); ++i)
      if (slots(i, j) > 0.0) block.add(row + i, column + j, static_cast<int>(slots(i, j)) - 1);
  return take(std::move(block));
}

namespace {

/// Calls use(row of Phi, column, index in Phi_z) for every entry.
template <typename Use>
void for_each_entry(const std::vector<RowBlock>& blocks, Use&& use) {
  for (const RowBlock& block : blocks)
    for (int r = 0; r < block.rows; ++r)
      for (std::size_t k = 0; k < block.columns.size(); ++k)
        use(block.row + r, block.columns[k],
            block.jacobian +
                block.stride * (r * static_cast<int>(block.columns.size()) + static_cast<int>(k)));
}

}  // namespace

int BlockMatrix::place(const std::vector<RowBlock>& blocks, int row, int column) {
  Block block;
  for_each_entry(blocks, [&](int r, int c, int index) { block.add(row + r, column + c, index); });
  return take(std::move(block));
}

int BlockMatrix::place_transposed(const std::vector<RowBlock>& blocks, int row, int column) {
  Block block;
  for_each_entry(blocks, [&](int r, int c, int index) { block.add(row + c, column + r, index); });
  return take(std::move(block));
}

int BlockMatrix::place_diagonal(int count, int row, int column) {
  Block block;
  for (int k = 0; k < count; ++k) block.add(row + k, column + k, k);
  return take(std::move(block));
}

int BlockMatrix::place(const std::vector<MatrixEntry>& entries, int row, int column) {
  Block block;
  for (const MatrixEntry& entry : entries)
    block.add(row + entry.row, column + entry.column, static_cast<int>(block.links.size()));
  return take(std::move(block));
}

int BlockMatrix::place(const std::vector<MatrixEntry>& entries, const std::vector<int>& sources) {
  Block block;
  for (std::size_t k = 0; k < entries.size(); ++k)
    block.add(entries[k].row, entries[k].column, sources[k]);
  return take(std::move(block));
}

void BlockMatrix::close() {
  std::vector<std::vector<int>> rows(at(size_));
  for (const Block& block : blocks_)
    for (const MatrixEntry& entry : block.entries) rows[at(entry.column)].push_back(entry.row);
  column_begin_.assign(1, 0);
  row_index_.clear();
  for (std::vector<int>& column : rows) {
    std::sort(column.begin(), column.end());
    column.erase(std::unique(column.begin(), column.end()), column.end());
    row_index_.insert(row_index_.end(), column.begin(), column.end());
    column_begin_.push_back(static_cast<int>(row_index_.size()));
  }
  for (Block& block : blocks_)
    for (std::size_t k = 0; k < block.entries.size(); ++k) {
      const auto& [row, place] = block.entries[k];
      const std::vector<int>& column = rows[at(place)];
      block.links[k].target =
          column_begin_[at(place)] +
          static_cast<int>(std::lower_bound(column.begin(), column.end(), row) - column.begin());
    }
  values_.assign(row_index_.size(), 0.0);
  lu_.clear();
  if (size_ > 0) lu_.emplace_back(column_begin_, row_index_);
}

void BlockMatrix::clear() { std::fill(values_.begin(), values_.end(), 0.0); }

void BlockMatrix::add(int block, const double* values, double factor) {
  double* all = values_.data();
  for (const Link& link : blocks_[at(block)].links)
    all[link.target] += factor * values[link.source];
}

void BlockMatrix::add_identity(int block, double factor) {
  for (const Link& link : blocks_[at(block)].links) values_[at(link.target)] += factor;
}

void BlockMatrix::add_block_product(int block, const double* values, double factor,
                                    const Eigen::VectorXd& x, Eigen::VectorXd& y) const {
  const Block& placed = blocks_[at(block)];
  for (std::size_t k = 0; k < placed.links.size(); ++k)
    y[placed.entries[k].row] +=
        factor * values[placed.links[k].source] * x[placed.entries[k].column];
}

Eigen::MatrixXd BlockMatrix::to_dense() const {
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(size_, size_);
  for (int c = 0; c < size_; ++c)
    for (int k = column_begin_[at(c)]; k < column_begin_[at(c) + 1]; ++k)
      A(row_index_[at(k)], c) = values_[at(k)];
  return A;
}

}  // namespace semirec
