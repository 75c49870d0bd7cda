#include "vehicles/equations/equation_force.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "topology/indices.hpp"
#include "vehicles/equations/small_lu.hpp"

namespace semirec {

namespace {

constexpr int kMostStateIterations = 12;
// corrections of states against 1 + |x|
constexpr double kStateRoundOff = 1e-14;
constexpr double kStateSettled = 1e-9;     ///< one that does not fall any more is round-off
constexpr double kStateContraction = 0.1;  ///< of one to the next, with the matrix that there is
/// The largest last correction that a step may keep: a rate that jumps, as sign(x) does, leaves the
/// state jumping by about its rate times the step.
constexpr double kStateUnsolved = 0.05;
/// Of a period: what rounding leaves of an instant.
constexpr double kInstant = 1e-9;

double count_periods(double time, double period) { return std::floor(time / period + kInstant); }

}  // namespace

// Evaluation: read_leaves() fills the leaves, the terms follow.

EquationForce::Rows EquationForce::rows_of(const StateSink& out) const {
  const std::size_t values = program_.value_count();
  const std::size_t most = std::max(states_of_.size(), unknowns_.size());
  double* next = out.scratch(scratch_);
  const auto take = [&next](std::size_t count) {
    double* row = next;
    next += count;
    return row;
  };
  Rows rows{};
  rows.owner = take(1);
  rows.values = take(values);
  rows.adjoints = take(values + 1);
  rows.slopes = static_cast<TermSlopes*>(static_cast<void*>(take(3 * program_.terms.size())));
  rows.matrix = take(most * most);
  rows.change = take(most);
  rows.pivots = static_cast<int*>(static_cast<void*>(take(most)));
  return rows;
}

double EquationForce::read(const Outside& name, const ForceInput& in) const {
  switch (name.kind) {
    case Outside::Kind::time:
      return in.time();
    case Outside::Kind::input:
      return in.input(name.input).f;
    case Outside::Kind::motion:
      return motions_[name.motion].evaluate(in);
    case Outside::Kind::channel:
      return in.x(name.x);
  }
  return 0.0;
}

void EquationForce::own(const Rows& rows) const {
  *rows.owner = id_;
  std::copy(program_.numbers.begin(), program_.numbers.end(),
            rows.values + program_.outside.size() + program_.stored.size());
  std::fill_n(rows.adjoints, program_.value_count() + 1, 0.0);
}

bool EquationForce::read_leaves(const ForceInput& in, const Rows& rows) const {
  bool changed = *rows.owner != id_;
  if (changed) own(rows);
  const auto put = [&](double& leaf, double now) {
    changed = changed || leaf != now;
    leaf = now;
  };
  for (std::size_t k = 0; k < outside_.size(); ++k) {
    if (outside_[k].kind == Outside::Kind::motion)
      rows.values[k] = motions_[outside_[k].motion].evaluate(in);
    else
      put(rows.values[k], read(outside_[k], in));
  }
  for (const Stored& state : states_of_) rows.values[state.leaf] = in.x(state.x);
  for (const Stored& kept : kept_)
    put(rows.values[kept.leaf], equations_[kept.equation].kind == Equation::Kind::delay
                                    ? delayed_value(in, kept)
                                    : in.x_begin(kept.x));
  return changed;
}

void EquationForce::add_switched_states(std::vector<int>& switched) const {
  for (const Sampled& other : sampled_)
    for (const Sampled::Kept& kept : other.kept) switched.push_back(states().first + kept.x);
  for (const Stored& kept : kept_) {
    const Equation::Kind kind = equations_[kept.equation].kind;
    if (kind == Equation::Kind::hold || kind == Equation::Kind::logic)
      switched.push_back(states().first + kept.x);
  }
}

void EquationForce::evaluate(std::size_t first, std::size_t last, const std::vector<char>& sloped,
                             const Rows& rows) const {
  evaluate_with_slopes(program_.terms, sloped, first, last, program_.leaf_count(), rows.values,
                       rows.slopes, program_.tables);
}

void EquationForce::evaluate(std::size_t first, std::size_t last, const Rows& rows) const {
  evaluate(first, last, sloped_, rows);
}

void EquationForce::evaluate_rates(const Rows& rows) const {
  evaluate(program_.first_live, program_.first_after, rows);
}

void EquationForce::evaluate_after(const Rows& rows) const {
  evaluate(program_.first_after, program_.first_late, rows);
}

void EquationForce::evaluate_all(const Rows& rows) const {
  evaluate(0, program_.terms.size(), rows);
}

void EquationForce::follow_at_once(const Rows& rows) const {
  // each pass settles one link of a chain of followers
  for (std::size_t pass = 0; pass < kept_.size(); ++pass) {
    bool changed = false;
    for (const Stored& kept : kept_) {
      if (program_.may_follow[kept.equation] == 0) continue;
      double& leaf = rows.values[kept.leaf];
      changed = changed || leaf != rows.values[kept.formula];
      leaf = rows.values[kept.formula];
    }
    if (!changed) return;
    evaluate_all(rows);
  }
}

void EquationForce::sample(const ForceInput& in, const StateSink& out) const {
  double* values = out.scratch(report_scratch_);
  for (const Sampled& other : sampled_) {
    other.element->report(in.of(other.element->states()), values);
    for (const Sampled::Kept& kept : other.kept) out.set_x(kept.x, values[kept.channel]);
  }
}

void EquationForce::compute_inputs(const ForceInput& in, InputSink& out) const {
  if (in.continuous()) sample(in, out);
  const Rows rows = rows_of(out);
  const bool changed = read_leaves(in, rows);
  evaluate(changed ? 0 : program_.first_moving, program_.first_live, rows);
  if (in.gain() > 0.0 && !states_of_.empty())
    solve_states(in, rows);
  else
    evaluate_rates(rows);
  evaluate_after(rows);
  if (out.whole() || in.continuous()) evaluate(program_.first_late, program_.terms.size(), rows);
  if (in.continuous()) follow_at_once(rows);
  for (const Stored& state : states_of_) out.set_x(state.x, rows.values[state.leaf]);
  for (std::size_t e = 0; e < equations_.size(); ++e)
    out.set_input(equations_[e].input, rows.values[program_.value[e]]);
}

// States: x = x_hat + gain (xd_hat + g(x)) by Newton, g_x made anew where it converges slowly.

void EquationForce::fill_state_matrix(const Rows& rows) const {
  const std::size_t n = states_of_.size();
  for (std::size_t i = 0; i < n; ++i)
    fill_slopes(
        rate_paths_[i], states_of_[i].formula, n, [&](std::size_t k) { return states_of_[k].leaf; },
        rows.matrix + i * n, rows);
}

void EquationForce::solve_states(const ForceInput& in, const Rows& rows) const {
  const auto n = static_cast<int>(states_of_.size());
  double last = 0.0;
  bool anew = true;
  for (int iteration = 0; iteration < kMostStateIterations; ++iteration) {
    evaluate_rates(rows);
    if (anew) {
      fill_state_matrix(rows);
      for (int k = 0; k < n * n; ++k) rows.matrix[k] *= -in.gain();
      for (int i = 0; i < n; ++i) rows.matrix[i * n + i] += 1.0;
      factor_small(rows.matrix, rows.pivots, n);
    }
    for (int i = 0; i < n; ++i) {
      const Stored& state = states_of_[at(i)];
      rows.change[i] = in.x_hat(state.x) +
                       in.gain() * (in.xd_hat(state.x) + rows.values[state.formula]) -
                       rows.values[state.leaf];
    }
    solve_small(rows.matrix, rows.pivots, n, rows.change);
    double size = 0.0;
    for (int i = 0; i < n; ++i) {
      const double own =
          std::abs(rows.change[i]) / (1.0 + std::abs(rows.values[states_of_[at(i)].leaf]));
      if (!(own <= size)) size = own;  // what is not finite stays
    }
    if (!std::isfinite(size) && anew) {
      last = size;
      break;
    }
    // the terms are evaluated at the states as they are: what is left is round-off
    if (size <= kStateRoundOff || (size <= kStateSettled && size >= last && iteration > 0)) return;
    // a matrix of another place that does not fit here, as where a bristle begins to slide, would
    // throw the states away: it is made anew first
    if (!anew && !(size <= kStateContraction * last)) {
      anew = true;
      continue;
    }
    for (int i = 0; i < n; ++i) rows.values[states_of_[at(i)].leaf] += rows.change[i];
    anew = iteration > 0 && size > kStateContraction * last;
    last = size;
  }
  // rates that are not finite end the step by their names; states without a solution do, too
  const bool has_rates =
      std::all_of(states_of_.begin(), states_of_.end(),
                  [&](const Stored& state) { return std::isfinite(rows.values[state.formula]); });
  if (!(last <= kStateUnsolved) && has_rates)
    for (const Stored& state : states_of_)
      rows.values[state.leaf] = std::numeric_limits<double>::quiet_NaN();
  evaluate_rates(rows);
}

// Tangent: what the driven forces gain by the motions along them.

void EquationForce::differentiate(const Driven& force, double gain, const Rows& rows) const {
  const std::size_t n = states_of_.size();
  rows.adjoints[force.value] += 1.0;
  pull_back(force.path, program_.leaf_count(), rows.slopes, rows.adjoints);
  for (std::size_t i = 0; i < n; ++i) {
    double& adjoint = rows.adjoints[states_of_[i].leaf];
    rows.change[i] = adjoint;
    adjoint = 0.0;
  }
  if (n == 0 || gain <= 0.0) return;
  solve_small_transposed(rows.matrix, rows.pivots, static_cast<int>(n), rows.change);
  for (std::size_t i = 0; i < n; ++i) rows.adjoints[states_of_[i].formula] += gain * rows.change[i];
  pull_back(rates_to_motions_, program_.leaf_count(), rows.slopes, rows.adjoints);
}

void EquationForce::add_forces(const ForceInput& in, ForceSink& out) const {
  const TangentWeights& weights = in.weights();
  if (driven_.empty() || (weights.stiffness == 0.0 && weights.damping == 0.0)) return;
  const Rows rows = rows_of(out);
  for (const Driven& force : driven_) {
    differentiate(force, in.gain(), rows);
    double stiffness = 0.0;
    double damping = 0.0;
    Vector6 line = Vector6::Zero();
    if (force.connection >= 0) line = motions_[force.line].line_of(in);
    for (const Along& along : force.along) {
      const Motion& motion = motions_[along.motion];
      double slope = -force.sign * rows.adjoints[along.leaf];
      // what the motion has of the force's own line
      if (force.connection >= 0) {
        const double own = line.squaredNorm();
        slope *= own > 0.0 ? line.dot(motion.line_of(in)) / own : 0.0;
      }
      (motion.is_velocity() ? damping : stiffness) += slope;
    }
    if (force.connection >= 0)
      out.add_line_force(force.connection, line, 0.0, stiffness, damping);
    else
      out.add_coordinate_force(force.coordinate, 0.0, stiffness, damping);
    std::fill_n(rows.adjoints, outside_.size(), 0.0);
    // where no path begins
    rows.adjoints[force.value] = 0.0;
    for (const Stored& state : states_of_) rows.adjoints[state.formula] = 0.0;
  }
}

// The end of a step: rates of states, and what is sampled, decided and delayed.

void EquationForce::update_states(const ForceInput& in, StateSink& out) const {
  const Rows rows = rows_of(out);  // as compute_inputs() has left them
  for (const Sampled& other : sampled_)
    for (const Sampled::Kept& kept : other.kept) out.set_xd(kept.x, 0.0);
  if (in.step() > 0.0) sample(in, out);
  for (const Stored& state : states_of_) {
    out.set_x(state.x, rows.values[state.leaf]);
    out.set_xd(state.x, rows.values[state.formula]);
  }
  for (const Stored& kept : kept_) {
    const Equation& equation = equations_[kept.equation];
    const double now = rows.values[kept.formula];
    out.set_xd(kept.x, 0.0);
    if (!(in.step() > 0.0)) continue;
    switch (equation.kind) {
      case Equation::Kind::hold: {
        const double period = 1.0 / equation.rate;
        const bool sampled =
            count_periods(in.time(), period) > count_periods(in.time() - in.step(), period);
        out.set_x(kept.x, sampled ? now : in.x_begin(kept.x));
        break;
      }
      case Equation::Kind::logic: {
        const bool was = in.x_begin(kept.x) != 0.0;
        const double off = rows.values[program_.off[kept.equation]];
        // where both hold it is off, whatever it was
        out.set_x(kept.x, off == 0.0 && (was || now != 0.0) ? 1.0 : 0.0);
        break;
      }
      default:
        keep_samples(in, kept, now, out);
    }
  }
}

// Changes of logics, for runs that end a step where something begins or ends.

void EquationForce::measure_contacts(const ForceInput& in, double* pressed) const {
  const double* values = in.scratch(scratch_) + 1;  // behind Rows::owner
  for (const Stored& kept : kept_) {
    if (!equations_[kept.equation].has_margins) continue;
    const double off = -values[program_.margin_off[kept.equation]];
    *pressed++ =
        in.x(kept.x) != 0.0 ? off : std::min(off, values[program_.margin_on[kept.equation]]);
  }
}

// Delays: own states are the value at the begin of the step, samples 0 to N, the newest first, and
// the time of that begin, s; sample 0 is that of the last whole period before it. The time makes
// them right at instants inside of a step, too, where what is kept is that of its begin.

double EquationForce::begin_of(const ForceInput& in, const Stored& delay) const {
  if (in.step() > 0.0) return in.time() - in.step();
  // a search for equilibrium goes back to its time after each step
  return std::min(in.x_begin(delay.x + equations_[delay.equation].states() - 1), in.time());
}

double EquationForce::delayed_value(const ForceInput& in, const Stored& stored) const {
  const Equation& equation = equations_[stored.equation];
  const double period = equation.delay / equation.samples;
  const double begin = begin_of(in, stored);
  const double newest = count_periods(begin, period) * period;
  const double wanted = in.time() - equation.delay;
  const double last = in.x_begin(stored.x);
  const auto sample = [&](int k) { return in.x_begin(stored.x + 1 + k); };
  if (wanted >= newest) {
    const double span = begin - newest;
    const double part = span > kInstant * period ? std::min(1.0, (wanted - newest) / span) : 0.0;
    return sample(0) + part * (last - sample(0));
  }
  const double age = (newest - wanted) / period;
  const int k = std::min(static_cast<int>(age), equation.samples - 1);
  return sample(k) + (age - k) * (sample(k + 1) - sample(k));
}

void EquationForce::keep_samples(const ForceInput& in, const Stored& stored, double now,
                                 const StateSink& out) const {
  const Equation& equation = equations_[stored.equation];
  const double period = equation.delay / equation.samples;
  const double begin = begin_of(in, stored);
  const double newest = count_periods(in.time(), period);
  const double older = count_periods(begin, period);
  const double last = in.x_begin(stored.x);
  const auto passed = static_cast<int>(std::min(newest - older, equation.samples + 1.0));
  for (int k = 0; k <= equation.samples; ++k) {
    const double part = ((newest - k) * period - begin) / (in.time() - begin);
    out.set_x(stored.x + 1 + k,
              k < passed ? last + part * (now - last) : in.x_begin(stored.x + 1 + k - passed));
    out.set_xd(stored.x + 1 + k, 0.0);
  }
  out.set_x(stored.x, now);
  const int time = stored.x + equation.states() - 1;
  out.set_x(time, in.time());
  out.set_xd(time, 0.0);
}

}  // namespace semirec
