#pragma once

#include <vector>

#include <Eigen/Core>

#include "penalty/factors/lu_factor.hpp"
#include "recursive/row_block.hpp"
#include "recursive/symmetric_pattern.hpp"

namespace semirec {

/// Position of an entry in a matrix.
struct MatrixEntry {
  int row = 0;
  int column = 0;
};

/// A sparse square matrix that is put together of blocks (a tangent, Phi_z, its transpose, a
/// diagonal, single entries) and factored by LuFactor. First the blocks are placed, then close()
/// fixes the pattern; afterwards nothing but a renewal of pivots allocates.
class BlockMatrix {
 public:
  explicit BlockMatrix(int size) : size_(size) {}

  // build time: each returns the block's number, (row, column) is its upper left corner
  /// A symmetric matrix by its slots, both triangles.
  int place(const SymmetricPattern& pattern, int row, int column);
  /// Phi_z by its row blocks, or its transpose.
  int place(const std::vector<RowBlock>& blocks, int row, int column);
  int place_transposed(const std::vector<RowBlock>& blocks, int row, int column);
  /// A diagonal of `count` entries.
  int place_diagonal(int count, int row, int column);
  /// Single entries: entry k takes values[k], or values[sources[k]].
  int place(const std::vector<MatrixEntry>& entries, int row, int column);
  int place(const std::vector<MatrixEntry>& entries, const std::vector<int>& sources);
  /// Fixes the pattern.
  void close();

  // values
  void clear();
  /// Adds factor times the values (of the tangent, of Phi_z ...) that the block stands for.
  void add(int block, const double* values, double factor);
  void add_identity(int block, double factor);
  /// y += factor B x, B the block alone, in its place, with these values; x and y of the matrix's
  /// size.
  void add_block_product(int block, const double* values, double factor, const Eigen::VectorXd& x,
                         Eigen::VectorXd& y) const;

  // LuFactor's functions; a matrix of size zero has nothing to be factored or solved
  [[nodiscard]] Pivoting factor(bool symmetric = false) {
    return lu_.empty() ? Pivoting::kept : lu_.front().factor(values_.data(), symmetric);
  }
  void forget_pivots() {
    if (!lu_.empty()) lu_.front().forget_pivots();
  }
  [[nodiscard]] bool choose_pivots(const double* values) {
    return lu_.empty() || lu_.front().choose_pivots(values);
  }
  double smallest_pivot() const { return lu_.empty() ? 1.0 : lu_.front().smallest_pivot(); }
  void solve(double* x) const {
    if (!lu_.empty()) lu_.front().solve(x);
  }
  /// By columns, as they were put together last.
  const std::vector<double>& values() const { return values_; }
  /// Index in values() of entry k of a block.
  int index_of(int block, int k) const {
    return blocks_[static_cast<std::size_t>(block)].links[static_cast<std::size_t>(k)].target;
  }
  int size() const { return size_; }
  /// The full matrix, for tests.
  Eigen::MatrixXd to_dense() const;

 private:
  /// values_[target] += factor values[source]
  struct Link {
    int source = 0;
    int target = 0;
  };
  struct Block {
    std::vector<MatrixEntry> entries;  ///< of the whole matrix
    std::vector<Link> links;
    void add(int row, int column, int source) {
      entries.push_back({row, column});
      links.push_back({source, 0});
    }
  };
  int take(Block block);

  int size_ = 0;
  std::vector<Block> blocks_;
  std::vector<int> column_begin_, row_index_;
  std::vector<double> values_;
  std::vector<LuFactor> lu_;  ///< one, after close(), of a size above zero
};

}  // namespace semirec
