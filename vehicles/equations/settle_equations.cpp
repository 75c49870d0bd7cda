#include <algorithm>
#include <cmath>
#include <limits>

#include "integrator/statics/standstill.hpp"
#include "topology/indices.hpp"
#include "vehicles/equations/equation_force.hpp"
#include "vehicles/equations/small_lu.hpp"

namespace semirec {

namespace {

constexpr int kMostIterations = 200;  ///< roots of higher order are approached by a constant ratio
constexpr int kMostInside = 12;       ///< of the others, while one searches a bracket
constexpr int kMostHalvings = 60;
constexpr double kDecrease = 1e-4;         ///< least of a step, of what its length promises
constexpr double kLeastCorrection = 1e-9;  ///< of Newton, of 1 + |x|
/// Residuals, of max(1, |x|) at the begin, of that there and of what a change of the unknowns by
/// 1 + |x| makes of them.
constexpr double kVanishes = 1e-8;
constexpr double kDiesAway = 1e-3;  ///< of what a change by 1 + |x| makes of a residual
constexpr double kPivot = 1e-12;    ///< least of its column; else its unknown stays

}  // namespace

/// What the file gives no `initial`: states at rest, holds and delays at their formula, by a damped
/// Newton; logics are decided in between.
class EquationForce::Settling {
 public:
  Settling(const EquationForce& owner, const Rows& rows, double* scratch)
      : owner_(owner), rows_(rows), n_(owner.unknowns_.size()) {
    for (double** row : {&begin_, &begin_residual_, &base_, &saved_, &scale_, &fixed_}) {
      *row = scratch;
      scratch += n_;
    }
    for (std::size_t i = 0; i < n_; ++i) begin_[i] = value(i);
    stuck_ = scratch;
    entered_ = scratch + owner_.kept_.size();
    std::fill_n(fixed_, n_, 0.0);
    for (std::size_t k = 0; k < owner_.kept_.size(); ++k) {
      stuck_[k] = 0.0;
      entered_[k] = rows_.values[owner_.kept_[k].leaf];
    }
  }

  void run() const {
    evaluate();
    follow();
    decide(/*in_turn=*/false);
    for (std::size_t i = 0; i < n_; ++i) begin_residual_[i] = residual(i);
    if (settle_logics(/*in_turn=*/false)) return;
    // in turn: of those that decide each other one goes first
    if (settle_logics(/*in_turn=*/true)) return;
    if (try_all_choices()) return;
    // those in a circle that no value satisfies stay at their begin, one after the other, until the
    // others can follow
    for (std::size_t k = 0; k < owner_.kept_.size(); ++k) {
      const Stored& kept = owner_.kept_[k];
      if (!is_open_logic(kept) || owner_.logic_comes_back_[k] == 0 ||
          rows_.values[kept.leaf] == decision(k))
        continue;
      rows_.values[kept.leaf] = owner_.equations_[kept.equation].initial;
      stuck_[k] = 1.0;
      evaluate();
      if (settle_logics(/*in_turn=*/true)) return;
    }
  }

 private:
  double& value(std::size_t i) const { return rows_.values[owner_.unknowns_[i].stored.leaf]; }

  double residual(std::size_t i) const {
    const Unknown& unknown = owner_.unknowns_[i];
    const double formula = rows_.values[unknown.stored.formula];
    return unknown.is_state ? formula : formula - rows_.values[unknown.stored.leaf];
  }

  /// What is left at most: rounding hides what a value that has run away adds to itself.
  double left_of(std::size_t i) const {
    constexpr double kRounding = 2.0 * std::numeric_limits<double>::epsilon();
    const double hidden = owner_.unknowns_[i].is_state ? 0.0 : kRounding * std::abs(value(i));
    return std::abs(residual(i)) + hidden;
  }

  void evaluate() const {
    owner_.evaluate(0, owner_.program_.terms.size(), owner_.settle_sloped_, rows_);
  }

  bool is_open_logic(const Stored& kept) const {
    const Equation& equation = owner_.equations_[kept.equation];
    return equation.kind == Equation::Kind::logic && !equation.starts_given;
  }

  double decision(std::size_t k) const {
    const Stored& kept = owner_.kept_[k];
    if (rows_.values[owner_.program_.off[kept.equation]] != 0.0) return 0.0;
    if (rows_.values[kept.formula] != 0.0) return 1.0;
    return entered_[k];
  }

  /// Whether a logic changed. In turn: each by what those before it have decided.
  bool decide(bool in_turn) const {
    bool changed = false;
    for (std::size_t k = 0; k < owner_.kept_.size(); ++k) {
      const Stored& kept = owner_.kept_[k];
      if (!is_open_logic(kept) || stuck_[k] != 0.0) continue;
      const double now = decision(k);
      if (rows_.values[kept.leaf] == now) continue;
      rows_.values[kept.leaf] = now;
      changed = true;
      if (in_turn) evaluate();
    }
    if (changed && !in_turn) evaluate();
    return changed;
  }

  /// Decides and solves until nothing changes, for as many rounds as a chain of logics may need;
  /// solved. Whether it came to an end.
  bool settle_logics(bool in_turn) const {
    for (std::size_t round = 0; round <= owner_.kept_.size() + 1; ++round) {
      solve();
      if (!decide(in_turn)) return true;
    }
    solve();
    return false;
  }

  /// Every choice of the logics that stand in a circle, the others following; whether one agrees
  /// with what it decides. Where none does, or they are too many, decided in turn from their begin.
  bool try_all_choices() const {
    constexpr std::size_t kMostLogics = 8;
    std::vector<std::size_t> circle;
    for (std::size_t k = 0; k < owner_.kept_.size(); ++k)
      if (is_open_logic(owner_.kept_[k]) && owner_.logic_comes_back_[k] != 0) circle.push_back(k);
    const auto put = [&](const auto& value_of, double stuck) {
      for (std::size_t n = 0; n < circle.size(); ++n) {
        const Stored& kept = owner_.kept_[circle[n]];
        rows_.values[kept.leaf] = value_of(n, owner_.equations_[kept.equation]);
        stuck_[circle[n]] = stuck;
      }
      evaluate();
    };
    const auto agrees = [&](std::size_t k) {
      return rows_.values[owner_.kept_[k].leaf] == decision(k);
    };
    if (circle.size() <= kMostLogics) {
      for (unsigned choice = 0; choice < 1U << circle.size(); ++choice) {
        put([&](std::size_t n, const Equation&) { return (choice >> n & 1U) != 0 ? 1.0 : 0.0; },
            1.0);
        if (settle_logics(/*in_turn=*/true) && std::all_of(circle.begin(), circle.end(), agrees))
          return true;
      }
    }
    put([](std::size_t, const Equation& equation) { return equation.initial; }, 0.0);
    (void)settle_logics(/*in_turn=*/true);
    return false;
  }

  /// Holds and delays that go in no circle get their formula's value to the bit.
  void follow() const {
    for (std::size_t pass = 0; pass < n_; ++pass) {
      bool changed = false;
      for (std::size_t i = 0; i < n_; ++i) {
        const Unknown& unknown = owner_.unknowns_[i];
        if (unknown.is_state || owner_.program_.may_follow[unknown.stored.equation] == 0) continue;
        const double now = rows_.values[unknown.stored.formula];
        if (fixed_[i] != 0.0 || !std::isfinite(now) || value(i) == now) continue;
        value(i) = now;
        changed = true;
      }
      if (!changed) return;
      evaluate();
    }
  }

  /// Residuals over unknowns, and their sizes by rows.
  void fill_matrix() const {
    for (std::size_t i = 0; i < n_; ++i) {
      const Unknown& unknown = owner_.unknowns_[i];
      double* row = rows_.matrix + i * n_;
      owner_.fill_slopes(
          unknown.path, unknown.stored.formula, n_,
          [&](std::size_t k) { return owner_.unknowns_[k].stored.leaf; }, row, rows_);
      if (!unknown.is_state) row[i] -= 1.0;
      scale_[i] = 0.0;
      for (std::size_t j = 0; j < n_; ++j) {
        if (fixed_[j] != 0.0) row[j] = 0.0;
        scale_[i] = std::max(scale_[i], std::abs(row[j]) * (1.0 + std::abs(value(j))));
      }
      rows_.change[i] = -residual(i);
      if (fixed_[i] == 0.0) continue;
      std::fill_n(row, n_, 0.0);
      row[i] = 1.0;
      rows_.change[i] = 0.0;
    }
  }

  /// Sum of squares of the residuals, each by its row's size; rows that nothing changes count not.
  double merit() const {
    double sum = 0.0;
    for (std::size_t i = 0; i < n_; ++i) {
      if (fixed_[i] != 0.0) continue;
      const double left = residual(i);
      if (!std::isfinite(left)) return std::numeric_limits<double>::infinity();
      if (!(scale_[i] > 0.0) || !std::isfinite(scale_[i])) continue;
      sum += left / scale_[i] * (left / scale_[i]);
    }
    return sum;
  }

  /// Largest correction of 1 + |x|.
  double correction_size() const {
    double size = 0.0;
    for (std::size_t i = 0; i < n_; ++i) {
      const double own = std::abs(rows_.change[i]) / (1.0 + std::abs(value(i)));
      if (!(own <= size)) size = own;  // what is not finite stays
    }
    return size;
  }

  void step(double share) const {
    for (std::size_t i = 0; i < n_; ++i) value(i) = base_[i] + share * rows_.change[i];
    evaluate();
  }

  /// Halves the step until the residuals fall; false where they never do.
  bool step_down() const {
    const double before = merit();
    for (std::size_t i = 0; i < n_; ++i) base_[i] = value(i);
    double share = 1.0;
    for (int halving = 0; halving <= kMostHalvings; ++halving) {
      step(share);
      const double now = merit();
      if (std::isfinite(now) && !(now >= (1.0 - kDecrease * share) * before)) return true;
      share *= 0.5;
    }
    step(0.0);
    return false;
  }

  /// Damped Newton of all that is not fixed; evaluated where it ends.
  void iterate(int most) const {
    const auto n = static_cast<int>(n_);
    for (int iteration = 0; iteration < most; ++iteration) {
      fill_matrix();
      factor_small(rows_.matrix, rows_.pivots, n, kPivot);
      solve_small(rows_.matrix, rows_.pivots, n, rows_.change);
      const double size = correction_size();
      if (!std::isfinite(size)) return;
      if (size > kLeastCorrection) {
        if (!step_down()) return;
        continue;
      }
      for (std::size_t i = 0; i < n_; ++i) value(i) += rows_.change[i];
      evaluate();
      return;
    }
  }

  /// Whether an unknown is found, by the last correction and by what is left.
  bool is_solved(std::size_t i) const {
    if (fixed_[i] != 0.0) return true;
    const double left = left_of(i);
    if (!(std::abs(rows_.change[i]) <= kLeastCorrection * (1.0 + std::abs(value(i))))) return false;
    // one that dies away without an end leaves a slope too small to be divided by
    if (scale_[i] > 0.0 && left > kDiesAway * scale_[i]) return false;
    const double by_slope = std::isfinite(scale_[i]) ? scale_[i] : 0.0;
    const double by_begin = std::isfinite(begin_residual_[i]) ? std::abs(begin_residual_[i]) : 0.0;
    // not by the value: what runs away without an end would be found far enough off
    return left <= kVanishes * std::max({1.0, std::abs(begin_[i]), by_slope, by_begin});
  }

  /// What is not found, one that nothing changes before others; n_ where all are.
  std::size_t find_worst() const {
    std::size_t worst = n_;
    double most = -1.0;
    for (std::size_t i = 0; i < n_; ++i) {
      if (is_solved(i)) continue;
      const double share = std::abs(residual(i)) / scale_[i];  // by zero: infinite
      const double own = std::isnan(share) ? std::numeric_limits<double>::infinity() : share;
      if (own <= most) continue;
      most = own;
      worst = i;
    }
    return worst;
  }

  void restore(const double* values) const {
    for (std::size_t i = 0; i < n_; ++i) value(i) = values[i];
    evaluate();
  }

  /// Rate of a state at a value, the others found for it.
  double rate_at(std::size_t i, double x) const {
    value(i) = x;
    evaluate();
    fixed_[i] = 1.0;
    iterate(kMostInside);
    fixed_[i] = 0.0;
    return residual(i);
  }

  /// Moves a state to where its rate vanishes, away from its begin in a direction (1 or -1); false
  /// where it does not.
  bool search(std::size_t i, double direction) const {
    const double place =
        find_standstill(begin_[i], direction, kVanishes, [&](double x) { return rate_at(i, x); });
    if (std::isnan(place)) return false;
    rate_at(i, place);
    return true;
  }

  /// In the direction of the rate, then against it.
  bool search(std::size_t i) const {
    const Unknown& unknown = owner_.unknowns_[i];
    if (!unknown.is_state || !unknown.comes_back || is_solved(i)) return false;
    for (std::size_t k = 0; k < n_; ++k) saved_[k] = value(k);
    const double way = rate_at(i, begin_[i]) < 0.0 ? -1.0 : 1.0;
    for (const double direction : {way, -way}) {
      if (search(i, direction)) return true;
      restore(saved_);
    }
    return false;
  }

  /// What is left by the largest rate or difference, over 1 + |x| of the begin; infinite where it
  /// is no number.
  double largest_residual() const {
    double most = 0.0;
    for (std::size_t i = 0; i < n_; ++i) {
      if (fixed_[i] != 0.0) continue;
      const double size = left_of(i) / (1.0 + std::abs(begin_[i]));
      if (!std::isfinite(size)) return std::numeric_limits<double>::infinity();
      most = std::max(most, size);
    }
    return most;
  }

  /// A step of all in time by the linearly implicit Euler rule, holds and delays as lags of 1 s.
  void drift_by(double h) const {
    fill_matrix();
    const auto n = static_cast<int>(n_);
    for (std::size_t i = 0; i < n_; ++i) {
      if (fixed_[i] != 0.0) continue;
      double* row = rows_.matrix + i * n_;
      row[i] -= 1.0 / h;  // J - 1/h, for -r
    }
    factor_small(rows_.matrix, rows_.pivots, n, kPivot);
    solve_small(rows_.matrix, rows_.pivots, n, rows_.change);
    for (std::size_t i = 0; i < n_; ++i) value(i) += rows_.change[i];
    evaluate();
  }

  /// Lets time pass, steps as long as two of half the length agree with them, until the rates have
  /// nearly died away: rates at limits, which have no slopes, lead to each other's rest. What has
  /// none goes back to its begin.
  void drift() const {
    constexpr int kMostSteps = 400;
    constexpr double kAgree = 0.05;   // of what a step goes
    constexpr double kNearly = 1e-6;  // of the largest at the begin
    double* const before = base_;
    double* const at_once = saved_;
    const double first = largest_residual();
    if (!(first > 0.0) || !std::isfinite(first)) return;
    double h = 1e-3 / first;
    for (int step = 0; step < kMostSteps && largest_residual() > kNearly * first; ++step) {
      for (std::size_t i = 0; i < n_; ++i) before[i] = value(i);
      drift_by(h);
      for (std::size_t i = 0; i < n_; ++i) at_once[i] = value(i);
      restore(before);
      drift_by(0.5 * h);
      drift_by(0.5 * h);
      double way = 0.0;
      double apart = 0.0;
      for (std::size_t i = 0; i < n_; ++i) {
        const double size = 1.0 + std::abs(before[i]);
        way = std::max(way, std::abs(value(i) - before[i]) / size);
        apart = std::max(apart, std::abs(value(i) - at_once[i]) / size);
      }
      if (std::isfinite(largest_residual()) && apart <= kAgree * way) {
        h *= 2.0;
        continue;
      }
      restore(before);
      h *= 0.25;
    }
    if (!(largest_residual() <= kNearly * first)) restore(begin_);
  }

  /// Of those in a circle, which time may lead to their rest.
  bool has_open_circle() const {
    for (std::size_t i = 0; i < n_; ++i)
      if (owner_.unknowns_[i].comes_back && !is_solved(i)) return true;
    return false;
  }

  /// Newton, brackets where it does not come to an end, time where these do not find all, and the
  /// begin for what has no solution.
  void solve() const {
    std::fill_n(fixed_, n_, 0.0);
    evaluate();
    iterate(kMostIterations);
    bool moved = find_worst() < n_;
    for (std::size_t pass = 0; pass <= n_ && moved; ++pass) {
      moved = false;
      for (std::size_t i = 0; i < n_; ++i)
        if (!is_solved(i)) value(i) = begin_[i];
      evaluate();
      for (std::size_t i = 0; i < n_; ++i) {
        if (!search(i)) continue;
        moved = true;
        iterate(kMostIterations);
      }
      if (!moved) iterate(kMostIterations);
    }
    if (has_open_circle()) {
      drift();
      iterate(kMostIterations);
    }
    for (std::size_t worst = find_worst(); worst < n_; worst = find_worst()) {
      fixed_[worst] = 1.0;
      value(worst) = begin_[worst];
      evaluate();
      iterate(kMostIterations);
    }
    follow();
  }

  const EquationForce& owner_;
  const Rows& rows_;
  std::size_t n_;
  double* begin_;           ///< [unknown] value that it has where there is no solution
  double* begin_residual_;  ///< [unknown]
  double* base_;            ///< [unknown] where a step begins
  double* saved_;           ///< [unknown] before a search
  double* scale_;           ///< [unknown] row of the matrix times 1 + |x|, the largest
  double* fixed_;           ///< [unknown] 1 where its value stays
  double* stuck_;           ///< [kept] 1: a logic that stays at its begin
  double* entered_;         ///< [kept] value at the begin: of a logic between its conditions
};

void EquationForce::settle_states(const ForceInput& in, StateSink& out) const {
  sample(in, out);
  const Rows rows = rows_of(out);
  read_leaves(in, rows);
  for (const std::vector<Stored>* all : {&states_of_, &kept_})
    for (const Stored& one : *all) {
      const Equation& equation = equations_[one.equation];
      // a state that nothing settles, such as an integral, stays where the search for a start left
      // it, and so does a logic between its conditions
      const bool stays =
          (equation.kind == Equation::Kind::state || equation.kind == Equation::Kind::logic) &&
          !equation.starts_given;
      rows.values[one.leaf] = stays ? in.x(one.x) : equation.initial;
    }
  Settling(*this, rows, out.scratch(settle_scratch_)).run();
  for (const Stored& state : states_of_) out.set_x(state.x, rows.values[state.leaf]);
  for (const Stored& kept : kept_) {
    const Equation& equation = equations_[kept.equation];
    for (int k = 0; k < equation.states(); ++k) out.set_x(kept.x + k, rows.values[kept.leaf]);
    if (equation.kind == Equation::Kind::delay)
      out.set_x(kept.x + equation.states() - 1, in.time());
  }
}

void EquationForce::find_unknowns() {
  const std::size_t leaves = program_.leaf_count();
  std::vector<char> wanted(leaves, 0);
  for (const std::vector<Stored>* all : {&states_of_, &kept_})
    for (const Stored& one : *all) {
      const Equation& equation = equations_[one.equation];
      if (equation.starts_given || equation.kind == Equation::Kind::logic) continue;
      unknowns_.push_back({one, equation.kind == Equation::Kind::state, false, {}});
      wanted[at(one.leaf)] = 1;
    }
  settle_sloped_ = sloped_;
  std::vector<std::vector<char>> needs;
  for (Unknown& unknown : unknowns_) {
    unknown.path = find_slope_path(program_.terms, leaves, {unknown.stored.formula}, wanted);
    mark_sloped(unknown.path, settle_sloped_);
    needs.push_back(find_dependence(program_, unknown.stored.formula));
  }
  // what comes back to itself, straight or by way of others, logics among them
  struct Link {
    const Stored* stored;
    std::vector<char> needs;  // [leaf]
  };
  std::vector<Link> links;
  for (std::size_t i = 0; i < unknowns_.size(); ++i)
    links.push_back({&unknowns_[i].stored, std::move(needs[i])});
  logic_comes_back_.assign(kept_.size(), 0);
  std::vector<std::size_t> logics;  // their places among kept_
  for (std::size_t k = 0; k < kept_.size(); ++k) {
    const Equation& equation = equations_[kept_[k].equation];
    if (equation.kind != Equation::Kind::logic || equation.starts_given) continue;
    links.push_back({&kept_[k], find_dependence(program_, kept_[k].formula)});
    const std::vector<char> off = find_dependence(program_, program_.off[kept_[k].equation]);
    for (std::size_t leaf = 0; leaf < off.size(); ++leaf)
      if (off[leaf] != 0) links.back().needs[leaf] = 1;
    logics.push_back(k);
  }
  const auto comes_back = [&](std::size_t from) {
    std::vector<char> reached(links.size(), 0);
    std::vector<std::size_t> open{from};
    while (!open.empty()) {
      const std::size_t k = open.back();
      open.pop_back();
      for (std::size_t j = 0; j < links.size(); ++j) {
        if (reached[j] != 0 || links[k].needs[at(links[j].stored->leaf)] == 0) continue;
        reached[j] = 1;
        open.push_back(j);
      }
    }
    return reached[from] != 0;
  };
  for (std::size_t i = 0; i < unknowns_.size(); ++i) unknowns_[i].comes_back = comes_back(i);
  for (std::size_t k = 0; k < logics.size(); ++k)
    logic_comes_back_[logics[k]] = comes_back(unknowns_.size() + k) ? 1 : 0;
}

}  // namespace semirec
