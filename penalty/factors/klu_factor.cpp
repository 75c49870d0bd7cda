#include "penalty/factors/klu_factor.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <suitesparse/klu.h>

namespace semirec {

namespace {

/// Pivots serve while max |a_ij| / max |u_ij| of the worst column is at least this part of what it
/// was when they were chosen: three of sixteen digits at most are given away.
constexpr double kLeastGrowth = 1e-3;

}  // namespace

struct KluFactor::Klu {
  std::vector<int> column_begin, row_index;
  std::vector<double> values;
  klu_common common{};
  klu_symbolic* symbolic = nullptr;
  klu_numeric* numeric = nullptr;
  bool pivots_serve = false;
  double growth = 0.0;  ///< of the pivots when they were chosen

  Klu(std::vector<int> begin, std::vector<int> rows)
      : column_begin(std::move(begin)), row_index(std::move(rows)), values(row_index.size()) {
    klu_defaults(&common);
    symbolic = klu_analyze(size(), column_begin.data(), row_index.data(), &common);
    if (symbolic == nullptr) throw std::runtime_error("the analysis of a sparse pattern failed");
  }
  ~Klu() {
    klu_free_numeric(&numeric, &common);
    klu_free_symbolic(&symbolic, &common);
  }
  Klu(const Klu&) = delete;
  Klu& operator=(const Klu&) = delete;

  int size() const { return static_cast<int>(column_begin.size()) - 1; }

  /// The growth of the factors at hand; NaN where they are not finite.
  double find_growth() {
    klu_rgrowth(column_begin.data(), row_index.data(), values.data(), symbolic, numeric, &common);
    return common.rgrowth;
  }

  bool refactor() {
    return klu_refactor(column_begin.data(), row_index.data(), values.data(), symbolic, numeric,
                        &common) != 0 &&
           common.status == KLU_OK && find_growth() >= kLeastGrowth * growth;
  }

  bool renew() {
    klu_free_numeric(&numeric, &common);
    numeric = klu_factor(column_begin.data(), row_index.data(), values.data(), symbolic, &common);
    if (numeric == nullptr || common.status != KLU_OK) return false;
    growth = find_growth();
    return growth > 0.0;  // NaN is not
  }
};

KluFactor::KluFactor(std::vector<int> column_begin, std::vector<int> row_index)
    : klu_(std::make_unique<Klu>(std::move(column_begin), std::move(row_index))) {}
KluFactor::~KluFactor() = default;
KluFactor::KluFactor(KluFactor&&) noexcept = default;
KluFactor& KluFactor::operator=(KluFactor&&) noexcept = default;

Pivoting KluFactor::factor(const double* values) {
  Klu& klu = *klu_;
  std::copy_n(values, klu.values.size(), klu.values.data());
  // KLU's comparisons pass what is not a number
  if (!std::all_of(klu.values.begin(), klu.values.end(), [](double v) { return std::isfinite(v); }))
    return Pivoting::failed;
  if (klu.pivots_serve && klu.refactor()) return Pivoting::kept;
  klu.pivots_serve = klu.renew();
  return klu.pivots_serve ? Pivoting::renewed : Pivoting::failed;
}

bool KluFactor::choose_pivots(const double* values) {
  forget_pivots();
  return factor(values) == Pivoting::renewed;
}

void KluFactor::forget_pivots() { klu_->pivots_serve = false; }

double KluFactor::smallest_pivot() const {
  Klu& klu = *klu_;
  klu_rcond(klu.symbolic, klu.numeric, &klu.common);
  return klu.common.rcond;
}

void KluFactor::solve(double* x) const {
  Klu& klu = *klu_;
  klu_solve(klu.symbolic, klu.numeric, klu.size(), 1, x, &klu.common);
}

}  // namespace semirec
