#include "penalty/factors/klu_factor.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <utility>

#include <suitesparse/klu.h>

#include "penalty/factors/panel_factor.hpp"

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
  klu_symbolic* symbolic = nullptr;
  klu_numeric* numeric = nullptr;
  std::optional<PanelFactor> panels;  ///< where the order of the pattern may serve
  bool in_panels = false;             ///< it does
  bool pivots_serve = false;
  double growth = 0.0;          ///< of the pivots when they were chosen
  std::vector<double> chosen;   ///< the diagonal of U then, in the order of the pattern
  std::vector<double> largest;  ///< scratch, of columns

  Klu(std::vector<int> begin, std::vector<int> rows)
      : column_begin(std::move(begin)), row_index(std::move(rows)), values(row_index.size()) {
    klu_defaults(&common);
    symbolic = klu_analyze(size(), column_begin.data(), row_index.data(), &common);
    if (symbolic == nullptr) throw std::runtime_error("the analysis of a sparse pattern failed");
    analyse_as_given();
  }
  ~Klu() {
    klu_free_numeric(&numeric, &common);
    klu_free_symbolic(&symbolic, &common);
  }
  Klu(const Klu&) = delete;
  Klu& operator=(const Klu&) = delete;

  int size() const { return static_cast<int>(column_begin.size()) - 1; }

  /// KLU's estimate of what its order fills in takes no account of pivots beside the diagonal,
  /// where that is zero: whoever puts the matrix together may know an order that needs none.
  void analyse_as_given() {
    constexpr double kWorthTrying = 2.0;
    const auto most = static_cast<long>(kWorthTrying * symbolic->lnz);
    if (most <= 0 || count_fill(column_begin, row_index, most) > most) return;
    panels.emplace(column_begin, row_index);
    chosen.resize(column_begin.size() - 1);
    largest.resize(chosen.size());
  }

  /// The growth of the factors at hand; NaN where they are not finite.
  double find_growth() {
    if (in_panels) return find_growth_in_panels();
    klu_rgrowth(column_begin.data(), row_index.data(), values.data(), symbolic, numeric, &common);
    return common.rgrowth;
  }

  /// As klu_rgrowth(): of the worst column, max |a_ij| / max |u_ij|.
  double find_growth_in_panels() {
    panels->find_largest(largest);
    double least = 1.0;
    for (std::size_t c = 0; c < largest.size(); ++c) {
      double most = 0.0;
      for (int k = column_begin[c]; k < column_begin[c + 1]; ++k)
        most = std::max(most, std::abs(values[static_cast<std::size_t>(k)]));
      least = std::min(least, most / largest[c]);
    }
    return least;
  }

  bool refactor() {
    const bool factored = in_panels
                              ? panels->factor(values.data())
                              : klu_refactor(column_begin.data(), row_index.data(), values.data(),
                                             symbolic, numeric, &common) != 0 &&
                                    common.status == KLU_OK;
    return factored && (diagonal_stands() || find_growth() >= kLeastGrowth * growth);
  }

  /// Whether every pivot of the diagonal is at least a tenth of what it was when it was chosen:
  /// nothing can then have grown much, and the growth need not be found.
  bool diagonal_stands() const {
    constexpr double kPart = 0.1;
    if (!in_panels) return false;
    for (int k = 0; k < size(); ++k)
      if (!(std::abs(panels->pivot(k)) >= kPart * std::abs(chosen[static_cast<std::size_t>(k)])))
        return false;
    return true;
  }

  /// With the order that fills in less. In the order of the pattern rows are taken as they are, and
  /// pivots from the diagonal unless they give too many digits away: pivots of A are masses, those
  /// of the multipliers one over masses.
  bool renew() {
    constexpr int kByLargest = 2;
    common.scale = kByLargest;
    klu_free_numeric(&numeric, &common);
    numeric = klu_factor(column_begin.data(), row_index.data(), values.data(), symbolic, &common);
    if (numeric != nullptr && common.status != KLU_OK) klu_free_numeric(&numeric, &common);
    in_panels = panels && (numeric == nullptr || panels->entries() < numeric->lnz + numeric->unz) &&
                panels->factor(values.data());
    if (in_panels) {
      growth = find_growth();
      for (int k = 0; k < size(); ++k) chosen[static_cast<std::size_t>(k)] = panels->pivot(k);
      if (growth >= kLeastOfDiagonal) return true;
      in_panels = false;
    }
    if (numeric == nullptr) return false;
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
  // comparisons pass what is not a number
  double nothing = 0.0;
  for (const double value : klu.values) nothing += 0.0 * value;
  if (!(nothing == 0.0)) return Pivoting::failed;
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
  if (klu.in_panels) return klu.panels->smallest_pivot();
  klu_rcond(klu.symbolic, klu.numeric, &klu.common);
  return klu.common.rcond;
}

void KluFactor::solve(double* x) const {
  Klu& klu = *klu_;
  if (klu.in_panels) return klu.panels->solve(x);
  klu_solve(klu.symbolic, klu.numeric, klu.size(), 1, x, &klu.common);
}

}  // namespace semirec
