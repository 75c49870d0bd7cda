// Broyden's rule.

#include "integrator/statics/broyden.hpp"

#include <Eigen/Core>
#include <gtest/gtest.h>

#include "tests/support/eigen_system.hpp"
#include "tests/support/random_mechanism.hpp"

namespace semirec::test {
namespace {

Eigen::MatrixXd random_matrix(Random& random, int n) {
  Eigen::MatrixXd A(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) A(i, j) = random.number(-1.0, 1.0);
  return A;
}

/// The rule as Broyden gives it, with a matrix that is corrected: B += (y - B s) s^T / |s|^2.
struct WithMatrix {
  Eigen::MatrixXd B;
  Eigen::VectorXd s, F;
  Eigen::VectorXd step(const Eigen::VectorXd& residual) {
    if (s.size() > 0) B += ((residual - F) - B * s) * s.transpose() / s.squaredNorm();
    F = residual;
    s = -solve_fully_pivoted(B, residual);
    return s;
  }
};

// Expected: the steps of the rule with its matrix, on equations that are not linear.
TEST(BroydenSteps, AreThoseOfTheCorrectedMatrix) {
  Random random(5);
  constexpr int kSize = 6;
  const Eigen::MatrixXd A =
      Eigen::MatrixXd::Identity(kSize, kSize) * 3.0 + random_matrix(random, kSize);
  const Eigen::MatrixXd kept = A + 0.3 * random_matrix(random, kSize);
  const auto F = [&](const Eigen::VectorXd& x) -> Eigen::VectorXd {
    return A * x + 0.1 * x.cwiseProduct(x) - Eigen::VectorXd::Ones(kSize);
  };
  WithMatrix matrix{kept, {}, {}};
  BroydenSteps steps;
  Eigen::VectorXd x = Eigen::VectorXd::Zero(kSize);
  for (int k = 0; k < 8; ++k) {
    const Eigen::VectorXd residual = F(x);
    const Eigen::VectorXd expected = matrix.step(residual);
    const Eigen::VectorXd step = steps.step(-solve_fully_pivoted(kept, residual));
    ASSERT_EQ(step.size(), kSize);
    EXPECT_LT((step - expected).norm(), 1e-9 * expected.norm() + 1e-15) << k;
    x += step;
  }
  EXPECT_LT(F(x).norm(), 1e-8);
}

// Expected: n linear equations end after 2 n steps whatever matrix is kept (Gay 1979).
TEST(BroydenSteps, EndOnLinearEquationsAfterTwiceTheirNumber) {
  Random random(8);
  constexpr int kSize = 4;
  for (int trial = 0; trial < 20; ++trial) {
    const Eigen::MatrixXd A =
        Eigen::MatrixXd::Identity(kSize, kSize) * 2.0 + random_matrix(random, kSize);
    const Eigen::MatrixXd kept = A + 0.2 * random_matrix(random, kSize);
    const Eigen::VectorXd b = random_matrix(random, kSize).col(0);
    BroydenSteps steps;
    Eigen::VectorXd x = Eigen::VectorXd::Zero(kSize);
    for (int k = 0; k < 2 * kSize + 1; ++k) {
      const Eigen::VectorXd step = steps.step(-solve_fully_pivoted(kept, A * x - b));
      if (step.size() == 0) break;
      x += step;
    }
    EXPECT_LT((A * x - b).norm(), 1e-9 * b.norm()) << trial;
  }
}

// One whose matrix would become singular is refused: x = s, where the residual has not moved.
TEST(BroydenSteps, AreRefusedWhereTheMatrixWouldBecomeSingular) {
  BroydenSteps steps;
  const Eigen::VectorXd step = Eigen::VectorXd::Unit(3, 1);
  EXPECT_EQ(steps.step(step), step);
  EXPECT_EQ(steps.step(step).size(), 0);
  steps.begin();
  EXPECT_EQ(steps.step(step), step);
  EXPECT_EQ(steps.step(Eigen::VectorXd::Zero(3)), Eigen::VectorXd::Zero(3));
}

}  // namespace
}  // namespace semirec::test
