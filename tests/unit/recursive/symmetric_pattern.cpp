#include "recursive/symmetric_pattern.hpp"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "penalty/factors/tangent_solver.hpp"
#include "tests/support/random_mechanism.hpp"

namespace semirec::test {
namespace {

using Cliques = std::vector<std::vector<int>>;

struct Pattern {
  const char* name;
  PatternKind kind;
};
std::ostream& operator<<(std::ostream& out, const Pattern& p) { return out << p.name; }

SymmetricPattern make_pattern(PatternKind kind, int n, const Cliques& cliques) {
  if (kind == PatternKind::tree) return SymmetricPattern::make_tree(n, cliques);
  if (kind == PatternKind::sparse)
    return SymmetricPattern::make_sparse(n, cliques, find_fill_reducing_order(n, cliques));
  return SymmetricPattern::make_dense(n);
}

/// Paths of a random tree of coordinates and a few random sets across it.
Cliques make_random_cliques(Random& random, int n) {
  std::vector<int> parent(static_cast<std::size_t>(n), -1);
  for (int i = 1; i < n; ++i) parent[static_cast<std::size_t>(i)] = random.index(i + 1) - 1;
  Cliques cliques;
  for (int i = 0; i < n; ++i) {
    std::vector<int> path;
    for (int j = i; j >= 0; j = parent[static_cast<std::size_t>(j)]) path.insert(path.begin(), j);
    cliques.push_back(path);
  }
  for (int k = random.index(4); k > 0; --k) {
    std::set<int> set;
    for (int e = 0; e < 4; ++e) set.insert(random.index(n));
    cliques.emplace_back(set.begin(), set.end());
  }
  return cliques;
}

class Patterns : public testing::TestWithParam<Pattern> {};
INSTANTIATE_TEST_SUITE_P(Kinds, Patterns,
                         testing::Values(Pattern{"dense", PatternKind::dense},
                                         Pattern{"tree", PatternKind::tree},
                                         Pattern{"sparse", PatternKind::sparse}),
                         [](const auto& test) { return std::string(test.param.name); });

TEST_P(Patterns, HoldEveryCoupledPairOnce) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    const int n = 1 + random.index(25);
    const Cliques cliques = make_random_cliques(random, n);
    const SymmetricPattern pattern = make_pattern(GetParam().kind, n, cliques);
    ASSERT_EQ(pattern.kind(), GetParam().kind);
    ASSERT_EQ(pattern.size(), n);
    // a number that tells the entry
    std::vector<double> values(static_cast<std::size_t>(pattern.value_count()), 0.0);
    Eigen::MatrixXd expected = Eigen::MatrixXd::Zero(n, n);
    for (const auto& clique : cliques)
      for (const int i : clique)
        for (const int j : clique) {
          const int slot = pattern.slot(i, j);
          ASSERT_GE(slot, 0);
          ASSERT_LT(slot, pattern.value_count());
          ASSERT_EQ(slot, pattern.slot(j, i));
          const double number = 1000.0 * std::max(i, j) + std::min(i, j) + 1.0;
          double& value = values[static_cast<std::size_t>(slot)];
          ASSERT_TRUE(value == 0.0 || value == number) << "two entries share a slot";
          value = number;
          expected(i, j) = number;
        }
    EXPECT_EQ(pattern.to_dense(values.data()), expected);
  }
}

TEST_P(Patterns, BlockSlotsRunAlongTheLowerTriangle) {
  const SymmetricPattern pattern = make_pattern(GetParam().kind, 6, {{0, 2, 5}, {1, 3}, {4}});
  const std::vector<int> expected{pattern.slot(0, 0), pattern.slot(2, 0), pattern.slot(2, 2),
                                  pattern.slot(5, 0), pattern.slot(5, 2), pattern.slot(5, 5)};
  EXPECT_EQ(pattern.block_slots({0, 2, 5}), expected);
}

TEST(TreePattern, OfAForestHasNoFill) {
  // two branches on a base: rows hold their paths and nothing else
  const SymmetricPattern pattern = SymmetricPattern::make_tree(5, {{0, 1, 2}, {0, 3, 4}});
  EXPECT_EQ(pattern.value_count(), 1 + 2 + 3 + 2 + 3);
  EXPECT_EQ(pattern.parent(), (std::vector<int>{-1, 0, 1, 0, 3}));
  // row of length k costs k (k + 3) / 2 products: 0, 2, 5, 2, 5
  EXPECT_DOUBLE_EQ(pattern.factor_cost(), 14.0);
}

TEST(TreePattern, OfALoopFillsTheLoopOnly) {
  // a closure between the tips 2 and 4 couples the two branches: 4 then holds 0, 1, 2, 3
  const SymmetricPattern pattern =
      SymmetricPattern::make_tree(5, {{0, 1, 2}, {0, 3, 4}, {1, 2, 3, 4}});
  EXPECT_EQ(pattern.value_count(), 1 + 2 + 3 + 4 + 5);
}

TEST(TreePattern, CostsNoMoreThanDenseAndNoLessThanSparse) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    const int n = 20;
    const Cliques tree_only = [&] {
      Cliques cliques = make_random_cliques(random, n);
      cliques.resize(static_cast<std::size_t>(n));
      return cliques;
    }();
    // counted alike: products of an elimination of everything, k (k + 3) / 2 for a row of length k
    double full = 0.0;
    for (int k = 0; k < n; ++k) full += k * (k + 3.0) / 2.0;
    const double tree = SymmetricPattern::make_tree(n, tree_only).factor_cost();
    EXPECT_LE(tree, full);
    // a tree eliminated from its tips has no fill at all: the least possible
    EXPECT_LE(tree, make_pattern(PatternKind::sparse, n, tree_only).factor_cost());
  }
}

TEST(SparsePattern, RowsAscendInEveryColumn) {
  Random random(4);
  const int n = 18;
  const SymmetricPattern pattern =
      make_pattern(PatternKind::sparse, n, make_random_cliques(random, n));
  for (int c = 0; c < n; ++c) {
    const auto column = static_cast<std::size_t>(c);
    const auto begin = pattern.row_index().begin() + pattern.column_begin()[column];
    const auto end = pattern.row_index().begin() + pattern.column_begin()[column + 1];
    EXPECT_TRUE(std::is_sorted(begin, end));
    EXPECT_EQ(*(end - 1), c) << "the diagonal ends the upper triangle's column";
  }
}

}  // namespace
}  // namespace semirec::test
