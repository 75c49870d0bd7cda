#include "penalty/factors/panel_factor.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "penalty/factors/pivot_ratio.hpp"
#include "recursive/packs/pack_rows.hpp"
#include "topology/indices.hpp"

namespace semirec {

namespace {

/// What each column couples with later on, fill included, when the pattern of A + A^T is eliminated
/// as it stands.
std::vector<std::set<int>> find_fill(const std::vector<int>& column_begin,
                                     const std::vector<int>& row_index) {
  const std::size_t n = column_begin.size() - 1;
  std::vector<std::set<int>> later(n);
  for (std::size_t c = 0; c < n; ++c)
    for (int k = column_begin[c]; k < column_begin[c + 1]; ++k) {
      const int r = row_index[at(k)];
      const int column = static_cast<int>(c);
      if (r != column) later[at(std::min(r, column))].insert(std::max(r, column));
    }
  for (std::size_t c = 0; c < n; ++c) {
    if (later[c].empty()) continue;
    const int next = *later[c].begin();
    later[at(next)].insert(std::next(later[c].begin()), later[c].end());
  }
  return later;
}

/// Whether column c may join the panel that begins with `begin` and couples with `rows` later than
/// its last column: zeros that the panel then holds stay below a quarter of it.
bool may_join(int begin, int c, const std::set<int>& rows, const std::set<int>& own,
              std::size_t entries) {
  if (rows.empty() || *rows.begin() != c) return false;
  std::set<int> both = own;
  both.insert(std::next(rows.begin()), rows.end());
  const std::size_t width = at(c + 1 - begin);
  const std::size_t held = width * (width + 1) / 2 + width * both.size();
  return 4 * (held - entries - 1 - own.size()) < held;
}

}  // namespace

PanelFactor::PanelFactor(const std::vector<int>& column_begin, const std::vector<int>& row_index)
    : panel_of_(column_begin.size() - 1),
      sources_(row_index.size()),
      pivots_(panel_of_.size()),
      inverse_(pivots_) {
  const int n = size();
  const std::vector<std::set<int>> later = find_fill(column_begin, row_index);
  for (const std::set<int>& rows : later) entries_ += 2 * (1 + static_cast<long>(rows.size()));
  int used = 0;
  std::size_t widest = 0;
  for (int c = 0; c < n;) {
    Panel panel{};
    panel.begin = c;
    std::set<int> rows = later[at(c)];
    std::size_t entries = 1 + rows.size();
    for (++c; c < n && may_join(panel.begin, c, rows, later[at(c)], entries); ++c) {
      entries += 1 + later[at(c)].size();
      rows.erase(c);
      rows.insert(later[at(c)].begin(), later[at(c)].end());
    }
    panel.end = c;
    panel.rows.assign(rows.begin(), rows.end());
    const int columns = panel.columns();
    panel.length = whole_packs(static_cast<int>(panel.rows.size()));
    panel.width = whole_packs(columns);
    panel.own = used;
    used += columns * panel.stride();
    widest = std::max(widest, at(panel.stride()));
    for (int k = panel.begin; k < panel.end; ++k)
      panel_of_[at(k)] = static_cast<int>(panels_.size());
    panels_.push_back(std::move(panel));
  }
  rows_size_ = used;
  for (Panel& panel : panels_) {
    panel.lower = used;
    used += panel.columns() * panel.length;
  }
  values_.resize(at(used));
  product_.resize(2 * widest);
  right_.resize(widest);
  for (int c = 0; c < n; ++c)
    for (int k = column_begin[at(c)]; k < column_begin[at(c) + 1]; ++k) {
      sources_[at(k)] = index_of(row_index[at(k)], c);
      if (row_index[at(k)] <= c) upper_sources_.push_back({k, sources_[at(k)]});
    }
  for (Panel& panel : panels_)
    for (const int i : panel.rows)
      for (const int j : panel.rows) panel.targets.push_back(index_of(i, j));
}

int PanelFactor::index_of(int row, int column) const {
  const Panel& panel = panels_[at(panel_of_[at(std::min(row, column))])];
  const auto place = [&](int k) {
    return static_cast<int>(std::lower_bound(panel.rows.begin(), panel.rows.end(), k) -
                            panel.rows.begin());
  };
  if (row >= panel.end) return panel.lower + (column - panel.begin) * panel.length + place(row);
  const int first = panel.own + (row - panel.begin) * panel.stride();
  if (column >= panel.end) return first + panel.width + place(column);
  return first + column - panel.begin;
}

double PanelFactor::smallest_pivot() const { return smallest_over_largest(pivots_); }

void PanelFactor::find_largest(std::vector<double>& largest) const {
  std::fill(largest.begin(), largest.end(), 0.0);
  const auto note = [&](int column, double entry) {
    double& most = largest[at(column)];
    most = std::max(most, std::abs(entry));
  };
  for (const Panel& panel : panels_)
    for (int k = panel.begin; k < panel.end; ++k) {
      const double* row = values_.data() + panel.own + (k - panel.begin) * panel.stride();
      for (int c = k; c < panel.end; ++c) note(c, row[c - panel.begin]);
      for (std::size_t j = 0; j < panel.rows.size(); ++j)
        note(panel.rows[j], row[at(panel.width) + j]);
    }
}

void PanelFactor::scatter(const double* values, bool symmetric) {
  std::fill_n(values_.begin(), symmetric ? at(rows_size_) : values_.size(), 0.0);
  if (symmetric) {
    for (const Source& source : upper_sources_) values_[at(source.to)] = values[source.from];
    return;
  }
  for (std::size_t k = 0; k < sources_.size(); ++k) values_[at(sources_[k])] = values[k];
}

bool PanelFactor::take_pivot(int column, double pivot) {
  if (!std::isfinite(pivot) || pivot == 0.0) return false;
  pivots_[at(column)] = pivot;
  inverse_[at(column)] = 1.0 / pivot;
  return true;
}

/// L and U of the panel's own square, and U right of it; L has ones on its diagonal.
bool PanelFactor::factor_rows(const Panel& panel) {
  const int stride = panel.stride();
  double* own = values_.data() + panel.own;
  for (int k = 0; k < panel.columns(); ++k) {
    const double* top = own + k * stride;
    if (!take_pivot(panel.begin + k, top[k])) return false;
    const double inverse = inverse_[at(panel.begin + k)];
    // what is right of the pivot, in whole packs: zeros leave the L left of it as it is
    const int first = k / kLanes * kLanes;
    Pack head = load_loose(top + first);
    for (int c = first; c <= k; ++c) head[c - first] = 0.0;
    for (int r = k + 1; r < panel.columns(); ++r) {
      double* row = own + r * stride;
      if (row[k] == 0.0) continue;
      const double left = row[k] * inverse;
      store_loose(row + first, load_loose(row + first) - broadcast(left) * head);
      add_scaled(row + first + kLanes, -left, top + first + kLanes, stride - first - kLanes);
      row[k] = left;  // last: a pack cannot be loaded right after one of its numbers was stored
    }
  }
  return true;
}

/// The same where the matrix is symmetric: U alone, from the diagonal on; what is left of that in
/// its pack does not matter.
bool PanelFactor::factor_symmetric_rows(const Panel& panel) {
  const int stride = panel.stride();
  double* own = values_.data() + panel.own;
  for (int k = 0; k < panel.columns(); ++k) {
    const double* top = own + k * stride;
    if (!take_pivot(panel.begin + k, top[k])) return false;
    const double inverse = inverse_[at(panel.begin + k)];
    for (int r = k + 1; r < panel.columns(); ++r) {
      if (top[r] == 0.0) continue;
      const int first = r / kLanes * kLanes;
      add_scaled(own + r * stride + first, -inverse * top[r], top + first, stride - first);
    }
  }
  return true;
}

/// L = A U^-1 below the square.
void PanelFactor::factor_lower(const Panel& panel) {
  const double* own = values_.data() + panel.own;
  double* lower = values_.data() + panel.lower;
  for (int k = 0; k < panel.columns(); ++k) {
    double* column = lower + k * panel.length;
    const Pack inverse = broadcast(inverse_[at(panel.begin + k)]);
    for (int r = 0; r < panel.length; r += kLanes)
      store_loose(column + r, inverse * load_loose(column + r));
    for (int c = k + 1; c < panel.columns(); ++c) {
      const double above = own[k * panel.stride() + c];
      if (above != 0.0) add_scaled(lower + c * panel.length, -above, column, panel.length);
    }
  }
}

/// L = U^T D^-1, in the square and below.
void PanelFactor::take_lower(const Panel& panel) {
  double* own = values_.data() + panel.own;
  for (int k = 0; k < panel.columns(); ++k) {
    const double* top = own + k * panel.stride();
    const double inverse = inverse_[at(panel.begin + k)];
    for (int r = k + 1; r < panel.columns(); ++r) own[r * panel.stride() + k] = inverse * top[r];
    double* column = values_.data() + panel.lower + k * panel.length;
    for (int r = 0; r < panel.length; r += kLanes)
      store_loose(column + r, broadcast(inverse) * load_loose(top + panel.width + r));
  }
}

/// Rows i and i + 1 of L U right of the panel, from column j on; the second may be one too many.
void PanelFactor::multiply_two_rows(const Panel& panel, std::size_t i, int j) {
  const double* left = values_.data() + panel.lower + i;
  const double* upper = values_.data() + panel.own + panel.width;
  double* first = product_.data();
  double* second = first + panel.length;
  const int columns = panel.columns();
  for (; j + kLanes < panel.length; j += 2 * kLanes) {
    Pack a{}, b{}, c{}, d{};
    for (int k = 0; k < columns; ++k) {
      const Pack one = load_loose(upper + k * panel.stride() + j);
      const Pack two = load_loose(upper + k * panel.stride() + j + kLanes);
      const Pack above = broadcast(left[k * panel.length]);
      const Pack below = broadcast(left[k * panel.length + 1]);
      a += above * one;
      b += above * two;
      c += below * one;
      d += below * two;
    }
    store_loose(first + j, a);
    store_loose(first + j + kLanes, b);
    store_loose(second + j, c);
    store_loose(second + j + kLanes, d);
  }
  if (j >= panel.length) return;
  Pack a{}, c{};
  for (int k = 0; k < columns; ++k) {
    const Pack one = load_loose(upper + k * panel.stride() + j);
    a += broadcast(left[k * panel.length]) * one;
    c += broadcast(left[k * panel.length + 1]) * one;
  }
  store_loose(first + j, a);
  store_loose(second + j, c);
}

/// Takes L U of the panel from what it couples; of a symmetric matrix from the upper half of that.
void PanelFactor::update(const Panel& panel, bool symmetric) {
  const std::size_t count = panel.rows.size();
  for (std::size_t i = 0; i < count; i += 2) {
    multiply_two_rows(panel, i, symmetric ? static_cast<int>(i) / kLanes * kLanes : 0);
    for (std::size_t r = i; r < std::min(i + 2, count); ++r) {
      const int* target = panel.targets.data() + r * count;
      const double* product = product_.data() + (r - i) * at(panel.length);
      for (std::size_t c = symmetric ? r : 0; c < count; ++c) values_[at(target[c])] -= product[c];
    }
  }
}

bool PanelFactor::factor(const double* values, bool symmetric) {
  scatter(values, symmetric);
  for (const Panel& panel : panels_) {
    if (!(symmetric ? factor_symmetric_rows(panel) : factor_rows(panel))) return false;
    if (symmetric)
      take_lower(panel);
    else
      factor_lower(panel);
    update(panel, symmetric);
  }
  return true;
}

/// y (columns) <- L^-1 y with the square's L; `known` takes y and, behind it, the L y below. In
/// fours, so that numbers that were just stored one by one are not loaded as packs.
void PanelFactor::solve_down(const Panel& panel, double* y, double* known) const {
  double* below = known + panel.width;
  const double* lower = values_.data() + panel.lower;
  for (int first = 0; first < panel.columns(); first += kLanes) {
    const int count = std::min(kLanes, panel.columns() - first);
    const double* rows = values_.data() + panel.own + first * panel.stride();
    Pack found{};
    for (int i = 0; i < count; ++i) {
      const double* row = rows + i * panel.stride();
      double sum = y[first + i] - dot(row, known, first);
      for (int j = 0; j < i; ++j) sum -= row[first + j] * found[j];
      found[i] = y[first + i] = sum;
    }
    store_loose(known + first, found);
    const double* columns[kLanes];
    for (int i = 0; i < kLanes; ++i)
      columns[i] = lower + (first + std::min(i, count - 1)) * panel.length;
    for (int r = 0; r < panel.length; r += kLanes)
      store_loose(below + r,
                  load_loose(below + r) + ((broadcast(found[0]) * load_loose(columns[0] + r) +
                                            broadcast(found[1]) * load_loose(columns[1] + r)) +
                                           (broadcast(found[2]) * load_loose(columns[2] + r) +
                                            broadcast(found[3]) * load_loose(columns[3] + r))));
  }
}

/// y (columns) <- U^-1 y; `known` has what was found of later columns, and takes y.
void PanelFactor::solve_up(const Panel& panel, double* y, double* known) const {
  for (int first = (panel.columns() - 1) / kLanes * kLanes; first >= 0; first -= kLanes) {
    const int count = std::min(kLanes, panel.columns() - first);
    const double* rows = values_.data() + panel.own + first * panel.stride();
    const int behind = first + kLanes;
    Pack found{};
    for (int i = count - 1; i >= 0; --i) {
      const double* row = rows + i * panel.stride();
      double sum = y[first + i] - dot(row + behind, known + behind, panel.stride() - behind);
      for (int j = i + 1; j < count; ++j) sum -= row[first + j] * found[j];
      found[i] = y[first + i] = sum * inverse_[at(panel.begin + first + i)];
    }
    store_loose(known + first, found);
  }
}

void PanelFactor::solve(double* x) const {
  double* known = right_.data();
  for (const Panel& panel : panels_) {
    std::fill_n(known, panel.stride(), 0.0);
    solve_down(panel, x + panel.begin, known);
    const double* below = known + panel.width;
    for (std::size_t r = 0; r < panel.rows.size(); ++r) x[panel.rows[r]] -= below[r];
  }
  for (std::size_t p = panels_.size(); p-- > 0;) {
    const Panel& panel = panels_[p];
    std::fill_n(known, panel.stride(), 0.0);
    for (std::size_t r = 0; r < panel.rows.size(); ++r)
      known[at(panel.width) + r] = x[panel.rows[r]];
    solve_up(panel, x + panel.begin, known);
  }
}

}  // namespace semirec
