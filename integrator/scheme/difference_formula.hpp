#pragma once

#include <Eigen/Core>

namespace semirec {

/// The trapezoidal rule in increments d = z_{n+1} - z_n, [H03] Eqs. (21)-(24):
///   zd_{n+1} = c_v d - zd_n,   zdd_{n+1} = c_a d - c_b zd_n - zdd_n
/// with c_v = 2/h, c_a = 4/h^2, c_b = 4/h. Increments instead of absolute z keep the digits of zdd
/// far from the origin, and let a triad count its rotation from the step's start.
struct TrapezoidalRule {
  explicit TrapezoidalRule(double h)
      : c_v(2.0 / h), c_a(4.0 / (h * h)), c_b(4.0 / h), scale(0.25 * h * h), damping(0.5 * h) {}

  double c_v;      ///< 1/s
  double c_a;      ///< 1/s^2
  double c_b;      ///< 1/s
  double scale;    ///< h^2/4, weight of the equilibrium and of K, s^2
  double damping;  ///< h/2, weight of C, s

  void rates(const Eigen::VectorXd& d, const Eigen::VectorXd& zd_n, const Eigen::VectorXd& zdd_n,
             Eigen::VectorXd& zd, Eigen::VectorXd& zdd) const {
    zd = c_v * d - zd_n;
    zdd = c_a * d - c_b * zd_n - zdd_n;
  }
};

}  // namespace semirec
