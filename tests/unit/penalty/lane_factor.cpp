// Rows in lanes and their factor, against the dense matrix.
#include <algorithm>
#include <limits>

#include <gtest/gtest.h>

#include "penalty/factors/tangent_solver.hpp"
#include "recursive/lanes/lane_rows.hpp"
#include "tests/support/eigen_system.hpp"
#include "tests/support/expect_close.hpp"
#include "tests/support/random_mechanism.hpp"
#include "topology/indices.hpp"

namespace semirec::test {
namespace {

using Cliques = std::vector<std::vector<int>>;

// matrices of condition below 1e3: eps times that and some tens of operations
constexpr double kSolvedInLanes = 1e-11;

/// Branches side by side on a trunk that they share, numbered at random.
struct Comb {
  int n = 0;
  Cliques cliques;
  std::vector<std::vector<int>> lanes;

  explicit Comb(std::uint64_t seed) {
    Random random(seed);
    const int trunk = random.index(5);
    const int depth = 1 + random.index(6);
    const int branches = 1 + random.index(kLanes);
    n = trunk + depth * branches;
    std::vector<int> name(at(n));
    for (int k = 0; k < n; ++k) name[at(k)] = k;
    for (int k = n - 1; k > 0; --k) std::swap(name[at(k)], name[at(random.index(k + 1))]);
    const auto of = [&](int level, int branch) {
      return name[at(trunk + level * branches + branch)];
    };
    for (int level = 0; level < depth; ++level) {
      lanes.emplace_back();
      for (int branch = 0; branch < branches; ++branch) lanes.back().push_back(of(level, branch));
    }
    for (int k = 0; k < 12; ++k) {
      std::vector<int> clique;
      const int branch = random.index(branches);
      for (int level = 0; level < depth; ++level)
        if (random.index(2) == 0) clique.push_back(of(level, branch));
      for (int t = 0; t < trunk; ++t)
        if (random.index(3) == 0) clique.push_back(name[at(t)]);
      std::sort(clique.begin(), clique.end());
      if (!clique.empty()) cliques.push_back(clique);
    }
  }
};

struct StoredLanes {
  SymmetricPattern pattern;
  std::vector<double> values;
  Eigen::MatrixXd dense;

  StoredLanes(const Comb& comb, std::uint64_t seed)
      : pattern(SymmetricPattern::make_lanes(
            comb.n, make_lane_rows(comb.n, comb.cliques, comb.lanes).value())),
        values(at(pattern.value_count()), 0.0),
        dense(Eigen::MatrixXd::Zero(comb.n, comb.n)) {
    Random random(seed);
    for (const auto& clique : comb.cliques) {
      const Eigen::VectorXd g = random.values(static_cast<Eigen::Index>(clique.size()), 1.0);
      for (std::size_t i = 0; i < clique.size(); ++i)
        for (std::size_t j = 0; j <= i; ++j)
          add(clique[i], clique[j],
              g[static_cast<Eigen::Index>(i)] * g[static_cast<Eigen::Index>(j)]);
    }
    for (int i = 0; i < comb.n; ++i) add(i, i, 0.5);
  }
  void add(int i, int j, double value) {
    ASSERT_EQ(pattern.slot(i, j), pattern.slot(j, i));
    values[at(pattern.slot(i, j))] += value;
    dense(i, j) += value;
    if (i != j) dense(j, i) += value;
  }
};

class LaneFactors : public testing::TestWithParam<std::uint64_t> {};
INSTANTIATE_TEST_SUITE_P(Seeds, LaneFactors, testing::Range<std::uint64_t>(0, 40));

TEST_P(LaneFactors, KeepTheMatrixAndSolveWhatTheDenseOneSays) {
  const Comb comb(GetParam());
  const StoredLanes A(comb, GetParam());
  EXPECT_EQ(A.pattern.to_dense(A.values.data()), A.dense);  // entry by entry, nothing shared
  TangentSolver solver(A.pattern);
  ASSERT_TRUE(solver.factor(A.values));
  Random random(GetParam() + 100);
  const Eigen::VectorXd b = random.values(comb.n, 1.0);
  Eigen::VectorXd x = b;
  solver.solve(x);
  expect_close(x, solve_fully_pivoted(A.dense, b), kSolvedInLanes, kSolvedInLanes);
}

TEST_P(LaneFactors, RefuseWhatIsNotPositiveDefiniteAndRecover) {
  const Comb comb(GetParam());
  const StoredLanes good(comb, GetParam());
  TangentSolver solver(good.pattern);
  for (int k = 0; k < comb.n; ++k) {
    for (const double wrong : {-100.0, std::numeric_limits<double>::quiet_NaN(),
                               std::numeric_limits<double>::infinity()}) {
      std::vector<double> bad = good.values;
      bad[at(good.pattern.slot(k, k))] += wrong;
      EXPECT_FALSE(solver.factor(bad)) << "coordinate " << k << ", " << wrong;
    }
    ASSERT_TRUE(solver.factor(good.values));
    Eigen::VectorXd x = Eigen::VectorXd::Ones(comb.n);
    solver.solve(x);
    expect_close(Eigen::VectorXd(good.dense * x), Eigen::VectorXd::Ones(comb.n).eval(),
                 kSolvedInLanes, kSolvedInLanes);
  }
}

TEST(LaneRowsOf, BranchesThatCoupleDoNotExist) {
  // a bar between the two sides
  EXPECT_FALSE(make_lane_rows(5, {{0, 1, 3}, {0, 2, 4}, {3, 4}}, {{1, 2}, {3, 4}}).has_value());
  EXPECT_TRUE(make_lane_rows(5, {{0, 1, 3}, {0, 2, 4}}, {{1, 2}, {3, 4}}).has_value());
}

}  // namespace
}  // namespace semirec::test
