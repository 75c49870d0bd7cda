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
    const int columns = panel.end - panel.begin;
    panel.length = whole_packs(static_cast<int>(panel.rows.size()));
    panel.width = whole_packs(columns);
    panel.own = used;
    panel.lower = panel.own + columns * panel.width;
    panel.upper = panel.lower + columns * panel.length;
    used = panel.upper + columns * panel.length;
    widest = std::max({widest, at(panel.length), at(panel.width)});
    for (int k = panel.begin; k < panel.end; ++k)
      panel_of_[at(k)] = static_cast<int>(panels_.size());
    panels_.push_back(std::move(panel));
  }
  values_.resize(at(used));
  product_.resize(widest);
  right_.resize(widest);
  for (int c = 0; c < n; ++c)
    for (int k = column_begin[at(c)]; k < column_begin[at(c) + 1]; ++k)
      sources_[at(k)] = index_of(row_index[at(k)], c);
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
  if (column >= panel.end) return panel.upper + (row - panel.begin) * panel.length + place(column);
  return panel.own + (row - panel.begin) * panel.width + column - panel.begin;
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
      const int row = k - panel.begin;
      for (int c = k; c < panel.end; ++c)
        note(c, values_[at(panel.own + row * panel.width + c - panel.begin)]);
      for (std::size_t j = 0; j < panel.rows.size(); ++j)
        note(panel.rows[j], values_[at(panel.upper + row * panel.length) + j]);
    }
}

/// L and U of the panel's own square; L has ones on its diagonal.
bool PanelFactor::factor_own(const Panel& panel) {
  const int columns = panel.end - panel.begin;
  double* own = values_.data() + panel.own;
  for (int k = 0; k < columns; ++k) {
    const double* top = own + k * panel.width;
    const double pivot = top[k];
    if (!std::isfinite(pivot) || pivot == 0.0) return false;
    pivots_[at(panel.begin + k)] = pivot;
    const double inverse = inverse_[at(panel.begin + k)] = 1.0 / pivot;
    // what is right of the pivot, in whole packs: zeros leave the L left of it as it is
    const int first = k / kLanes * kLanes;
    double* right = product_.data();
    std::copy(top + first, top + panel.width, right);
    std::fill_n(right, k + 1 - first, 0.0);
    for (int r = k + 1; r < columns; ++r) {
      double* row = own + r * panel.width;
      if (row[k] == 0.0) continue;
      row[k] *= inverse;
      add_scaled(row + first, -row[k], right, panel.width - first);
    }
  }
  return true;
}

/// L = A U^-1 below the square, U = L^-1 A right of it.
void PanelFactor::factor_rest(const Panel& panel) {
  const int columns = panel.end - panel.begin;
  const double* own = values_.data() + panel.own;
  double* lower = values_.data() + panel.lower;
  double* upper = values_.data() + panel.upper;
  for (int k = 0; k < columns; ++k) {
    double* column = lower + k * panel.length;
    const Pack inverse = broadcast(inverse_[at(panel.begin + k)]);
    for (int r = 0; r < panel.length; r += kLanes)
      store_loose(column + r, inverse * load_loose(column + r));
    for (int c = k + 1; c < columns; ++c) {
      const double above = own[k * panel.width + c];
      if (above != 0.0) add_scaled(lower + c * panel.length, -above, column, panel.length);
      const double left = own[c * panel.width + k];
      if (left != 0.0)
        add_scaled(upper + c * panel.length, -left, upper + k * panel.length, panel.length);
    }
  }
}

/// Takes L U of the panel from what it couples.
void PanelFactor::update(const Panel& panel) {
  const int columns = panel.end - panel.begin;
  const std::size_t count = panel.rows.size();
  const double* lower = values_.data() + panel.lower;
  const double* upper = values_.data() + panel.upper;
  const int* target = panel.targets.data();
  double* product = product_.data();
  for (std::size_t i = 0; i < count; ++i, target += count) {
    const double* left = lower + i;
    int j = 0;
    for (; j + kLanes < panel.length; j += 2 * kLanes) {
      Pack one{};
      Pack two{};
      for (int k = 0; k < columns; ++k) {
        const Pack factor = broadcast(left[k * panel.length]);
        one += factor * load_loose(upper + k * panel.length + j);
        two += factor * load_loose(upper + k * panel.length + j + kLanes);
      }
      store_loose(product + j, one);
      store_loose(product + j + kLanes, two);
    }
    for (; j < panel.length; j += kLanes) {
      Pack sum{};
      for (int k = 0; k < columns; ++k)
        sum += broadcast(left[k * panel.length]) * load_loose(upper + k * panel.length + j);
      store_loose(product + j, sum);
    }
    for (std::size_t c = 0; c < count; ++c) values_[at(target[c])] -= product[c];
  }
}

bool PanelFactor::factor(const double* values) {
  std::fill(values_.begin(), values_.end(), 0.0);
  for (std::size_t k = 0; k < sources_.size(); ++k) values_[at(sources_[k])] = values[k];
  for (const Panel& panel : panels_) {
    if (!factor_own(panel)) return false;
    factor_rest(panel);
    update(panel);
  }
  return true;
}

void PanelFactor::solve(double* x) const {
  double* gathered = right_.data();
  for (const Panel& panel : panels_) {
    const int columns = panel.end - panel.begin;
    const double* own = values_.data() + panel.own;
    double* y = x + panel.begin;
    std::fill_n(gathered, panel.length, 0.0);
    for (int k = 0; k < columns; ++k) {
      for (int j = 0; j < k; ++j) y[k] -= own[k * panel.width + j] * y[j];
      if (y[k] != 0.0)
        add_scaled(gathered, y[k], values_.data() + panel.lower + k * panel.length, panel.length);
    }
    for (std::size_t r = 0; r < panel.rows.size(); ++r) x[panel.rows[r]] -= gathered[r];
  }
  for (std::size_t p = panels_.size(); p-- > 0;) {
    const Panel& panel = panels_[p];
    const double* own = values_.data() + panel.own;
    double* y = x + panel.begin;
    std::fill_n(gathered, panel.length, 0.0);
    for (std::size_t r = 0; r < panel.rows.size(); ++r) gathered[r] = x[panel.rows[r]];
    for (int k = panel.end - panel.begin - 1; k >= 0; --k) {
      double sum =
          y[k] - dot(gathered, values_.data() + panel.upper + k * panel.length, panel.length);
      for (int j = k + 1; j < panel.end - panel.begin; ++j) sum -= own[k * panel.width + j] * y[j];
      y[k] = sum * inverse_[at(panel.begin + k)];
    }
  }
}

}  // namespace semirec
