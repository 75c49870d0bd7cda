// Independent coordinates of loops: their solution of a step's linear equations against Eigen's
// full pivoting of the whole matrix, rows that depend on others, and closing at another place.

#include "penalty/independent_solver.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "tests/support/eigen_system.hpp"
#include "tests/support/expect_close.hpp"
#include "tests/support/random_mechanism.hpp"
#include "tests/support/saddle_parts.hpp"

namespace semirec::test {
namespace {

// matrices of condition below 1e5: eps times that and some tens of operations
constexpr double kSolvedByLoops = 1e-9;
constexpr double kFewOperations = 1e-13;  // of numbers of size 1, some tens of operations

/// Its loops alone, each coordinate in one; or without the last one, whose coordinates are then
/// outside of all loops.
SaddleParts make_parts(PatternKind kind, bool with_outside) {
  SaddleParts parts(kind, 3);
  if (with_outside) {
    parts.blocks.pop_back();
    parts.m = 4;
    parts.Phi_z.resize(20);
    parts.compliance.conservativeResize(4);
  }
  return parts;
}

IndependentSolver solver_of(const SaddleParts& parts) {
  return {parts.pattern, parts.blocks, parts.m};
}

class IndependentSolvers : public testing::TestWithParam<std::tuple<PatternKind, bool>> {
 protected:
  SaddleParts parts = make_parts(std::get<0>(GetParam()), std::get<1>(GetParam()));
};
INSTANTIATE_TEST_SUITE_P(Patterns, IndependentSolvers,
                         testing::Combine(testing::Values(PatternKind::dense, PatternKind::tree,
                                                          PatternKind::sparse),
                                          testing::Bool()));

TEST_P(IndependentSolvers, SolveAsFullPivotingOfTheWholeMatrixDoes) {
  IndependentSolver solver = solver_of(parts);
  Random random(5);
  for (int k = 0; k < 10; ++k) {
    for (double& value : parts.tangent) value *= random.number(0.9, 1.1);
    for (double& value : parts.Phi_z) value *= random.number(0.8, 1.2);
    solver.split(parts.Phi_z);
    ASSERT_TRUE(solver.factor(parts.tangent));
    const Eigen::VectorXd f = random.values(parts.n, 1.0);
    const Eigen::VectorXd g = random.values(parts.m, 1.0);
    Eigen::VectorXd x(parts.n);
    Eigen::VectorXd mu(parts.m);
    solver.solve(f, g, x);
    solver.find_multipliers(mu);
    Eigen::VectorXd right(parts.n + parts.m);
    right << f, g;
    const Eigen::VectorXd expected = solve_fully_pivoted(parts.dense(), right);
    expect_close(x, expected.head(parts.n), kSolvedByLoops, kSolvedByLoops);
    expect_close(mu, expected.tail(parts.m), kSolvedByLoops, kSolvedByLoops);
  }
}

TEST_P(IndependentSolvers, LeaveOutRowsThatDependOnOthers) {
  // the second row becomes twice the first
  for (int k = 0; k < 5; ++k) parts.Phi_z[at(5 + k)] = 2.0 * parts.Phi_z[at(k)];
  IndependentSolver solver = solver_of(parts);
  solver.split(parts.Phi_z);
  EXPECT_FALSE(solver.has_pivot(0));  // the larger one has it
  for (int row = 1; row < parts.m; ++row) EXPECT_TRUE(solver.has_pivot(row)) << row;
  ASSERT_TRUE(solver.factor(parts.tangent));
  Random random(6);
  const Eigen::VectorXd f = random.values(parts.n, 1.0);
  Eigen::VectorXd g = random.values(parts.m, 1.0);
  g[1] = 2.0 * g[0];
  Eigen::VectorXd x(parts.n);
  Eigen::VectorXd mu(parts.m);
  solver.solve(f, g, x);
  solver.find_multipliers(mu);
  EXPECT_EQ(mu[0], 0.0);
  expect_close(parts.rows() * x, g, kSolvedByLoops, kSolvedByLoops);
  const Eigen::VectorXd balance =
      parts.pattern.to_dense(parts.tangent.data()) * x + parts.rows().transpose() * mu;
  expect_close(balance, f, kSolvedByLoops, kSolvedByLoops);
}

TEST_P(IndependentSolvers, CloseAtAnotherPlaceByTheDependentCoordinatesAlone) {
  IndependentSolver solver = solver_of(parts);
  solver.split(parts.Phi_z);
  Random random(7);
  for (double& value : parts.Phi_z) value *= random.number(0.9, 1.1);
  const Eigen::VectorXd before = random.values(parts.n, 1.0);
  const Eigen::VectorXd error = parts.rows() * before;
  Eigen::VectorXd after = before;
  ASSERT_TRUE(solver.close(parts.Phi_z, error, after));
  expect_close(parts.rows() * after, Eigen::VectorXd::Zero(parts.m), 0.0, kFewOperations);
  EXPECT_EQ(((after - before).array() != 0.0).count(), parts.m);
}

TEST_P(IndependentSolvers, TakeWhatClosingHasLeftForTheNextSplitToTheBit) {
  IndependentSolver solver = solver_of(parts);
  Random random(8);
  bool same = false;
  bool other = false;
  solver.split(parts.Phi_z);
  std::vector<double> Phi_z = parts.Phi_z;
  for (int k = 0; k < 30; ++k) {
    // far enough for other coordinates to be the dependent ones now and then
    for (double& value : Phi_z) value += random.number(-0.15, 0.15);
    Eigen::VectorXd z = random.values(parts.n, 1.0);
    const Eigen::VectorXd before = z;
    const bool closed = solver.close(Phi_z, random.values(parts.m, 1.0), z);
    solver.split(Phi_z);
    IndependentSolver fresh = solver_of(parts);
    fresh.split(Phi_z);
    ASSERT_TRUE(solver.factor(parts.tangent) && fresh.factor(parts.tangent));
    const Eigen::VectorXd f = random.values(parts.n, 1.0);
    const Eigen::VectorXd g = random.values(parts.m, 1.0);
    Eigen::VectorXd x(parts.n), x_fresh(parts.n), mu(parts.m), mu_fresh(parts.m);
    solver.solve(f, g, x);
    fresh.solve(f, g, x_fresh);
    solver.find_multipliers(mu);
    fresh.find_multipliers(mu_fresh);
    EXPECT_EQ(x, x_fresh) << k;
    EXPECT_EQ(mu, mu_fresh) << k;
    if (!closed) continue;
    // closing has moved the coordinates that were dependent before: those of this split, or others
    Eigen::VectorXd again = before;
    ASSERT_TRUE(fresh.close(Phi_z, random.values(parts.m, 1.0), again));
    const bool alike = ((again - before).array() != 0.0).isApprox((z - before).array() != 0.0);
    (alike ? same : other) = true;
    solver.split(Phi_z);
  }
  EXPECT_TRUE(same);
  EXPECT_TRUE(other);
}

// Expected: a fresh solver of the same numbers, to the bit, whatever came before: rows that vanish
// so that closing fails on the way, and numbers that are none.
TEST_P(IndependentSolvers, ForgetWhatHasFailed) {
  IndependentSolver solver = solver_of(parts);
  Random random(10);
  const auto expect_fresh = [&](const std::vector<double>& Phi_z) {
    IndependentSolver fresh = solver_of(parts);
    solver.split(Phi_z);
    fresh.split(Phi_z);
    ASSERT_TRUE(solver.factor(parts.tangent) && fresh.factor(parts.tangent));
    const Eigen::VectorXd f = random.values(parts.n, 1.0);
    const Eigen::VectorXd g = random.values(parts.m, 1.0);
    Eigen::VectorXd x(parts.n), x_fresh(parts.n);
    solver.solve(f, g, x);
    fresh.solve(f, g, x_fresh);
    EXPECT_TRUE(x.allFinite());
    EXPECT_EQ(x, x_fresh);
  };
  for (std::size_t gone = 0; gone < parts.Phi_z.size(); ++gone) {
    expect_fresh(parts.Phi_z);
    std::vector<double> changed = parts.Phi_z;
    // other entries become the largest, two are nothing, or one is no number
    for (double& value : changed) value *= random.number(-3.0, 3.0);
    changed[gone] = 0.0;
    changed[(gone + 1) % changed.size()] = gone % 3 == 0 ? std::nan("") : 0.0;
    Eigen::VectorXd z = random.values(parts.n, 1.0);
    (void)solver.close(changed, random.values(parts.m, 1.0), z);
    expect_fresh(parts.Phi_z);
    Eigen::VectorXd x(parts.n);
    solver.solve(Eigen::VectorXd::Constant(parts.n, std::nan("")),
                 Eigen::VectorXd::Constant(parts.m, std::nan("")), x);
  }
  expect_fresh(parts.Phi_z);
}

TEST_P(IndependentSolvers, SolveWithoutALoadAsWithALoadOfZero) {
  IndependentSolver solver = solver_of(parts);
  solver.split(parts.Phi_z);
  ASSERT_TRUE(solver.factor(parts.tangent));
  Random random(9);
  const Eigen::VectorXd g = random.values(parts.m, 1.0);
  Eigen::VectorXd x(parts.n), expected(parts.n);
  solver.solve(Eigen::VectorXd::Zero(parts.n), g, expected);
  solver.solve(g, x);
  EXPECT_EQ(x, expected);
}

TEST_P(IndependentSolvers, RefuseWhatIsNotPositiveDefiniteOrNotFinite) {
  IndependentSolver solver = solver_of(parts);
  solver.split(parts.Phi_z);
  std::vector<double> tangent = parts.tangent;
  for (double& value : tangent) value = -value;
  EXPECT_FALSE(solver.factor(tangent));
  tangent = parts.tangent;
  tangent[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(solver.factor(tangent));
  EXPECT_TRUE(solver.factor(parts.tangent));
  // at a place where a loop's rows have vanished nothing closes it
  std::vector<double> gone(parts.Phi_z.size(), 0.0);
  Eigen::VectorXd z = Eigen::VectorXd::Zero(parts.n);
  EXPECT_FALSE(solver.close(gone, Eigen::VectorXd::Ones(parts.m), z));
}

}  // namespace
}  // namespace semirec::test
