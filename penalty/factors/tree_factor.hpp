#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "recursive/packs/pack_functions.hpp"
#include "recursive/symmetric_pattern.hpp"
#include "topology/indices.hpp"

namespace semirec {

/// Rows of a matrix stored along its elimination tree that are eliminated together: a chain, each
/// row's index the only child of the next one's, whose rows begin at the same depth.
struct TreePanel {
  static constexpr int kMost = 6;
  int count = 0;
  std::array<int, kMost> row{};  ///< indices, the deepest first
  int begin = 0;                 ///< depth of the rows' first entries
  int top = 0;                   ///< depth of the last, shallowest row
  /// Indices from the parent of the last row up to depth `begin`.
  std::vector<int> ancestors;
};

/// All panels of a pattern of kind tree, from the tips to the base. Build time.
std::vector<TreePanel> make_tree_panels(const SymmetricPattern& pattern);

/// Where in these panels each run ends of those that stand side by side: as many rows in each, and
/// none inboard of another one. Build time.
std::vector<int> find_runs_abreast(const std::vector<TreePanel>& panels);

/// LDL^T of a matrix stored along its elimination tree, eliminated from the tips to the base: no
/// fill, every inner loop runs over contiguous rows. `Number`: double, or a pack of cars side by
/// side, whose matrices are eliminated together.
template <typename Number>
class TreeFactorOf {
 public:
  explicit TreeFactorOf(const SymmetricPattern& pattern)
      : row_(pattern.row()),
        depth_(pattern.depth()),
        panels_(make_tree_panels(pattern)),
        run_ends_(find_runs_abreast(panels_)),
        values_(at(pattern.value_count())),
        inverse_pivot_(at(pattern.size())) {}

  /// False where the matrix is not positive definite.
  [[nodiscard]] bool factor(const Number* values) requires std::is_same_v<Number, double> {
    std::copy_n(values, values_.size(), values_.data());
    least_ = 1.0;
    rest_ = 0.0;
    for (const TreePanel& panel : panels_) {
      eliminate_among_themselves(panel);
      with_count(panel, [&]<int kCount>() {
        this->eliminate_from_ancestors<kCount>(panel, static_cast<Number*>(nullptr));
      });
    }
    return least_ > 0.0 && rest_ == 0.0;
  }
  /// x = A^-1 x, too, with A what stands in values(), which is lost: x goes along as one more
  /// column. False where the matrix of one of the cars at least is not positive definite:
  /// bad_lanes().
  [[nodiscard]] bool factor_and_solve(Number* x) requires(!std::is_same_v<Number, double>) {
    least_ = Number{} + 1.0;
    rest_ = Number{};
    eliminate_run_by_run(x);
    substitute_back(x);
    return bad_lanes() == 0;
  }
  std::vector<Number>& values() { return values_; }

  /// x = A^-1 x.
  void solve(Number* x) const {
    for (const TreePanel& panel : panels_)
      with_count(panel, [&]<int kCount>() { this->forward<kCount>(panel, x); });
    substitute_back(x);
  }

  /// The factors of these cars, one bit each, into another one of the same pattern.
  void copy_cars(unsigned cars, TreeFactorOf& to) const {
    copy_lanes(lanes_where<Number>(cars), values_, to.values_);
    copy_lanes(lanes_where<Number>(cars), inverse_pivot_, to.inverse_pivot_);
  }

  /// Cars, one bit each, whose matrix the last factor_and_solve() has refused.
  unsigned bad_lanes() const requires(!std::is_same_v<Number, double>) {
    return kAll & ~bits_of((least_ > Number{}) & (rest_ == Number{}));
  }

 private:
  static constexpr bool kOfSeveralCars = !std::is_same_v<Number, double>;
  static constexpr unsigned kAll = (1U << (sizeof(Number) / sizeof(double))) - 1U;

  /// From x = D^-1 L^-1 b.
  void substitute_back(Number* x) const {
    for (std::size_t k = panels_.size(); k-- > 0;)
      with_count(panels_[k], [&]<int kCount>() { this->backward<kCount>(panels_[k], x); });
  }

  template <typename Function>
  static void with_count(const TreePanel& panel, const Function& function) {
    switch (panel.count) {
      case 1:
        return function.template operator()<1>();
      case 2:
        return function.template operator()<2>();
      case 3:
        return function.template operator()<3>();
      case 4:
        return function.template operator()<4>();
      case 5:
        return function.template operator()<5>();
      default:
        return function.template operator()<6>();
    }
  }

  Number* row(int i) { return values_.data() + row_[at(i)]; }
  const Number* row(int i) const { return values_.data() + row_[at(i)]; }

  /// The rows of a panel lose their parts of one another; their entries within the panel become
  /// those of L.
  void eliminate_among_themselves(const TreePanel& panel) {
    for (int m = 0; m < panel.count; ++m) {
      Number* own = row(panel.row[at(m)]);
      const int depth = panel.top + panel.count - 1 - m;
      const Number pivot = own[depth];
      least_ = pivot < least_ ? pivot : least_;
      rest_ += pivot - pivot;  // zero as long as all are finite
      const Number inverse = 1.0 / pivot;
      inverse_pivot_[at(panel.row[at(m)])] = inverse;
      for (int k = m + 1; k < panel.count; ++k) {
        const int d = panel.top + panel.count - 1 - k;
        const Number factor = own[d] * inverse;
        Number* to = row(panel.row[at(k)]);
        for (int e = panel.begin; e <= d; ++e) to[e] -= factor * own[e];
        own[d] = factor;
      }
    }
  }

  // The same for several cars, whose vectors leave nothing to gain along a row: what a panel has of
  // its own stays in registers.

  /// Pivots of a whole run come first: the quotients of several panels are on their way at once.
  void eliminate_run_by_run(Number* x) {
    std::size_t begin = 0;
    for (const int run_end : run_ends_) {
      const auto end = at(run_end);
      with_count(panels_[begin], [&]<int kCount>() {
        for (std::size_t k = begin; k < end; ++k) this->eliminate_diagonal<kCount>(panels_[k]);
        for (std::size_t k = begin; k < end; ++k) {
          this->eliminate_columns<kCount>(panels_[k], x);
          this->eliminate_from_ancestors<kCount>(panels_[k], x);
        }
      });
      begin = end;
    }
  }

  /// Depth of a panel's m-th row.
  template <int kCount>
  static int depth_of(const TreePanel& panel, int m) {
    return panel.top + kCount - 1 - m;
  }

  /// LDL^T of the rows' entries of one another.
  template <int kCount>
  [[gnu::always_inline]] inline void eliminate_diagonal(const TreePanel& panel) {
    Number A[kCount][kCount];  // [row][row from there on]
    Number* own[kCount];
    for (int m = 0; m < kCount; ++m) {
      own[m] = row(panel.row[at(m)]);
      for (int k = m; k < kCount; ++k) A[m][k] = own[m][depth_of<kCount>(panel, k)];
    }
    for (int m = 0; m < kCount; ++m) {
      const Number pivot = A[m][m];
      least_ = pivot < least_ ? pivot : least_;
      rest_ += pivot - pivot;  // zero as long as all are finite
      const Number inverse = 1.0 / pivot;
      inverse_pivot_[at(panel.row[at(m)])] = inverse;
      for (int k = m + 1; k < kCount; ++k) {
        const Number factor = A[m][k] * inverse;
        for (int j = k; j < kCount; ++j) A[k][j] -= factor * A[m][j];
        own[m][depth_of<kCount>(panel, k)] = factor;
      }
    }
  }

  /// The rows' entries in the columns of the ancestors, and in x, lose their parts of one another.
  template <int kCount>
  [[gnu::always_inline]] inline void eliminate_columns(const TreePanel& panel, Number* x) {
    Number L[kCount][kCount];
    Number* own[kCount];
    for (int m = 0; m < kCount; ++m) {
      own[m] = row(panel.row[at(m)]);
      for (int k = m + 1; k < kCount; ++k) L[m][k] = own[m][depth_of<kCount>(panel, k)];
    }
    for (int e = panel.begin; e < panel.top; ++e) {
      Number column[kCount];
      for (int m = 0; m < kCount; ++m) column[m] = own[m][e];
      for (int m = 0; m < kCount; ++m)
        for (int k = m + 1; k < kCount; ++k) column[k] -= L[m][k] * column[m];
      for (int m = 1; m < kCount; ++m) own[m][e] = column[m];
    }
    Number x_own[kCount];
    for (int m = 0; m < kCount; ++m) x_own[m] = x[panel.row[at(m)]];
    for (int m = 0; m < kCount; ++m)
      for (int k = m + 1; k < kCount; ++k) x_own[k] -= L[m][k] * x_own[m];
    for (int m = 1; m < kCount; ++m) x[panel.row[at(m)]] = x_own[m];
  }

  /// Each ancestor takes its part of the outer products; the entries themselves become those of L.
  /// x: of several cars, one more column.
  template <int kCount>
  void eliminate_from_ancestors(const TreePanel& panel, [[maybe_unused]] Number* x) {
    Number* own[kCount];
    Number inverse[kCount];
    [[maybe_unused]] Number x_own[kCount];
    for (int m = 0; m < kCount; ++m) {
      own[m] = row(panel.row[at(m)]);
      inverse[m] = inverse_pivot_[at(panel.row[at(m)])];
      if constexpr (kOfSeveralCars) {
        x_own[m] = x[panel.row[at(m)]];
        x[panel.row[at(m)]] = x_own[m] * inverse[m];
      }
    }
    int d = panel.top;
    std::size_t first = 0;
    // two ancestors at a time read each entry once
    if constexpr (kOfSeveralCars) {
      for (; first + 2 <= panel.ancestors.size(); first += 2) {
        d -= 2;
        Number low_factor[kCount];
        Number factor[kCount];
        for (int m = 0; m < kCount; ++m) factor[m] = own[m][d + 1] * inverse[m];
        for (int m = 0; m < kCount; ++m) low_factor[m] = own[m][d] * inverse[m];
        Number* to = row(panel.ancestors[first]);
        Number* low = row(panel.ancestors[first + 1]);
        for (int e = panel.begin; e <= d; ++e) {
          Number left = to[e];
          Number low_left = low[e];
          for (int m = 0; m < kCount; ++m) {
            left -= factor[m] * own[m][e];
            low_left -= low_factor[m] * own[m][e];
          }
          to[e] = left;
          low[e] = low_left;
        }
        Number left = to[d + 1];
        for (int m = 0; m < kCount; ++m) left -= factor[m] * own[m][d + 1];
        to[d + 1] = left;
        Number x_left = x[panel.ancestors[first]];
        Number x_low = x[panel.ancestors[first + 1]];
        for (int m = 0; m < kCount; ++m) {
          x_left -= factor[m] * x_own[m];
          x_low -= low_factor[m] * x_own[m];
          own[m][d + 1] = factor[m];
          own[m][d] = low_factor[m];
        }
        x[panel.ancestors[first]] = x_left;
        x[panel.ancestors[first + 1]] = x_low;
      }
    }
    for (; first < panel.ancestors.size(); ++first) {
      const int j = panel.ancestors[first];
      --d;
      Number factor[kCount];
      for (int m = 0; m < kCount; ++m) factor[m] = own[m][d] * inverse[m];
      Number* to = row(j);
      for (int e = panel.begin; e <= d; ++e) {
        Number left = to[e];
        for (int m = 0; m < kCount; ++m) left -= factor[m] * own[m][e];
        to[e] = left;
      }
      if constexpr (kOfSeveralCars) {
        Number left = x[j];
        for (int m = 0; m < kCount; ++m) left -= factor[m] * x_own[m];
        x[j] = left;
      }
      for (int m = 0; m < kCount; ++m) own[m][d] = factor[m];
    }
  }

  template <int kCount>
  void forward(const TreePanel& panel, Number* x) const {
    const Number* own[kCount];
    Number x_own[kCount];
    for (int m = 0; m < kCount; ++m) {
      own[m] = row(panel.row[at(m)]);
      x_own[m] = x[panel.row[at(m)]];
    }
    for (int m = 0; m < kCount; ++m)
      for (int k = m + 1; k < kCount; ++k)
        x_own[k] -= own[m][panel.top + kCount - 1 - k] * x_own[m];
    int d = panel.top;
    for (const int j : panel.ancestors) {
      --d;
      Number left = x[j];
      for (int m = 0; m < kCount; ++m) left -= own[m][d] * x_own[m];
      x[j] = left;
    }
    for (int m = 0; m < kCount; ++m)
      x[panel.row[at(m)]] = x_own[m] * inverse_pivot_[at(panel.row[at(m)])];
  }

  template <int kCount>
  void backward(const TreePanel& panel, Number* x) const {
    const Number* own[kCount];
    Number x_own[kCount];
    for (int m = 0; m < kCount; ++m) {
      own[m] = row(panel.row[at(m)]);
      x_own[m] = x[panel.row[at(m)]];
    }
    int d = panel.top;
    for (const int j : panel.ancestors) {
      --d;
      const Number above = x[j];
      for (int m = 0; m < kCount; ++m) x_own[m] -= own[m][d] * above;
    }
    for (int m = kCount; m-- > 0;)
      for (int k = m + 1; k < kCount; ++k)
        x_own[m] -= own[m][panel.top + kCount - 1 - k] * x_own[k];
    for (int m = 0; m < kCount; ++m) x[panel.row[at(m)]] = x_own[m];
  }

  std::vector<int> row_, depth_;
  std::vector<TreePanel> panels_;
  std::vector<int> run_ends_;
  std::vector<Number> values_;
  std::vector<Number> inverse_pivot_;
  Number least_{}, rest_{};  ///< of the pivots
};

}  // namespace semirec
