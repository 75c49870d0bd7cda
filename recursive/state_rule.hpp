#pragma once

#include <Eigen/Core>

namespace semirec {

/// How the time integration scheme ends a step for first-order states x of force elements:
///   x = x_hat + gain (xd_hat + xd),   xd: rate at the end of the step
/// An element solves it for x together with its own xd = g(x, motion). Outside of a step h and gain
/// are zero and x is x_begin: states stay.
template <typename Values>
struct BasicStateRule {
  double h = 0.0;     ///< step, s
  double gain = 0.0;  ///< dx/dxd, s
  Values x_begin{};   ///< states at the start of the step, for laws that count from there
  Values x_hat{};     ///< part of x that the past gives
  Values xd_hat{};    ///< part of the rate that the past gives

  /// No step is taken: the states stay at x, their rates were xd.
  template <typename AnyValues>
  void hold(const AnyValues& x, const AnyValues& xd) {
    h = gain = 0.0;
    x_begin = x_hat = x;
    xd_hat = xd;
  }
};

/// The rule of all force elements' states, by index of the state.
using StateRule = BasicStateRule<Eigen::VectorXd>;

}  // namespace semirec
