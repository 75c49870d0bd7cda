#include "recursive/lanes/lane_rows.hpp"

#include <algorithm>
#include <set>

#include "topology/indices.hpp"

namespace semirec {

namespace {

int place_of(const std::vector<int>& list, int value) {
  return static_cast<int>(std::lower_bound(list.begin(), list.end(), value) - list.begin());
}

}  // namespace

int LaneRows::slot(int i, int j) const {
  const int r = row_of[at(i)];
  const int c = row_of[at(j)];
  if (r < 0 && c < 0) {
    const int high = std::max(lane_of[at(i)], lane_of[at(j)]);
    return kLanes * packs + high * (high + 1) / 2 + std::min(lane_of[at(i)], lane_of[at(j)]);
  }
  if (r < 0 || (c >= 0 && c > r)) return slot(j, i);
  const Row& row = rows[at(r)];
  const int place =
      c < 0 ? 1 + static_cast<int>(row.columns.size()) + place_of(row.shared, lane_of[at(j)])
            : (c == r ? static_cast<int>(row.columns.size()) : place_of(row.columns, c));
  return kLanes * (row.begin + place) + lane_of[at(i)];
}

std::optional<LaneRows> make_lane_rows(int n, const std::vector<std::vector<int>>& cliques,
                                       const std::vector<std::vector<int>>& lanes) {
  LaneRows result;
  result.row_of.assign(at(n), -1);
  result.lane_of.assign(at(n), 0);
  for (const std::vector<int>& set : lanes) {
    LaneRows::Row row;
    row.count = static_cast<int>(set.size());
    for (int l = 0; l < kLanes; ++l) row.index[at(l)] = set[at(l < row.count ? l : 0)];
    for (int l = 0; l < row.count; ++l) {
      result.row_of[at(set[at(l)])] = static_cast<int>(result.rows.size());
      result.lane_of[at(set[at(l)])] = l;
    }
    result.rows.push_back(row);
  }
  for (int k = 0; k < n; ++k) {
    if (result.row_of[at(k)] >= 0) continue;
    result.lane_of[at(k)] = static_cast<int>(result.shared.size());
    result.shared.push_back(k);
  }

  const std::size_t count = result.rows.size();
  std::vector<std::set<int>> columns(count);
  std::vector<std::set<int>> shared(count);
  for (const std::vector<int>& clique : cliques)
    for (const int i : clique)
      for (const int j : clique) {
        const int r = result.row_of[at(i)];
        const int c = result.row_of[at(j)];
        if (r < 0) continue;
        if (c < 0) {
          shared[at(r)].insert(result.lane_of[at(j)]);
          continue;
        }
        if (result.lane_of[at(i)] != result.lane_of[at(j)]) return std::nullopt;
        if (c < r) columns[at(r)].insert(c);
      }
  // fill: what a row couples with is coupled once the row is gone
  for (std::size_t r = count; r-- > 0;)
    for (const int c : columns[r]) {
      for (const int b : columns[r])
        if (b < c) columns[at(c)].insert(b);
      shared[at(c)].insert(shared[r].begin(), shared[r].end());
    }
  for (std::size_t r = 0; r < count; ++r) {
    LaneRows::Row& row = result.rows[r];
    row.columns.assign(columns[r].begin(), columns[r].end());
    row.shared.assign(shared[r].begin(), shared[r].end());
    row.begin = result.packs;
    result.packs += 1 + static_cast<int>(row.columns.size() + row.shared.size());
  }
  for (LaneRows::Row& row : result.rows) {
    for (std::size_t a = 0; a < row.columns.size(); ++a) {
      const LaneRows::Row& to = result.rows[at(row.columns[a])];
      for (std::size_t b = 0; b < a; ++b)
        row.targets.push_back(to.begin + place_of(to.columns, row.columns[b]));
      row.targets.push_back(to.diagonal());
      for (const int s : row.shared)
        row.targets.push_back(to.diagonal() + 1 + place_of(to.shared, s));
    }
  }
  return result;
}

}  // namespace semirec
