#pragma once

#include <Eigen/Core>

namespace semirec::test {

/// Step of the sixth-order differences below. The derivatives that enter are those of motions of
/// about 1 rad/s along chains of about 1 m: with f^(7), f^(8) of 1e2 to 1e3 the truncation errors
/// h^6 f^(7) / 140 and h^6 f^(8) / 560 stay near 1e-12, the round-off eps f / h near 1e-13 for the
/// first and 6 eps f / h^2 near 1e-11 for the second derivative.
constexpr double kDifferenceStep = 5e-3;

/// f'(0) by central differences of sixth order; f returns a number or an Eigen matrix by value.
template <class Function>
auto derivative(const Function& f, double h = kDifferenceStep) {
  using Value = decltype(f(0.0));
  const Value one = f(h) - f(-h);
  const Value two = f(2.0 * h) - f(-2.0 * h);
  const Value three = f(3.0 * h) - f(-3.0 * h);
  return Value((45.0 * one - 9.0 * two + three) / (60.0 * h));
}

/// f''(0) by central differences of sixth order.
template <class Function>
auto second_derivative(const Function& f, double h = kDifferenceStep) {
  using Value = decltype(f(0.0));
  const Value one = f(h) + f(-h);
  const Value two = f(2.0 * h) + f(-2.0 * h);
  const Value three = f(3.0 * h) + f(-3.0 * h);
  return Value((270.0 * one - 27.0 * two + 2.0 * three - 490.0 * f(0.0)) / (180.0 * h * h));
}

/// df/dz at z, column by column; f takes and returns a VectorXd.
template <class Function>
Eigen::MatrixXd jacobian(const Function& f, const Eigen::VectorXd& z, double h = kDifferenceStep) {
  Eigen::MatrixXd J(f(z).size(), z.size());
  for (Eigen::Index k = 0; k < z.size(); ++k)
    J.col(k) = derivative(
        [&](double s) {
          Eigen::VectorXd moved = z;
          moved[k] += s;
          return Eigen::VectorXd(f(moved));
        },
        h);
  return J;
}

}  // namespace semirec::test
