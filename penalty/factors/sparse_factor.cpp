#include <stdexcept>

#include <suitesparse/cholmod.h>

#include "penalty/factors/tangent_solver.hpp"
#include "topology/indices.hpp"

namespace semirec {

namespace {

void start_simplicial(cholmod_common& common) {
  cholmod_start(&common);
  common.supernodal = CHOLMOD_SIMPLICIAL;  // the supernodal module is GPL
  common.final_ll = 0;
  common.final_asis = 0;
  common.final_super = 0;
  common.final_pack = 0;
  common.final_monotonic = 1;
  common.print = 0;
  common.error_handler = nullptr;
}

/// A matrix header over arrays that somebody else owns, upper triangle by columns.
cholmod_sparse view_of(int n, int* column_begin, int* row_index, double* values, int count) {
  cholmod_sparse A{};
  A.nrow = at(n);
  A.ncol = at(n);
  A.nzmax = at(count);
  A.p = column_begin;
  A.i = row_index;
  A.x = values;
  A.stype = 1;
  A.itype = CHOLMOD_INT;
  A.xtype = values == nullptr ? CHOLMOD_PATTERN : CHOLMOD_REAL;
  A.dtype = CHOLMOD_DOUBLE;
  A.sorted = 1;
  A.packed = 1;
  return A;
}

}  // namespace

struct SparseFactor::Factor {
  cholmod_common common{};
  cholmod_sparse A{};
  cholmod_factor* L = nullptr;
  std::vector<int> column_begin, row_index, order;
  std::vector<double> values;
  mutable std::vector<double> x;

  explicit Factor(const SymmetricPattern& pattern)
      : column_begin(pattern.column_begin()),
        row_index(pattern.row_index()),
        order(pattern.order()),
        values(at(pattern.value_count()), 0.0),
        x(at(pattern.size()), 0.0) {
    start_simplicial(common);
    A = view_of(pattern.size(), column_begin.data(), row_index.data(), values.data(),
                pattern.value_count());
    // the pattern is already in its final order
    common.nmethods = 1;
    common.method[0].ordering = CHOLMOD_NATURAL;
    common.postorder = 0;
    L = cholmod_analyze(&A, &common);
    if (L == nullptr) throw std::runtime_error("the symbolic analysis of the tangent failed");
    // a first factorization of the identity takes the memory of the numeric factor
    for (int c = 0; c < pattern.size(); ++c)
      for (int k = column_begin[at(c)]; k < column_begin[at(c) + 1]; ++k)
        values[at(k)] = row_index[at(k)] == c ? 1.0 : 0.0;
    cholmod_factorize(&A, L, &common);
  }
  ~Factor() {
    cholmod_free_factor(&L, &common);
    cholmod_finish(&common);
  }
  Factor(const Factor&) = delete;
  Factor& operator=(const Factor&) = delete;
};

SparseFactor::SparseFactor(const SymmetricPattern& pattern)
    : factor_(std::make_unique<Factor>(pattern)) {}
SparseFactor::~SparseFactor() = default;
SparseFactor::SparseFactor(SparseFactor&&) noexcept = default;
SparseFactor& SparseFactor::operator=(SparseFactor&&) noexcept = default;

bool SparseFactor::factor(const double* values) {
  Factor& c = *factor_;
  std::copy_n(values, c.values.size(), c.values.data());
  cholmod_factorize(&c.A, c.L, &c.common);
  if (c.common.status != CHOLMOD_OK || c.L->minor < c.L->n) return false;
  // LDL^T exists for indefinite matrices too: the pivots tell
  const auto* p = static_cast<const int*>(c.L->p);
  const auto* L = static_cast<const double*>(c.L->x);
  for (std::size_t k = 0; k < c.L->n; ++k)
    if (!(L[p[k]] > 0.0) || !(L[p[k]] < 1e300)) return false;
  return true;
}

void SparseFactor::solve(double* x) const {
  const Factor& c = *factor_;
  const auto n = static_cast<int>(c.L->n);
  const auto* begin = static_cast<const int*>(c.L->p);
  const auto* count = static_cast<const int*>(c.L->nz);
  const auto* index = static_cast<const int*>(c.L->i);
  const auto* L = static_cast<const double*>(c.L->x);
  double* y = c.x.data();
  for (int k = 0; k < n; ++k) y[k] = x[c.order[at(k)]];
  // L D L^T; the first entry of a column is the pivot D
  for (int k = 0; k < n; ++k)
    for (int e = begin[k] + 1; e < begin[k] + count[k]; ++e) y[index[e]] -= L[e] * y[k];
  for (int k = n - 1; k >= 0; --k) {
    double sum = y[k] / L[begin[k]];
    for (int e = begin[k] + 1; e < begin[k] + count[k]; ++e) sum -= L[e] * y[index[e]];
    y[k] = sum;
  }
  for (int k = 0; k < n; ++k) x[c.order[at(k)]] = y[k];
}

}  // namespace semirec
