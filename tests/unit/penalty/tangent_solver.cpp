#include "penalty/factors/tangent_solver.hpp"

#include <limits>
#include <numeric>
#include <set>

#include <gtest/gtest.h>

#include "tests/support/eigen_system.hpp"
#include "tests/support/expect_close.hpp"
#include "tests/support/random_mechanism.hpp"

namespace semirec::test {
namespace {

using Cliques = std::vector<std::vector<int>>;

// matrices of condition below 1e3: eps times that and some tens of operations
constexpr double kSolved = 1e-11;

struct Kind {
  const char* name;
  PatternKind pattern;
};
std::ostream& operator<<(std::ostream& out, const Kind& k) { return out << k.name; }

SymmetricPattern make_pattern(PatternKind kind, int n, const Cliques& cliques) {
  if (kind == PatternKind::tree) return SymmetricPattern::make_tree(n, cliques);
  if (kind == PatternKind::sparse)
    return SymmetricPattern::make_sparse(n, cliques, find_fill_reducing_order(n, cliques));
  return SymmetricPattern::make_dense(n);
}

Cliques make_random_cliques(Random& random, int n) {
  std::vector<int> parent(static_cast<std::size_t>(n), -1);
  for (int i = 1; i < n; ++i) parent[static_cast<std::size_t>(i)] = random.index(i + 1) - 1;
  Cliques cliques;
  for (int i = 0; i < n; ++i) {
    std::vector<int> path;
    for (int j = i; j >= 0; j = parent[static_cast<std::size_t>(j)]) path.insert(path.begin(), j);
    cliques.push_back(path);
  }
  for (int k = random.index(5); k > 0; --k) {
    std::set<int> set;
    for (int e = 0; e < 4; ++e) set.insert(random.index(n));
    cliques.emplace_back(set.begin(), set.end());
  }
  return cliques;
}

/// A matrix in a pattern's storage: sum over cliques of g g^T, and a diagonal.
struct Stored {
  SymmetricPattern pattern;
  std::vector<double> values;
  Eigen::MatrixXd dense;

  Stored(PatternKind kind, int n, const Cliques& cliques, std::uint64_t seed)
      : pattern(make_pattern(kind, n, cliques)),
        values(static_cast<std::size_t>(pattern.value_count()), 0.0),
        dense(Eigen::MatrixXd::Zero(n, n)) {
    Random random(seed);
    for (const auto& clique : cliques) {
      const Eigen::VectorXd g = random.values(static_cast<Eigen::Index>(clique.size()), 1.0);
      for (std::size_t i = 0; i < clique.size(); ++i)
        for (std::size_t j = 0; j <= i; ++j)
          add(clique[i], clique[j],
              g[static_cast<Eigen::Index>(i)] * g[static_cast<Eigen::Index>(j)]);
    }
    for (int i = 0; i < n; ++i) add(i, i, 0.5);
  }
  void add(int i, int j, double value) {
    values[static_cast<std::size_t>(pattern.slot(i, j))] += value;
    dense(i, j) += value;
    if (i != j) dense(j, i) += value;
  }
};

class Factors : public testing::TestWithParam<Kind> {};
INSTANTIATE_TEST_SUITE_P(Kinds, Factors,
                         testing::Values(Kind{"dense", PatternKind::dense},
                                         Kind{"tree", PatternKind::tree},
                                         Kind{"sparse", PatternKind::sparse}),
                         [](const auto& test) { return std::string(test.param.name); });

TEST_P(Factors, SolveWhatTheDenseMatrixSays) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Random random(seed);
    const int n = 1 + random.index(40);
    const Stored A(GetParam().pattern, n, make_random_cliques(random, n), seed);
    TangentSolver solver(A.pattern);
    ASSERT_TRUE(solver.factor(A.values));
    const Eigen::VectorXd b = random.values(n, 1.0);
    Eigen::VectorXd x = b;
    solver.solve(x);
    expect_close(x, solve_fully_pivoted(A.dense, b), kSolved, kSolved);
    // a second right side with the same factor
    x = 2.0 * b;
    solver.solve(x);
    expect_close(Eigen::VectorXd(A.dense * x), Eigen::VectorXd(2.0 * b), kSolved, kSolved);
  }
}

TEST_P(Factors, RefuseAMatrixThatIsNotPositiveDefiniteAndRecover) {
  const int n = 12;
  Random random(3);
  const Cliques cliques = make_random_cliques(random, n);
  const Stored good(GetParam().pattern, n, cliques, 7);
  TangentSolver solver(good.pattern);
  // wherever the bad pivot is, the first or the last to be eliminated included
  for (int k = 0; k < n; ++k) {
    for (const double less : {100.0, good.dense(k, k)}) {
      Stored bad = good;
      bad.add(k, k, -less);  // an indefinite matrix; a zero on the diagonal
      EXPECT_FALSE(solver.factor(bad.values)) << "coordinate " << k;
    }
    ASSERT_TRUE(solver.factor(good.values));
    Eigen::VectorXd x = Eigen::VectorXd::Ones(n);
    solver.solve(x);
    expect_close(Eigen::VectorXd(good.dense * x), Eigen::VectorXd::Ones(n).eval(), kSolved,
                 kSolved);
  }
}

TEST_P(Factors, RefuseAZeroMatrix) {
  const Stored A(GetParam().pattern, 4, {{0, 1, 2, 3}}, 1);
  TangentSolver solver(A.pattern);
  EXPECT_FALSE(solver.factor(std::vector<double>(A.values.size(), 0.0)));
}

TEST_P(Factors, RefuseNumbersThatAreNotFinite) {
  const int n = 8;
  Random random(5);
  const Cliques cliques = make_random_cliques(random, n);
  const Stored good(GetParam().pattern, n, cliques, 9);
  TangentSolver solver(good.pattern);
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
        -std::numeric_limits<double>::infinity()}) {
    for (const auto& clique : cliques) {
      // on the diagonal and, where there is one, off it
      for (const int j : {clique.back(), clique.front()}) {
        std::vector<double> values = good.values;
        values[static_cast<std::size_t>(good.pattern.slot(clique.back(), j))] = bad;
        EXPECT_FALSE(solver.factor(values)) << bad << " in " << clique.back() << ", " << j;
      }
    }
  }
  EXPECT_TRUE(solver.factor(good.values));
}

TEST(FillReducingOrder, IsAPermutation) {
  Random random(6);
  const int n = 30;
  std::vector<int> order = find_fill_reducing_order(n, make_random_cliques(random, n));
  std::sort(order.begin(), order.end());
  std::vector<int> all(n);
  std::iota(all.begin(), all.end(), 0);
  EXPECT_EQ(order, all);
}

TEST(FillReducingOrder, EliminatesTheHubOfAStarLast) {
  // a star has no fill when the hub (0) waits for its leaves, and fills completely when it comes
  // first
  Cliques cliques;
  const int n = 10;
  for (int leaf = 1; leaf < n; ++leaf) cliques.push_back({0, leaf});
  const std::vector<int> order = find_fill_reducing_order(n, cliques);
  const auto sparse = SymmetricPattern::make_sparse(n, cliques, order);
  // every leaf has one entry above the diagonal: 1 (1 + 3) / 2 products each
  EXPECT_DOUBLE_EQ(sparse.factor_cost(), 2.0 * (n - 1));
  std::vector<int> natural(n);
  std::iota(natural.begin(), natural.end(), 0);
  EXPECT_GT(SymmetricPattern::make_sparse(n, cliques, natural).factor_cost(), sparse.factor_cost());
}

}  // namespace
}  // namespace semirec::test
