#pragma once

#include <vector>

#include <Eigen/Core>

#include "penalty/factors/block_matrix.hpp"
#include "penalty/factors/least_squares.hpp"

namespace semirec {

/// A row of Phi and a weight.
struct WeightedRow {
  int row = 0;
  double weight = 0.0;
};

/// What a formulation tells of its tangent for a Saddle.
struct SaddleShape {
  std::vector<MatrixEntry> extra;         ///< entries beyond the tangent's pattern or its symmetry
  std::vector<int> slots;                 ///< of the tangent that matter; empty: all
  std::vector<WeightedRow> regularizing;  ///< rows of Phi_z that make A regular
  std::vector<std::vector<int>> groups;   ///< of coordinates; none: in an order of little fill
};

/// The linear equations of a Newton step with the multipliers as unknowns:
///   [ A      Phi_z^T ] [x]   [f]
///   [ Phi_z    -E    ] [y] = [g]
/// A is the tangent M + C + K as the scheme weights it, so that with y = scale (multipliers) all
/// entries are of the size of masses and of 1 at every step: the scaling by 1/(beta h^2) of [HHT]
/// (11), [SIX] (4), (7). A may have entries beyond the symmetric tangent. E is zero, but for rows
/// of Phi_z that are zero or depend on others.
///
/// Where A is singular though the whole is not (4 L^T J L of Euler parameters), rows of Phi_z are
/// added to those of A: with A + sum w J^T J and f + sum w J^T g the solution is the same, and
/// pivots can be taken from the diagonal. Of two instants, the first J is that of the columns.
class Saddle {
 public:
  Saddle(const SymmetricPattern& tangent, const std::vector<RowBlock>& blocks, int m,
         const SaddleShape& shape = {});

  /// Factors: tangent [slot], Phi_z, diagonal of E (m), values of the extra entries. No heap use
  /// unless the pivots are renewed.
  [[nodiscard]] Pivoting factor(const std::vector<double>& tangent,
                                const std::vector<double>& Phi_z, const Eigen::VectorXd& compliance,
                                const std::vector<double>& extra = {}) {
    return factor(tangent, Phi_z, Phi_z, compliance, extra);
  }
  /// The same with the Phi_z of two instants: [A columns^T; rows -E].
  [[nodiscard]] Pivoting factor(const std::vector<double>& tangent,
                                const std::vector<double>& columns, const std::vector<double>& rows,
                                const Eigen::VectorXd& compliance,
                                const std::vector<double>& extra);
  /// f (n) <- x, g (m) <- y. No heap use.
  void solve(Eigen::VectorXd& f, Eigen::VectorXd& g) const;

  /// Of the factor: the smallest pivot over the largest (LuFactor::smallest_pivot()).
  double smallest_pivot() const { return matrix_.smallest_pivot(); }
  /// Chooses the pivots anew at the next factorization.
  void forget_pivots() { matrix_.forget_pivots(); }
  /// Takes the pivots that serve a matrix with these values() best. False where it has none.
  /// Allocates.
  [[nodiscard]] bool choose_pivots(const Eigen::VectorXd& values) {
    return matrix_.choose_pivots(values.data());
  }
  /// The matrix of the last factorization, by columns; a view.
  Eigen::Map<const Eigen::VectorXd> values() const {
    return {matrix_.values().data(), static_cast<Eigen::Index>(matrix_.values().size())};
  }
  /// What entry j of E was in a matrix with these values().
  double compliance_in(const Eigen::VectorXd& values, int j) const {
    return -values[matrix_.index_of(blocks_.corner, j)];
  }
  /// The full matrix of the last factorization, for tests.
  Eigen::MatrixXd to_dense() const;
  const BlockMatrix& matrix() const { return matrix_; }

 private:
  /// Entries of one source and where their values lie in it; in the matrix they are one block.
  struct Part {
    std::vector<MatrixEntry> entries;
    std::vector<int> sources;
  };
  /// What the matrix is put together of.
  struct Parts {
    Part tangent, rows, columns, corner, extra, products;
  };
  struct Blocks {
    int tangent, rows, columns, corner, extra, products;
  };
  /// A row of Phi_z that is added to those of A.
  struct Added {
    int row = 0;
    double weight = 0.0;                ///< as given
    double now = 0.0;                   ///< in the factor: zero while E holds the row
    std::vector<int> columns, indices;  ///< of the coordinates, and in Phi_z
    std::vector<double> values;         ///< there, of the columns
  };
  static void list_tangent(const SymmetricPattern& tangent, const std::vector<int>& slots,
                           Part& part);
  void list_rows(const std::vector<RowBlock>& blocks, Parts& parts) const;
  void list_products(const std::vector<RowBlock>& blocks, const std::vector<WeightedRow>& rows,
                     Part& part);
  int place(Part& part);
  void add_products(const std::vector<double>& columns, const std::vector<double>& rows,
                    const Eigen::VectorXd& compliance);

  int n_, m_;
  BlockMatrix matrix_;
  Blocks blocks_{};
  std::vector<int> place_of_;  ///< [unknown] its row and column in the matrix
  std::vector<Added> added_;
  std::vector<double> product_values_;
  mutable Eigen::VectorXd unknowns_;
};

/// Finds rows of Phi_z that depend on others: those that a rank-revealing QR decomposition of
/// Phi_z^T, rows of length 1, takes last. Memory of one size; no heap use but in the constructor.
class RowRank {
 public:
  RowRank(int n, int m);
  /// dependent[j] <- whether row j depends on others or is zero (kZeroRow; m). Returns how many do.
  int find(const std::vector<RowBlock>& blocks, const std::vector<double>& Phi_z,
           std::vector<char>& dependent);

 private:
  Eigen::MatrixXd transposed_;
  OrthogonalDecomposition decomposition_;
};

}  // namespace semirec
