#pragma once

#include "integrator/state.hpp"
#include "recursive/packs/number_functions.hpp"
#include "recursive/packs/pack_functions.hpp"
#include "recursive/state_rule.hpp"
#include "recursive/tree_workspace.hpp"

namespace semirec {

/// What a scheme keeps of earlier steps beyond zd and zdd, as coefficients: columns P, Q of n
/// values for the coordinates and one column X for the states of force elements, which
/// State::history holds one after the other. At the end of a step
///   P <- p_d d + p_zd zd_n + p_zdd zdd_n + p_p P,     Q <- zd_n,
///   X <- x_x x_n + x_xd xd_n + x_end xd + x_X X,      xd: rate at the end of the step
struct SchemeHistory {
  int columns = 0;                  ///< 0: none; 1: P; 2: P and Q
  bool reads = false;               ///< this step reads it; else it is the first one after a start
  double zd_P = 0.0, zd_Q = 0.0;    ///< parts of zd_hat
  double zdd_P = 0.0, zdd_Q = 0.0;  ///< parts of zdd_hat
  double x_hat_X = 0.0, xd_hat_X = 0.0;
  double p_d = 0.0, p_zd = 0.0, p_zdd = 0.0, p_p = 0.0;
  /// Where P is an auxiliary acceleration: P = now zdd + before zdd_n + last a_n with
  /// a_n = zdd_n + share (P_n - zdd_n), share the length of the step over that of the one before.
  double now = 1.0, before = 0.0, last = 0.0, share = 0.0;
  double x_x = 0.0, x_xd = 0.0, x_end = 0.0, x_X = 0.0;
};

/// A time integration scheme at one length of the step: plain coefficients. The unknown of a step
/// is the increment d = z - z_n; increments instead of absolute z keep the digits of zdd far from
/// the origin, and let a triad count its rotation from the step's start. Rates at the end of the
/// step:
///   zd  = c_v d + zd_hat,    zd_hat  = zd_zd zd_n + zd_zdd zdd_n + history
///   zdd = c_a d + zdd_hat,   zdd_hat = zdd_zd zd_n + zdd_zdd zdd_n + history   [H03] (21)-(24)
/// zdd balances the forces at the end of the step. The equilibrium there, times `scale`, is solved
/// for d with the tangent weights.mass M + weights.damping C + weights.stiffness K.
///                                                                             [H03] (26), (27)
struct Scheme {
  double h = 0.0;                      ///< step, s
  double c_v = 0.0;                    ///< 1/s
  double c_a = 0.0;                    ///< 1/s^2
  double zd_zd = 0.0, zd_zdd = 0.0;    ///< 1, s
  double zdd_zd = 0.0, zdd_zdd = 0.0;  ///< 1/s, 1
  /// Predictor d = d_zd zd_n + d_zdd zdd_n + d_jerk trend_n; s, s^2, s^3. With the last term, of
  /// steps to convergence, it is the increment at which zdd goes on as over the last step.
  double d_zd = 0.0, d_zdd = 0.0, d_jerk = 0.0;

  TangentWeights weights;  ///< 1, c_v/c_a, 1/c_a
  double scale = 0.0;      ///< 1/c_a, s^2
  double penalty = 0.0;    ///< alpha_j = kappa m_j penalty/h^2: c_a h^2
  bool damps = false;      ///< takes energy from what is fast against the step
  double gamma = 0.0;      ///< of Newmark's formulas where they are the scheme's; else 0
  double beta = 0.0;       ///< the same

  double gain = 0.0;     ///< of StateRule, s
  double x_part = 1.0;   ///< of StateRule: x_hat = x_part x_n + history
  double xd_part = 0.0;  ///< of StateRule: xd_hat = xd_part xd_n + history

  /// Local error of the positions over a step: error h^2 (b - b_n), b the auxiliary acceleration
  /// (past.columns = 1) or zdd; as its paper prints it, printed_error. 0: no estimate. Where a
  /// formula of two steps begins (past.columns = 2 without past.reads): error h^2 zdd.
  double error = 0.0, printed_error = 0.0;
  double state_error = 1.0 / 12.0;  ///< of the states of force elements: times h^3 x'''

  SchemeHistory past;

  /// Number of values in State::history for n coordinates and `states` states of force elements.
  Eigen::Index history_size(Eigen::Index n, Eigen::Index states) const {
    return past.columns > 0 ? past.columns * n + states : 0;
  }

  // The formulas below hold number by number: `AnyState` is State, or the numbers of several cars
  // side by side under the same names (zd, zdd, x, xd, history), `Vector` a vector of as many.

  /// State::trend of a coordinate whose jerk has become `now` over a step: what swings from step to
  /// step, or has been hit, does not go on so.
  template <typename S>
  static S trend(const S& before, const S& now) {
    constexpr double kMuch = 0.5;
    const S change = now - before;
    return select(change * change < kMuch * kMuch * (now * now), now, S{});
  }
  /// The first guess of the increment, d_zd zd_n + d_zdd zdd_n. No heap use where d has its size.
  template <typename AnyState, typename Vector>
  void predict(const AnyState& state, Vector& d) const {
    d = d_zd * state.zd + d_zdd * state.zdd;
  }

  /// Rates at the end of the step, at the increment d. No heap use where they have their size.
  template <typename AnyState, typename Vector>
  void compute_rates(const AnyState& state, const Vector& d, Vector& zd, Vector& zdd) const {
    const Eigen::Index n = d.size();
    zd = zd_zd * state.zd + c_v * d;
    if (zd_zdd != 0.0) zd += zd_zdd * state.zdd;
    if (past.reads) {
      zd += past.zd_P * state.history.head(n);
      if (past.columns > 1) zd += past.zd_Q * state.history.segment(n, n);
    }
    zdd = c_a * d + zdd_zd * state.zd + zdd_zdd * state.zdd;
    if (past.reads) {
      zdd += past.zdd_P * state.history.head(n);
      if (past.columns > 1) zdd += past.zdd_Q * state.history.segment(n, n);
    }
  }

  /// Turns a rule that holds the states at the step's start (BasicStateRule::hold()) into this
  /// scheme's. No heap use.
  template <typename AnyState>
  void begin(const AnyState& state, StateRule& rule) const {
    rule.h = h;
    rule.gain = gain;
    if (x_part != 1.0) rule.x_hat *= x_part;
    rule.xd_hat *= xd_part;
    if (!past.reads || state.x.size() == 0) return;
    const auto X = state.history.tail(state.x.size());
    if (past.x_hat_X != 0.0) rule.x_hat += past.x_hat_X * X;
    if (past.xd_hat_X != 0.0) rule.xd_hat += past.xd_hat_X * X;
  }

  /// Writes the history at the end of the step to the front of `history`, from the state at its
  /// begin, its increment and the rates xd of the states at its end. No heap use; `history` has at
  /// least history_size() values.
  template <typename AnyState, typename Vector>
  void remember(const AnyState& state, const Vector& d, const Vector& xd, Vector& history) const {
    if (past.columns == 0) return;
    const Eigen::Index n = d.size();
    const Eigen::Index states = state.x.size();
    auto P = history.head(n);
    P = past.p_d * d;
    if (past.p_zd != 0.0) P += past.p_zd * state.zd;
    if (past.p_zdd != 0.0) P += past.p_zdd * state.zdd;
    if (past.reads && past.p_p != 0.0) P += past.p_p * state.history.head(n);
    if (past.columns > 1) history.segment(n, n) = state.zd;
    if (states == 0) return;
    auto X = history.segment(past.columns * n, states);
    X = past.x_x * state.x + past.x_xd * state.xd + past.x_end * xd;
    if (past.reads && past.x_X != 0.0) X += past.x_X * state.history.tail(states);
  }
};

}  // namespace semirec
