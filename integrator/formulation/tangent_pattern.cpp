#include "integrator/formulation/tangent_pattern.hpp"

#include <algorithm>
#include <optional>

#include "penalty/factors/tangent_solver.hpp"
#include "recursive/lanes/lane_plan.hpp"
#include "recursive/lanes/lane_rows.hpp"
#include "topology/indices.hpp"

namespace semirec {

namespace {

/// Keeps those of the columns whose lanes couple by themselves: what an anti-roll bar ties to its
/// neighbour is shared.
void drop_coupled(int n, const std::vector<std::vector<int>>& cliques,
                  std::vector<std::vector<int>>& lanes) {
  std::vector<int> lane_of(at(n), -1);
  std::vector<int> set_of(at(n), -1);
  for (std::size_t s = 0; s < lanes.size(); ++s)
    for (std::size_t l = 0; l < lanes[s].size(); ++l) {
      lane_of[at(lanes[s][l])] = static_cast<int>(l);
      set_of[at(lanes[s][l])] = static_cast<int>(s);
    }
  std::vector<char> coupled(lanes.size(), 0);
  for (const std::vector<int>& clique : cliques)
    for (const int i : clique)
      for (const int j : clique)
        if (set_of[at(i)] >= 0 && set_of[at(j)] >= 0 && lane_of[at(i)] != lane_of[at(j)])
          coupled[at(set_of[at(i)])] = 1;
  std::vector<std::vector<int>> kept;
  for (std::size_t s = 0; s < lanes.size(); ++s)
    if (coupled[s] == 0) kept.push_back(lanes[s]);
  lanes = std::move(kept);
}

/// Rows in lanes, when they make up at least half of the coordinates and what they share stays
/// small.
std::optional<SymmetricPattern> find_lane_pattern(int n,
                                                  const std::vector<std::vector<int>>& cliques,
                                                  const LanePlan& plan) {
  constexpr std::size_t kMostShared = 64;
  std::vector<std::vector<int>> lanes;
  for (const LaneGroup& group : plan.groups) {
    if (group.count == 1) continue;
    for (int k = 0; k < group.column_count; ++k) {
      const auto& column = plan.columns[at(group.column_begin + k)];
      lanes.emplace_back(column.begin(), column.begin() + group.count);
    }
  }
  drop_coupled(n, cliques, lanes);
  std::size_t covered = 0;
  for (const std::vector<int>& set : lanes) covered += set.size();
  if (2 * covered < at(n) || at(n) - covered > kMostShared) return std::nullopt;
  std::optional<LaneRows> rows = make_lane_rows(n, cliques, lanes);
  if (!rows) return std::nullopt;
  return SymmetricPattern::make_lanes(n, std::move(*rows));
}

}  // namespace

SymmetricPattern choose_pattern(int n, const std::vector<std::vector<int>>& cliques,
                                TangentChoice choice, const LanePlan& plan) {
  if (choice == TangentChoice::dense || n == 0) return SymmetricPattern::make_dense(n);
  if (choice == TangentChoice::tree) return SymmetricPattern::make_tree(n, cliques);
  if (choice != TangentChoice::sparse)
    if (auto lanes = find_lane_pattern(n, cliques, plan)) return *lanes;
  if (choice == TangentChoice::lanes) return SymmetricPattern::make_tree(n, cliques);
  // where all couple with all, as in a chain, no order saves anything
  const bool is_full = std::ranges::any_of(
      cliques, [n](const std::vector<int>& clique) { return clique.size() == at(n); });
  if (is_full && choice != TangentChoice::sparse) return SymmetricPattern::make_tree(n, cliques);
  SymmetricPattern sparse =
      SymmetricPattern::make_sparse(n, cliques, find_fill_reducing_order(n, cliques));
  if (choice == TangentChoice::sparse) return sparse;
  SymmetricPattern tree = SymmetricPattern::make_tree(n, cliques);
  // measured at n = 26 and 256: CHOLMOD needs about three times as long for the same products
  // (docs/decisions/0007), so it has to save two thirds of them
  if (tree.factor_cost() <= 3.0 * sparse.factor_cost()) return tree;
  return sparse;
}

}  // namespace semirec
