#include "penalty/factors/lu_factor.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include <Eigen/Core>

#include "penalty/factors/panel_factor.hpp"
#include "penalty/factors/pivoted_lu.hpp"
#include "topology/indices.hpp"

namespace semirec {

namespace {

/// Pivots serve while max |a_ij| / max |u_ij| of the worst column is at least this part of what it
/// was when they were chosen: three of sixteen digits at most are given away.
constexpr double kLeastGrowth = 1e-3;

/// What the diagonal's pivots may give away: seven digits of sixteen in the worst column.
constexpr double kLeastOfDiagonal = 1e-7;

/// Entries of L, the diagonal included, when the pattern of A + A^T is eliminated so that index i
/// is the place[i]-th; beyond `most` it counts no further.
long count_fill(const std::vector<int>& column_begin, const std::vector<int>& row_index,
                const std::vector<int>& place, long most) {
  const std::size_t n = column_begin.size() - 1;
  std::vector<std::vector<int>> before(n);  // [k] what couples with k and comes earlier
  for (std::size_t c = 0; c < n; ++c)
    for (int k = column_begin[c]; k < column_begin[c + 1]; ++k) {
      const int r = place[at(row_index[at(k)])];
      const int to = place[c];
      if (r != to) before[at(std::max(r, to))].push_back(std::min(r, to));
    }
  // row k of L: the paths in the elimination tree from what couples with k up to k
  std::vector<int> parent(n, -1), seen(n, -1);
  long count = static_cast<long>(n);
  for (std::size_t k = 0; k < n && count <= most; ++k) {
    seen[k] = static_cast<int>(k);
    for (int i : before[k]) {
      for (int j = i; seen[at(j)] != static_cast<int>(k); j = parent[at(j)]) {
        seen[at(j)] = static_cast<int>(k);
        ++count;
        if (parent[at(j)] < 0) parent[at(j)] = static_cast<int>(k);
      }
    }
  }
  return count;
}

}  // namespace

struct LuFactor::Factors {
  std::vector<int> column_begin, row_index;
  std::vector<double> values;
  PivotedLu pivoted;
  std::optional<PanelFactor> panels;  ///< where the order of the pattern may serve
  bool in_panels = false;             ///< it does
  bool pivots_serve = false;
  double growth = 0.0;          ///< of the pivots when they were chosen
  std::vector<double> chosen;   ///< the diagonal of U then, in the order of the pattern
  std::vector<double> largest;  ///< scratch, of columns

  Factors(std::vector<int> begin, std::vector<int> rows)
      : column_begin(std::move(begin)),
        row_index(std::move(rows)),
        values(row_index.size()),
        pivoted(column_begin, row_index) {
    analyse_as_given();
  }

  int size() const { return static_cast<int>(column_begin.size()) - 1; }

  /// What an order of little fill is known to fill in takes no account of pivots beside the
  /// diagonal, where that is zero: whoever puts the matrix together may know an order that needs
  /// none.
  void analyse_as_given() {
    constexpr long kWorthTrying = 2;
    std::vector<int> as_given(at(size())), place(at(size()));
    for (int k = 0; k < size(); ++k) {
      as_given[at(k)] = k;
      place[at(pivoted.order()[at(k)])] = k;
    }
    const long most =
        kWorthTrying * count_fill(column_begin, row_index, place, std::numeric_limits<long>::max());
    if (count_fill(column_begin, row_index, as_given, most) > most) return;
    panels.emplace(column_begin, row_index);
    chosen.resize(at(size()));
    largest.resize(chosen.size());
  }

  /// The growth of the factors at hand; NaN where they are not finite.
  double find_growth() { return in_panels ? find_growth_in_panels() : pivoted.growth(); }

  /// Of the worst column, max |a_ij| / max |u_ij|.
  double find_growth_in_panels() {
    panels->find_largest(largest);
    double least = 1.0;
    for (std::size_t c = 0; c < largest.size(); ++c) {
      double most = 0.0;
      for (int k = column_begin[c]; k < column_begin[c + 1]; ++k)
        most = std::max(most, std::abs(values[at(k)]));
      const double own = most / largest[c];
      if (!(own >= least)) least = own;  // one that is no number stays
    }
    return least;
  }

  bool refactor(bool symmetric) {
    const bool factored =
        in_panels ? panels->factor(values.data(), symmetric) : pivoted.refactor(values.data());
    return factored && (diagonal_stands() || find_growth() >= kLeastGrowth * growth);
  }

  /// Whether every pivot of the diagonal is at least a tenth of what it was when it was chosen:
  /// nothing can then have grown much, and the growth need not be found.
  bool diagonal_stands() const {
    constexpr double kPart = 0.1;
    if (!in_panels) return false;
    for (int k = 0; k < size(); ++k)
      if (!(std::abs(panels->pivot(k)) >= kPart * std::abs(chosen[at(k)]))) return false;
    return true;
  }

  /// With the order that fills in less. In the order of the pattern rows are taken as they are, and
  /// pivots from the diagonal unless they give too many digits away: pivots of A are masses, those
  /// of the multipliers one over masses.
  bool renew() {
    const bool found = pivoted.factor(values.data());
    in_panels = panels && (!found || panels->entries() < pivoted.entries()) &&
                panels->factor(values.data());
    if (in_panels) {
      growth = find_growth();
      for (int k = 0; k < size(); ++k) chosen[at(k)] = panels->pivot(k);
      if (growth >= kLeastOfDiagonal) return true;
      in_panels = false;
    }
    if (!found) return false;
    growth = find_growth();
    return growth > 0.0;  // NaN is not
  }
};

LuFactor::LuFactor(std::vector<int> column_begin, std::vector<int> row_index)
    : factors_(std::make_unique<Factors>(std::move(column_begin), std::move(row_index))) {}
LuFactor::~LuFactor() = default;
LuFactor::LuFactor(LuFactor&&) noexcept = default;
LuFactor& LuFactor::operator=(LuFactor&&) noexcept = default;

Pivoting LuFactor::factor(const double* values, bool symmetric) {
  Factors& f = *factors_;
  const Eigen::Map<const Eigen::VectorXd> all(values, static_cast<Eigen::Index>(f.values.size()));
  Eigen::Map<Eigen::VectorXd>(f.values.data(), all.size()) = all;
  // comparisons pass what is not a number
  if (!((0.0 * all).sum() == 0.0)) return Pivoting::failed;
  if (f.pivots_serve && f.refactor(symmetric)) return Pivoting::kept;
  f.pivots_serve = f.renew();
  return f.pivots_serve ? Pivoting::renewed : Pivoting::failed;
}

bool LuFactor::choose_pivots(const double* values) {
  forget_pivots();
  return factor(values) == Pivoting::renewed;
}

void LuFactor::forget_pivots() { factors_->pivots_serve = false; }

double LuFactor::smallest_pivot() const {
  const Factors& f = *factors_;
  return f.in_panels ? f.panels->smallest_pivot() : f.pivoted.smallest_pivot();
}

void LuFactor::solve(double* x) const {
  const Factors& f = *factors_;
  if (f.in_panels) return f.panels->solve(x);
  f.pivoted.solve(x);
}

}  // namespace semirec
