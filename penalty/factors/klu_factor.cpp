#include "penalty/factors/klu_factor.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include <suitesparse/klu.h>

namespace semirec {

namespace {

/// Pivots serve while max |a_ij| / max |u_ij| of the worst column is at least this part of what it
/// was when they were chosen: three of sixteen digits at most are given away.
constexpr double kLeastGrowth = 1e-3;

/// What the diagonal's pivots may give away: seven digits of sixteen in the worst column.
constexpr double kLeastOfDiagonal = 1e-7;

/// Entries of L, the diagonal included, when the pattern of A + A^T is eliminated as it stands;
/// beyond `most` it counts no further.
long count_fill(const std::vector<int>& column_begin, const std::vector<int>& row_index,
                long most) {
  const std::size_t n = column_begin.size() - 1;
  std::vector<std::vector<int>> before(n);  // [k] what couples with k and comes earlier
  for (std::size_t c = 0; c < n; ++c)
    for (int k = column_begin[c]; k < column_begin[c + 1]; ++k) {
      const auto r = static_cast<std::size_t>(row_index[static_cast<std::size_t>(k)]);
      if (r != c) before[std::max(r, c)].push_back(static_cast<int>(std::min(r, c)));
    }
  // row k of L: the paths in the elimination tree from what couples with k up to k
  std::vector<int> parent(n, -1), seen(n, -1);
  long count = static_cast<long>(n);
  for (std::size_t k = 0; k < n && count <= most; ++k) {
    seen[k] = static_cast<int>(k);
    for (int i : before[k]) {
      for (auto at = static_cast<std::size_t>(i); seen[at] != static_cast<int>(k);
           at = static_cast<std::size_t>(parent[at])) {
        seen[at] = static_cast<int>(k);
        ++count;
        if (parent[at] < 0) parent[at] = static_cast<int>(k);
      }
    }
  }
  return count;
}

}  // namespace

struct KluFactor::Klu {
  std::vector<int> column_begin, row_index;
  std::vector<double> values;
  klu_common common{};
  klu_symbolic* by_klu = nullptr;    ///< eliminates in KLU's order
  klu_symbolic* as_given = nullptr;  ///< eliminates in the order of the pattern; may be null
  klu_symbolic* symbolic = nullptr;  ///< the one of `numeric`
  klu_numeric* numeric = nullptr;
  bool pivots_serve = false;
  double growth = 0.0;         ///< of the pivots when they were chosen
  std::vector<double> chosen;  ///< the diagonal of U then, in the order of the pattern

  Klu(std::vector<int> begin, std::vector<int> rows)
      : column_begin(std::move(begin)), row_index(std::move(rows)), values(row_index.size()) {
    klu_defaults(&common);
    by_klu = klu_analyze(size(), column_begin.data(), row_index.data(), &common);
    if (by_klu == nullptr) throw std::runtime_error("the analysis of a sparse pattern failed");
    symbolic = by_klu;
    analyse_as_given();
  }
  ~Klu() {
    klu_free_numeric(&numeric, &common);
    klu_free_symbolic(&by_klu, &common);
    klu_free_symbolic(&as_given, &common);
  }
  Klu(const Klu&) = delete;
  Klu& operator=(const Klu&) = delete;

  int size() const { return static_cast<int>(column_begin.size()) - 1; }

  /// KLU's estimate of what its order fills in takes no account of pivots beside the diagonal,
  /// where that is zero: whoever puts the matrix together may know an order that needs none.
  void analyse_as_given() {
    constexpr double kWorthTrying = 2.0;
    const auto most = static_cast<long>(kWorthTrying * by_klu->lnz);
    if (most <= 0 || count_fill(column_begin, row_index, most) > most) return;
    std::vector<int> order(values.empty() ? 0 : column_begin.size() - 1);
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = static_cast<int>(k);
    const int btf = common.btf;
    common.btf = 0;
    as_given = klu_analyze_given(size(), column_begin.data(), row_index.data(), order.data(),
                                 order.data(), &common);
    common.btf = btf;
  }

  /// The growth of the factors at hand; NaN where they are not finite.
  double find_growth() {
    klu_rgrowth(column_begin.data(), row_index.data(), values.data(), symbolic, numeric, &common);
    return common.rgrowth;
  }

  bool refactor() {
    return klu_refactor(column_begin.data(), row_index.data(), values.data(), symbolic, numeric,
                        &common) != 0 &&
           common.status == KLU_OK && (diagonal_stands() || find_growth() >= kLeastGrowth * growth);
  }

  const double* diagonal() const { return static_cast<const double*>(numeric->Udiag); }
  /// Whether every pivot of the diagonal is at least a tenth of what it was when it was chosen:
  /// nothing can then have grown much, and the growth need not be found.
  bool diagonal_stands() const {
    constexpr double kPart = 0.1;
    if (symbolic != as_given) return false;
    for (std::size_t k = 0; k < chosen.size(); ++k)
      if (!(std::abs(diagonal()[k]) >= kPart * std::abs(chosen[k]))) return false;
    return true;
  }

  /// In the order of the pattern rows are taken as they are, and pivots from the diagonal unless
  /// they all but vanish: pivots of A are masses, those of the multipliers one over masses.
  void set_scaling(const klu_symbolic* order) {
    constexpr int kByLargest = 2;
    constexpr int kNone = -1;
    constexpr double kUsualTolerance = 1e-3;
    constexpr double kLeastDiagonal = 1e-7;
    common.scale = order == as_given ? kNone : kByLargest;
    common.tol = order == as_given ? kLeastDiagonal : kUsualTolerance;
  }

  klu_numeric* factor_by(klu_symbolic* order) {
    set_scaling(order);
    klu_numeric* made =
        klu_factor(column_begin.data(), row_index.data(), values.data(), order, &common);
    if (made != nullptr && common.status != KLU_OK) klu_free_numeric(&made, &common);
    return made;
  }

  /// With the order that fills in less.
  bool renew() {
    klu_free_numeric(&numeric, &common);
    numeric = factor_by(by_klu);
    symbolic = by_klu;
    if (as_given != nullptr) {
      klu_numeric* other = factor_by(as_given);
      const auto entries = [](const klu_numeric* made) { return made->lnz + made->unz; };
      if (other != nullptr && (numeric == nullptr || entries(other) < entries(numeric))) {
        std::swap(numeric, other);
        symbolic = as_given;
        klu_sort(symbolic, numeric, &common);
        // where the diagonal gives too many digits away
        if (other != nullptr && !(find_growth() >= kLeastOfDiagonal)) {
          std::swap(numeric, other);
          symbolic = by_klu;
        }
      }
      if (other != nullptr) klu_free_numeric(&other, &common);
    }
    if (numeric == nullptr) return false;
    set_scaling(symbolic);
    growth = find_growth();
    if (symbolic == as_given) chosen.assign(diagonal(), diagonal() + size());
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
