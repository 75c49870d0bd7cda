#pragma once

namespace semirec {

/// Factors a square matrix by rows in place, with row pivoting: A = P^T L U. A column without a
/// pivot beyond `least` times its largest entry is left out: solving gives zero there. No heap use.
void factor_small(double* A, int* pivots, int n, double least = 0.0);
/// Solves A x = b; b becomes x.
void solve_small(const double* LU, const int* pivots, int n, double* b);
/// Solves A^T x = b; b becomes x.
void solve_small_transposed(const double* LU, const int* pivots, int n, double* b);

}  // namespace semirec
