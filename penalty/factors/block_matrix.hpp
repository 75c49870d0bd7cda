#pragma once

#include <vector>

#include "penalty/factors/klu_factor.hpp"
#include "recursive/row_block.hpp"
#include "recursive/symmetric_pattern.hpp"

namespace semirec {

/// Position of an entry in a matrix.
struct MatrixEntry {
  int row = 0;
  int column = 0;
};

/// A sparse square matrix that is put together of blocks (a tangent, Phi_z, its transpose, a
/// diagonal, single entries) and factored by KLU. First the blocks are placed, then close() fixes
/// the pattern; afterwards nothing but a renewal of pivots allocates.
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
  /// Single entries.
  int place(const std::vector<MatrixEntry>& entries, int row, int column);
  /// Fixes the pattern. Throws std::runtime_error where KLU cannot analyse it.
  void close();

  // values
  void clear();
  /// Adds factor times the values (of the tangent, of Phi_z ...) that the block stands for.
  void add(int block, const double* values, double factor);
  void add_identity(int block, double factor);

  [[nodiscard]] Pivoting factor() { return klu_.front().factor(values_.data()); }
  /// By columns, as they were put together last.
  const std::vector<double>& values() const { return values_; }
  /// Index in values() of entry k of a block.
  int index_of(int block, int k) const {
    return blocks_[static_cast<std::size_t>(block)][static_cast<std::size_t>(k)].target;
  }
  KluFactor& klu() { return klu_.front(); }
  const KluFactor& klu() const { return klu_.front(); }
  int size() const { return size_; }
  /// y += A x with the values at hand, not the factor.
  void add_product(const double* x, double* y) const;
  /// The full matrix, for tests.
  Eigen::MatrixXd to_dense() const;

 private:
  /// values_[target] += factor values[source]
  struct Link {
    int row = 0, column = 0;  ///< of the whole matrix
    int source = 0;
    int target = 0;
  };
  int take(std::vector<Link> links);

  int size_ = 0;
  std::vector<std::vector<Link>> blocks_;
  std::vector<int> column_begin_, row_index_;
  std::vector<double> values_;
  std::vector<KluFactor> klu_;  ///< one, after close()
};

}  // namespace semirec
