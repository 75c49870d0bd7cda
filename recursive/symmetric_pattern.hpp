#pragma once

#include <memory>
#include <vector>

#include <Eigen/Core>

namespace semirec {

struct LaneRows;

/// How the entries of the tangent are stored.
///   dense   full lower triangle, column-major n x n
///   tree    rows along the elimination tree: row i holds the columns of its ancestors in that
///   tree,
///           from the shallowest one it touches down to i, in one run; eliminated from the last row
///           to the first it has no fill outside these runs
///   lanes   rows of packs for indices that lie side by side, and what they share (LaneRows): the
///           tree's elimination, four branches at a time
///   sparse  compressed columns of the upper triangle after a fill-reducing renumbering (CHOLMOD)
enum class PatternKind { dense, tree, lanes, sparse };

/// An entry of the lower triangle and where its value lies.
struct PatternEntry {
  int row, column, slot;
};

/// Which entries of a symmetric n x n matrix exist and where their values lie. Built once from the
/// sets of indices that may couple (cliques); constant afterwards.
class SymmetricPattern {
 public:
  SymmetricPattern() = default;
  /// `cliques`: each a set of indices that are mutually coupled. For `sparse`, `order[k]` is the
  /// index eliminated k-th; ignored otherwise.
  static SymmetricPattern make_dense(int n);
  static SymmetricPattern make_tree(int n, const std::vector<std::vector<int>>& cliques);
  static SymmetricPattern make_lanes(int n, LaneRows rows);
  static SymmetricPattern make_sparse(int n, const std::vector<std::vector<int>>& cliques,
                                      const std::vector<int>& order);

  PatternKind kind() const { return kind_; }
  int size() const { return n_; }
  /// Length of the value array.
  int value_count() const { return value_count_; }
  /// Place of entry (i, j) or (j, i). Needs an entry that exists.
  int slot(int i, int j) const;
  /// Places of the lower triangle of the block over `indices` (ascending): (0,0), (1,0), (1,1),
  /// (2,0) ...
  std::vector<int> block_slots(const std::vector<int>& indices) const;
  /// All entries that exist, column by column. Build time.
  std::vector<PatternEntry> list_entries() const;
  /// Multiplications of one factorization in this storage.
  double factor_cost() const;
  /// Entries of the factor beside its diagonal.
  double factor_entries() const;

  // tree storage
  const std::vector<int>& parent() const { return parent_; }  ///< elimination tree, -1 at a root
  const std::vector<int>& depth() const { return depth_; }
  const std::vector<int>& first() const { return first_; }  ///< shallowest depth held by row i
  const std::vector<int>& row() const { return row_; }      ///< values[row[i] + depth] is an entry

  const LaneRows& lane_rows() const { return *lane_rows_; }

  // sparse storage
  const std::vector<int>& column_begin() const { return column_begin_; }
  const std::vector<int>& row_index() const { return row_index_; }
  const std::vector<int>& order() const { return order_; }

  /// The full matrix into `out` (n x n). No heap use.
  void fill_dense(const double* values, Eigen::MatrixXd& out) const;
  /// The full matrix, for tests and reports.
  Eigen::MatrixXd to_dense(const double* values) const;

 private:
  /// Entries of each row (or column) of the factor beside its pivot.
  std::vector<double> row_lengths() const;

  PatternKind kind_ = PatternKind::dense;
  int n_ = 0;
  int value_count_ = 0;
  std::vector<int> parent_, depth_, first_, row_;
  std::shared_ptr<const LaneRows> lane_rows_;  ///< of kind lanes
  std::vector<int> column_begin_, row_index_, order_, place_;
};

}  // namespace semirec
