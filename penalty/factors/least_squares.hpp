#pragma once

#include <optional>

#include <Eigen/Core>
#include <Eigen/QR>

namespace semirec {

// Eigen's dense decompositions and products of matrices of any size, compiled in one place: each
// costs seconds in every source that calls it.

/// A B.
Eigen::MatrixXd product(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);

/// A x.
Eigen::VectorXd apply(const Eigen::MatrixXd& A, const Eigen::VectorXd& x);

/// X of A X = B for a regular A.
Eigen::MatrixXd solve_regular(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);

/// X of M X = B for a symmetric M; none where M is not positive definite.
std::optional<Eigen::MatrixXd> solve_definite(const Eigen::MatrixXd& M, const Eigen::MatrixXd& B);

using OrthogonalDecomposition = Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd>;

/// Decomposes A; pivots below `threshold` of the largest count as zero. No heap use if
/// `decomposition` was made for A's size.
void decompose(const Eigen::MatrixXd& A, double threshold, OrthogonalDecomposition& decomposition);

/// The smallest x among those that minimise |A x - b|.
Eigen::VectorXd solve_least_squares(const OrthogonalDecomposition& decomposition,
                                    const Eigen::VectorXd& b);

/// Rank of A: pivots above `threshold` of the largest.
int find_rank(const Eigen::MatrixXd& A, double threshold);

/// Orthonormal columns that span all x with A x = 0, of the decomposed A.
Eigen::MatrixXd null_space(const OrthogonalDecomposition& decomposition);

/// Moore-Penrose inverse of the decomposed A; its inverse where A is regular.
Eigen::MatrixXd pseudo_inverse(const OrthogonalDecomposition& decomposition);

/// Sign of the determinant of a square matrix; 0 where it is lost in rounding.
int sign_of_determinant(const Eigen::MatrixXd& A);

/// Smallest s of K v = s M v for symmetric matrices, M positive definite; NaN where M is not.
double find_smallest_eigenvalue(const Eigen::MatrixXd& K, const Eigen::MatrixXd& M);

/// Smallest pivot of a symmetric matrix that is not indefinite, the largest taken first.
double find_least_pivot(const Eigen::MatrixXd& A);

/// Unit vector of the smallest eigenvalue of a symmetric matrix.
Eigen::VectorXd find_weakest_mode(const Eigen::MatrixXd& A);

}  // namespace semirec
