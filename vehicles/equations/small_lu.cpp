#include "vehicles/equations/small_lu.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "topology/indices.hpp"

namespace semirec {

namespace {

/// Where entry (i, j) of a matrix by rows stands.
std::size_t entry(int n, int i, int j) { return at(i) * at(n) + at(j); }

}  // namespace

void factor_small(double* A, int* pivots, int n, double least) {
  for (int k = 0; k < n; ++k) {
    double column = 0.0;
    for (int i = 0; i < n; ++i) column = std::max(column, std::abs(A[entry(n, i, k)]));
    int best = k;
    for (int i = k + 1; i < n; ++i)
      if (std::abs(A[entry(n, i, k)]) > std::abs(A[entry(n, best, k)])) best = i;
    pivots[k] = best;
    if (best != k)
      for (int j = 0; j < n; ++j) std::swap(A[entry(n, k, j)], A[entry(n, best, j)]);
    double& pivot = A[entry(n, k, k)];
    // one that is not finite stays, so that the solution says so
    if (std::abs(pivot) <= least * column) pivot = 0.0;
    for (int i = k + 1; i < n; ++i) {
      double& factor = A[entry(n, i, k)];
      factor = pivot == 0.0 ? 0.0 : factor / pivot;
      if (factor == 0.0) continue;
      for (int j = k + 1; j < n; ++j) A[entry(n, i, j)] -= factor * A[entry(n, k, j)];
    }
  }
}

void solve_small(const double* LU, const int* pivots, int n, double* b) {
  for (int k = 0; k < n; ++k)
    if (pivots[k] != k) std::swap(b[k], b[pivots[k]]);
  for (int k = 0; k < n; ++k)
    for (int i = k + 1; i < n; ++i) b[i] -= LU[entry(n, i, k)] * b[k];
  for (int k = n - 1; k >= 0; --k) {
    for (int j = k + 1; j < n; ++j) b[k] -= LU[entry(n, k, j)] * b[j];
    const double pivot = LU[entry(n, k, k)];
    b[k] = pivot == 0.0 ? 0.0 : b[k] / pivot;
  }
}

void solve_small_transposed(const double* LU, const int* pivots, int n, double* b) {
  for (int k = 0; k < n; ++k) {
    for (int j = 0; j < k; ++j) b[k] -= LU[entry(n, j, k)] * b[j];
    const double pivot = LU[entry(n, k, k)];
    b[k] = pivot == 0.0 ? 0.0 : b[k] / pivot;
  }
  for (int k = n - 1; k >= 0; --k)
    for (int i = k + 1; i < n; ++i) b[k] -= LU[entry(n, i, k)] * b[i];
  for (int k = n - 1; k >= 0; --k)
    if (pivots[k] != k) std::swap(b[k], b[pivots[k]]);
}

}  // namespace semirec
