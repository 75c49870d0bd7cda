// Sparse LU factors against Eigen's dense ones with full pivoting.
#include "penalty/factors/pivoted_lu.hpp"

#include <limits>
#include <numeric>
#include <random>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "penalty/factors/minimum_degree.hpp"

namespace semirec {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

struct Sparse {
  std::vector<int> begin{0}, row;
  std::vector<double> values;
  MatrixXd dense;
};

Sparse compress(const MatrixXd& A) {
  Sparse s;
  s.dense = A;
  for (int c = 0; c < A.cols(); ++c) {
    for (int r = 0; r < A.rows(); ++r) {
      if (A(r, c) == 0.0) continue;
      s.row.push_back(r);
      s.values.push_back(A(r, c));
    }
    s.begin.push_back(static_cast<int>(s.row.size()));
  }
  return s;
}

/// A random matrix whose rows differ in size by six orders of magnitude; `saddle`: with zeros on
/// the last third of the diagonal, as multipliers have them.
MatrixXd random_matrix(std::mt19937& random, int n, bool saddle) {
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  MatrixXd A = MatrixXd::Zero(n, n);
  for (int i = 0; i < n; ++i) {
    if (!saddle || i < n - n / 3) A(i, i) = 2.0 + number(random);
    for (int k = 0; k < 3; ++k) {
      const int j = static_cast<int>(random() % static_cast<unsigned>(n));
      if (saddle && i >= n - n / 3 && j >= n - n / 3) continue;
      if (i != j) A(i, j) = number(random);
    }
    if (saddle && i >= n - n / 3) A(i, i - n / 3) = A(i - n / 3, i) = 1.0;
  }
  for (int i = 0; i < n; ++i) A.row(i) *= std::pow(10.0, 3.0 * number(random));
  return A;
}

VectorXd solved(const PivotedLu& lu, VectorXd x) {
  lu.solve(x.data());
  return x;
}

TEST(PivotedLu, SolvesAsDenseFactorsDo) {
  std::mt19937 random(1);
  for (int k = 0; k < 300; ++k) {
    const int n = 1 + k % 40;
    const Sparse A = compress(random_matrix(random, n, k % 2 == 1));
    const Eigen::FullPivLU<MatrixXd> expected(A.dense);
    PivotedLu lu(A.begin, A.row);
    if (!expected.isInvertible()) continue;
    ASSERT_TRUE(lu.factor(A.values.data())) << k;
    const VectorXd b = VectorXd::LinSpaced(n, -1.0, 2.0);
    const VectorXd x = solved(lu, b);
    // with rows of one size the condition number says what rounding may do
    const MatrixXd scaled =
        A.dense.rowwise().lpNorm<Eigen::Infinity>().cwiseInverse().asDiagonal() * A.dense;
    const double condition = scaled.inverse().norm() * scaled.norm();
    EXPECT_LT((x - expected.solve(b)).norm(), 1e-12 * condition * x.norm()) << k;
  }
}

TEST(PivotedLu, OfNewValuesWithOldPivotsSolvesAsWell) {
  std::mt19937 random(2);
  for (int k = 0; k < 100; ++k) {
    const int n = 2 + k % 30;
    Sparse A = compress(random_matrix(random, n, k % 2 == 1));
    PivotedLu lu(A.begin, A.row);
    if (!lu.factor(A.values.data())) continue;
    const VectorXd b = VectorXd::LinSpaced(n, 1.0, 2.0);
    // the same values make the same bits
    const VectorXd first = solved(lu, b);
    ASSERT_TRUE(lu.refactor(A.values.data()));
    EXPECT_EQ(solved(lu, b), first);
    // changed by hundredths
    std::uniform_real_distribution<double> factor(0.99, 1.01);
    for (double& value : A.values) value *= factor(random);
    std::size_t e = 0;
    for (int c = 0; c < n; ++c)
      for (int r = 0; r < n; ++r)
        if (A.dense(r, c) != 0.0) A.dense(r, c) = A.values[e++];
    ASSERT_TRUE(lu.refactor(A.values.data()));
    const VectorXd x = solved(lu, b);
    const MatrixXd scaled =
        A.dense.rowwise().lpNorm<Eigen::Infinity>().cwiseInverse().asDiagonal() * A.dense;
    const double condition = scaled.inverse().norm() * scaled.norm();
    EXPECT_LT((x - A.dense.fullPivLu().solve(b)).norm(), 1e-11 * condition * x.norm()) << k;
  }
}

// by hand: the row (1e-6, 1) has a pivot of 1e-6 beside a row (1, 0); with the diagonal kept U
// would hold 1e6
TEST(PivotedLu, TakesTheDiagonalUnlessItIsFarTooSmall) {
  const Sparse A = compress((MatrixXd(2, 2) << 1e-6, 1.0, 1.0, 0.0).finished());
  PivotedLu lu(A.begin, A.row);
  ASSERT_TRUE(lu.factor(A.values.data()));
  EXPECT_EQ(lu.growth(), 1.0);
  EXPECT_EQ(lu.smallest_pivot(), 1.0);
  const Sparse B = compress((MatrixXd(2, 2) << 0.5, 1.0, 1.0, 0.0).finished());
  PivotedLu kept(B.begin, B.row);
  ASSERT_TRUE(kept.factor(B.values.data()));
  EXPECT_EQ(kept.entries(), 6);
}

TEST(PivotedLu, RefusesWhatHasNoFactors) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Sparse A = compress((MatrixXd(2, 2) << 1.0, 2.0, 2.0, 4.0).finished());
  PivotedLu lu(A.begin, A.row);
  EXPECT_FALSE(lu.factor(A.values.data()));
  A.values = {1.0, 2.0, nan, 5.0};
  EXPECT_FALSE(lu.factor(A.values.data()));
  A.values = {0.0, 2.0, 0.0, 5.0};
  EXPECT_FALSE(lu.factor(A.values.data()));
  A.values = {1.0, 2.0, 2.0, 5.0};
  ASSERT_TRUE(lu.factor(A.values.data()));
  A.values = {1.0, 2.0, 2.0, 4.0};
  EXPECT_FALSE(lu.refactor(A.values.data()));
  A.values = {1.0, 2.0, 2.0, 5.0};
  ASSERT_TRUE(lu.refactor(A.values.data()));
  EXPECT_NEAR(solved(lu, VectorXd::Ones(2))[0], 3.0, 1e-14);
}

// an arrow: eliminated from its tips it fills in nothing, from its head everything
TEST(MinimumDegree, OfAnArrowLeavesItsHeadForTheEnd) {
  const int n = 20;
  std::vector<int> begin{0}, row;
  for (int c = 0; c < n; ++c) {
    row.push_back(0);
    if (c > 0) row.push_back(c);
    begin.push_back(static_cast<int>(row.size()));
  }
  std::vector<int> order = find_minimum_degree_order(begin, row);
  const auto head = std::find(order.begin(), order.end(), 0);
  EXPECT_GE(head - order.begin(), n - 2);
  std::sort(order.begin(), order.end());
  std::vector<int> all(static_cast<std::size_t>(n));
  std::iota(all.begin(), all.end(), 0);
  EXPECT_EQ(order, all);
}

}  // namespace
}  // namespace semirec
