// Linear equations with multipliers as unknowns: LU factors against Eigen's full pivoting,
// pivots that are kept and renewed, and rows that depend on others.

#include "penalty/saddle.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "tests/support/eigen_system.hpp"
#include "tests/support/expect_close.hpp"
#include "tests/support/random_mechanism.hpp"
#include "tests/support/saddle_parts.hpp"
#include "topology/indices.hpp"

namespace semirec::test {
namespace {

// matrices of condition below 1e5: eps times that and some tens of operations
constexpr double kSolvedSaddle = 1e-9;

void expect_solution(const SaddleParts& parts, const Saddle& saddle, const Eigen::MatrixXd& A) {
  Random random(77);
  Eigen::VectorXd f = random.values(parts.n, 1.0);
  Eigen::VectorXd g = random.values(parts.m, 1.0);
  Eigen::VectorXd right(parts.n + parts.m);
  right << f, g;
  const Eigen::VectorXd expected = solve_fully_pivoted(A, right);
  saddle.solve(f, g);
  expect_close(f, expected.head(parts.n), kSolvedSaddle, kSolvedSaddle);
  expect_close(g, expected.tail(parts.m), kSolvedSaddle, kSolvedSaddle);
}

class Saddles : public testing::TestWithParam<PatternKind> {};
INSTANTIATE_TEST_SUITE_P(Patterns, Saddles,
                         testing::Values(PatternKind::dense, PatternKind::tree,
                                         PatternKind::sparse),
                         [](const auto& test) {
                           return std::string(test.param == PatternKind::dense  ? "dense"
                                              : test.param == PatternKind::tree ? "tree"
                                                                                : "sparse");
                         });

TEST_P(Saddles, SolveAsFullPivotingDoesAndKeepTheirPivots) {
  SaddleParts parts(GetParam(), 3);
  Saddle saddle(parts.pattern, parts.blocks, parts.m);
  ASSERT_EQ(saddle.factor(parts.tangent, parts.Phi_z, parts.compliance), Pivoting::renewed);
  expect_close(saddle.matrix().to_dense(), parts.dense(), 0.0, 0.0);
  expect_solution(parts, saddle, parts.dense());
  Random random(4);
  for (int k = 0; k < 20; ++k) {
    for (double& value : parts.tangent) value *= random.number(0.95, 1.05);
    for (double& value : parts.Phi_z) value *= random.number(0.95, 1.05);
    ASSERT_EQ(saddle.factor(parts.tangent, parts.Phi_z, parts.compliance), Pivoting::kept);
    expect_solution(parts, saddle, parts.dense());
  }
}

TEST_P(Saddles, ChooseNewPivotsWhereTheOldOnesHaveBecomeSmall) {
  SaddleParts parts(GetParam(), 3);
  Saddle saddle(parts.pattern, parts.blocks, parts.m);
  ASSERT_EQ(saddle.factor(parts.tangent, parts.Phi_z, parts.compliance), Pivoting::renewed);
  // what carried the first two rows leaves them to others
  int renewed = 0;
  for (const auto& small : {std::vector<std::size_t>{0, 1, 5, 6}, {2, 3, 7, 8}, {20}, {21}}) {
    std::vector<double> Phi_z = parts.Phi_z;
    for (const std::size_t k : small) Phi_z[k] *= 1e-13;
    SaddleParts changed = parts;
    changed.Phi_z = Phi_z;
    const Pivoting pivoting = saddle.factor(changed.tangent, changed.Phi_z, changed.compliance);
    ASSERT_NE(pivoting, Pivoting::failed);
    renewed += pivoting == Pivoting::renewed ? 1 : 0;
    expect_solution(changed, saddle, changed.dense());
  }
  EXPECT_GT(renewed, 0);
}

TEST_P(Saddles, EliminateByGroupsWhereATangentIsSingularByItself) {
  SaddleParts parts(GetParam(), 9);
  // coordinate 9 has no mass of its own; row 2, over 5 and 9, makes it regular
  for (const int k : {1, 4, 8, 9, 10}) parts.tangent[at(parts.pattern.slot(9, k))] = 0.0;
  SaddleShape shape;
  shape.regularizing = {{2, 3.0}};
  shape.groups = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {9, 10, 11}};
  Saddle saddle(parts.pattern, parts.blocks, parts.m, shape);
  for (const double size : {1.0, 0.7}) {
    for (double& value : parts.Phi_z) value *= size;
    ASSERT_NE(saddle.factor(parts.tangent, parts.Phi_z, parts.compliance), Pivoting::failed);
    // the row's products are in the matrix and in the right side: the solution is that without
    Eigen::MatrixXd added = parts.dense();
    const Eigen::VectorXd row = parts.rows().row(2).transpose();
    added.topLeftCorner(parts.n, parts.n) += 3.0 * row * row.transpose();
    expect_close(saddle.to_dense(), added, 0.0, 1e-15);
    expect_solution(parts, saddle, parts.dense());
  }
}

TEST_P(Saddles, TakeEntriesBeyondTheSymmetricTangent) {
  SaddleParts parts(GetParam(), 5);
  const std::vector<MatrixEntry> extra = {{0, 1}, {3, 7}, {11, 2}, {4, 4}};
  const std::vector<double> values = {0.3, -0.7, 0.2, 0.5};
  Saddle saddle(parts.pattern, parts.blocks, parts.m,
                {.extra = extra, .slots = {}, .regularizing = {}, .groups = {}});
  ASSERT_NE(saddle.factor(parts.tangent, parts.Phi_z, parts.compliance, values), Pivoting::failed);
  Eigen::MatrixXd A = parts.dense();
  for (std::size_t k = 0; k < extra.size(); ++k) A(extra[k].row, extra[k].column) += values[k];
  expect_solution(parts, saddle, A);
}

// Expected: the full matrix; pivots are kept while L D L^T and L U take turns, with a compliance in
// the row whose products regularize, and with the rows of two instants.
TEST_P(Saddles, FactorSymmetricAndOtherMatricesInTurns) {
  SaddleParts parts(GetParam(), 12);
  const std::vector<MatrixEntry> extra = {{0, 1}, {3, 7}, {11, 2}, {4, 4}};
  SaddleShape shape;
  shape.extra = extra;
  shape.regularizing = {{2, 3.0}};
  shape.groups = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {9, 10, 11}};
  Saddle saddle(parts.pattern, parts.blocks, parts.m, shape);
  Random random(13);
  // A + 3 row^T row of the columns' instant and of the rows', and f + 3 row^T g: the same solution
  for (int k = 0; k < 12; ++k) {
    std::vector<double> values(extra.size(), 0.0);
    if (k % 2 == 1)
      for (double& value : values) value = random.number(-0.1, 0.1);
    parts.compliance[2] = k % 4 == 3 ? 0.5 : 0.0;
    for (double& value : parts.Phi_z) value *= random.number(0.95, 1.05);
    ASSERT_NE(saddle.factor(parts.tangent, parts.Phi_z, parts.compliance, values),
              Pivoting::failed);
    Eigen::MatrixXd A = parts.dense();
    for (std::size_t e = 0; e < extra.size(); ++e) A(extra[e].row, extra[e].column) += values[e];
    expect_solution(parts, saddle, A);
    // the columns of another instant
    SaddleParts before = parts;
    for (double& value : before.Phi_z) value *= random.number(0.98, 1.02);
    ASSERT_NE(saddle.factor(parts.tangent, before.Phi_z, parts.Phi_z, parts.compliance, values),
              Pivoting::failed);
    A.topRightCorner(parts.n, parts.m) = before.rows().transpose();
    expect_solution(parts, saddle, A);
  }
}

TEST_P(Saddles, RefuseWhatHasNoPivotsOrIsNotFinite) {
  SaddleParts parts(GetParam(), 6);
  Saddle saddle(parts.pattern, parts.blocks, parts.m);
  SaddleParts broken = parts;
  broken.tangent[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(saddle.factor(broken.tangent, broken.Phi_z, broken.compliance), Pivoting::failed);
  broken = parts;
  broken.Phi_z[20] = broken.Phi_z[21] = broken.Phi_z[22] = 0.0;
  EXPECT_EQ(saddle.factor(broken.tangent, broken.Phi_z, broken.compliance), Pivoting::failed);
  // a compliance in the empty row holds it at zero
  broken.compliance[4] = 1.0;
  ASSERT_NE(saddle.factor(broken.tangent, broken.Phi_z, broken.compliance), Pivoting::failed);
  expect_solution(broken, saddle, broken.dense());
  // and what was broken serves again
  EXPECT_NE(saddle.factor(parts.tangent, parts.Phi_z, parts.compliance), Pivoting::failed);
  expect_solution(parts, saddle, parts.dense());
}

TEST(RowRanks, TellRowsThatDependOnOthersAndEmptyOnes) {
  SaddleParts parts(PatternKind::dense, 8);
  RowRank rank(parts.n, parts.m);
  std::vector<char> dependent(at(parts.m));
  EXPECT_EQ(rank.find(parts.blocks, parts.Phi_z, dependent), 0);
  // the second row a multiple of the first, the last one empty
  for (std::size_t k = 0; k < 5; ++k) parts.Phi_z[5 + k] = -3.0 * parts.Phi_z[k];
  for (std::size_t k = 20; k < 23; ++k) parts.Phi_z[k] = 0.0;
  EXPECT_EQ(rank.find(parts.blocks, parts.Phi_z, dependent), 2);
  EXPECT_EQ(dependent[0] + dependent[1], 1);
  EXPECT_EQ(dependent[2], 0);
  EXPECT_EQ(dependent[3], 0);
  EXPECT_EQ(dependent[4], 1);
}

}  // namespace
}  // namespace semirec::test
