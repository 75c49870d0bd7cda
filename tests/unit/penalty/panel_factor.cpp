// LU factors in panels against Eigen's full pivoting, on chains of bodies whose pivots are their
// diagonals.

#include "penalty/factors/panel_factor.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "tests/support/eigen_system.hpp"
#include "tests/support/expect_close.hpp"
#include "tests/support/random_mechanism.hpp"
#include "topology/indices.hpp"

namespace semirec::test {
namespace {

// diagonals of 2 to 4 beside some ten entries below 0.2: condition below 100, eps times that
constexpr double kSolvedChain = 1e-13;

/// A matrix by columns: `bodies` dense blocks of `size`, each coupled with the one before by two
/// entries a column, and with the last block by one.
struct Chain {
  std::vector<int> column_begin{0}, row_index;
  Eigen::MatrixXd A;

  Chain(int bodies, int size, std::uint64_t seed) {
    Random random(seed);
    const int n = bodies * size;
    A.setZero(n, n);
    const auto couple = [&](int i, int j) {
      A(i, j) = random.number(-0.2, 0.2);
      A(j, i) = random.number(-0.2, 0.2);
    };
    for (int b = 0; b < bodies; ++b)
      for (int i = b * size; i < (b + 1) * size; ++i) {
        for (int j = b * size; j < i; ++j) couple(i, j);
        if (b > 0) couple(i, (b - 1) * size);
        if (b > 0) couple(i, i - size);
        if (b + 1 < bodies) couple(n - 1, i);
      }
    for (int i = 0; i < n; ++i) A(i, i) = random.number(2.0, 4.0);
    for (int c = 0; c < n; ++c) {
      for (int r = 0; r < n; ++r)
        if (A(r, c) != 0.0) row_index.push_back(r);
      column_begin.push_back(static_cast<int>(row_index.size()));
    }
  }
  std::vector<double> values() const {
    std::vector<double> values;
    for (int c = 0; c < A.cols(); ++c)
      for (int k = column_begin[at(c)]; k < column_begin[at(c) + 1]; ++k)
        values.push_back(A(row_index[at(k)], c));
    return values;
  }
};

class Panels : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(SizesOfBlocks, Panels, testing::Values(1, 3, 4, 7));

TEST_P(Panels, SolveAsFullPivotingDoes) {
  Chain chain(6, GetParam(), 11);
  PanelFactor factor(chain.column_begin, chain.row_index);
  Random random(12);
  for (int k = 0; k < 5; ++k) {
    for (int c = 0; c < chain.A.cols(); ++c) chain.A.col(c) *= random.number(0.9, 1.1);
    ASSERT_TRUE(factor.factor(chain.values().data()));
    Eigen::VectorXd x = random.values(chain.A.rows(), 1.0);
    const Eigen::VectorXd expected = solve_fully_pivoted(chain.A, x);
    factor.solve(x.data());
    expect_close(x, expected, kSolvedChain, kSolvedChain);
  }
}

// Expected: Eigen's full pivoting of the symmetric matrix, of which only the diagonal and what is
// above it is given.
TEST_P(Panels, OfASymmetricMatrixReadItsUpperHalf) {
  Chain chain(6, GetParam(), 15);
  PanelFactor factor(chain.column_begin, chain.row_index);
  Random random(16);
  for (int k = 0; k < 5; ++k) {
    for (int c = 0; c < chain.A.cols(); ++c) chain.A.col(c) *= random.number(0.9, 1.1);
    std::vector<double> values = chain.values();
    for (int c = 0; c < chain.A.cols(); ++c)
      for (int e = chain.column_begin[at(c)]; e < chain.column_begin[at(c) + 1]; ++e)
        if (chain.row_index[at(e)] > c) values[at(e)] = std::numeric_limits<double>::quiet_NaN();
    ASSERT_TRUE(factor.factor(values.data(), /*symmetric=*/true));
    const Eigen::MatrixXd A = chain.A.selfadjointView<Eigen::Upper>();
    Eigen::VectorXd x = random.values(A.rows(), 1.0);
    const Eigen::VectorXd expected = solve_fully_pivoted(A, x);
    factor.solve(x.data());
    expect_close(x, expected, kSolvedChain, kSolvedChain);
    // and of a general one again
    ASSERT_TRUE(factor.factor(chain.values().data()));
    x = random.values(A.rows(), 1.0);
    const Eigen::VectorXd of_general = solve_fully_pivoted(chain.A, x);
    factor.solve(x.data());
    expect_close(x, of_general, kSolvedChain, kSolvedChain);
  }
}

TEST_P(Panels, TellTheirPivotsAndTheLargestEntries) {
  const Chain chain(6, GetParam(), 13);
  PanelFactor factor(chain.column_begin, chain.row_index);
  ASSERT_TRUE(factor.factor(chain.values().data()));
  // U by elimination of the full matrix
  Eigen::MatrixXd U = chain.A;
  const int n = factor.size();
  for (int k = 0; k < n; ++k)
    for (int r = k + 1; r < n; ++r) U.row(r) -= U(r, k) / U(k, k) * U.row(k);
  const Eigen::MatrixXd upper = U.triangularView<Eigen::Upper>();
  std::vector<double> largest(at(n));
  factor.find_largest(largest);
  for (int k = 0; k < n; ++k) {
    EXPECT_NEAR(factor.pivot(k), upper(k, k), kSolvedChain);
    EXPECT_NEAR(largest[at(k)], upper.col(k).cwiseAbs().maxCoeff(), kSolvedChain);
  }
  const Eigen::ArrayXd pivots = upper.diagonal().cwiseAbs();
  EXPECT_NEAR(factor.smallest_pivot(), pivots.minCoeff() / pivots.maxCoeff(), kSolvedChain);
}

TEST_P(Panels, RefuseAPivotThatIsZeroOrNotFinite) {
  Chain chain(6, GetParam(), 14);
  PanelFactor factor(chain.column_begin, chain.row_index);
  chain.A(0, 0) = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(factor.factor(chain.values().data()));
  std::vector<double> nothing(chain.row_index.size(), 0.0);
  EXPECT_FALSE(factor.factor(nothing.data()));
}

}  // namespace
}  // namespace semirec::test
