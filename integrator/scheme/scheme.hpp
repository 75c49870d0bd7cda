#pragma once

#include "integrator/state.hpp"
#include "recursive/state_rule.hpp"
#include "recursive/tree_workspace.hpp"

namespace semirec {

/// A time integration scheme at one length of the step: plain coefficients. The unknown of a step
/// is the increment d = z - z_n; increments instead of absolute z keep the digits of zdd far from
/// the origin, and let a triad count its rotation from the step's start. Rates at the end of the
/// step:
///   zd  = c_v d + zd_hat,    zd_hat  = zd_zd zd_n + zd_zdd zdd_n
///   zdd = c_a d + zdd_hat,   zdd_hat = zdd_zd zd_n + zdd_zdd zdd_n            [H03] (21)-(24)
/// The equilibrium at the end of the step, times `scale`, is solved for d with the tangent
/// weights.mass M + weights.damping C + weights.stiffness K.                   [H03] (26), (27)
struct Scheme {
  double h = 0.0;                      ///< step, s
  double c_v = 0.0;                    ///< 1/s
  double c_a = 0.0;                    ///< 1/s^2
  double zd_zd = 0.0, zd_zdd = 0.0;    ///< 1, s
  double zdd_zd = 0.0, zdd_zdd = 0.0;  ///< 1/s, 1
  double d_zd = 0.0, d_zdd = 0.0;      ///< predictor d = d_zd zd_n + d_zdd zdd_n; s, s^2

  TangentWeights weights;  ///< 1, c_v/c_a, 1/c_a
  double scale = 0.0;      ///< 1/c_a, s^2
  double penalty = 0.0;    ///< alpha_j = kappa m_j penalty/h^2: c_a h^2
  bool damps = false;      ///< takes energy from what is fast against the step
  double old_force = 0.0;  ///< weight of the forces at the step's start; step() knows 0 alone

  double gain = 0.0;     ///< of StateRule, s
  double xd_part = 0.0;  ///< of StateRule: xd_hat = xd_part xd_n

  /// The first guess of the increment. No heap use where d has its size.
  void predict(const State& state, Eigen::VectorXd& d) const {
    d = d_zd * state.zd + d_zdd * state.zdd;
  }

  /// Rates at the end of the step, at the increment d. No heap use where they have their size.
  void compute_rates(const State& state, const Eigen::VectorXd& d, Eigen::VectorXd& zd,
                     Eigen::VectorXd& zdd) const {
    zd = zd_zd * state.zd;
    if (zd_zdd != 0.0) zd += zd_zdd * state.zdd;
    zd += c_v * d;
    zdd = c_a * d + zdd_zd * state.zd + zdd_zdd * state.zdd;
  }

  /// Turns a rule that holds the states at the step's start (BasicStateRule::hold()) into this
  /// scheme's. No heap use.
  void begin(StateRule& rule) const {
    rule.h = h;
    rule.gain = gain;
    rule.xd_hat *= xd_part;
  }
};

}  // namespace semirec
