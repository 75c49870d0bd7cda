#include "penalty/independent_solver.hpp"

#include <algorithm>

#include "recursive/packs/pack_rows.hpp"
#include "topology/indices.hpp"

namespace semirec {

namespace {

constexpr int kOutside = -1;

}  // namespace

IndependentSolver::IndependentSolver(const SymmetricPattern& tangent,
                                     const std::vector<RowBlock>& blocks, int m)
    : n_(tangent.size()),
      m_(m),
      stride_(whole_packs(n_)),
      place_of_(at(n_), -1),
      reduced_(at(n_) * at(stride_)),
      inverse_pivot_(at(n_)),
      y_(at(stride_)),
      has_pivot_(at(m_)) {
  // (rows that no coordinate reaches hold by themselves or never)
  for (const LoopGroup& group : make_loop_groups(blocks))
    if (Loop loop(group, blocks); !loop.split.columns.empty()) loops_.push_back(std::move(loop));
  std::vector<int> loop_of(at(n_), kOutside);
  for (std::size_t l = 0; l < loops_.size(); ++l)
    for (const int column : loops_[l].split.columns) loop_of[at(column)] = static_cast<int>(l);
  for (int k = 0; k < n_; ++k)
    if (loop_of[at(k)] == kOutside) place_of_[at(k)] = outside_++;
  int end = whole_packs(outside_);
  for (Loop& loop : loops_) {
    loop.begin = end;
    const std::vector<int>& columns = loop.split.columns;
    for (std::size_t c = 0; c < columns.size(); ++c)
      place_of_[at(columns[c])] = end + static_cast<int>(c);
    loop.stretches.push_back({end, loop.split.width, static_cast<int>(&loop - loops_.data())});
    end += loop.split.width;
  }
  f_.resize(at(end));
  left_ = x_ = f_;

  // which stretches W couples, then where its values go
  const std::vector<PatternEntry> entries = tangent.list_entries();
  const auto add_stretch = [&](int of, int with) {
    if (of == kOutside) return;
    std::vector<Stretch>& stretches = loops_[at(of)].stretches;
    const bool known = std::any_of(stretches.begin(), stretches.end(),
                                   [&](const Stretch& s) { return s.loop == with; });
    if (known) return;
    stretches.push_back(with == kOutside ? Stretch{0, whole_packs(outside_), kOutside}
                                         : loops_[at(with)].stretches.front());
  };
  for (const PatternEntry& entry : entries) {
    add_stretch(loop_of[at(entry.row)], loop_of[at(entry.column)]);
    add_stretch(loop_of[at(entry.column)], loop_of[at(entry.row)]);
  }
  for (Loop& loop : loops_) {
    for (const Stretch& stretch : loop.stretches) loop.length += stretch.length;
    loop.W.resize(loop.split.columns.size() * at(loop.length));
    loop.WR.resize(at(loop.length));
    loop.loads.resize(loop.split.columns.size());
  }
  const auto add_source = [&](int row, int column, int slot) {
    Loop& loop = loops_[at(loop_of[at(column)])];
    int to = (place_of_[at(column)] - loop.begin) * loop.length + place_of_[at(row)];
    for (const Stretch& stretch : loop.stretches) {
      if (stretch.loop == loop_of[at(row)]) {
        loop.sources.push_back({slot, to - stretch.begin});
        return;
      }
      to += stretch.length;
    }
  };
  for (const PatternEntry& entry : entries) {
    const auto [row, column, slot] = entry;
    if (loop_of[at(column)] != kOutside) add_source(row, column, slot);
    if (loop_of[at(row)] != kOutside && row != column) add_source(column, row, slot);
    if (loop_of[at(column)] == kOutside && loop_of[at(row)] == kOutside)
      sources_.push_back(
          {slot, place_of_[at(row)] * static_cast<int>(stride_) + place_of_[at(column)]});
  }
}

void IndependentSolver::split(const std::vector<double>& Phi_z) {
  for (Loop& loop : loops_) fill_table(Phi_z, loop.split);
  for (Loop& loop : loops_) split_by_pivots(Phi_z, loop.split);
  take_split();
}

void IndependentSolver::take_split() {
  is_split_ = true;
  std::fill(has_pivot_.begin(), has_pivot_.end(), '\0');
  size_ = outside_;
  for (Loop& loop : loops_) {
    for (const LoopSplit::Pivot& pivot : loop.split.pivots)
      has_pivot_[at(loop.split.rows[at(pivot.row)])] = 1;
    loop.first = size_;
    size_ += static_cast<int>(loop.split.free.size());
  }
}

/// The same coordinates are independent as in the split before.
void IndependentSolver::keep_split() {
  const bool all_have_pivots = std::all_of(loops_.begin(), loops_.end(), [](const Loop& loop) {
    return loop.split.pivots.size() == loop.split.rows.size();
  });
  if (!all_have_pivots) return take_split();  // others may have some now
  is_split_ = true;
}

bool IndependentSolver::factor(const std::vector<double>& tangent) {
  std::fill_n(reduced_.begin(), at(size_) * at(stride_), 0.0);
  for (const LoopSplit::Entry& source : sources_)
    reduced_[at(source.to)] = tangent[at(source.from)];
  // all loops first: numbers that were just written one by one hold up the reading of whole packs
  for (Loop& loop : loops_)
    for (const LoopSplit::Entry& source : loop.sources)
      loop.W[at(source.to)] = tangent[at(source.from)];
  for (Loop& loop : loops_) {
    const double* R = loop.split.R.data();
    for (int j = 0; j < static_cast<int>(loop.split.free.size()); ++j, R += loop.split.width)
      reduce(loop, R, loop.first + j);
  }
  return factor_reduced();
}

/// W times numbers of the loop's columns, in the order of its stretches.
const double* IndependentSolver::add_columns(Loop& loop, const double* factors) {
  const std::size_t columns = loop.split.columns.size();
  double* to = loop.WR.data();
  int k = 0;
  for (; k + kLanes < loop.length; k += 2 * kLanes) {
    Pack one{};
    Pack two{};
    const double* from = loop.W.data() + k;
    for (std::size_t c = 0; c < columns; ++c, from += loop.length) {
      const Pack factor = broadcast(factors[c]);
      one += factor * load_loose(from);
      two += factor * load_loose(from + kLanes);
    }
    store_loose(to + k, one);
    store_loose(to + k + kLanes, two);
  }
  for (; k < loop.length; k += kLanes) {
    Pack sum{};
    const double* from = loop.W.data() + k;
    for (std::size_t c = 0; c < columns; ++c, from += loop.length)
      sum += broadcast(factors[c]) * load_loose(from);
    store_loose(to + k, sum);
  }
  return to;
}

/// The row of one independent coordinate in R^T W R, up to its diagonal.
void IndependentSolver::reduce(Loop& loop, const double* R, int row) {
  double* to = reduced_.data() + at(row) * at(stride_);
  const double* WR = add_columns(loop, R);
  for (const Stretch& stretch : loop.stretches) {
    if (stretch.loop == kOutside) {
      std::copy_n(WR, outside_, to);
    } else if (const Loop& other = loops_[at(stretch.loop)]; other.first <= row) {
      const int count = static_cast<int>(other.split.free.size());
      const double* other_R = other.split.R.data();
      for (int k = 0; k < count && other.first + k <= row; ++k, other_R += stretch.length)
        to[other.first + k] = dot(other_R, WR, stretch.length);
    }
    WR += stretch.length;
  }
}

/// LDL^T from the last row to the first, as TreeFactor. Rows of L are filled up with zeros.
bool IndependentSolver::factor_reduced() {
  bool good = true;
  for (int i = size_ - 1; i >= 0; --i) {
    double* row = reduced_.data() + i * stride_;
    good = good && row[i] > 0.0 && row[i] < 1e300;
    const double inverse = inverse_pivot_[at(i)] = 1.0 / row[i];
    // L waits elsewhere until the row has been read
    double* L = y_.data();
    for (int k = 0; k < i; k += kLanes) {
      const auto is_left = Pack{0.0, 1.0, 2.0, 3.0} < broadcast(i - k);
      store_loose(L + k, is_left ? load_loose(row + k) * broadcast(inverse) : Pack{});
    }
    // what stands behind row j's diagonal is not read
    for (int j = i - 1; j >= 0; --j)
      if (L[j] != 0.0) add_scaled(reduced_.data() + j * stride_, -L[j], row, whole_packs(j + 1));
    for (int k = 0; k < i; k += kLanes) store_loose(row + k, load_loose(L + k));
  }
  return good;
}

void IndependentSolver::solve_reduced(double* y) const {
  const double* L = reduced_.data();
  for (int i = size_ - 1; i > 0; --i) add_scaled(y, -y[i], L + i * stride_, whole_packs(i));
  for (int i = 0; i < size_; ++i) y[i] *= inverse_pivot_[at(i)];
  // four at a time: packs of y must not wait for a number that has just been written
  int first = 0;
  for (; first + kLanes <= size_; first += kLanes) {
    const double* zero = L + first * stride_;
    const double* one = zero + stride_;
    const double* two = one + stride_;
    const double* three = two + stride_;
    const double y0 = y[first] - dot(zero, y, first);
    const double y1 = y[first + 1] - dot(one, y, first) - one[first] * y0;
    const double y2 = y[first + 2] - dot(two, y, first) - two[first] * y0 - two[first + 1] * y1;
    const double y3 = y[first + 3] - dot(three, y, first) - three[first] * y0 -
                      three[first + 1] * y1 - three[first + 2] * y2;
    store_loose(y + first, Pack{y0, y1, y2, y3});
  }
  for (int i = first; i < size_; ++i) {
    const double* row = L + i * stride_;
    double left = y[i] - dot(row, y, first);
    for (int k = first; k < i; ++k) left -= row[k] * y[k];
    y[i] = left;
  }
}

void IndependentSolver::solve(const Eigen::VectorXd& f, const Eigen::VectorXd& g,
                              Eigen::VectorXd& x) {
  std::fill(left_.begin(), left_.end(), 0.0);  // what fills up its packs, too
  // one by one into both: a copy would read in packs what has just been written so
  for (int k = 0; k < n_; ++k) left_[at(place_of_[at(k)])] = f_[at(place_of_[at(k)])] = f[k];
  solve_left(g, x);
}

void IndependentSolver::solve(const Eigen::VectorXd& g, Eigen::VectorXd& x) {
  std::fill(left_.begin(), left_.end(), 0.0);
  solve_left(g, x);
}

/// Of left_ on the right side, which is lost.
void IndependentSolver::solve_left(const Eigen::VectorXd& g, Eigen::VectorXd& x) {
  for (Loop& loop : loops_) {
    double* particular = x_.data() + loop.begin;
    find_dependent(g, loop.split, particular);
    // W S g, then what it leaves of f
    const double* sum = add_columns(loop, particular);
    for (const Stretch& stretch : loop.stretches) {
      add_scaled(left_.data() + stretch.begin, -1.0, sum, stretch.length);
      sum += stretch.length;
    }
  }
  std::copy_n(left_.begin(), outside_, y_.begin());
  double* y = y_.data() + outside_;
  for (const Loop& loop : loops_) {
    const int width = loop.split.width;
    const double* R = loop.split.R.data();
    for (std::size_t j = 0; j < loop.split.free.size(); ++j, R += width)
      *y++ = dot(R, left_.data() + loop.begin, width);
  }
  solve_reduced(y_.data());
  std::copy_n(y_.begin(), outside_, x_.begin());
  y = y_.data() + outside_;
  for (const Loop& loop : loops_) {
    const int width = loop.split.width;
    const double* R = loop.split.R.data();
    for (std::size_t j = 0; j < loop.split.free.size(); ++j, R += width)
      add_scaled(x_.data() + loop.begin, *y++, R, width);
  }
  for (int k = 0; k < n_; ++k) x[k] = x_[at(place_of_[at(k)])];
}

void IndependentSolver::find_multipliers(Eigen::VectorXd& mu) {
  for (Loop& loop : loops_) {
    double* load = loop.loads.data();
    for (const LoopSplit::Pivot& pivot : loop.split.pivots) {
      double left = f_[at(loop.begin + pivot.column)];
      const double* column = loop.W.data() + at(pivot.column) * at(loop.length);
      for (const Stretch& stretch : loop.stretches) {
        left -= dot(column, x_.data() + stretch.begin, stretch.length);
        column += stretch.length;
      }
      *load++ = left;
    }
    semirec::find_multipliers(loop.loads.data(), loop.split, mu);
  }
}

bool IndependentSolver::close(const std::vector<double>& Phi_z, const Eigen::VectorXd& error,
                              Eigen::VectorXd& z) {
  bool all_alike = true;
  for (Loop& loop : loops_) fill_table(Phi_z, loop.split);
  for (Loop& loop : loops_) {
    bool alike = false;
    if (!move_dependent(Phi_z, error, loop.split, alike, z)) {
      is_split_ = false;
      return false;
    }
    all_alike = all_alike && alike;
  }
  is_split_ = false;
  if (all_alike) keep_split();
  return true;
}

}  // namespace semirec
